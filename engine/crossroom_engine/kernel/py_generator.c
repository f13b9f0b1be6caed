/* The type of generators: rules, words, and how Python writes tiles and plays. */

#include "python.h"

#include <stdlib.h>

static int generator_traverse(PyObject *object, visitproc visit, void *arg)
{
    GeneratorObject *self = (GeneratorObject *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->words);
    Py_VISIT(self->letters);
    Py_VISIT(self->tiles);
    Py_VISIT(self->names);
    Py_VISIT(self->texts);
    Py_VISIT(self->spots);
    Py_VISIT(self->play);
    return 0;
}

static int generator_clear(PyObject *object)
{
    GeneratorObject *self = (GeneratorObject *)object;
    Py_CLEAR(self->words);
    Py_CLEAR(self->letters);
    Py_CLEAR(self->tiles);
    Py_CLEAR(self->names);
    Py_CLEAR(self->texts);
    Py_CLEAR(self->spots);
    Py_CLEAR(self->play);
    return 0;
}

static void free_search(Search *search)
{
    if (search) search_free(search);
    free(search);
}

static void generator_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    free_search(((GeneratorObject *)object)->spare);
    generator_clear(object);
    PyObject_GC_Del(object);
    Py_DECREF(type);
}

static int check_rules(const Rules *rules, const Words *words)
{
    const int squares = rules->width * rules->height;

    for (int square = 0; square < squares; square++)
        if (!is_within(rules->letter_premiums[square], 1, MOST_PREMIUM, "a letter premium") ||
            !is_within(rules->word_premiums[square], 1, MOST_PREMIUM, "a word premium"))
            return 0;
    for (int kind = 0; kind < KINDS; kind++)
        if (!is_within(rules->points[kind], 0, MOST_POINTS, "a tile's points")) return 0;
    if (rules->points[BLANK] || rules->blank_letters >> words->letters) {
        PyErr_SetString(PyExc_ValueError, "a blank has no points and stands for letters of words");
        return 0;
    }
    return is_within(rules->start, 0, squares - 1, "start") &&
           is_within(rules->rack, 1, MOST_TILES, "rack") &&
           is_within(rules->bingo, 0, MOST_POINTS, "bingo");
}

/* The tiles by their numbers. */
static PyObject *invert(PyObject *tiles)
{
    PyObject *names = PyTuple_New(KINDS), *tile, *number;
    Py_ssize_t place = 0;

    if (!names) return NULL;
    for (int kind = 0; kind < KINDS; kind++) {
        Py_INCREF(Py_None);
        PyTuple_SetItem(names, kind, Py_None);
    }
    while (PyDict_Next(tiles, &place, &tile, &number)) {
        Py_INCREF(tile);
        PyTuple_SetItem(names, PyLong_AsLong(number), tile);
    }
    return names;
}

static int check_tables(GeneratorObject *self)
{
    const Py_ssize_t spots = 2 * (Py_ssize_t)self->rules.width * self->rules.height;
    PyObject *play;

    if (!check_numbers(self->tiles, KINDS) || !check_numbers(self->letters, BLANK)) return 0;
    if (PyTuple_Size(self->spots) != spots || PyTuple_Size(self->texts) != LAID) {
        PyErr_SetString(PyExc_ValueError, "as many spots as squares and ways, and a text for each");
        return 0;
    }
    for (int laid = 0; laid < LAID; laid++) {
        Text *piece = &self->pieces[laid];
        piece->bytes = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(self->texts, laid), &piece->size);
        if (!piece->bytes) return 0;
        if (!is_within((long)piece->size, 0, MOST_TEXT, "the size of a tile's text")) return 0;
    }
    /* Refuses types that are no tuples, and tuples that must be made in another way. */
    play = PyObject_CallMethod((PyObject *)&PyTuple_Type, "__new__", "O()", self->play);
    Py_XDECREF(play);
    return play != NULL;
}

static PyObject *generator_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"words", "width", "height", "start", "rack", "bingo",
                            "letter_premiums", "word_premiums", "points", "blank_letters",
                            "letters", "tiles", "texts", "spots", "play", NULL};
    const State *state = PyType_GetModuleState(type);
    PyObject *words, *letter, *word, *points, *letters, *tiles, *texts, *spots, *play;
    unsigned long long blank_letters;
    GeneratorObject *self;
    Rules *rules;
    size_t squares;

    if (!state) return NULL;
    self = (GeneratorObject *)PyType_GenericAlloc(type, 0);
    if (!self) return NULL;
    rules = &self->rules;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "O!iiiiiOOOKO!O!O!O!O!", names, state->words, &words, &rules->width,
            &rules->height, &rules->start, &rules->rack, &rules->bingo, &letter, &word, &points,
            &blank_letters, &PyDict_Type, &letters, &PyDict_Type, &tiles, &PyTuple_Type, &texts,
            &PyTuple_Type, &spots, &PyType_Type, &play))
        goto fail;
    rules->blank_letters = blank_letters;
    if (!is_within(rules->width, 1, LARGEST, "width") ||
        !is_within(rules->height, 1, LARGEST, "height"))
        goto fail;
    squares = (size_t)(rules->width * rules->height);
    if (!copy_items(letter, "letter_premiums", rules->letter_premiums, 1, squares) ||
        !copy_items(word, "word_premiums", rules->word_premiums, 1, squares) ||
        !copy_items(points, "points", rules->points, 4, KINDS) ||
        !check_rules(rules, &((WordsObject *)words)->words))
        goto fail;
    Py_INCREF(words);
    self->words = words;
    Py_INCREF(texts);
    self->texts = texts;
    Py_INCREF(spots);
    self->spots = spots;
    Py_INCREF(play);
    self->play = play;
    self->tiles = PyDict_Copy(tiles); /* of our own: nobody can change them later */
    self->letters = PyDict_Copy(letters);
    if (!self->tiles || !self->letters || !check_tables(self)) goto fail;
    self->names = invert(self->tiles);
    if (!self->names) goto fail;
    return (PyObject *)self;
fail:
    Py_DECREF(self);
    return NULL;
}

/* Searches */

Search *take_search(GeneratorObject *self)
{
    Search *search = self->spare;

    self->spare = NULL;
    if (!search) {
        search = malloc(sizeof *search);
        if (search)
            search_init(search, &((WordsObject *)self->words)->words, &self->rules);
        else
            PyErr_NoMemory();
    }
    return search;
}

void put_back(GeneratorObject *self, Search *search)
{
    if (self->spare)
        free_search(search);
    else
        self->spare = search;
}

/* The type */

static PyMethodDef generator_methods[] = {
    {"plays", generator_plays, METH_VARARGS, NULL},
    {"count", generator_count, METH_VARARGS, NULL},
    {"any", generator_any, METH_VARARGS, NULL},
    {"best", generator_best, METH_VARARGS, NULL},
    {"match", generator_match, METH_VARARGS, NULL},
    {"endgame", generator_endgame, METH_VARARGS, NULL},
    {"rollouts", generator_rollouts, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot generator_slots[] = {{Py_tp_new, generator_new},
                                        {Py_tp_dealloc, generator_dealloc},
                                        {Py_tp_traverse, generator_traverse},
                                        {Py_tp_clear, generator_clear},
                                        {Py_tp_methods, generator_methods},
                                        {0, NULL}};

PyType_Spec generator_spec = {"crossroom_engine._kernel.Generator", sizeof(GeneratorObject), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_HAVE_GC,
                              generator_slots};

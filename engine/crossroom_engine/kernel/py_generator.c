/* The type of generators: rules, words, and how Python writes tiles and plays. */

#include "python.h"

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

static void generator_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    free_search(((GeneratorObject *)object)->spare);
    generator_clear(object);
    PyObject_GC_Del(object);
    Py_DECREF(type);
}

static int check_rules(const Rules *rules, const Dawg *dawg)
{
    const int squares = rules->width * rules->height;

    for (int square = 0; square < squares; square++)
        if (!check_range(rules->letter_premiums[square], 1, MAX_PREMIUM, "a letter premium") ||
            !check_range(rules->word_premiums[square], 1, MAX_PREMIUM, "a word premium"))
            return 0;
    for (int kind = 0; kind < TILE_NUMBERS; kind++)
        if (!check_range(rules->points[kind], 0, MAX_TILE_POINTS, "a tile's points")) return 0;
    if (rules->points[BLANK] || rules->blank_letters >> dawg->letters) {
        PyErr_SetString(PyExc_ValueError, "a blank has no points and stands for letters of words");
        return 0;
    }
    return check_range(rules->start, 0, squares - 1, "start") &&
           check_range(rules->rack_size, 1, MAX_RACK, "rack") &&
           check_range(rules->bingo_bonus, 0, MAX_TILE_POINTS, "bingo");
}

/* Return the tiles by their codes. */
static PyObject *invert(PyObject *tiles)
{
    PyObject *names = PyTuple_New(TILE_NUMBERS), *tile, *code;
    Py_ssize_t i = 0;

    if (!names) return NULL;
    for (int kind = 0; kind < TILE_NUMBERS; kind++)
        PyTuple_SetItem(names, kind, Py_NewRef(Py_None));
    while (PyDict_Next(tiles, &i, &tile, &code))
        PyTuple_SetItem(names, PyLong_AsLong(code), Py_NewRef(tile));
    return names;
}

static int check_tables(GeneratorObject *self)
{
    const Py_ssize_t spots = 2 * (Py_ssize_t)self->rules.width * self->rules.height;
    PyObject *play;

    if (!check_codes(self->tiles, TILE_NUMBERS) || !check_codes(self->letters, BLANK)) return 0;
    if (PyTuple_Size(self->spots) != spots || PyTuple_Size(self->texts) != SQUARE_CODES) {
        PyErr_SetString(PyExc_ValueError, "as many spots as squares and ways, and a text for each");
        return 0;
    }
    for (int code = 0; code < SQUARE_CODES; code++) {
        TileText *text = &self->tile_texts[code];
        text->bytes = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(self->texts, code), &text->size);
        if (!text->bytes) return 0;
        if (!check_range((long)text->size, 0, MAX_TILE_TEXT, "the size of a tile's text")) return 0;
    }
    /* This fails for types that are no tuples, and for tuples that are made in another way. */
    play = PyObject_CallMethod((PyObject *)&PyTuple_Type, "__new__", "O()", self->play);
    Py_XDECREF(play);
    return play != NULL;
}

static PyObject *generator_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"words", "width", "height", "start", "rack", "bingo",
                            "letter_premiums", "word_premiums", "points", "blank_letters",
                            "letters", "tiles", "texts", "spots", "play", NULL};
    const ModuleState *state = PyType_GetModuleState(type);
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
            &rules->height, &rules->start, &rules->rack_size, &rules->bingo_bonus, &letter, &word,
            &points, &blank_letters, &PyDict_Type, &letters, &PyDict_Type, &tiles, &PyTuple_Type,
            &texts, &PyTuple_Type, &spots, &PyType_Type, &play))
        goto fail;
    rules->blank_letters = blank_letters;
    if (!check_range(rules->width, 1, MAX_SIDE, "width") ||
        !check_range(rules->height, 1, MAX_SIDE, "height"))
        goto fail;
    squares = (size_t)(rules->width * rules->height);
    if (!copy_items(letter, "letter_premiums", rules->letter_premiums, 1, squares) ||
        !copy_items(word, "word_premiums", rules->word_premiums, 1, squares) ||
        !copy_items(points, "points", rules->points, 4, TILE_NUMBERS) ||
        !check_rules(rules, &((WordsObject *)words)->dawg))
        goto fail;
    self->words = Py_NewRef(words);
    self->texts = Py_NewRef(texts);
    self->spots = Py_NewRef(spots);
    self->play = Py_NewRef(play);
    self->tiles = PyDict_Copy(tiles); /* copies, which nobody can change later */
    self->letters = PyDict_Copy(letters);
    if (!self->tiles || !self->letters || !check_tables(self)) goto fail;
    self->names = invert(self->tiles);
    if (!self->names) goto fail;
    return (PyObject *)self;
fail:
    Py_DECREF(self);
    return NULL;
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

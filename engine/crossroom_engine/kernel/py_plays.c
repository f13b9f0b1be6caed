/* Questions about a position, and plays as Python has them. */

#include "python.h"

#include <string.h>

static PyObject *take_tiles(PyObject *rack, unsigned used)
{
    PyObject *tiles = PyTuple_New(count_bits(used));

    for (Py_ssize_t place = 0; tiles && used; used &= used - 1, place++) {
        PyObject *tile = PyTuple_GetItem(rack, lowest(used));
        Py_INCREF(tile);
        PyTuple_SetItem(tiles, place, tile);
    }
    return tiles;
}

/* Some plays becoming Python objects. */
typedef struct {
    const GeneratorObject *self;
    const Position *position;
    PyObject *rack, *nothing, *argument;
    PyObject *used[HANDS]; /* the tiles of plays, by the hand that is left, as far as made */
} Making;

PyObject *write_text(const GeneratorObject *self, const uint8_t *board, const Play *play)
{
    const int width = self->rules.width;
    char text[LARGEST * MOST_TEXT], *end = text;
    int laid = 0;

    for (int at = play->first; at < play->end; at++) {
        const int square = play->down ? at * width + play->line : play->line * width + at;
        if (board[square] != EMPTY) {
            *end++ = '.';
        } else {
            const Text *piece = &self->pieces[play->laid[laid++]];
            memcpy(end, piece->bytes, (size_t)piece->size);
            end += piece->size;
        }
    }
    return PyUnicode_FromStringAndSize(text, end - text);
}

PyObject *take_spot(const GeneratorObject *self, const Play *play)
{
    const int row = play->down ? play->first : play->line;
    const int column = play->down ? play->line : play->first;
    const int spot = (play->down * self->rules.height + row) * self->rules.width + column;
    PyObject *taken = PyTuple_GetItem(self->spots, spot);

    Py_XINCREF(taken);
    return taken;
}

static PyObject *get_used(Making *making, unsigned held)
{
    if (!making->used[held]) {
        const unsigned hand = (1u << making->position->tiles) - 1;
        making->used[held] = take_tiles(making->rack, hand & ~held);
    }
    Py_XINCREF(making->used[held]);
    return making->used[held];
}

static PyObject *make_play(Making *making, const Play *play)
{
    const newfunc new_tuple = (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
    PyObject *fields = PyTuple_New(5), *items[5];

    if (!fields) return NULL;
    items[0] = take_spot(making->self, play);
    items[4] = making->nothing;
    Py_INCREF(items[4]);
    items[1] = write_text(making->self, making->position->board, play);
    items[2] = get_used(making, play->held);
    items[3] = PyLong_FromLongLong(play->points);
    for (int item = 0; item < 5; item++) PyTuple_SetItem(fields, item, items[item]);
    PyTuple_SetItem(making->argument, 0, fields); /* which now owns them */
    if (!items[0] || !items[1] || !items[2] || !items[3]) return NULL;
    return new_tuple((PyTypeObject *)making->self->play, making->argument, NULL);
}

static PyObject *make_plays(const GeneratorObject *self, const Position *position, PyObject *rack,
                            const Search *search)
{
    Making making = {self, position, rack, PyTuple_New(0), PyTuple_New(1), {NULL}};
    PyObject *plays = PyList_New((Py_ssize_t)search->plays_count);
    /* Hundreds of new tuples, none of them in a cycle, would start the collector all the time. */
    const int is_collecting = PyGC_Disable();

    if (!making.nothing || !making.argument) Py_CLEAR(plays);
    for (size_t place = 0; plays && place < search->plays_count; place++) {
        PyObject *play = make_play(&making, &search->plays[place]);
        if (play)
            PyList_SetItem(plays, (Py_ssize_t)place, play);
        else
            Py_CLEAR(plays);
    }
    if (is_collecting) PyGC_Enable();
    Py_XDECREF(making.nothing);
    Py_XDECREF(making.argument);
    for (int hand = 0; hand < HANDS; hand++) Py_XDECREF(making.used[hand]);
    return plays;
}

/* Questions */

/* Ask a question and give the search, which holds the answer; NULL with an exception set. */
static Search *ask(GeneratorObject *self, const Position *position, Question question)
{
    Search *search = take_search(self);
    Answer answer;

    if (!search) return NULL;
    Py_BEGIN_ALLOW_THREADS
    answer = search_all(search, position, question);
    Py_END_ALLOW_THREADS
    if (answer != NO_MEMORY) return search;
    put_back(self, search);
    PyErr_NoMemory();
    return NULL;
}

PyObject *generator_plays(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *board, *rack, *plays;
    Position position;
    Search *search;
    int least_blanks = 0;

    if (!PyArg_ParseTuple(args, "OO|i", &board, &rack, &least_blanks) ||
        !read_position(self, board, rack, least_blanks, &position))
        return NULL;
    search = ask(self, &position, ALL);
    if (!search) return NULL;
    plays = make_plays(self, &position, rack, search);
    put_back(self, search);
    return plays;
}

PyObject *generator_count(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *board, *rack;
    unsigned long long count;
    long long most;
    Position position;
    Search *search;
    int least_blanks = 0;

    if (!PyArg_ParseTuple(args, "OO|i", &board, &rack, &least_blanks) ||
        !read_position(self, board, rack, least_blanks, &position))
        return NULL;
    search = ask(self, &position, COUNT);
    if (!search) return NULL;
    count = search->count;
    most = search->most;
    put_back(self, search);
    return count ? Py_BuildValue("KL", count, most) : Py_BuildValue("KO", count, Py_None);
}

PyObject *generator_any(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *board, *rack;
    Position position;
    Search *search;
    int least_blanks = 0, is_any;

    if (!PyArg_ParseTuple(args, "OO|i", &board, &rack, &least_blanks) ||
        !read_position(self, board, rack, least_blanks, &position))
        return NULL;
    search = ask(self, &position, ANY);
    if (!search) return NULL;
    is_any = search->count > 0;
    put_back(self, search);
    return PyBool_FromLong(is_any);
}

PyObject *generator_best(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *board, *rack, *given = Py_None, *plays = NULL;
    int64_t worth[HANDS] = {0};
    const Leaves *leaves;
    Position position;
    Search *search;
    Py_ssize_t wanted = 1;
    int least_blanks = 0;
    Answer answer;

    if (!PyArg_ParseTuple(args, "OO|nOi", &board, &rack, &wanted, &given, &least_blanks) ||
        !read_leaves(self, given, &leaves) ||
        !read_position(self, board, rack, least_blanks, &position))
        return NULL;
    if (wanted < 1) {
        PyErr_SetString(PyExc_ValueError, "at least one play is wanted");
        return NULL;
    }
    search = take_search(self);
    if (!search) return NULL;
    Py_BEGIN_ALLOW_THREADS
    if (leaves) leaves_worth(leaves, position.rack, position.tiles, worth);
    answer = search_best(search, &position, worth, (size_t)wanted);
    Py_END_ALLOW_THREADS
    if (answer == NO_MEMORY)
        PyErr_NoMemory();
    else
        plays = make_plays(self, &position, rack, search);
    put_back(self, search);
    return plays;
}

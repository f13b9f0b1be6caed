/* Plays as Python has them, and the methods that find them. */

#include "python.h"

PyObject *make_text(const GeneratorObject *self, const uint8_t *board, const Play *play)
{
    const uint8_t *tile = play->laid;
    char text[MAX_SIDE * MAX_TILE_TEXT], *end = text;

    for (int at = play->first; at < play->end; at++) {
        if (board[square_at(&self->rules, play->down, play->line, at)] != EMPTY) {
            *end++ = '.';
        } else {
            const TileText *written = &self->tile_texts[*tile++];
            memcpy(end, written->bytes, (size_t)written->size);
            end += written->size;
        }
    }
    return PyUnicode_FromStringAndSize(text, end - text);
}

PyObject *make_spot(const GeneratorObject *self, const Play *play)
{
    const int squares = self->rules.width * self->rules.height;
    const int square = square_at(&self->rules, play->down, play->line, play->first);

    return Py_XNewRef(PyTuple_GetItem(self->spots, play->down * squares + square));
}

/* What is needed to make Python objects of plays. */
typedef struct {
    const GeneratorObject *self;
    const Position *position;
    PyObject *rack, *nothing, *argument;
    PyObject *used[HAND_COUNT]; /* by leave: the tiles of a play, or NULL if not yet made */
} PlayBuilder;

static PyObject *make_tiles(PyObject *rack, unsigned hand)
{
    PyObject *tiles = PyTuple_New(count_bits(hand));

    for (Py_ssize_t i = 0; tiles && hand; hand &= hand - 1, i++)
        PyTuple_SetItem(tiles, i, Py_NewRef(PyTuple_GetItem(rack, lowest_bit(hand))));
    return tiles;
}

static PyObject *make_used(PlayBuilder *builder, unsigned leave)
{
    const unsigned hand = (1u << builder->position->tile_count) - 1;

    if (!builder->used[leave]) builder->used[leave] = make_tiles(builder->rack, hand & ~leave);
    return Py_XNewRef(builder->used[leave]);
}

static PyObject *make_play(PlayBuilder *builder, const Play *play)
{
    const newfunc new_tuple = (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
    PyObject *fields = PyTuple_New(5), *items[5];

    if (!fields) return NULL;
    items[0] = make_spot(builder->self, play);
    items[1] = make_text(builder->self, builder->position->board, play);
    items[2] = make_used(builder, play->leave);
    items[3] = PyLong_FromLongLong(play->points);
    items[4] = Py_NewRef(builder->nothing);
    for (int i = 0; i < 5; i++) PyTuple_SetItem(fields, i, items[i]);
    PyTuple_SetItem(builder->argument, 0, fields); /* which now owns them */
    if (!items[0] || !items[1] || !items[2] || !items[3]) return NULL;
    return new_tuple((PyTypeObject *)builder->self->play, builder->argument, NULL);
}

static PyObject *make_plays(const GeneratorObject *self, const Position *position, PyObject *rack,
                            const Search *search)
{
    PlayBuilder builder = {self, position, rack, PyTuple_New(0), PyTuple_New(1), {NULL}};
    PyObject *plays = PyList_New((Py_ssize_t)search->plays_count);
    /* Hundreds of new tuples, none of them in a cycle, would start the collector all the time. */
    const int is_collecting = PyGC_Disable();

    if (!builder.nothing || !builder.argument) Py_CLEAR(plays);
    for (size_t i = 0; plays && i < search->plays_count; i++)
        put_item(&plays, (Py_ssize_t)i, make_play(&builder, &search->plays[i]));
    if (is_collecting) PyGC_Enable();
    Py_XDECREF(builder.nothing);
    Py_XDECREF(builder.argument);
    for (int hand = 0; hand < HAND_COUNT; hand++) Py_XDECREF(builder.used[hand]);
    return plays;
}

/* Methods */

/* Search the position that the arguments tell. Return the search, which holds the result. */
static Search *search_for(GeneratorObject *self, PyObject *args, Question question,
                          Position *position, PyObject **rack)
{
    PyObject *board;
    Search *search;
    int min_blanks = 0;
    Status status;

    if (!PyArg_ParseTuple(args, "OO|i", &board, rack, &min_blanks) ||
        !read_position(self, board, *rack, min_blanks, position) ||
        !(search = acquire_search(self)))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = search_position(search, position, question);
    Py_END_ALLOW_THREADS
    if (status != NO_MEMORY) return search;
    release_search(self, search);
    PyErr_NoMemory();
    return NULL;
}

PyObject *generator_plays(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *rack, *plays;
    Position position;
    Search *search = search_for(self, args, ALL, &position, &rack);

    if (!search) return NULL;
    plays = make_plays(self, &position, rack, search);
    release_search(self, search);
    return plays;
}

PyObject *generator_count(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *rack;
    Position position;
    Search *search = search_for(self, args, COUNT, &position, &rack);
    unsigned long long count;
    long long most;

    if (!search) return NULL;
    count = search->count;
    most = search->most_points;
    release_search(self, search);
    return count ? Py_BuildValue("KL", count, most) : Py_BuildValue("KO", count, Py_None);
}

PyObject *generator_any(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *rack;
    Position position;
    Search *search = search_for(self, args, ANY, &position, &rack);
    int is_any;

    if (!search) return NULL;
    is_any = search->count > 0;
    release_search(self, search);
    return PyBool_FromLong(is_any);
}

PyObject *generator_best(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *board, *rack, *given = Py_None, *plays = NULL;
    int64_t leave_values[HAND_COUNT] = {0};
    const Leaves *leaves;
    Position position;
    Search *search;
    Py_ssize_t wanted = 1;
    int min_blanks = 0;
    Status status;

    if (!PyArg_ParseTuple(args, "OO|nOi", &board, &rack, &wanted, &given, &min_blanks) ||
        !read_leaves(self, given, &leaves) ||
        !read_position(self, board, rack, min_blanks, &position))
        return NULL;
    if (wanted < 1) {
        PyErr_SetString(PyExc_ValueError, "at least one play is wanted");
        return NULL;
    }
    search = acquire_search(self);
    if (!search) return NULL;
    Py_BEGIN_ALLOW_THREADS
    if (leaves) evaluate_leaves(leaves, position.rack, position.tile_count, leave_values);
    status = search_best(search, &position, leave_values, (size_t)wanted);
    Py_END_ALLOW_THREADS
    if (status == NO_MEMORY)
        PyErr_NoMemory();
    else
        plays = make_plays(self, &position, rack, search);
    release_search(self, search);
    return plays;
}

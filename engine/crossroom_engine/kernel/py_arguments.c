/* Arguments, checked and converted. */

#include "python.h"

int check_range(long number, long min, long max, const char *name)
{
    if (min <= number && number <= max) return 1;
    PyErr_Format(PyExc_ValueError, "%s is %ld, not from %ld to %ld", name, number, min, max);
    return 0;
}

int read_number(PyObject *object, long min, long max, const char *name, long *to)
{
    *to = PyLong_AsLong(object);
    if (*to == -1 && PyErr_Occurred()) return 0;
    return check_range(*to, min, max, name);
}

int copy_items(PyObject *object, const char *name, void *to, size_t item, size_t count)
{
    Py_buffer view;
    int is_fit;

    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0) return 0;
    is_fit = (size_t)view.len == item * count;
    if (is_fit) memcpy(to, view.buf, item * count);
    PyBuffer_Release(&view);
    if (is_fit) return 1;
    PyErr_Format(PyExc_ValueError, "%s: not %zu numbers of %zu bytes", name, count, item);
    return 0;
}

int check_codes(PyObject *codes, long end)
{
    PyObject *key, *value;
    Py_ssize_t i = 0;

    while (PyDict_Next(codes, &i, &key, &value)) {
        long number;
        if (!PyLong_Check(value)) { /* it might convert to another number next time */
            PyErr_SetString(PyExc_TypeError, "a tile's number is no number");
            return 0;
        }
        if (!read_number(value, 0, end - 1, "a tile's number", &number)) return 0;
    }
    return 1;
}

/* Tiles and positions */

/* Look up the code of a letter or a tile. Return -1 with an exception set if there is none. */
static int code_of(PyObject *codes, PyObject *key, const char *what)
{
    PyObject *code = PyDict_GetItemWithError(codes, key);
    if (code) return (int)PyLong_AsLong(code);
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%S is no %s here", key, what);
    return -1;
}

int read_tiles(const GeneratorObject *self, PyObject *tiles, const char *name, int max,
               uint8_t *to)
{
    Py_ssize_t count;

    if (!PyTuple_Check(tiles)) {
        PyErr_Format(PyExc_TypeError, "%s: no tuple", name);
        return -1;
    }
    count = PyTuple_Size(tiles);
    if (count > max) {
        PyErr_Format(PyExc_ValueError, "%s: %zd tiles are more than %d", name, count, max);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const int code = code_of(self->tiles, PyTuple_GetItem(tiles, i), "tile");
        if (code < 0) return -1;
        to[i] = (uint8_t)code;
    }
    return (int)count;
}

/* Read a Letter: a pair of the letter, and whether the tile is a blank. */
static int read_letter(const GeneratorObject *self, PyObject *letter, uint8_t *to)
{
    int code, is_blank;

    if (!PyTuple_Check(letter) || PyTuple_Size(letter) != 2) {
        PyErr_SetString(PyExc_TypeError, "what lies on a square is a letter");
        return 0;
    }
    code = code_of(self->letters, PyTuple_GetItem(letter, 0), "letter");
    if (code < 0) return 0;
    is_blank = PyObject_IsTrue(PyTuple_GetItem(letter, 1));
    *to = (uint8_t)(is_blank ? code | BLANK_FLAG : code);
    return is_blank >= 0;
}

int read_board(const GeneratorObject *self, PyObject *board, uint8_t *to)
{
    const long width = self->rules.width, squares = width * self->rules.height;
    PyObject *attribute = PyObject_GetAttrString(board, "width");
    long given;
    int is_good = attribute && read_number(attribute, width, width, "the board's width", &given);

    Py_XDECREF(attribute);
    if (!is_good || !(attribute = PyObject_GetAttrString(board, "squares"))) return 0;
    is_good = PyTuple_Check(attribute) && PyTuple_Size(attribute) == squares;
    if (!is_good)
        PyErr_Format(PyExc_ValueError, "the board's squares are no tuple of %ld", squares);
    for (long square = 0; is_good && square < squares; square++) {
        PyObject *letter = PyTuple_GetItem(attribute, square);
        to[square] = EMPTY;
        if (letter != Py_None) is_good = read_letter(self, letter, &to[square]);
    }
    Py_DECREF(attribute);
    return is_good;
}

int read_position(const GeneratorObject *self, PyObject *board, PyObject *rack, int min_blanks,
                  Position *position)
{
    memset(position, 0, sizeof *position);
    position->min_blanks = min_blanks;
    if (!read_board(self, board, position->board)) return 0;
    position->tile_count = read_tiles(self, rack, "a rack", MAX_RACK, position->rack);
    return position->tile_count >= 0;
}

/* Rules of a match */

int read_match_rules(PyObject *numbers, int players, MatchRules *match)
{
    int end;
    long long target;

    if (!PyArg_ParseTuple(numbers, "iiiLi", &match->min_exchange_bag, &match->scoreless_turns,
                          &match->first_seat, &target, &end) ||
        !check_range(match->min_exchange_bag, 1, MAX_BAG, "the fewest tiles in an exchange") ||
        !check_range(match->scoreless_turns, 1, MAX_TURNS, "the number of scoreless turns") ||
        !check_range(match->first_seat, 0, players - 1, "the seat that begins") ||
        !check_range(end, END_NONE, END_DOUBLE, "the end adjustment"))
        return 0;
    if (target < 0) {
        PyErr_SetString(PyExc_ValueError, "the target is less than 0");
        return 0;
    }
    match->players = players;
    match->target = target;
    match->end = (EndAdjustment)end;
    return 1;
}

int read_leaves(const GeneratorObject *self, PyObject *argument, const Leaves **leaves)
{
    const ModuleState *state = PyType_GetModuleState(Py_TYPE((PyObject *)self));

    *leaves = NULL;
    if (argument == Py_None) return 1;
    if (!state || !PyObject_TypeCheck(argument, state->leaves)) {
        PyErr_SetString(PyExc_TypeError, "these are no leaves");
        return 0;
    }
    *leaves = &((LeavesObject *)argument)->leaves;
    return 1;
}

/* Reading and checking what comes from Python. */

#include "python.h"

#include <string.h>

int is_within(long number, long least, long most, const char *name)
{
    if (least <= number && number <= most) return 1;
    PyErr_Format(PyExc_ValueError, "%s is %ld, not from %ld to %ld", name, number, least, most);
    return 0;
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

int check_numbers(PyObject *numbers, long end)
{
    PyObject *key, *value;
    Py_ssize_t place = 0;

    while (PyDict_Next(numbers, &place, &key, &value)) {
        long number;
        if (!PyLong_Check(value)) { /* or it might be another number the next time */
            PyErr_SetString(PyExc_TypeError, "a tile's number is no number");
            return 0;
        }
        number = PyLong_AsLong(value);
        if (number == -1 && PyErr_Occurred()) return 0;
        if (!is_within(number, 0, end - 1, "a tile's number")) return 0;
    }
    return 1;
}

/* Tiles and positions */

/* The number that a dictionary has for a key; -1 with an exception set if it has none. */
static int number_of(PyObject *numbers, PyObject *key, const char *what)
{
    PyObject *number = PyDict_GetItemWithError(numbers, key);
    if (number) return (int)PyLong_AsLong(number);
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%S is no %s here", key, what);
    return -1;
}

int read_tiles(const GeneratorObject *self, PyObject *tiles, const char *name, int most,
               uint8_t *to)
{
    Py_ssize_t count;

    if (!PyTuple_Check(tiles)) {
        PyErr_Format(PyExc_TypeError, "%s: no tuple", name);
        return -1;
    }
    count = PyTuple_Size(tiles);
    if (count > most) {
        PyErr_Format(PyExc_ValueError, "%s: %zd tiles are more than %d", name, count, most);
        return -1;
    }
    for (Py_ssize_t place = 0; place < count; place++) {
        const int number = number_of(self->tiles, PyTuple_GetItem(tiles, place), "tile");
        if (number < 0) return -1;
        to[place] = (uint8_t)number;
    }
    return (int)count;
}

/* A Letter: a pair of the letter, and whether the tile is a blank. */
static int read_letter(const GeneratorObject *self, PyObject *letter, uint8_t *to)
{
    int number, is_blank;

    if (!PyTuple_Check(letter) || PyTuple_Size(letter) != 2) {
        PyErr_SetString(PyExc_TypeError, "what lies on a square is a letter");
        return 0;
    }
    number = number_of(self->letters, PyTuple_GetItem(letter, 0), "letter");
    if (number < 0) return 0;
    is_blank = PyObject_IsTrue(PyTuple_GetItem(letter, 1));
    *to = (uint8_t)(is_blank ? number | IS_BLANK : number);
    return is_blank >= 0;
}

int read_board(const GeneratorObject *self, PyObject *board, uint8_t *to)
{
    const long width = self->rules.width, squares = width * self->rules.height;
    PyObject *attribute = PyObject_GetAttrString(board, "width"), *lying;
    long given;
    int is_good = 0;

    if (!attribute) return 0;
    given = PyLong_AsLong(attribute);
    Py_DECREF(attribute);
    if ((given == -1 && PyErr_Occurred()) || !is_within(given, width, width, "the board's width"))
        return 0;
    attribute = PyObject_GetAttrString(board, "squares");
    if (!attribute) return 0;
    if (!PyTuple_Check(attribute) || PyTuple_Size(attribute) != squares) {
        PyErr_Format(PyExc_ValueError, "the board's squares are no tuple of %ld", squares);
        goto done;
    }
    for (long square = 0; square < squares; square++) {
        lying = PyTuple_GetItem(attribute, square);
        to[square] = EMPTY;
        if (lying != Py_None && !read_letter(self, lying, &to[square])) goto done;
    }
    is_good = 1;
done:
    Py_DECREF(attribute);
    return is_good;
}

int read_position(const GeneratorObject *self, PyObject *board, PyObject *rack, int least_blanks,
                  Position *position)
{
    memset(position, 0, sizeof *position);
    position->least_blanks = least_blanks;
    if (!read_board(self, board, position->board)) return 0;
    position->tiles = read_tiles(self, rack, "a rack", MOST_TILES, position->rack);
    return position->tiles >= 0;
}

/* Terms */

int read_terms(PyObject *numbers, int players, Terms *terms)
{
    int end;
    long long target;

    if (!PyArg_ParseTuple(numbers, "iiiLi", &terms->least_exchange, &terms->scoreless,
                          &terms->begins, &target, &end) ||
        !is_within(terms->least_exchange, 1, MOST_BAG, "the fewest tiles in an exchange") ||
        !is_within(terms->scoreless, 1, MOST_TURNS, "the number of scoreless turns") ||
        !is_within(terms->begins, 0, players - 1, "the seat that begins") ||
        !is_within(end, END_NONE, END_DOUBLE, "the end adjustment"))
        return 0;
    if (target < 0) {
        PyErr_SetString(PyExc_ValueError, "the target is less than 0");
        return 0;
    }
    terms->players = players;
    terms->target = target;
    terms->end = (EndAdjustment)end;
    return 1;
}

int read_leaves(const GeneratorObject *self, PyObject *argument, const Leaves **leaves)
{
    const State *state = PyType_GetModuleState(Py_TYPE((PyObject *)self));

    *leaves = NULL;
    if (argument == Py_None) return 1;
    if (!state || !PyObject_TypeCheck(argument, state->leaves)) {
        PyErr_SetString(PyExc_TypeError, "these are no leaves");
        return 0;
    }
    *leaves = &((LeavesObject *)argument)->leaves;
    return 1;
}

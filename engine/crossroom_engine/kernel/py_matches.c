/* Matches of two players, for Python. */

#include "python.h"

#include <stdlib.h>

static PyObject *make_turn(const GeneratorObject *self, const SelfPlayTurn *turn)
{
    PyObject *kept;
    Py_ssize_t count = 0;

    while (count < MAX_RACK && turn->kept[count] != EMPTY) count++;
    kept = PyTuple_New(count);
    if (!kept) return NULL;
    for (Py_ssize_t i = 0; i < count; i++)
        PyTuple_SetItem(kept, i, Py_NewRef(PyTuple_GetItem(self->names, turn->kept[i])));
    return Py_BuildValue("(iiLiiN)", turn->seat, turn->bag, (long long)turn->points, turn->laid,
                         turn->exchanged, kept);
}

static PyObject *make_match(const GeneratorObject *self, const MatchRecord *match)
{
    PyObject *turns = PyList_New(match->turns_count);

    for (int i = 0; turns && i < match->turns_count; i++)
        put_item(&turns, i, make_turn(self, &match->turns[i]));
    if (!turns) return NULL;
    return Py_BuildValue("((LL)N)", (long long)match->scores[0], (long long)match->scores[1],
                         turns);
}

PyObject *generator_match(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *bag, *numbers, *leaves[2], *made = NULL;
    unsigned long long seed;
    uint8_t tiles[MAX_BAG];
    MatchRules match;
    Search *search;
    MatchRecord *record;
    int count;
    Status status;

    memset(&match, 0, sizeof match);
    if (!PyArg_ParseTuple(args, "KOO!OO", &seed, &bag, &PyTuple_Type, &numbers, &leaves[0],
                          &leaves[1]) ||
        !read_match_rules(numbers, 2, &match) || !read_leaves(self, leaves[0], &match.leaves[0]) ||
        !read_leaves(self, leaves[1], &match.leaves[1]) ||
        (count = read_tiles(self, bag, "a bag", MAX_BAG, tiles)) < 0 ||
        !check_range(count, 2L * self->rules.rack_size, MAX_BAG, "the number of tiles in a bag"))
        return NULL;
    record = malloc(sizeof *record);
    if (!record) return PyErr_NoMemory();
    search = acquire_search(self);
    if (search) {
        Py_BEGIN_ALLOW_THREADS
        status = play_match(search, &match, tiles, count, seed, record);
        Py_END_ALLOW_THREADS
        if (status == NO_MEMORY)
            PyErr_NoMemory();
        else
            made = make_match(self, record);
        release_search(self, search);
    }
    free(record);
    return made;
}

/* Matches of two players, for Python. */

#include "python.h"

#include <stdlib.h>
#include <string.h>

static PyObject *make_turn(const GeneratorObject *self, const Turn *turn)
{
    PyObject *kept, *made;
    Py_ssize_t count = 0;

    while (count < MOST_TILES && turn->kept[count] != EMPTY) count++;
    kept = PyTuple_New(count);
    if (!kept) return NULL;
    for (Py_ssize_t place = 0; place < count; place++) {
        PyObject *tile = PyTuple_GetItem(self->names, turn->kept[place]);
        Py_INCREF(tile);
        PyTuple_SetItem(kept, place, tile);
    }
    made = Py_BuildValue("(iiLiiO)", turn->seat, turn->bag, (long long)turn->points, turn->laid,
                         turn->exchanged, kept);
    Py_DECREF(kept);
    return made;
}

static PyObject *make_game(const GeneratorObject *self, const Game *game)
{
    PyObject *turns = PyList_New(game->turns_count);

    for (int place = 0; turns && place < game->turns_count; place++) {
        PyObject *turn = make_turn(self, &game->turns[place]);
        if (turn)
            PyList_SetItem(turns, place, turn);
        else
            Py_CLEAR(turns);
    }
    if (!turns) return NULL;
    return Py_BuildValue("((LL)N)", (long long)game->scores[0], (long long)game->scores[1], turns);
}

PyObject *generator_match(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *bag, *numbers, *leaves[2], *made = NULL;
    unsigned long long seed;
    uint8_t tiles[MOST_BAG];
    Terms terms;
    Search *search;
    Game *game;
    int count;
    Answer answer;

    memset(&terms, 0, sizeof terms);
    if (!PyArg_ParseTuple(args, "KOO!OO", &seed, &bag, &PyTuple_Type, &numbers, &leaves[0],
                          &leaves[1]) ||
        !read_terms(numbers, 2, &terms) || !read_leaves(self, leaves[0], &terms.leaves[0]) ||
        !read_leaves(self, leaves[1], &terms.leaves[1]) ||
        (count = read_tiles(self, bag, "a bag", MOST_BAG, tiles)) < 0 ||
        !is_within(count, 2L * self->rules.rack, MOST_BAG, "the number of tiles in a bag"))
        return NULL;
    game = malloc(sizeof *game);
    if (!game) return PyErr_NoMemory();
    search = take_search(self);
    if (search) {
        Py_BEGIN_ALLOW_THREADS
        answer = play_match(search, &terms, tiles, count, seed, game);
        Py_END_ALLOW_THREADS
        if (answer == NO_MEMORY)
            PyErr_NoMemory();
        else
            made = make_game(self, game);
        put_back(self, search);
    }
    free(game);
    return made;
}

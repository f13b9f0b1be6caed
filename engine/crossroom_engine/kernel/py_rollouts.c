/* Rollouts, for Python. */

#include "python.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 100000, MOST_CANDIDATES = 10000 };

static const long long MOST_SCORE = 1000000000000000; /* far from overflow after MOST_TURNS */

static int read_score(PyObject *object, Points *score)
{
    const long long number = PyLong_AsLongLong(object);

    if (number == -1 && PyErr_Occurred()) return 0;
    *score = number;
    if (-MOST_SCORE <= number && number <= MOST_SCORE) return 1;
    PyErr_Format(PyExc_ValueError, "a score is %lld", number);
    return 0;
}

static int read_scores(PyObject *scores, Points *to)
{
    for (Py_ssize_t seat = 0; seat < PyTuple_Size(scores); seat++)
        if (!read_score(PyTuple_GetItem(scores, seat), &to[seat])) return 0;
    return 1;
}

static int read_others(PyObject *others, const Rules *rules, Outset *outset)
{
    for (Py_ssize_t seat = 0; seat < PyTuple_Size(others); seat++) {
        const long tiles = PyLong_AsLong(PyTuple_GetItem(others, seat));
        if (tiles == -1 && PyErr_Occurred()) return 0;
        if (!is_within(tiles, 0, rules->rack, "the number of tiles in a rack")) return 0;
        outset->others[seat] = (int)tiles;
    }
    return 1;
}

static int tiles_in_bag(const Outset *outset)
{
    int bag = outset->tiles;
    for (int seat = 0; seat < outset->terms.players - 1; seat++) bag -= outset->others[seat];
    return bag;
}

static int read_outset(const GeneratorObject *self, PyObject *args, Outset *outset,
                       unsigned long long *seed, int *iterations, PyObject **candidates)
{
    PyObject *numbers, *leaves, *unseen, *others, *scores;
    int players;

    memset(outset, 0, sizeof *outset);
    if (!PyArg_ParseTuple(args, "KiiO!OOO!O!iO!", seed, iterations, &outset->turns, &PyTuple_Type,
                          &numbers, &leaves, &unseen, &PyTuple_Type, &others, &PyTuple_Type,
                          &scores, &outset->scoreless, &PyTuple_Type, candidates))
        return 0;
    players = (int)PyTuple_Size(scores);
    if (!is_within(players, 2, MOST_PLAYERS, "the number of players") ||
        !is_within((long)PyTuple_Size(others), players - 1, players - 1, "the others' number") ||
        !is_within(*iterations, 1, MOST_ITERATIONS, "the number of iterations") ||
        !is_within(outset->turns, 0, MOST_TURNS, "the number of turns") ||
        !is_within(outset->scoreless, 0, MOST_TURNS, "the number of scoreless turns") ||
        !is_within((long)PyTuple_Size(*candidates), 1, MOST_CANDIDATES, "the candidates' number"))
        return 0;
    outset->tiles = read_tiles(self, unseen, "unseen", MOST_BAG, outset->unseen);
    if (outset->tiles < 0 || !read_terms(numbers, players, &outset->terms) ||
        !read_leaves(self, leaves, &outset->terms.leaves[0]) ||
        !read_others(others, &self->rules, outset) || !read_scores(scores, outset->scores))
        return 0;
    for (int seat = 1; seat < players; seat++)
        outset->terms.leaves[seat] = outset->terms.leaves[0];
    return is_within(tiles_in_bag(outset), 0, MOST_BAG, "the number of tiles in the bag");
}

static void sort_tiles(uint8_t *tiles, int count)
{
    for (int place = 1; place < count; place++) {
        const uint8_t tile = tiles[place];
        int at = place;
        for (; at && tiles[at - 1] > tile; at--) tiles[at] = tiles[at - 1];
        tiles[at] = tile;
    }
}

static int read_candidate(const GeneratorObject *self, const Outset *outset, PyObject *object,
                          Candidate *candidate)
{
    PyObject *board, *kept, *given, *points;

    if (!PyTuple_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "a candidate is a tuple");
        return 0;
    }
    if (!PyArg_ParseTuple(object, "OOOOp", &board, &kept, &given, &points, &candidate->is_play) ||
        !read_board(self, board, candidate->board) || !read_score(points, &candidate->points))
        return 0;
    candidate->kept_count = read_tiles(self, kept, "kept", MOST_TILES, candidate->kept);
    if (candidate->kept_count < 0) return 0;
    candidate->given_count = read_tiles(self, given, "given", MOST_TILES, candidate->given);
    if (candidate->given_count < 0) return 0;
    if (!is_within(candidate->kept_count + candidate->given_count, 0, self->rules.rack,
                   "the number of tiles in a rack") ||
        !is_within(candidate->given_count, 0, tiles_in_bag(outset), "the number of tiles given"))
        return 0;
    sort_tiles(candidate->kept, candidate->kept_count);
    sort_tiles(candidate->given, candidate->given_count);
    return 1;
}

static PyObject *make_numbers(const int64_t *numbers, int count)
{
    PyObject *made = PyTuple_New(count);

    for (int place = 0; made && place < count; place++) {
        PyObject *number = PyLong_FromLongLong(numbers[place]);
        if (number)
            PyTuple_SetItem(made, place, number);
        else
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *make_outcomes(const Outcome *outcomes, size_t count, int players)
{
    PyObject *made = PyList_New((Py_ssize_t)count);

    for (size_t place = 0; made && place < count; place++) {
        const Outcome *one = &outcomes[place];
        PyObject *outcome = Py_BuildValue("(NNiN)", make_numbers(one->scores, players),
                                          make_numbers(one->kept, players), one->unseen,
                                          PyBool_FromLong(one->is_over));
        if (outcome)
            PyList_SetItem(made, (Py_ssize_t)place, outcome);
        else
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *run(GeneratorObject *self, const Outset *outset, const Candidate *candidates,
                     size_t count, uint64_t seed, size_t iterations)
{
    Outcome *outcomes = malloc(iterations * count * sizeof *outcomes);
    Search *search = outcomes ? take_search(self) : NULL;
    PyObject *made = NULL;
    Answer answer;

    if (!outcomes) PyErr_NoMemory();
    if (search) {
        Py_BEGIN_ALLOW_THREADS
        answer = roll_out(search, outset, candidates, count, seed, iterations, outcomes);
        Py_END_ALLOW_THREADS
        if (answer == NO_MEMORY)
            PyErr_NoMemory();
        else
            made = make_outcomes(outcomes, iterations * count, outset->terms.players);
        put_back(self, search);
    }
    free(outcomes);
    return made;
}

PyObject *generator_rollouts(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *given, *made = NULL;
    unsigned long long seed;
    Candidate *candidates;
    Outset outset;
    Py_ssize_t count, read = 0;
    int iterations;

    if (!read_outset(self, args, &outset, &seed, &iterations, &given)) return NULL;
    count = PyTuple_Size(given);
    candidates = calloc((size_t)count, sizeof *candidates);
    if (!candidates) return PyErr_NoMemory();
    while (read < count &&
           read_candidate(self, &outset, PyTuple_GetItem(given, read), &candidates[read]))
        read++;
    if (read == count)
        made = run(self, &outset, candidates, (size_t)count, seed, (size_t)iterations);
    free(candidates);
    return made;
}

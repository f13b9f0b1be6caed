/* Rollouts, for Python. */

#include "python.h"

#include <stdlib.h>

enum { MAX_ITERATIONS = 100000, MAX_CANDIDATES = 10000 };

static const long long MAX_SCORE = 1000000000000000; /* far from overflow after MAX_TURNS */

static int read_score(PyObject *object, Points *score)
{
    const long long number = PyLong_AsLongLong(object);

    if (number == -1 && PyErr_Occurred()) return 0;
    *score = number;
    if (-MAX_SCORE <= number && number <= MAX_SCORE) return 1;
    PyErr_Format(PyExc_ValueError, "a score is %lld", number);
    return 0;
}

/* Read how many tiles the other racks have, and the scores of all players. */
static int read_players(PyObject *others, PyObject *scores, long rack_size, RolloutStart *start)
{
    const char *what = "the number of tiles in a rack";

    for (int seat = 0; seat < start->match.players; seat++) {
        long tiles = 0;
        if (!read_score(PyTuple_GetItem(scores, seat), &start->scores[seat]) ||
            (seat && !read_number(PyTuple_GetItem(others, seat - 1), 0, rack_size, what, &tiles)))
            return 0;
        start->others[seat] = (int)tiles;
        start->match.leaves[seat] = start->match.leaves[0];
    }
    return 1;
}

static int tiles_in_bag(const RolloutStart *start)
{
    int bag = start->unseen_count;
    for (int seat = 1; seat < start->match.players; seat++) bag -= start->others[seat];
    return bag;
}

static int read_start(const GeneratorObject *self, PyObject *args, RolloutStart *start,
                      unsigned long long *seed, int *iterations, PyObject **candidates)
{
    PyObject *numbers, *leaves, *unseen, *others, *scores;
    int players;

    memset(start, 0, sizeof *start);
    if (!PyArg_ParseTuple(args, "KiiO!OOO!O!iO!", seed, iterations, &start->turns, &PyTuple_Type,
                          &numbers, &leaves, &unseen, &PyTuple_Type, &others, &PyTuple_Type,
                          &scores, &start->scoreless, &PyTuple_Type, candidates))
        return 0;
    players = (int)PyTuple_Size(scores);
    if (!check_range(players, 2, MAX_PLAYERS, "the number of players") ||
        !check_range((long)PyTuple_Size(others), players - 1, players - 1, "the others' number") ||
        !check_range(*iterations, 1, MAX_ITERATIONS, "the number of iterations") ||
        !check_range(start->turns, 0, MAX_TURNS, "the number of turns") ||
        !check_range(start->scoreless, 0, MAX_TURNS, "the number of scoreless turns") ||
        !check_range((long)PyTuple_Size(*candidates), 1, MAX_CANDIDATES, "the candidates' number"))
        return 0;
    start->unseen_count = read_tiles(self, unseen, "unseen", MAX_BAG, start->unseen);
    if (start->unseen_count < 0 || !read_match_rules(numbers, players, &start->match) ||
        !read_leaves(self, leaves, &start->match.leaves[0]) ||
        !read_players(others, scores, self->rules.rack_size, start))
        return 0;
    return check_range(tiles_in_bag(start), 0, MAX_BAG, "the number of tiles in the bag");
}

static void sort_tiles(uint8_t *tiles, int count)
{
    for (int i = 1; i < count; i++) {
        const uint8_t tile = tiles[i];
        int at = i;
        for (; at && tiles[at - 1] > tile; at--) tiles[at] = tiles[at - 1];
        tiles[at] = tile;
    }
}

static int read_candidate(const GeneratorObject *self, const RolloutStart *start, PyObject *object,
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
    candidate->kept_count = read_tiles(self, kept, "kept", MAX_RACK, candidate->kept);
    if (candidate->kept_count < 0) return 0;
    candidate->given_count = read_tiles(self, given, "given", MAX_RACK, candidate->given);
    if (candidate->given_count < 0) return 0;
    if (!check_range(candidate->kept_count + candidate->given_count, 0, self->rules.rack_size,
                     "the number of tiles in a rack") ||
        !check_range(candidate->given_count, 0, tiles_in_bag(start), "the number of tiles given"))
        return 0;
    sort_tiles(candidate->kept, candidate->kept_count);
    sort_tiles(candidate->given, candidate->given_count);
    return 1;
}

static PyObject *make_numbers(const int64_t *numbers, int count)
{
    PyObject *made = PyTuple_New(count);

    for (int i = 0; made && i < count; i++) {
        PyObject *number = PyLong_FromLongLong(numbers[i]);
        if (number)
            PyTuple_SetItem(made, i, number);
        else
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *make_outcomes(const Outcome *outcomes, size_t count, int players)
{
    PyObject *made = PyList_New((Py_ssize_t)count);

    for (size_t i = 0; made && i < count; i++) {
        const Outcome *one = &outcomes[i];
        put_item(&made, (Py_ssize_t)i,
                 Py_BuildValue("(NNiN)", make_numbers(one->scores, players),
                               make_numbers(one->leave_values, players), one->unseen,
                               PyBool_FromLong(one->is_over)));
    }
    return made;
}

static PyObject *run(GeneratorObject *self, const RolloutStart *start, const Candidate *candidates,
                     size_t count, uint64_t seed, size_t iterations)
{
    Outcome *outcomes = malloc(iterations * count * sizeof *outcomes);
    Search *search = outcomes ? acquire_search(self) : NULL;
    PyObject *made = NULL;
    Status status;

    if (!outcomes) PyErr_NoMemory();
    if (search) {
        Py_BEGIN_ALLOW_THREADS
        status = roll_out(search, start, candidates, count, seed, iterations, outcomes);
        Py_END_ALLOW_THREADS
        if (status == NO_MEMORY)
            PyErr_NoMemory();
        else
            made = make_outcomes(outcomes, iterations * count, start->match.players);
        release_search(self, search);
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
    RolloutStart start;
    Py_ssize_t count, read = 0;
    int iterations;

    if (!read_start(self, args, &start, &seed, &iterations, &given)) return NULL;
    count = PyTuple_Size(given);
    candidates = calloc((size_t)count, sizeof *candidates);
    if (!candidates) return PyErr_NoMemory();
    while (read < count &&
           read_candidate(self, &start, PyTuple_GetItem(given, read), &candidates[read]))
        read++;
    if (read == count)
        made = run(self, &start, candidates, (size_t)count, seed, (size_t)iterations);
    free(candidates);
    return made;
}

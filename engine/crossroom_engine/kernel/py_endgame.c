/* Endgames, for Python. */

#include "python.h"

#include <stdlib.h>

enum { MAX_THRESHOLD = 1000000000 /* points */ };

/* The clock of the solver: a function in Python, and the thread to call it in. The interpreter's
   lock is held only for that. */
typedef struct {
    PyObject *is_over;
    PyThreadState *thread;
} Clock;

/* An exception ends the search as well, and is raised when it has ended. */
static int is_time_up(void *object)
{
    Clock *clock = object;
    PyObject *answer;
    int is_over = 1;

    PyEval_RestoreThread(clock->thread);
    answer = PyObject_CallNoArgs(clock->is_over);
    if (answer) is_over = PyObject_IsTrue(answer) != 0;
    Py_XDECREF(answer);
    clock->thread = PyEval_SaveThread();
    return is_over;
}

static int read_threshold(PyObject *object, Endgame *endgame)
{
    long points;

    if (object == Py_None) return 1;
    if (!read_number(object, -MAX_THRESHOLD, MAX_THRESHOLD, "the threshold", &points)) return 0;
    endgame->has_threshold = 1;
    endgame->threshold = points;
    return 1;
}

static int read_endgame(const GeneratorObject *self, PyObject *args, Endgame *endgame,
                        PyObject **is_over)
{
    PyObject *board, *racks[2], *threshold = Py_None;

    memset(endgame, 0, sizeof *endgame);
    endgame->max_depth = MAX_PLIES;
    if (!PyArg_ParseTuple(args, "OOOppO|iO", &board, &racks[0], &racks[1], &endgame->passes,
                          &endgame->is_adjusted, is_over, &endgame->max_depth, &threshold) ||
        !check_range(endgame->max_depth, 0, MAX_PLIES, "the number of plies") ||
        !read_board(self, board, endgame->board) || !read_threshold(threshold, endgame))
        return 0;
    for (int side = 0; side < 2; side++) {
        uint8_t *rack = endgame->racks[side];
        endgame->tile_counts[side] = read_tiles(self, racks[side], "a rack", MAX_RACK, rack);
        if (endgame->tile_counts[side] < 0) return 0;
        if (!check_range(endgame->tile_counts[side], 1, MAX_RACK, "the number of tiles in a rack"))
            return 0;
    }
    if (PyCallable_Check(*is_over)) return 1;
    PyErr_SetString(PyExc_TypeError, "nobody to ask whether the time is over");
    return 0;
}

/* Make a play into its spot, its text and its points, or None for a pass; and lay its tiles. */
static PyObject *make_step(const GeneratorObject *self, uint8_t *board, const Play *play)
{
    PyObject *step;

    if (is_pass(play)) return Py_NewRef(Py_None);
    step = Py_BuildValue("(NNL)", make_spot(self, play), make_text(self, board, play),
                         (long long)play->points);
    place_play(&self->rules, play, board);
    return step;
}

static PyObject *make_steps(const GeneratorObject *self, const Endgame *endgame,
                            const Variation *pv)
{
    PyObject *steps = PyList_New(pv->count);
    uint8_t board[MAX_SQUARES];

    memcpy(board, endgame->board, sizeof board);
    for (int i = 0; steps && i < pv->count; i++)
        put_item(&steps, i, make_step(self, board, &pv->plays[i]));
    return steps;
}

PyObject *generator_endgame(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *steps = NULL;
    Endgame endgame;
    Clock clock;
    Solution solution;
    Search *search;
    Status status;

    if (!read_endgame(self, args, &endgame, &clock.is_over)) return NULL;
    search = acquire_search(self);
    if (!search) return NULL;
    endgame.is_time_up = is_time_up;
    endgame.clock = &clock;
    clock.thread = PyEval_SaveThread();
    status = solve_endgame(search, &endgame, &solution);
    PyEval_RestoreThread(clock.thread);
    release_search(self, search);
    if (status == NO_MEMORY && !PyErr_Occurred()) PyErr_NoMemory();
    if (!PyErr_Occurred()) steps = make_steps(self, &endgame, &solution.pv);
    if (!steps) return NULL;
    return Py_BuildValue("(NLiNK)", steps, (long long)solution.spread, solution.depth,
                         PyBool_FromLong(solution.is_exact), (unsigned long long)solution.nodes);
}

/* Endgames, for Python. */

#include "python.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PAR = 1000000000 /* points */ };

/* Who is asked whether the time is over. The interpreter is not held meanwhile, but for asking. */
typedef struct {
    PyObject *is_over;
    PyThreadState *thread;
} Asker;

/* An exception ends the search as well, and is raised when it has ended. */
static int ask_python(void *object)
{
    Asker *asker = object;
    PyObject *answer;
    int is_over = 1;

    PyEval_RestoreThread(asker->thread);
    answer = PyObject_CallNoArgs(asker->is_over);
    if (answer) is_over = PyObject_IsTrue(answer) != 0;
    Py_XDECREF(answer);
    asker->thread = PyEval_SaveThread();
    return is_over;
}

static int read_par(PyObject *par, Endgame *endgame)
{
    long points;

    if (par == Py_None) return 1;
    points = PyLong_AsLong(par);
    if ((points == -1 && PyErr_Occurred()) || !is_within(points, -MOST_PAR, MOST_PAR, "the par"))
        return 0;
    endgame->has_par = 1;
    endgame->par = points;
    return 1;
}

static int read_endgame(const GeneratorObject *self, PyObject *args, Endgame *endgame,
                        PyObject **is_over)
{
    PyObject *board, *racks[2], *par = Py_None;

    memset(endgame, 0, sizeof *endgame);
    endgame->most_plies = MOST_PLIES;
    if (!PyArg_ParseTuple(args, "OOOppO|iO", &board, &racks[0], &racks[1], &endgame->passes,
                          &endgame->is_adjusted, is_over, &endgame->most_plies, &par) ||
        !is_within(endgame->most_plies, 0, MOST_PLIES, "the number of plies") ||
        !read_board(self, board, endgame->board) || !read_par(par, endgame))
        return 0;
    for (int side = 0; side < 2; side++) {
        uint8_t *rack = endgame->racks[side];
        endgame->tiles[side] = read_tiles(self, racks[side], "a rack", MOST_TILES, rack);
        if (endgame->tiles[side] < 0) return 0;
        if (!is_within(endgame->tiles[side], 1, MOST_TILES, "the number of tiles in a rack"))
            return 0;
    }
    if (PyCallable_Check(*is_over)) return 1;
    PyErr_SetString(PyExc_TypeError, "nobody to ask whether the time is over");
    return 0;
}

/* A play as its spot, its text and its points, or None for a pass; the board is that after it. */
static PyObject *make_step(const GeneratorObject *self, uint8_t *board, const Play *play)
{
    PyObject *step;
    int laid = 0;

    if (play->first == play->end) return Py_NewRef(Py_None);
    step = Py_BuildValue("(NNL)", take_spot(self, play), write_text(self, board, play),
                         (long long)play->points);
    for (int at = play->first; at < play->end; at++) {
        const int row = play->down ? at : play->line, column = play->down ? play->line : at;
        uint8_t *square = &board[row * self->rules.width + column];
        if (*square == EMPTY) *square = play->laid[laid++];
    }
    return step;
}

static PyObject *make_way(const GeneratorObject *self, const Endgame *endgame, const Way *way)
{
    PyObject *steps = PyList_New(way->count);
    uint8_t board[SQUARES];

    memcpy(board, endgame->board, sizeof board);
    for (int place = 0; steps && place < way->count; place++) {
        PyObject *step = make_step(self, board, &way->plays[place]);
        if (step)
            PyList_SetItem(steps, place, step);
        else
            Py_CLEAR(steps);
    }
    return steps;
}

PyObject *generator_endgame(PyObject *object, PyObject *args)
{
    GeneratorObject *self = (GeneratorObject *)object;
    PyObject *steps = NULL;
    Endgame endgame;
    Asker asker;
    Solution solution;
    Search *search;
    Answer answer;

    if (!read_endgame(self, args, &endgame, &asker.is_over)) return NULL;
    search = take_search(self);
    if (!search) return NULL;
    endgame.is_over = ask_python;
    endgame.asker = &asker;
    asker.thread = PyEval_SaveThread();
    answer = solve_endgame(search, &endgame, &solution);
    PyEval_RestoreThread(asker.thread);
    put_back(self, search);
    if (answer == NO_MEMORY && !PyErr_Occurred()) PyErr_NoMemory();
    if (!PyErr_Occurred()) steps = make_way(self, &endgame, &solution.way);
    if (!steps) return NULL;
    return Py_BuildValue("(NLiNK)", steps, (long long)solution.spread, solution.depth,
                         PyBool_FromLong(solution.is_exact), (unsigned long long)solution.nodes);
}

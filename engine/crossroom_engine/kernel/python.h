/* The types that Python sees, for the files that know of Python: module.c and py_*.c.

   Arguments are checked and copied while the interpreter's lock is held; then the work is done
   without it, on C data alone. _kernel.pyi says what each function takes and returns.

   Functions that return an int return 1 for success, or 0 with an exception set, unless they say
   otherwise. Those that return a pointer return NULL with an exception set. */

#ifndef CROSSROOM_PYTHON_H
#define CROSSROOM_PYTHON_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "endgame.h"
#include "selfplay.h"

/* Types */

typedef struct {
    PyObject_HEAD
    Dawg dawg;
} WordsObject;

typedef struct {
    PyObject_HEAD
    Leaves leaves;
} LeavesObject;

enum { MAX_TILE_TEXT = 64 /* bytes of a tile in the text of a play */ };

typedef struct {
    const char *bytes;
    Py_ssize_t size;
} TileText;

typedef struct {
    PyObject_HEAD
    Rules rules;
    TileText tile_texts[SQUARE_CODES]; /* the UTF-8 of `texts` */
    PyObject *words;
    PyObject *letters; /* dict: the code of a letter on the board */
    PyObject *tiles;   /* dict: the code of a tile on a rack */
    PyObject *names;   /* tuple: the tile of each code, or None */
    PyObject *texts;   /* tuple of str: how a play writes each code */
    PyObject *spots;   /* tuple: all across, row by row, then all down */
    PyObject *play;    /* type of the plays */
    Search *spare;     /* see acquire_search */
} GeneratorObject;

typedef struct {
    PyTypeObject *words, *leaves, *generator;
} ModuleState;

extern PyType_Spec words_spec, leaves_spec, generator_spec;

/* py_arguments.c */

/* Check that a number is in its range, both ends included. */
int check_range(long number, long min, long max, const char *name);
int read_number(PyObject *object, long min, long max, const char *name, long *to);
/* Copy `count` numbers of `item` bytes out of an object with the buffer protocol. */
int copy_items(PyObject *object, const char *name, void *to, size_t item, size_t count);
/* Check that all values of a dictionary are numbers from 0 up to `end`. */
int check_codes(PyObject *codes, long end);
/* Read a tuple of at most `max` tiles. Return how many; or -1 with an exception set. */
int read_tiles(const GeneratorObject *self, PyObject *tiles, const char *name, int max,
               uint8_t *to);
int read_board(const GeneratorObject *self, PyObject *board, uint8_t *to);
int read_position(const GeneratorObject *self, PyObject *board, PyObject *rack, int min_blanks,
                  Position *position);
/* Read all but the leaves: min_exchange_bag, scoreless_turns, first_seat, target, end. */
int read_match_rules(PyObject *numbers, int players, MatchRules *match);
/* Read Leaves, or None as NULL. */
int read_leaves(const GeneratorObject *self, PyObject *argument, const Leaves **leaves);

/* py_searches.c */

void free_search(Search *search);
/* Take a search of the generator's, to be released when its result was read. Both are called with
   the interpreter's lock held. */
Search *acquire_search(GeneratorObject *self);
void release_search(GeneratorObject *self, Search *search);

/* py_plays.c */

/* Return a new reference to the spot where a play begins. */
PyObject *make_spot(const GeneratorObject *self, const Play *play);
/* Return what a play lays, with dots where tiles lie on that board. */
PyObject *make_text(const GeneratorObject *self, const uint8_t *board, const Play *play);

/* Put an item, which it then owns, into a new list; without an item, drop the list. */
static inline void put_item(PyObject **list, Py_ssize_t i, PyObject *item)
{
    if (item)
        PyList_SetItem(*list, i, item);
    else
        Py_CLEAR(*list);
}

/* Methods of the generator, in py_plays.c, py_matches.c, py_rollouts.c, py_endgame.c. */

PyObject *generator_plays(PyObject *self, PyObject *args);
PyObject *generator_count(PyObject *self, PyObject *args);
PyObject *generator_any(PyObject *self, PyObject *args);
PyObject *generator_best(PyObject *self, PyObject *args);
PyObject *generator_match(PyObject *self, PyObject *args);
PyObject *generator_endgame(PyObject *self, PyObject *args);
PyObject *generator_rollouts(PyObject *self, PyObject *args);

#endif

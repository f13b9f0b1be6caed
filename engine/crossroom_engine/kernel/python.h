/* What the files that know of Python share: module.c and py_*.c.

   Nothing that comes from Python is believed. It is checked and copied while the interpreter is
   held; then the work is done without it, and touches no Python object. _kernel.pyi says what each
   function takes and gives; generators.py is who calls them.

   Functions that give an int say 1 for done, or good; 0 with an exception set, unless told
   otherwise. Those that give a pointer give NULL with an exception set. */

#ifndef CROSSROOM_PYTHON_H
#define CROSSROOM_PYTHON_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "selfplay.h"

/* Types */

typedef struct {
    PyObject_HEAD
    Words words;
} WordsObject;

typedef struct {
    PyObject_HEAD
    Leaves leaves;
} LeavesObject;

enum { MOST_TEXT = 64 /* bytes of a tile in the text of a play */ };

typedef struct {
    const char *bytes;
    Py_ssize_t size;
} Text;

typedef struct {
    PyObject_HEAD
    Rules rules;
    Text pieces[LAID]; /* how a play writes what it lays: the insides of `texts` */
    PyObject *words;
    PyObject *letters; /* dict: the number of a letter on the board */
    PyObject *tiles;   /* dict: the number of a tile in a rack */
    PyObject *names;   /* tuple: the tile of a number, or None */
    PyObject *texts;   /* tuple of str */
    PyObject *spots;   /* tuple: all across, row by row, then all down */
    PyObject *play;    /* type of the plays */
    Search *spare;     /* to be taken and put back while the interpreter is held */
} GeneratorObject;

/* Of the module. */
typedef struct {
    PyTypeObject *words, *leaves, *generator;
} State;

extern PyType_Spec words_spec, leaves_spec, generator_spec;

/* py_arguments.c */

/* Is a number in its range, both ends included? */
int is_within(long number, long least, long most, const char *name);
/* Copy `count` numbers of `item` bytes out of an object with the buffer protocol. */
int copy_items(PyObject *object, const char *name, void *to, size_t item, size_t count);
/* Are all values of a dictionary numbers from 0 up to `end`? */
int check_numbers(PyObject *numbers, long end);
/* A tuple of at most `most` tiles, as numbers. Returns how many; -1 with an exception set. */
int read_tiles(const GeneratorObject *self, PyObject *tiles, const char *name, int most,
               uint8_t *to);
int read_board(const GeneratorObject *self, PyObject *board, uint8_t *to);
int read_position(const GeneratorObject *self, PyObject *board, PyObject *rack, int least_blanks,
                  Position *position);
/* All but the leaves: fewest tiles in the bag for an exchange, scoreless turns that end the game,
   the seat that begins the rounds, target, end adjustment. */
int read_terms(PyObject *numbers, int players, Terms *terms);
/* NULL for None. */
int read_leaves(const GeneratorObject *self, PyObject *argument, const Leaves **leaves);

/* py_generator.c */

/* A search of the generator's, to be put back when its answer was read. */
Search *take_search(GeneratorObject *self);
void put_back(GeneratorObject *self, Search *search);

/* py_plays.c */

/* New references: where a play begins; what it lays, with dots where tiles lie on that board. */
PyObject *take_spot(const GeneratorObject *self, const Play *play);
PyObject *write_text(const GeneratorObject *self, const uint8_t *board, const Play *play);

/* Methods of the generator, in py_plays.c, py_matches.c, py_rollouts.c, py_endgame.c. */

PyObject *generator_plays(PyObject *self, PyObject *args);
PyObject *generator_count(PyObject *self, PyObject *args);
PyObject *generator_any(PyObject *self, PyObject *args);
PyObject *generator_best(PyObject *self, PyObject *args);
PyObject *generator_match(PyObject *self, PyObject *args);
PyObject *generator_endgame(PyObject *self, PyObject *args);
PyObject *generator_rollouts(PyObject *self, PyObject *args);

#endif

/* The immutable types: word lists and leaves. */

#include "python.h"

#include <stdlib.h>

/* Words */

/* Copy a column of the automaton into new memory. Masks have 4 or 8 bytes, and get 8. */
static void *read_column(PyObject *object, size_t *count, size_t item, size_t to_item)
{
    Py_buffer view;
    void *column = NULL;

    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0) return NULL;
    *count = (size_t)view.len / item;
    if ((size_t)view.len % item || *count >= UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "a column of the word list has an odd size");
    } else if (!(column = malloc((*count + 1) * to_item))) {
        PyErr_NoMemory();
    } else if (item == to_item) {
        memcpy(column, view.buf, *count * item);
    } else {
        const uint8_t *from = view.buf;
        for (size_t i = 0; i < *count; i++) {
            uint32_t mask;
            memcpy(&mask, from + i * item, item);
            ((Mask *)column)[i] = mask;
        }
    }
    PyBuffer_Release(&view);
    return column;
}

static PyObject *words_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"letters", "child_masks", "accept_masks", "bases", "children", NULL};
    PyObject *objects[4];
    void *columns[4] = {NULL};
    size_t counts[4];
    WordsObject *self = NULL;
    Status status;
    int letters;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "iOOOO", names, &letters, &objects[0],
                                     &objects[1], &objects[2], &objects[3]) ||
        !check_range(letters, 1, MAX_LETTERS, "letters"))
        return NULL;
    for (int i = 0; i < 4; i++) {
        const size_t item = i < 2 && letters > 32 ? 8 : 4;
        columns[i] = read_column(objects[i], &counts[i], item, i < 2 ? 8 : 4);
        if (!columns[i]) goto done;
    }
    if (!counts[0] || counts[0] != counts[1] || counts[0] != counts[2]) {
        PyErr_SetString(PyExc_ValueError, "the columns of the word list differ in length");
        goto done;
    }
    self = (WordsObject *)PyType_GenericAlloc(type, 0);
    if (!self) goto done;
    status = dawg_build(&self->dawg, letters, counts[0], counts[3], columns[0], columns[1],
                        columns[2], columns[3]);
    if (status == NO)
        PyErr_SetString(PyExc_ValueError, "the numbers of the word list contradict each other");
    else if (status == NO_MEMORY)
        PyErr_NoMemory();
    if (status != YES) Py_CLEAR(self);
done:
    for (int i = 0; i < 4; i++) free(columns[i]);
    return (PyObject *)self;
}

static void words_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free(((WordsObject *)self)->dawg.nodes);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot words_slots[] = {
    {Py_tp_new, words_new}, {Py_tp_dealloc, words_dealloc}, {0, NULL}};

PyType_Spec words_spec = {"crossroom_engine._kernel.Words", sizeof(WordsObject), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, words_slots};

/* Leaves */

static PyObject *leaves_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"tiles", "pairs", "empty", NULL};
    PyObject *tiles, *pairs;
    LeavesObject *self;
    int empty = 0;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|i", names, &tiles, &pairs, &empty) ||
        !check_range(empty, -MAX_LEAVE_VALUE, MAX_LEAVE_VALUE, "a worth"))
        return NULL;
    self = (LeavesObject *)PyType_GenericAlloc(type, 0);
    if (!self) return NULL;
    self->leaves.empty = empty;
    if (!copy_items(tiles, "tiles", self->leaves.tiles, 4, TILE_NUMBERS) ||
        !copy_items(pairs, "pairs", self->leaves.pairs, 4, (size_t)TILE_NUMBERS * TILE_NUMBERS))
        goto fail;
    for (int one = 0; one < TILE_NUMBERS; one++) {
        if (!check_range(self->leaves.tiles[one], -MAX_LEAVE_VALUE, MAX_LEAVE_VALUE, "a worth"))
            goto fail;
        for (int other = 0; other < TILE_NUMBERS; other++) {
            const int32_t value = self->leaves.pairs[one][other];
            if (!check_range(value, -MAX_LEAVE_VALUE, MAX_LEAVE_VALUE, "a worth")) goto fail;
            if (value == self->leaves.pairs[other][one]) continue;
            PyErr_SetString(PyExc_ValueError, "a pair has two worths");
            goto fail;
        }
    }
    return (PyObject *)self;
fail:
    Py_DECREF(self);
    return NULL;
}

static PyType_Slot leaves_slots[] = {{Py_tp_new, leaves_new}, {0, NULL}};

PyType_Spec leaves_spec = {"crossroom_engine._kernel.Leaves", sizeof(LeavesObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, leaves_slots};

/* The searches of a generator. One is kept for the next call, with the memory that it has grown;
   calls from several threads at once get one each. */

#include "python.h"

#include <stdlib.h>

void free_search(Search *search)
{
    if (search) search_free(search);
    free(search);
}

Search *acquire_search(GeneratorObject *self)
{
    Search *search = self->spare;

    self->spare = NULL;
    if (search) return search;
    search = malloc(sizeof *search);
    if (search)
        search_init(search, &((WordsObject *)self->words)->dawg, &self->rules);
    else
        PyErr_NoMemory();
    return search;
}

void release_search(GeneratorObject *self, Search *search)
{
    if (self->spare)
        free_search(search);
    else
        self->spare = search;
}

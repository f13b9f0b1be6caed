/* An allocator that runs out when told to; the linker puts it in place of the real one. */

#include "fuzz.h"

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static long left = -1; /* allocations that are granted; -1: all */

void starve(long granted) { left = granted; }

static int is_granted(void)
{
    if (!left) return 0;
    if (left > 0) left--;
    return 1;
}

void *__wrap_malloc(size_t size) { return is_granted() ? __real_malloc(size) : NULL; }

void *__wrap_calloc(size_t count, size_t size)
{
    return is_granted() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *memory, size_t size)
{
    return is_granted() ? __real_realloc(memory, size) : NULL;
}

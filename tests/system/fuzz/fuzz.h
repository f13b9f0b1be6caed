/* The kernel under fire: what the parts of the driver share.

   A world is a word list, rules and leaves, all from one seed; in it come up positions and games.
   Each of those is a case. The first finding ends the program. */

#ifndef CROSSROOM_FUZZ_H
#define CROSSROOM_FUZZ_H

#include "kernel.h"

#include <stdnoreturn.h>

enum {
    MOST_STATES = 600,
    MOST_CHILDREN = 4000,
    MANY_PATHS = 3000, /* in a word list: with more, there would be too few cases a second */
    POSITIONS = 24     /* in a world */
};

typedef struct {
    uint64_t seed, random;

    /* The columns as they were made, which the naive rules go by, not by the kernel's nodes. */
    int letters;
    size_t states, children;
    Mask child_masks[MOST_STATES], accept_masks[MOST_STATES];
    uint32_t bases[MOST_STATES], to[MOST_CHILDREN];

    uint8_t pool[8]; /* letters that come up often */
    int pool_size;
    Words words;
    Rules rules;
    Leaves leaves;
} World;

/* What went wrong, and how to see it again. */
noreturn void fail(const World *world, const char *what);

/* From 0 to `end` - 1. */
uint32_t roll(World *world, uint32_t end);

/* worlds.c */

/* NO: the columns were refused, or lead along too many paths to be searched. */
Answer make_world(World *world, uint64_t seed);
uint8_t any_letter(World *world);
void make_position(World *world, Position *position);

/* naive.c */

/* The points of a play by the letter of the rules; -1 if it is none. */
Points judge(const World *world, const Position *position, const Play *play);
/* Try all that could be laid anywhere, and compare it with what was found. */
void compare_all(const World *world, const Position *position, const Play *plays, size_t count);

/* games.c */

/* A match, or rollouts from some position. */
void try_game(World *world, Search *search);
/* Lay the tiles of a play. */
void lay_play(const World *world, const Play *play, uint8_t *board);

/* endgames.c */

void try_endgame(World *world, Search *search);

/* memory.c */

/* Let all allocations fail but the next `granted`; -1: none fails. */
void starve(long granted);

#endif

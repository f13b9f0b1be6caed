/* The fuzzer of the kernel: declarations that its files share.

   A world is a word list, rules and leaves, all from one seed; in it come up positions and games.
   Each of those is a case. The first failure ends the program. */

#ifndef CROSSROOM_FUZZ_H
#define CROSSROOM_FUZZ_H

#include "search.h"

#include <stdnoreturn.h>

enum {
    MAX_STATES = 600,
    MAX_CHILDREN = 4000,
    MANY_PATHS = 3000, /* in a word list: with more, there would be too few cases a second */
    POSITIONS = 24     /* in a world */
};

typedef struct {
    uint64_t seed, random;

    /* The columns of the word list. The naive rules use these, not the kernel's nodes. */
    int letters;
    size_t states, children;
    Mask child_masks[MAX_STATES], accept_masks[MAX_STATES];
    uint32_t bases[MAX_STATES], to[MAX_CHILDREN];

    uint8_t pool[8]; /* letters that come up often */
    int pool_size;
    Dawg dawg;
    Rules rules;
    Leaves leaves;
} World;

/* Report a failure with its seed, and end the program. */
noreturn void fail(const World *world, const char *what);

/* Return a random number from 0 to `end` - 1. */
uint32_t roll(World *world, uint32_t end);

/* worlds.c */

/* Make a world. Return NO if the columns were refused, or have too many paths to be searched. */
Status make_world(World *world, uint64_t seed);
uint8_t any_letter(World *world);
void make_position(World *world, Position *position);

/* naive.c */

/* Score a play by the letter of the rules. Return -1 if it is illegal. */
Points judge(const World *world, const Position *position, const Play *play);
/* Try everything that could be laid anywhere, and compare it with the plays that were found. */
void compare_all(const World *world, const Position *position, const Play *plays, size_t count);

/* games.c */

/* Try a match, or rollouts from some position. */
void try_game(World *world, Search *search);

/* endgames.c */

void try_endgame(World *world, Search *search);

/* memory.c */

/* Let all allocations fail but the next `granted`; with -1, none fails. */
void starve(long granted);

#endif

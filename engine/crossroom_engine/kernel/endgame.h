/* Endgames of two players: the bag is empty, and each can tell the tiles of the other. */

#ifndef CROSSROOM_ENDGAME_H
#define CROSSROOM_ENDGAME_H

#include "search.h"

/* A pass may come after each play; then two passes, or nobody can play. */
enum { MAX_PLIES = 4 * MAX_RACK + 2 };

/* The first player is to move. Each has at least one tile. */
typedef struct {
    uint8_t board[MAX_SQUARES]; /* row by row */
    uint8_t racks[2][MAX_RACK];
    int tile_counts[2];
    int passes;        /* 1: another one ends the game */
    int is_adjusted;   /* whether tiles left over count */
    int max_depth;     /* plies; with 0, both play greedily */
    int has_threshold; /* whether to tell only if the spread is less, the same or more than that */
    Points threshold;
    int (*is_time_up)(void *clock);
    void *clock;
} Endgame;

/* Plays and passes of both sides in turn. Their leaves are subsets of the racks at the start. */
typedef struct {
    Play plays[MAX_PLIES];
    int count;
} Variation;

typedef struct {
    Variation pv;  /* principal variation, perhaps cut short; empty with a threshold */
    Points spread; /* that the first player gains, with the end adjustment */
    int depth;     /* plies searched; 0 if time was up at once */
    int is_exact;  /* whether the spread, or the side of the threshold it is on, is proven */
    uint64_t nodes;
} Solution;

Status solve_endgame(Search *search, const Endgame *endgame, Solution *solution);

#endif

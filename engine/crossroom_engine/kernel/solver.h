/* The state of the endgame solver, for endgame.c, endgame_plays.c and endgame_replies.c. */

#ifndef CROSSROOM_SOLVER_H
#define CROSSROOM_SOLVER_H

#include "endgame.h"

/* An entry of the transposition table, see endgame.c. */
typedef struct TTEntry TTEntry;

typedef struct {
    const Endgame *endgame;
    Search *search;
    uint8_t board[MAX_SQUARES];
    uint64_t board_hash;
    unsigned hands[2];
    Points leftovers[2][HAND_COUNT];      /* by hand: twice its points if tiles left over count */
    PrefixTable *prefixes[2][HAND_COUNT]; /* by hand: its prefixes, or NULL */
    size_t prefix_bytes;                  /* of those */
    Play *move_stack;                     /* plays to be tried, from the root on */
    size_t stack_count;
    TTEntry *tt;
    Variation pvs[MAX_PLIES + 1]; /* by ply: the best way to go on */
    Points value;                 /* of pvs[0] */
    uint64_t nodes;
    size_t work; /* since is_time_up was called */
    Status stop; /* YES: time is up; or NO_MEMORY */
} Solver;

/* endgame_plays.c */

/* Make a play. Return the squares of its line that got a tile. */
uint32_t make_play(Solver *solver, int side, const Play *play);
/* Undo a play of `side`, who had `hand` before. */
void unmake_play(Solver *solver, int side, const Play *play, uint32_t laid, unsigned hand);
/* Estimate a play or a pass: its points, less the tiles kept, or with those the other is left. */
Points estimate(const Solver *solver, int side, const Play *play);
/* Generate the plays of a side into the Search, with estimates as values; or set `stop`. */
void generate_plays(Solver *solver, int side);
/* Return what `side` gains if two passes in a row end the game. */
Points value_passed_out(const Solver *solver, int side);
/* Play greedily to the end: both sides make the plays of the best estimate. Return what `side`
   gains. */
Points play_out(Solver *solver, int side, int passes, Variation *pv);
void free_prefixes(PrefixTable *table);

/* endgame_replies.c */

enum { MAX_REPLIES = 24, MASK_WORDS = (MAX_SQUARES + 63) / 64 };

typedef struct {
    Points value;
    uint64_t neighbourhood[MASK_WORDS]; /* squares where a tile may change this play */
} Reply;

/* The best replies, best first. */
typedef struct {
    Reply replies[MAX_REPLIES];
    int count;
} Replies;

/* What a side could do if it were its turn. */
typedef struct {
    Replies all; /* by estimate */
    Replies out; /* plays that go out, by points */
} Threats;

/* Find the threats of a side; or set `stop`. */
void find_threats(Solver *solver, int side, Threats *threats);
/* Return the best reply that a play or a pass cannot change, or NULL. */
const Reply *best_unaffected(const Solver *solver, const Replies *replies, const Play *play);

#endif

/* What the endgame's parts share: endgame.c looks ahead, endgame_plays.c makes plays and finds
   them, endgame_replies.c tells what the other could answer. */

#ifndef CROSSROOM_SOLVER_H
#define CROSSROOM_SOLVER_H

#include "kernel.h"

/* What is known of a position, see endgame.c. */
typedef struct Entry Entry;

/* What a hand can begin to spell, as a Search has it. */
typedef struct {
    Beginning *beginnings;
    uint32_t *index;
    size_t beginnings_count, beginnings_room, index_count, index_room;
    uint32_t begin[MOST_TILES + 2];
    uint32_t index_begin[MOST_LETTERS][MOST_TILES + 2];
    Mask indexed;
} Spelling;

typedef struct {
    const Endgame *endgame;
    Search *search;
    uint8_t board[SQUARES];
    uint64_t key; /* of the board */
    unsigned held[2];
    Points left[2][HANDS]; /* twice the points of a hand, if the end adjustment counts them */
    Spelling *spellings[2][HANDS];
    size_t kept; /* bytes of those */
    Play *lying; /* a stack of plays that are to be tried */
    size_t lying_count;
    Entry *entries;
    Way ways[MOST_PLIES + 1]; /* by ply, the best way to go on */
    Points value;             /* of the best way at the root */
    uint64_t nodes;
    size_t work;
    Answer stop; /* YES: time is over; or NO_MEMORY */
} Solver;

static inline uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u; /* as in SplitMix64 */
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline int square_of(const Solver *e, const Play *play, int at)
{
    const int width = e->search->rules->width;
    return play->down ? at * width + play->line : play->line * width + at;
}

static inline int is_pass(const Play *play)
{
    return play->first == play->end;
}

/* endgame_plays.c */

/* Make a play. Returns the squares of the line that got a tile. */
uint32_t lay(Solver *e, int side, const Play *play);
/* Undo a play of `side`, who had that hand before. */
void take_back(Solver *e, int side, const Play *play, uint32_t laid, unsigned held);
/* How good a play or a pass looks: its points, and what the tiles that are kept cost, or those of
   the other bring. */
Points estimate(const Solver *e, int side, const Play *play);
/* Find what the hand can play; the Search has the plays, and their value is the estimate. */
Answer find_plays(Solver *e, int side);
/* What two passes in a row come to. */
Points settle_passed(const Solver *e, int side);
/* Both sides make the plays that look best, until the end. Returns what comes of it for `side`. */
Points play_out(Solver *e, int side, int passes, Way *way);
void drop_spelling(Spelling *one);
void load_spelling(Search *search, const Spelling *from);
void store_spelling(const Search *search, Spelling *to);

/* endgame_replies.c */

enum { MOST_REPLIES = 24, SQUARE_WORDS = (SQUARES + 63) / 64 };

typedef struct {
    Points value;
    uint64_t near[SQUARE_WORDS]; /* squares: a tile there may change this play */
} Reply;

/* The best first. */
typedef struct {
    Reply replies[MOST_REPLIES];
    int count;
} Replies;

/* What a side could do if it were its turn. */
typedef struct {
    Replies all; /* by estimate */
    Replies out; /* those that go out, by points */
} Threats;

Answer find_threats(Solver *e, int side, Threats *threats);
/* The best reply that a play or a pass leaves as it is, or NULL. */
const Reply *left_by(const Solver *e, const Replies *replies, const Play *play);

#endif

/* The word engine in C: the limits, values and bit operations that all its files share.

   Only module.c and py_*.c know of Python, so the rest runs without the interpreter's lock. There
   is no global state. A Dawg, Rules and Leaves never change once made; a Search belongs to one
   thread at a time.

   Layers, lowest first: a file includes and calls only files that come before it in this list. What
   belongs to a caller reaches a lower layer by a pointer (Search.keep, Endgame.is_time_up).

     values, word lists   kernel.h dawg.c
     plays                search.h position.c prefixes.c search.c best.c
     endgames             endgame.h solver.h endgame_plays.c endgame_replies.c endgame.c
     games                selfplay.h selfplay.c rollout.c
     Python               python.h py_arguments.c py_words.c py_searches.c py_plays.c py_matches.c
                          py_rollouts.c py_endgame.c py_generator.c module.c

   A letter is a number, its place in the alphabet of the word list, and a bit of a Mask. A tile is
   a letter or BLANK. A square holds EMPTY or a letter, with BLANK_FLAG added if the tile is a
   blank. Squares of a line count from 0, from the left or from the top. A hand is a set of bits,
   one for each tile of the rack; a leave is the hand that remains after a play. Ranges do not
   include their `end`. */

#ifndef CROSSROOM_KERNEL_H
#define CROSSROOM_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    MAX_LETTERS = 62,  /* of the alphabet of a word list */
    TILE_NUMBERS = 64, /* letters, known to the word list or not, and BLANK */
    BLANK = TILE_NUMBERS - 1,
    BLANK_FLAG = 128,
    SQUARE_CODES = BLANK_FLAG + TILE_NUMBERS, /* above all that lies on a square, but EMPTY */
    EMPTY = 255,

    MAX_RACK = 9, /* tiles */
    HAND_COUNT = 1 << MAX_RACK,
    MAX_SIDE = 21, /* of a board, in squares */
    MAX_SQUARES = MAX_SIDE * MAX_SIDE,

    /* With these limits a score in thousandths stays below 2.3e16: MAX_RACK squares that quadruple
       a word of MAX_SIDE letters that count four times. */
    MAX_TILE_POINTS = 1000000, /* also of the bingo bonus */
    MAX_PREMIUM = 4,
    MAX_LEAVE_VALUE = 100000000 /* of a tile or a pair, in thousandths of a point */
};

typedef uint64_t Mask;
typedef int64_t Points;

/* The answer to a question. A step of a search returns YES to end the search. */
typedef enum { NO_MEMORY = -1, NO = 0, YES = 1 } Status;

/* A state within a word, reached by one letter. Its children stand side by side, in the order of
   the alphabet. */
typedef struct {
    Mask children;           /* letters that lead on */
    Mask accepts;            /* letters that complete a word */
    uint32_t first_child;    /* index of the child by the first letter of `children` */
    uint32_t suffix_lengths; /* bit d: d more letters complete some word, 1 to MAX_SIDE */
} DawgNode;

/* A word list as a directed acyclic word graph. */
typedef struct {
    int letters; /* of the alphabet */
    uint32_t root;
    DawgNode *nodes;
} Dawg;

typedef struct {
    int width, height;
    int start;     /* index of the square that the first play covers */
    int rack_size; /* tiles that earn the bingo bonus when laid at once */
    int32_t bingo_bonus;
    uint8_t letter_premiums[MAX_SQUARES], word_premiums[MAX_SQUARES]; /* row by row */
    int32_t points[TILE_NUMBERS];
    Mask blank_letters; /* what a blank may stand for */
} Rules;

/* What leaves are worth, in thousandths of a point: the sum of their tiles and of their pairs.
   pairs[one][other] equals pairs[other][one]. */
typedef struct {
    int32_t tiles[TILE_NUMBERS];
    int32_t pairs[TILE_NUMBERS][TILE_NUMBERS];
    int32_t empty; /* value of the empty leave */
} Leaves;

typedef struct {
    uint8_t board[MAX_SQUARES]; /* row by row */
    uint8_t rack[MAX_RACK];
    int tile_count; /* of the rack */
    int min_blanks; /* that a play must lay */
} Position;

/* Tiles laid, in order, on the empty squares from `first` to `end` of a line. A pass has none. */
typedef struct {
    int64_t value; /* for ranking: thousandths of a point, or in an endgame points */
    Points points;
    uint16_t leave;
    uint8_t down, line, first, end;
    uint8_t laid[MAX_RACK];
} Play;

static inline int is_pass(const Play *play) { return play->first == play->end; }

/* Return the index on the board of square `at` of a line. */
static inline int square_at(const Rules *rules, int down, int line, int at)
{
    return down ? at * rules->width + line : line * rules->width + at;
}

static inline void place_play(const Rules *rules, const Play *play, uint8_t *board)
{
    const uint8_t *tile = play->laid;

    for (int at = play->first; at < play->end; at++) {
        uint8_t *square = &board[square_at(rules, play->down, play->line, at)];
        if (*square == EMPTY) *square = *tile++;
    }
}

/* Order plays: across first, then by line, by squares, by letters, real tiles before blanks. */
static inline int precedes(const Play *one, const Play *other)
{
    if (one->down != other->down) return one->down < other->down;
    if (one->line != other->line) return one->line < other->line;
    if (one->first != other->first) return one->first < other->first;
    if (one->end != other->end) return one->end < other->end;
    return memcmp(one->laid, other->laid, sizeof one->laid) < 0;
}

/* Counting bits finds a child. Every x86-64 processor since 2008 has an instruction for it, which
   compilers use only if told so for a whole file; module.c checks that the processor has it. */
#if defined(__x86_64__) && defined(__GNUC__)
static inline int count_bits(Mask mask)
{
    Mask count;
    __asm__("popcntq %1, %0" : "=r"(count) : "rm"(mask) : "cc");
    return (int)count;
}
static inline int lowest_bit(Mask mask) { return __builtin_ctzll(mask); }
#elif defined(_M_X64) && defined(_MSC_VER)
#include <intrin.h>
static inline int count_bits(Mask mask) { return (int)__popcnt64(mask); }
static inline int lowest_bit(Mask mask)
{
    unsigned long place;
    _BitScanForward64(&place, mask);
    return (int)place;
}
#elif defined(__GNUC__)
static inline int count_bits(Mask mask) { return __builtin_popcountll(mask); }
static inline int lowest_bit(Mask mask) { return __builtin_ctzll(mask); }
#else
static inline int count_bits(Mask mask)
{
    int count = 0;
    for (; mask; mask &= mask - 1) count++;
    return count;
}
static inline int lowest_bit(Mask mask) { return count_bits((mask & (0 - mask)) - 1); }
#endif

/* Scramble a number: the last step of SplitMix64, by S. Vigna, after G. L. Steele, D. Lea and C.
   H. Flood (2014). */
static inline uint64_t mix64(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* Follow one letter, the only bit of `letter`, which must be among the node's children. */
static inline const DawgNode *dawg_child(const Dawg *dawg, const DawgNode *node, Mask letter)
{
    return &dawg->nodes[node->first_child + (uint32_t)count_bits(node->children & (letter - 1))];
}

/* Follow several letters. Return NULL if no word goes on like this. */
static inline const DawgNode *dawg_walk(const Dawg *dawg, const DawgNode *node,
                                        const Mask *letters, int count)
{
    for (int at = 0; at < count && node; at++)
        node = node->children & letters[at] ? dawg_child(dawg, node, letters[at]) : NULL;
    return node;
}

/* dawg.c */

/* Build a word list from the columns of an automaton. Return NO if they contradict each other. */
Status dawg_build(Dawg *dawg, int letters, size_t states, size_t children, const Mask *child_masks,
                  const Mask *accept_masks, const uint32_t *bases, const uint32_t *to);

#endif

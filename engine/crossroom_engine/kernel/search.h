/* The search for plays: what position.c, prefixes.c, search.c and best.c share. */

#ifndef CROSSROOM_SEARCH_H
#define CROSSROOM_SEARCH_H

#include "kernel.h"

enum { MAX_SEGMENTS = MAX_SIDE + 2 /* of a line */ };

/* A row or a column. An extra square behind the last is never occupied, and takes no tile. */
typedef struct {
    uint32_t occupied;                  /* squares with tiles */
    uint32_t anchors;                   /* empty squares with crossing tiles; or else the start */
    uint32_t blocked;                   /* squares that no tile of the rack fits */
    Mask letters[MAX_SIDE + 1];         /* of the tile on the square, or 0 */
    Mask cross_checks[MAX_SIDE + 1];    /* letters that the crossing tiles allow */
    int32_t face_values[MAX_SIDE + 1];  /* of the tile on the square */
    int32_t cross_scores[MAX_SIDE + 1]; /* sum of the crossing tiles; -1 if there are none */
} BoardLine;

typedef struct {
    uint8_t letter[MAX_SIDE + 1], word[MAX_SIDE + 1];
} LinePremiums;

/* A part of a line that is searched at once: words that lay tiles on squares from `low` to `first`
   and from `end` to `high`. From `first` to `end` there is a run of tiles; or nothing, then words
   must cover the anchor at `end`, and touch no run. */
typedef struct {
    uint8_t down, line, low, first, end, high;
} Segment;

/* How far words reach that lay some number of tiles after a segment. */
typedef struct {
    int max_tiles;
    uint8_t ends[MAX_RACK + 1];         /* end of the word, by the number of tiles */
    uint32_t stops_below[MAX_RACK + 2]; /* mask of the ends for fewer tiles than that */
} Extension;

/* A sequence of tiles from the rack that begins a word, or is one. */
typedef struct {
    Mask continuations;    /* letters, on the rack or not, that go on from it or end it */
    uint32_t node;         /* where its letters lead, if there are continuations */
    uint32_t word_lengths; /* bit d: d more tiles from the rack make it a word, 0 to MAX_RACK */
    uint32_t parent, first_child, children_end;
    uint16_t leave;
    uint8_t letter; /* the last one */
    uint8_t laid[MAX_RACK];
} Prefix;

/* All prefixes of a rack, by length; and for each letter on the board those that it may follow, by
   length too. */
typedef struct {
    Prefix *items;
    size_t count, capacity;
    uint32_t begin[MAX_RACK + 2];
    uint32_t *index;
    size_t index_count, index_capacity;
    uint32_t index_begin[MAX_LETTERS][MAX_RACK + 2];
    Mask indexed; /* the letters for which this is done */
} PrefixTable;

typedef enum { COUNT, ANY, ALL } Question;

typedef struct Search Search;
typedef struct BestSearch BestSearch;

/* A callback for each play that is found. */
typedef Status (*KeepPlay)(Search *search, const Play *play);

struct Search {
    const Dawg *dawg;
    const Rules *rules;
    LinePremiums premiums[2][MAX_SIDE]; /* of rows, of columns */
    int32_t face_values[SQUARE_CODES];  /* points by what lies on a square */

    /* The position. */
    int tile_count, min_blanks, is_opening;
    unsigned hand, blanks;                /* the tiles of the rack; those that are blanks */
    uint16_t tiles_showing[TILE_NUMBERS]; /* by letter: the hand of all tiles that show it */
    Mask letters_shown[HAND_COUNT];       /* by hand: the letters that its tiles show */
    BoardLine lines[2][MAX_SIDE];         /* rows, columns */
    PrefixTable *prefixes, own_prefixes;

    /* Where the search is. */
    Question question;
    KeepPlay keep; /* for ALL */
    const BoardLine *line;
    const LinePremiums *line_premiums;
    int down, line_number, first;
    uint32_t stops; /* mask of the squares where words may end */
    uint8_t laid[MAX_SIDE + 1];

    /* The result. */
    uint64_t count;     /* of plays */
    Points most_points; /* of a play; -1 if there are none */
    Play *plays;        /* for ALL */
    size_t plays_count, plays_capacity;
    BestSearch *best; /* of best.c, allocated with malloc; or NULL */
};

static inline int line_length(const Rules *rules, int down)
{
    return down ? rules->height : rules->width;
}

static inline int line_count(const Rules *rules, int down) { return line_length(rules, !down); }

/* Return the hand without one of `tiles`, of which it holds at least one. */
static inline unsigned without_one(unsigned hand, unsigned tiles)
{
    const unsigned held = hand & tiles;
    return hand & ~(held & (0 - held));
}

/* Return the letters that the tiles of a hand can stand for. */
static inline Mask letters_from(const Search *s, unsigned hand)
{
    return s->letters_shown[hand] | (hand & s->blanks ? s->rules->blank_letters : 0);
}

/* position.c */

void set_rack(Search *search, const uint8_t *rack, int tile_count);
void set_board(Search *search, const uint8_t *board);
/* Find anchors and cross-checks of a line, once the board and the rack are set. */
void set_line(Search *search, int down, int number);
/* Cut a line into segments, so that each word belongs to exactly one: that of the first run of
   tiles it goes through, or else that of the first anchor it covers. Return their number. */
int find_segments(const Search *search, int down, int number, Segment *segments);
void find_extension(const Search *search, const Segment *segment, Extension *extension);
/* Return how many tiles there can be before a segment. */
int max_before(const Search *search, const Segment *segment);
/* Return how many tiles there must be after a segment, with so many before it, to make a play that
   no other segment has: a single tile with a word across counts as a play across. */
int min_after(const Search *search, const Segment *segment, int before);
/* Return how many tiles there can be after a segment; this may be less than min_after. */
int max_after(const Search *search, const Extension *extension, int before);

/* prefixes.c */

/* Enumerate all prefixes of the rack, shorter ones first. */
Status find_prefixes(Search *search);
/* List the prefixes that a letter may follow, shorter ones first. */
Status index_prefixes(Search *search, int letter);

/* search.c */

void search_init(Search *search, const Dawg *dawg, const Rules *rules);
void search_free(Search *search);
/* Search a position. For ALL, the plays are in order. Return YES if there are any. */
Status search_position(Search *search, const Position *position, Question question);
/* Prepare to search a position. For ALL, each play that is found goes to `keep`. */
void begin_search(Search *search, const Position *position, Question question, KeepPlay keep);
/* Search the words of a segment with `before` tiles before it that end at one of the `stops`. */
Status search_words(Search *search, const Segment *segment, int before, uint32_t stops);
/* Search a line, which set_line prepared: all words, or just those that begin with a run. */
Status search_line(Search *search, int down, int number, int is_all);
/* Append a play to the result, without any order. */
Status append_play(Search *search, const Play *play);

/* best.c */

/* Find the `wanted` plays, at least one, with the greatest sum of points and value of the leave,
   best first. `leave_values` are in thousandths of a point. Return YES if there are plays. */
Status search_best(Search *search, const Position *position, const int64_t *leave_values,
                   size_t wanted);
/* Compute the value of every leave of a rack, in thousandths of a point. */
void evaluate_leaves(const Leaves *leaves, const uint8_t *rack, int tile_count, int64_t *values);

#endif

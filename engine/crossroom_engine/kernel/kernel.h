/* The word engine in C: what its parts share.

   Only module.c and py_*.c know of Python, so that all the rest runs while other threads have the
   interpreter. Nothing is global. Words, Rules and Leaves do not change once they are made; a
   Search belongs to one thread at a time.

   A letter is a number, its place in the alphabet of the word list, and a bit in the masks. A tile
   is a letter or BLANK. What lies on a square is EMPTY, or a letter, with IS_BLANK added if the
   tile is a blank. Squares of a line count from 0, from the left or from the top. A hand is a set
   of bits, one for each tile of the rack. Ranges do not include their `end`. */

#ifndef CROSSROOM_KERNEL_H
#define CROSSROOM_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    MOST_LETTERS = 62, /* of the alphabet of a word list */
    KINDS = 64,        /* numbers for tiles: letters, known to the word list or not, and BLANK */
    BLANK = KINDS - 1,
    IS_BLANK = 128,
    LAID = IS_BLANK + KINDS, /* above all that can lie on a square */
    EMPTY = 255,

    MOST_TILES = 9, /* in hand */
    HANDS = 1 << MOST_TILES,
    LARGEST = 21, /* side of a board, in squares */
    SQUARES = LARGEST * LARGEST,
    MOST_PARTS = LARGEST + 2, /* of a line */

    /* With these, a score in thousandths stays below 2.3e16: MOST_TILES squares that quadruple a
       word of LARGEST letters that count four times. */
    MOST_POINTS = 1000000, /* of a tile, and for a bingo */
    MOST_PREMIUM = 4,      /* what a square multiplies a letter or a word by */
    MOST_WORTH = 100000000 /* of a tile or a pair that is kept, in thousandths of a point */
};

typedef uint64_t Mask;
typedef int64_t Points;

/* To a question; and whether the search is over. */
typedef enum { NO_MEMORY = -1, NO = 0, YES = 1 } Answer;

/* A place within a word, where one letter has led. The letters that may follow lead to nodes that
   stand side by side, in the order of the alphabet. */
typedef struct {
    Mask follow;      /* letters that go on */
    Mask ends;        /* letters that complete a word */
    uint32_t first;   /* where the first letter of `follow` leads */
    uint32_t lengths; /* bit d: some word is complete after d more letters, 1 to LARGEST */
} Node;

typedef struct {
    int letters;
    uint32_t root;
    Node *nodes;
} Words;

typedef struct {
    int width, height;
    int start; /* the square that the first play covers, row * width + column */
    int rack;  /* tiles that earn the bonus when laid at once */
    int32_t bingo;
    uint8_t letter_premiums[SQUARES], word_premiums[SQUARES]; /* row by row */
    int32_t points[KINDS];
    Mask blank_letters; /* what a blank may stand for */
} Rules;

/* What tiles are worth that stay in hand, in thousandths of a point: each by itself, and each pair
   on top of that. [one][other] is [other][one]. */
typedef struct {
    int32_t tiles[KINDS];
    int32_t pairs[KINDS][KINDS];
    int32_t empty; /* of keeping nothing */
} Leaves;

typedef struct {
    uint8_t board[SQUARES]; /* row by row */
    uint8_t rack[MOST_TILES];
    int tiles;        /* in the rack */
    int least_blanks; /* that a play must lay */
} Position;

/* The squares from `first` to `end` that were empty get the tiles of `laid`, in order. */
typedef struct {
    int64_t value; /* what plays are ranked by, in thousandths of a point */
    Points points;
    uint16_t held; /* the hand that is left */
    uint8_t down, line, first, end;
    uint8_t laid[MOST_TILES];
} Play;

/* A row or a column. Behind its last square is one where nothing lies and nothing may be laid. */
typedef struct {
    uint32_t lying;                    /* the squares where tiles lie */
    uint32_t anchors;                  /* empty ones with crossing tiles; or else the start */
    uint32_t dead;                     /* those where no tile in hand may be laid */
    Mask letters[LARGEST + 1];         /* the letter lying there, or 0 */
    Mask crosses[LARGEST + 1];         /* letters that the crossing tiles allow */
    int32_t points[LARGEST + 1];       /* face value of the tile lying there */
    int32_t cross_points[LARGEST + 1]; /* face value of the crossing tiles; -1 if there are none */
    /* For BEST alone, and 0 where no tiles cross: what the dearest tile would earn that they allow,
       in the word along the line, before word premiums, and in the crossing word. */
    Points dearest[LARGEST + 1], dearest_cross[LARGEST + 1];
} Line;

typedef struct {
    uint8_t letter[LARGEST + 1], word[LARGEST + 1];
} Premiums;

/* A part of a line that is searched at once: the words that lay tiles on squares from `low` to
   `first` and from `end` to `high`. What lies between is a run of tiles; or nothing, then the word
   must cover the anchor at `end`, and goes through no run. */
typedef struct {
    int64_t bound; /* no play there has a greater value */
    uint8_t down, line, low, first, end, high;
} Part;

/* Squares that tiles might be laid on: what those can come to at most. */
typedef struct {
    Points fixed;   /* along the line, before word premiums: all but the open squares */
    Points crosses; /* the crossing words */
    Points word;    /* product of the word premiums */
    uint32_t open;  /* squares without crossing tiles, a byte each: how many multiply a letter by 1
                       or more, by 2 or more, by 3 or more, by 4 */
} Side;

/* How far words go that lay so many tiles behind a part. */
typedef struct {
    int most;                      /* tiles */
    uint8_t ends[MOST_TILES + 1];  /* the end of the word, by the number of tiles */
    uint32_t upto[MOST_TILES + 2]; /* bits of the ends for fewer tiles than that */
    Side sides[MOST_TILES + 1];    /* for BEST alone */
} Reach;

/* Tiles from the hand alone that begin a word, or are one. */
typedef struct {
    Mask next;        /* letters, in hand or not, that go on it or end it */
    uint32_t node;    /* where they have led, if there is a next */
    uint32_t lengths; /* bit d: d more tiles from the hand make it a word, 0 to MOST_TILES */
    uint32_t shorter, longer, longer_end; /* those of one tile less; of one tile more */
    uint16_t held;
    uint8_t letter; /* the last one */
    uint8_t laid[MOST_TILES];
} Beginning;

typedef enum { COUNT, ALL, ANY, BEST } Question;

typedef struct {
    const Words *words;
    const Rules *rules;
    Premiums premiums[2][LARGEST]; /* of rows, of columns */
    int32_t face[LAID];            /* points by what is laid */

    /* The position. */
    int tiles, least_blanks, is_opening;
    unsigned hand, blanks;  /* the tiles of the rack; those that are blanks */
    uint16_t having[KINDS]; /* by letter, the tiles of the rack that show it */
    Mask shown[HANDS];      /* the letters that the tiles of a hand show */
    Line lines[2][LARGEST]; /* rows, columns */

    /* Beginnings by length; and for each letter those that it may follow, by length too. */
    Beginning *beginnings;
    size_t beginnings_count, beginnings_room;
    uint32_t begin[MOST_TILES + 2];
    uint32_t *index;
    size_t index_count, index_room;
    uint32_t index_begin[MOST_LETTERS][MOST_TILES + 2];
    Mask indexed; /* the letters for which this is done */

    /* Where the search is. */
    Question question;
    const Line *line;
    const Premiums *here;
    int down, number, first;
    uint32_t stops; /* where the word may end */
    uint8_t laid[LARGEST + 1];

    /* The answer. */
    uint64_t count; /* of plays */
    Points most;    /* points of the best of them; -1 if there are none */
    Play *plays;    /* for ALL and BEST; then, a heap with the worst on top */
    size_t plays_count, plays_room;

    /* For BEST alone. */
    size_t wanted;
    const int64_t *worth;               /* of each hand, in thousandths of a point */
    int64_t most_worth[MOST_TILES + 1]; /* by the number of tiles laid */
    int64_t most_worth_upto[MOST_TILES + 1];
    uint8_t dearest[MOST_TILES];  /* the rack, by face value */
    Points tops[MOST_TILES + 1];  /* face values of so many of them */
    Part *parts;                  /* a heap with the greatest bound on top */
    size_t parts_count;
} Search;

/* Counting bits finds a child. Every x86-64 processor since 2008 has an instruction for it, which
   compilers do not use unless told so for a whole file; module.c asks the processor before anything
   here runs. */
#if defined(__x86_64__) && defined(__GNUC__)
static inline int count_bits(Mask mask)
{
    Mask count;
    __asm__("popcntq %1, %0" : "=r"(count) : "rm"(mask) : "cc");
    return (int)count;
}
static inline int lowest(Mask mask) { return __builtin_ctzll(mask); }
#elif defined(_M_X64) && defined(_MSC_VER)
#include <intrin.h>
static inline int count_bits(Mask mask) { return (int)__popcnt64(mask); }
static inline int lowest(Mask mask)
{
    unsigned long place;
    _BitScanForward64(&place, mask);
    return (int)place;
}
#elif defined(__GNUC__)
static inline int count_bits(Mask mask) { return __builtin_popcountll(mask); }
static inline int lowest(Mask mask) { return __builtin_ctzll(mask); }
#else
static inline int count_bits(Mask mask)
{
    int count = 0;
    for (; mask; mask &= mask - 1) count++;
    return count;
}
static inline int lowest(Mask mask) { return count_bits((mask & (0 - mask)) - 1); }
#endif

/* Where `bit`, one of node->follow, leads. */
static inline const Node *child(const Words *words, const Node *node, Mask bit)
{
    return &words->nodes[node->first + (uint32_t)count_bits(node->follow & (bit - 1))];
}

/* Where some letters lead; NULL if no word goes on like this. */
static inline const Node *walk(const Words *words, const Node *node, const Mask *letters, int count)
{
    for (int at = 0; at < count && node; at++)
        node = node->follow & letters[at] ? child(words, node, letters[at]) : NULL;
    return node;
}

/* The hand without one of `tiles`, of which it holds at least one. */
static inline unsigned without(unsigned hand, unsigned tiles)
{
    const unsigned held = hand & tiles;
    return hand & ~(held & (0 - held));
}

/* The letters that the tiles of a hand can stand for. */
static inline Mask letters_of(const Search *s, unsigned held)
{
    return s->shown[held] | (held & s->blanks ? s->rules->blank_letters : 0);
}

/* The order of plays: across first, then by line, by square, by letters, real tiles before blanks.
   No play comes before itself. */
static inline int is_before(const Play *one, const Play *other)
{
    if (one->down != other->down) return one->down < other->down;
    if (one->line != other->line) return one->line < other->line;
    if (one->first != other->first) return one->first < other->first;
    if (one->end != other->end) return one->end < other->end;
    return memcmp(one->laid, other->laid, sizeof one->laid) < 0;
}

/* position.c */

/* NO: the columns contradict each other. */
Answer words_build(Words *words, int letters, size_t states, size_t children,
                   const Mask *child_masks, const Mask *accept_masks, const uint32_t *bases,
                   const uint32_t *to);
void set_position(Search *search, const Position *position);
void set_rack(Search *search, const uint8_t *rack, int tiles);
void set_board(Search *search, const uint8_t *board);
void set_line(Search *search, int down, int number);
int find_parts(const Search *search, int down, int number, Part *parts);
void find_reach(const Search *search, const Part *part, Reach *reach);
int most_before(const Search *search, const Part *part);
int least_behind(const Search *search, const Part *part, int before);
int most_behind(const Search *search, const Reach *reach, int before);

/* prefixes.c */

/* Enumerate all that the hand can begin, shorter ones first. */
Answer find_beginnings(Search *search);
/* List the beginnings that a letter may follow, shorter ones first. */
Answer index_letter(Search *search, int letter);

/* search.c */

void search_init(Search *search, const Words *words, const Rules *rules);
void search_free(Search *search);
/* YES: there are plays. For ALL they are in order. */
Answer search_all(Search *search, const Position *position, Question question);
void begin_search(Search *search, const Position *position, Question question);
Answer search_part(Search *search, const Part *part);

/* best.c */

/* The `wanted` plays of the greatest value, points and `worth` of the hand that is left; at least
   one is wanted. They come best first. YES: there are plays. */
Answer search_best(Search *search, const Position *position, const int64_t *worth, size_t wanted);
void leaves_worth(const Leaves *leaves, const uint8_t *rack, int tiles, int64_t *worth);
uint32_t promising(const Search *search, const Part *part, const Reach *reach, int before);
void find_sides(const Search *search, const Part *part, Reach *reach);
void keep_best(Search *search, const Play *play);

/* endgame.c */

/* A play may come after a pass; then two passes, or nobody can play. */
enum { MOST_PLIES = 4 * MOST_TILES + 2 };

/* Two players, an empty bag, and the racks that both know. The first is to move; each has a tile at
   least. */
typedef struct {
    uint8_t board[SQUARES]; /* row by row */
    uint8_t racks[2][MOST_TILES];
    int tiles[2];
    int passes;      /* 1: another one ends the game */
    int is_adjusted; /* do tiles that are left count? */
    int most_plies;  /* to look ahead; with none, both go on with the play that looks best */
    int has_par;     /* is it only asked whether the spread is less than that, the same, or more? */
    Points par;
    int (*is_over)(void *asker); /* is the time over? */
    void *asker;
} Endgame;

/* Plays of both, one after the other; a pass is on no squares. The hands that are left are parts of
   the racks as they were at first. */
typedef struct {
    Play plays[MOST_PLIES];
    int count;
} Way;

typedef struct {
    Way way;       /* the best, or so it seems; it may be known only in part; none with a par */
    Points spread; /* that the first player gains on it, with the end adjustment */
    int depth;     /* plies searched; none if time was over at once */
    int is_exact;  /* nobody can do better; with a par, than to be on that side of it */
    uint64_t nodes;
} Solution;

Answer solve_endgame(Search *search, const Endgame *endgame, Solution *solution);

#endif

/* Games that the kernel plays by itself: turn by turn, whole ones, and what may come of a turn. */

#ifndef CROSSROOM_SELFPLAY_H
#define CROSSROOM_SELFPLAY_H

#include "kernel.h"

/* selfplay.c */

enum {
    MOST_BAG = 1000, /* tiles of a distribution */
    MOST_PLAYERS = 4,
    MOST_TURNS = 400 /* of a game, which ends there at the latest */
};

typedef enum { END_NONE, END_SUM, END_DOUBLE } EndAdjustment;

/* What a game is played by, besides the Rules that a search knows. */
typedef struct {
    int players;
    int least_exchange; /* tiles that must be in the bag for an exchange, 1 or more */
    int scoreless;      /* turns without a play in a row that end the game */
    int begins;         /* the seat that begins the rounds */
    Points target;      /* of points: who has them ends the game after the round; 0: nobody does */
    EndAdjustment end;
    const Leaves *leaves[MOST_PLAYERS]; /* that the players go by; NULL: by points alone */
} Terms;

typedef struct {
    Points points;
    uint16_t bag;             /* tiles in it before the turn */
    uint8_t seat;
    uint8_t laid, exchanged;  /* tiles; a pass has neither */
    uint8_t kept[MOST_TILES]; /* tiles that stay in hand, then EMPTY */
} Turn;

/* A game that is played by those who look no further than their own next play. */
typedef struct {
    Position position; /* the board; rack and tiles are set anew for each turn */
    uint8_t bag[MOST_BAG];
    int left, right; /* what is in the bag lies between */
    int seat;        /* whose turn it is */
    int scoreless;   /* turns without a play in a row */
    int passes;      /* turns in a row that nobody could use, with an empty bag */
    uint8_t racks[MOST_PLAYERS][MOST_TILES];
    int tiles[MOST_PLAYERS];
    Points scores[MOST_PLAYERS];
    int64_t kept[MOST_PLAYERS]; /* what was worth, to each, the rack that the latest turn left */
    uint64_t random;
} Table;

void shuffle_bag(Table *table);
/* Even seats draw from one end of the bag, odd ones from the other. */
void fill_rack(Table *table, int seat, int full);
/* Draw, then put tiles back that were taken from the rack: no more of them than are drawn. */
void exchange(Table *table, int seat, const uint8_t *given, int count, int full);
/* What each hand is worth to a player, in thousandths of a point. */
void set_worth(const Terms *terms, const Rules *rules, const Table *table, int seat,
               int64_t *worth);
/* Returns YES if it was a play. */
Answer take_turn(Search *search, const Terms *terms, Table *table, Turn *turn);
/* Hand the turn on, after a play or something else. Returns whether that ended the game. */
int end_turn(const Terms *terms, Table *table, int is_play);
/* The end adjustment. */
void settle(const Terms *terms, const Rules *rules, Table *table);

/* match.c */

typedef struct {
    Points scores[2];
    int turns_count;
    Turn turns[MOST_TURNS];
} Game;

/* Two players, with so many tiles in the bag: at least two full racks. The same seed, terms and bag
   give the same game everywhere. */
Answer play_match(Search *search, const Terms *terms, const uint8_t *bag, int tiles, uint64_t seed,
                  Game *game);

/* rollout.c */

/* A way to use the turn, see situation.py. */
typedef struct {
    uint8_t board[SQUARES]; /* after it */
    uint8_t kept[MOST_TILES], given[MOST_TILES];
    int kept_count, given_count; /* as many are in the bag as are given */
    int is_play;
    Points points;
} Candidate;

/* Where rollouts start: the player to move has seat 0. */
typedef struct {
    Terms terms;
    uint8_t unseen[MOST_BAG]; /* the tiles of the other racks and of the bag */
    int tiles;                /* of those */
    int others[MOST_PLAYERS]; /* tiles in each rack, of those */
    Points scores[MOST_PLAYERS];
    int scoreless;
    int turns; /* to be played after the candidate */
} Outset;

typedef struct {
    Points scores[MOST_PLAYERS];
    int64_t kept[MOST_PLAYERS]; /* what racks were worth after the latest turns; 0 if it is over */
    int unseen;                 /* tiles, by the player with seat 0 */
    int is_over;
} Outcome;

/* For each iteration, each candidate's outcome. Iteration i uses the seed `seed + i`. */
Answer roll_out(Search *search, const Outset *outset, const Candidate *candidates, size_t count,
                uint64_t seed, size_t iterations, Outcome *outcomes);

#endif

/* Games that the kernel plays against itself: turns, whole games, rollouts.

   The players look no further than their own next play. */

#ifndef CROSSROOM_SELFPLAY_H
#define CROSSROOM_SELFPLAY_H

#include "search.h"

/* selfplay.c */

enum {
    MAX_BAG = 1000, /* tiles of a distribution */
    MAX_PLAYERS = 4,
    MAX_TURNS = 400 /* of a game, which ends there at the latest */
};

typedef enum { END_NONE, END_SUM, END_DOUBLE } EndAdjustment;

/* The rules of a game that go beyond a single play, and what its players go by. */
typedef struct {
    int players;
    int min_exchange_bag; /* tiles that must be in the bag for an exchange, 1 or more */
    int scoreless_turns;  /* turns without a play in a row that end the game */
    int first_seat;       /* the seat that begins the rounds */
    Points target;        /* points that end the game after the round; 0 for none */
    EndAdjustment end;
    const Leaves *leaves[MAX_PLAYERS]; /* that the players go by; NULL: by points alone */
} MatchRules;

typedef struct {
    Points points;
    uint16_t bag; /* tiles in it before the turn */
    uint8_t seat;
    uint8_t laid, exchanged; /* numbers of tiles; a pass has neither */
    uint8_t kept[MAX_RACK];  /* tiles that stay on the rack, then EMPTY */
} SelfPlayTurn;

typedef struct {
    Position position; /* the board; rack and tile_count are set anew for each turn */
    uint8_t bag[MAX_BAG];
    int left, right; /* the bag holds what is between */
    int seat;        /* to move */
    int scoreless;   /* turns without a play in a row */
    int passes;      /* turns in a row that nobody could use, with an empty bag */
    uint8_t racks[MAX_PLAYERS][MAX_RACK];
    int tile_counts[MAX_PLAYERS];
    Points scores[MAX_PLAYERS];
    int64_t leave_values[MAX_PLAYERS]; /* of the latest leaves, each by its player's values */
    uint64_t random;
} SelfPlayGame;

void shuffle_bag(SelfPlayGame *game);
/* Draw up to a full rack: even seats from one end of the bag, odd ones from the other. */
void fill_rack(SelfPlayGame *game, int seat, int rack_size);
/* Draw, then put back tiles that were taken off the rack: no more of them than are drawn. */
void exchange_tiles(SelfPlayGame *game, int seat, const uint8_t *given, int count, int rack_size);
/* Compute what each leave is worth to a player, in thousandths of a point. */
void set_leave_values(const MatchRules *match, const Rules *rules, const SelfPlayGame *game,
                      int seat, int64_t *values);
/* Play the best play, exchange or pass. Return YES for a play. */
Status play_turn(Search *search, const MatchRules *match, SelfPlayGame *game, SelfPlayTurn *turn);
/* Hand the turn on. Return whether the game is over. */
int end_turn(const MatchRules *match, SelfPlayGame *game, int is_play);
void apply_end_adjustment(const MatchRules *match, const Rules *rules, SelfPlayGame *game);

typedef struct {
    Points scores[2];
    int turns_count;
    SelfPlayTurn turns[MAX_TURNS];
} MatchRecord;

/* Play a game of two with all tiles of a bag, at least two full racks. The same seed, rules and bag
   give the same game everywhere. */
Status play_match(Search *search, const MatchRules *match, const uint8_t *bag, int tiles,
                  uint64_t seed, MatchRecord *record);

/* rollout.c */

/* A way to use the turn. */
typedef struct {
    uint8_t board[MAX_SQUARES]; /* after it */
    uint8_t kept[MAX_RACK], given[MAX_RACK];
    int kept_count, given_count; /* the bag has at least as many as are given */
    int is_play;
    Points points;
} Candidate;

/* Where rollouts start. The player to move has seat 0. */
typedef struct {
    MatchRules match;
    uint8_t unseen[MAX_BAG]; /* the tiles of the other racks and of the bag */
    int unseen_count;
    int others[MAX_PLAYERS]; /* tiles of each other rack, by seat */
    Points scores[MAX_PLAYERS];
    int scoreless; /* turns without a play in a row */
    int turns;     /* to be played after the candidate */
} RolloutStart;

typedef struct {
    Points scores[MAX_PLAYERS];
    int64_t leave_values[MAX_PLAYERS]; /* of the latest leaves; 0 if the game is over */
    int unseen;                        /* tiles that seat 0 does not see */
    int is_over;
} Outcome;

/* Roll out each candidate once per iteration. Iteration i uses the seed `seed + i`. */
Status roll_out(Search *search, const RolloutStart *start, const Candidate *candidates,
                size_t count, uint64_t seed, size_t iterations, Outcome *outcomes);

#endif

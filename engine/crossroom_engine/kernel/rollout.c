/* Rollouts: what may come of each way to use a turn.

   An iteration deals the unseen tiles, once for all candidates: the others get the same racks, and
   draw from the same bag in the same order, so that candidates differ by as little luck as can be.
   From then on everybody takes the best play at sight. */

#include "selfplay.h"

#include <string.h>

/* The table before the turn, with the unseen tiles dealt at random. */
static void deal(const Outset *outset, uint64_t seed, Table *table)
{
    memset(table, 0, sizeof *table);
    memcpy(table->bag, outset->unseen, (size_t)outset->tiles);
    memcpy(table->scores, outset->scores, sizeof table->scores);
    table->scoreless = outset->scoreless;
    table->right = outset->tiles;
    table->random = seed;
    shuffle_bag(table);
    for (int seat = 1; seat < outset->terms.players; seat++)
        fill_rack(table, seat, outset->others[seat - 1]);
}

/* Returns whether the game is over after that. */
static int use_candidate(const Outset *outset, const Rules *rules, const Candidate *candidate,
                         Table *table)
{
    int64_t worth[HANDS];

    memcpy(table->position.board, candidate->board, sizeof candidate->board);
    memcpy(table->racks[0], candidate->kept, sizeof candidate->kept);
    table->tiles[0] = candidate->kept_count;
    table->scores[0] += candidate->points;
    set_worth(&outset->terms, rules, table, 0, worth);
    table->kept[0] = worth[(1u << candidate->kept_count) - 1];
    if (candidate->given_count)
        exchange(table, 0, candidate->given, candidate->given_count, rules->rack);
    else
        fill_rack(table, 0, rules->rack);
    return end_turn(&outset->terms, table, candidate->is_play);
}

static Answer play_on(Search *search, const Outset *outset, Table *table, int is_over,
                      Outcome *outcome)
{
    Turn turn;

    for (int turns = 0; !is_over && turns < outset->turns; turns++) {
        const Answer answer = take_turn(search, &outset->terms, table, &turn);
        if (answer == NO_MEMORY) return NO_MEMORY;
        is_over = end_turn(&outset->terms, table, answer == YES);
    }
    memset(outcome, 0, sizeof *outcome);
    outcome->is_over = is_over;
    outcome->unseen = table->right - table->left;
    for (int seat = 1; seat < outset->terms.players; seat++) outcome->unseen += table->tiles[seat];
    if (is_over)
        settle(&outset->terms, search->rules, table);
    else
        memcpy(outcome->kept, table->kept, sizeof outcome->kept);
    memcpy(outcome->scores, table->scores, sizeof outcome->scores);
    return YES;
}

Answer roll_out(Search *search, const Outset *outset, const Candidate *candidates, size_t count,
                uint64_t seed, size_t iterations, Outcome *outcomes)
{
    Table dealt, table;

    for (size_t iteration = 0; iteration < iterations; iteration++) {
        deal(outset, seed + iteration, &dealt);
        for (size_t place = 0; place < count; place++) {
            int is_over;
            table = dealt;
            is_over = use_candidate(outset, search->rules, &candidates[place], &table);
            if (play_on(search, outset, &table, is_over, outcomes++) == NO_MEMORY)
                return NO_MEMORY;
        }
    }
    return YES;
}

/* Rollouts: games continued after each way to use a turn.

   An iteration deals the unseen tiles, once for all candidates: the others get the same racks, and
   draw from the same bag in the same order, so that candidates differ by as little luck as can be.
   From then on everybody takes the best play at sight. */

#include "selfplay.h"

/* Deal the unseen tiles at random. */
static void deal(const RolloutStart *start, uint64_t seed, SelfPlayGame *game)
{
    memset(game, 0, sizeof *game);
    memcpy(game->bag, start->unseen, (size_t)start->unseen_count);
    memcpy(game->scores, start->scores, sizeof game->scores);
    game->scoreless = start->scoreless;
    game->right = start->unseen_count;
    game->random = seed;
    shuffle_bag(game);
    for (int seat = 1; seat < start->match.players; seat++)
        fill_rack(game, seat, start->others[seat]);
}

/* Use the turn of seat 0. Return whether the game is over. */
static int use_candidate(const RolloutStart *start, const Rules *rules, const Candidate *candidate,
                         SelfPlayGame *game)
{
    int64_t values[HAND_COUNT];

    memcpy(game->position.board, candidate->board, sizeof candidate->board);
    memcpy(game->racks[0], candidate->kept, sizeof candidate->kept);
    game->tile_counts[0] = candidate->kept_count;
    game->scores[0] += candidate->points;
    set_leave_values(&start->match, rules, game, 0, values);
    game->leave_values[0] = values[(1u << candidate->kept_count) - 1];
    if (candidate->given_count)
        exchange_tiles(game, 0, candidate->given, candidate->given_count, rules->rack_size);
    else
        fill_rack(game, 0, rules->rack_size);
    return end_turn(&start->match, game, candidate->is_play);
}

static Status play_on(Search *search, const RolloutStart *start, SelfPlayGame *game, int is_over,
                      Outcome *outcome)
{
    SelfPlayTurn turn;

    for (int turns = 0; !is_over && turns < start->turns; turns++) {
        const Status status = play_turn(search, &start->match, game, &turn);
        if (status == NO_MEMORY) return NO_MEMORY;
        is_over = end_turn(&start->match, game, status == YES);
    }
    memset(outcome, 0, sizeof *outcome);
    outcome->is_over = is_over;
    outcome->unseen = game->right - game->left;
    for (int seat = 1; seat < start->match.players; seat++)
        outcome->unseen += game->tile_counts[seat];
    if (is_over)
        apply_end_adjustment(&start->match, search->rules, game);
    else
        memcpy(outcome->leave_values, game->leave_values, sizeof outcome->leave_values);
    memcpy(outcome->scores, game->scores, sizeof outcome->scores);
    return YES;
}

Status roll_out(Search *search, const RolloutStart *start, const Candidate *candidates,
                size_t count, uint64_t seed, size_t iterations, Outcome *outcomes)
{
    SelfPlayGame dealt, game;

    for (size_t iteration = 0; iteration < iterations; iteration++) {
        deal(start, seed + iteration, &dealt);
        for (size_t i = 0; i < count; i++) {
            int is_over;
            game = dealt;
            is_over = use_candidate(start, search->rules, &candidates[i], &game);
            if (play_on(search, start, &game, is_over, outcomes++) == NO_MEMORY) return NO_MEMORY;
        }
    }
    return YES;
}

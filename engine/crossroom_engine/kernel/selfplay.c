/* Turns and whole games.

   The bag is shuffled once before a game, and even and odd seats draw from its two ends. So two
   games of one seed, the players' seats exchanged, are as alike as they can be. */

#include "selfplay.h"

/* Return the next number of SplitMix64, see mix64. */
static uint64_t next_random(uint64_t *random) { return mix64(*random += 0x9E3779B97F4A7C15u); }

void shuffle_bag(SelfPlayGame *game)
{
    for (int end = game->right - game->left; end > 1; end--) {
        const uint64_t high = next_random(&game->random) >> 32;
        uint8_t *one = &game->bag[game->left + (int)(high * (uint64_t)end >> 32)];
        uint8_t *last = &game->bag[game->left + end - 1];
        const uint8_t tile = *one;
        *one = *last;
        *last = tile;
    }
}

void fill_rack(SelfPlayGame *game, int seat, int rack_size)
{
    uint8_t *rack = game->racks[seat];

    while (game->tile_counts[seat] < rack_size && game->left < game->right) {
        const uint8_t tile = seat & 1 ? game->bag[--game->right] : game->bag[game->left++];
        int at = game->tile_counts[seat]++;
        for (; at && rack[at - 1] > tile; at--) rack[at] = rack[at - 1];
        rack[at] = tile;
    }
}

void exchange_tiles(SelfPlayGame *game, int seat, const uint8_t *given, int count, int rack_size)
{
    fill_rack(game, seat, rack_size);
    while (count--) {
        if (seat & 1)
            game->bag[game->right++] = given[count];
        else
            game->bag[--game->left] = given[count];
    }
    shuffle_bag(game);
}

static Points sum_points(const Rules *rules, const SelfPlayGame *game, int seat, unsigned hand)
{
    Points points = 0;

    for (int i = 0; i < game->tile_counts[seat]; i++)
        if (hand >> i & 1) points += rules->points[game->racks[seat][i]];
    return points;
}

/* With an empty bag the game may end on this turn: tiles that are kept go to another, and those of
   the others come to whoever goes out. */
void set_leave_values(const MatchRules *match, const Rules *rules, const SelfPlayGame *game,
                      int seat, int64_t *values)
{
    const unsigned hand = (1u << game->tile_counts[seat]) - 1;

    memset(values, 0, sizeof *values * (hand + 1));
    if (!match->leaves[seat]) return;
    if (game->left < game->right) {
        evaluate_leaves(match->leaves[seat], game->racks[seat], game->tile_counts[seat], values);
    } else if (match->end != END_NONE) {
        for (unsigned leave = 1; leave <= hand; leave++)
            values[leave] = -2000 * sum_points(rules, game, seat, leave);
        for (int other = 0; other < match->players; other++)
            if (other != seat) values[0] += 2000 * sum_points(rules, game, other, ~0u);
        values[0] /= match->players - 1;
    }
}

/* Choose what to keep in an exchange: the leave of the greatest value, of those the smallest.
   Return the whole hand if nothing may be exchanged. */
static unsigned choose_leave(const MatchRules *match, const SelfPlayGame *game, int seat,
                             const int64_t *values)
{
    const unsigned hand = (1u << game->tile_counts[seat]) - 1;
    const int bag = game->right - game->left;
    unsigned best = hand;

    if (bag < match->min_exchange_bag) return hand;
    for (unsigned leave = 0; leave < hand; leave++) {
        if (count_bits(hand & ~leave) > bag) continue;
        if (best == hand || values[leave] > values[best] ||
            (values[leave] == values[best] && count_bits(leave) < count_bits(best)))
            best = leave;
    }
    return best;
}

/* Make a play; or exchange all tiles but the leave; or pass, if the leave is the whole hand. */
static void use_turn(Search *search, SelfPlayGame *game, unsigned leave, const Play *play,
                     SelfPlayTurn *turn)
{
    const int seat = game->seat, rack_size = search->rules->rack_size;
    uint8_t *rack = game->racks[seat], given[MAX_RACK];
    int kept = 0, used = 0;

    memset(turn, 0, sizeof *turn);
    memset(turn->kept, EMPTY, sizeof turn->kept);
    turn->seat = (uint8_t)seat;
    turn->bag = (uint16_t)(game->right - game->left);
    for (int i = 0; i < game->tile_counts[seat]; i++) {
        if (leave >> i & 1)
            turn->kept[kept++] = rack[i];
        else
            given[used++] = rack[i];
    }
    game->tile_counts[seat] = kept;
    memcpy(rack, turn->kept, (size_t)kept);
    if (play) {
        turn->points = play->points;
        turn->laid = (uint8_t)used;
        game->scores[seat] += play->points;
        place_play(search->rules, play, game->position.board);
        fill_rack(game, seat, rack_size);
    } else {
        turn->exchanged = (uint8_t)used;
        if (used) exchange_tiles(game, seat, given, used, rack_size);
    }
}

Status play_turn(Search *search, const MatchRules *match, SelfPlayGame *game, SelfPlayTurn *turn)
{
    const int seat = game->seat;
    const unsigned hand = (1u << game->tile_counts[seat]) - 1;
    const Play *play = NULL;
    int64_t values[HAND_COUNT];
    unsigned leave = hand;
    Status status;

    game->position.tile_count = game->tile_counts[seat];
    memcpy(game->position.rack, game->racks[seat], sizeof game->position.rack);
    set_leave_values(match, search->rules, game, seat, values);
    status = search_best(search, &game->position, values, 1);
    if (status == NO_MEMORY) return NO_MEMORY;
    if (status == NO || match->leaves[seat]) leave = choose_leave(match, game, seat, values);
    if (status == YES && (leave == hand || values[leave] <= search->plays[0].value)) {
        play = &search->plays[0];
        leave = play->leave;
    }
    game->leave_values[seat] = values[leave];
    use_turn(search, game, leave, play, turn);
    return play ? YES : NO;
}

/* Tell whether somebody has reached the target, and everybody had a turn in the round. */
static int is_target_reached(const MatchRules *match, const SelfPlayGame *game)
{
    if (!match->target || game->seat != match->first_seat) return 0;
    for (int seat = 0; seat < match->players; seat++)
        if (game->scores[seat] >= match->target) return 1;
    return 0;
}

int end_turn(const MatchRules *match, SelfPlayGame *game, int is_play)
{
    const int is_bag_empty = game->left == game->right;
    const int is_out = is_bag_empty && !game->tile_counts[game->seat];

    game->scoreless = is_play ? 0 : game->scoreless + 1;
    game->passes = is_play || !is_bag_empty ? 0 : game->passes + 1;
    game->seat = (game->seat + 1) % match->players;
    return is_out || game->scoreless >= match->scoreless_turns || game->passes == match->players ||
           is_target_reached(match, game);
}

void apply_end_adjustment(const MatchRules *match, const Rules *rules, SelfPlayGame *game)
{
    Points left[MAX_PLAYERS], all = 0;
    int out = -1;

    if (match->end == END_NONE) return;
    for (int seat = match->players; seat--;) {
        all += left[seat] = sum_points(rules, game, seat, ~0u);
        if (!game->tile_counts[seat]) out = seat;
    }
    for (int seat = 0; seat < match->players; seat++)
        if (match->end == END_SUM || out < 0) game->scores[seat] -= left[seat];
    if (out >= 0) game->scores[out] += all * (match->end == END_DOUBLE ? 2 : 1);
}

Status play_match(Search *search, const MatchRules *match, const uint8_t *bag, int tiles,
                  uint64_t seed, MatchRecord *record)
{
    Status status;
    SelfPlayGame game;

    memset(&game, 0, sizeof game);
    memset(game.position.board, EMPTY, sizeof game.position.board);
    memcpy(game.bag, bag, (size_t)tiles);
    game.right = tiles;
    game.random = seed;
    shuffle_bag(&game);
    fill_rack(&game, 0, search->rules->rack_size);
    fill_rack(&game, 1, search->rules->rack_size);
    record->turns_count = 0;
    do {
        status = play_turn(search, match, &game, &record->turns[record->turns_count++]);
        if (status == NO_MEMORY) return NO_MEMORY;
    } while (!end_turn(match, &game, status == YES) && record->turns_count < MAX_TURNS);
    apply_end_adjustment(match, search->rules, &game);
    memcpy(record->scores, game.scores, sizeof record->scores);
    return YES;
}

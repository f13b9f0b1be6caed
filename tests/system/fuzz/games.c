/* Self-play: checks that no tiles get lost, and that one seed gives one game. */

#include "fuzz.h"
#include "selfplay.h"

#include <stdlib.h>

static uint8_t any_in_bag(World *world) { return roll(world, 20) ? any_letter(world) : BLANK; }

static MatchRules any_match_rules(World *world, int players)
{
    MatchRules match;

    memset(&match, 0, sizeof match);
    match.players = players;
    match.min_exchange_bag = 1 + (int)roll(world, roll(world, 4) ? 8 : MAX_BAG);
    match.scoreless_turns = 1 + (int)roll(world, roll(world, 10) ? 6 : MAX_TURNS);
    match.first_seat = (int)roll(world, (uint32_t)players);
    match.target = roll(world, 4) ? 0 : 1 + (Points)roll(world, 200);
    match.end = (EndAdjustment)roll(world, 3);
    for (int seat = 0; seat < players; seat++)
        match.leaves[seat] = roll(world, 3) ? &world->leaves : NULL;
    return match;
}

/* Matches */

/* Check that tiles neither vanish nor come out of nowhere. */
static void check_turns(const World *world, const MatchRules *match, int bag,
                        const MatchRecord *game)
{
    const int full = world->rules.rack_size;
    int tiles[2] = {full, full};

    bag -= 2 * full;
    if (game->turns_count < 1 || game->turns_count > MAX_TURNS) fail(world, "turns without end");
    for (int number = 0; number < game->turns_count; number++) {
        const SelfPlayTurn *turn = &game->turns[number];
        int *mine = &tiles[turn->seat], kept = 0, drawn;
        while (kept < MAX_RACK && turn->kept[kept] != EMPTY) kept++;
        if (turn->seat != number % 2) fail(world, "a seat is out of turn");
        if (turn->bag != bag) fail(world, "the bag has another number of tiles");
        if (kept + turn->laid + turn->exchanged != *mine) fail(world, "a rack has lost tiles");
        if (turn->laid && turn->exchanged) fail(world, "two things in one turn");
        if (turn->exchanged > bag || (turn->exchanged && bag < match->min_exchange_bag))
            fail(world, "too many tiles are exchanged");
        drawn = full - kept < bag ? full - kept : bag;
        if (!turn->laid && !turn->exchanged && drawn) fail(world, "a pass that draws");
        bag -= drawn - turn->exchanged;
        *mine = kept + drawn;
        if (!*mine && number + 1 < game->turns_count) fail(world, "it goes on after the end");
    }
}

static void try_match(World *world, Search *search)
{
    const int least = 2 * world->rules.rack_size;
    const int tiles = roll(world, 50) ? least + (int)roll(world, 40) : MAX_BAG;
    const MatchRules match = any_match_rules(world, 2);
    const uint64_t seed = (uint64_t)roll(world, ~0u) << 32 | roll(world, ~0u);
    MatchRecord *games = malloc(2 * sizeof *games);
    uint8_t *bag = malloc((size_t)tiles);

    if (!games || !bag) fail(world, "no memory");
    for (int place = 0; place < tiles; place++) bag[place] = any_in_bag(world);
    for (int game = 0; game < 2; game++) {
        memset(&games[game], game, sizeof *games);
        if (play_match(search, &match, bag, tiles, seed, &games[game]) != YES)
            fail(world, "a match fails");
        check_turns(world, &match, tiles, &games[game]);
    }
    if (memcmp(games[0].scores, games[1].scores, sizeof games->scores) ||
        games[0].turns_count != games[1].turns_count ||
        memcmp(games[0].turns, games[1].turns, sizeof(SelfPlayTurn) * (size_t)games[0].turns_count))
        fail(world, "one seed gives two games");
    free(games);
    free(bag);
}

/* Rollouts */

enum { MAX_CANDIDATES = 4, MAX_ITERATIONS = 3 };

/* Return a play, or with NULL an exchange or a pass, as a candidate. */
static Candidate any_candidate(World *world, const Position *position, const Play *play, int bag)
{
    Candidate candidate;

    memset(&candidate, 0, sizeof candidate);
    memcpy(candidate.board, position->board, sizeof candidate.board);
    for (int place = 0; place < position->tile_count; place++) {
        const uint8_t tile = position->rack[place];
        if (play ? play->leave >> place & 1 : candidate.given_count == bag || roll(world, 2))
            candidate.kept[candidate.kept_count++] = tile;
        else if (!play)
            candidate.given[candidate.given_count++] = tile;
    }
    if (!play) return candidate;
    place_play(&world->rules, play, candidate.board);
    candidate.is_play = 1;
    candidate.points = play->points;
    return candidate;
}

static RolloutStart any_start(World *world, const Position *position, int *bag)
{
    RolloutStart start;

    memset(&start, 0, sizeof start);
    start.match = any_match_rules(world, 2 + (int)roll(world, MAX_PLAYERS - 1));
    for (int other = 1; other < start.match.players; other++) {
        start.others[other] = (int)roll(world, (uint32_t)world->rules.rack_size + 1);
        start.unseen_count += start.others[other];
    }
    *bag = roll(world, 2) ? (int)roll(world, 30) : 0;
    /* The player to move has drawn, so a rack that is not full means an empty bag. */
    if (position->tile_count < world->rules.rack_size) *bag = 0;
    start.unseen_count += *bag;
    for (int place = 0; place < start.unseen_count; place++)
        start.unseen[place] = any_in_bag(world);
    start.scoreless = (int)roll(world, (uint32_t)start.match.scoreless_turns);
    start.turns = (int)roll(world, roll(world, 4) ? 5 : 40);
    return start;
}

static void check_outcome(const World *world, const RolloutStart *start, const Candidate *candidate,
                          const Outcome *outcome)
{
    if (outcome->unseen < 0 || outcome->unseen > start->unseen_count + candidate->given_count)
        fail(world, "tiles come out of nowhere");
    if (!start->turns && !outcome->is_over && outcome->scores[0] != candidate->points)
        fail(world, "a candidate earns other points");
}

static void try_rollout(World *world, Search *search)
{
    const size_t iterations = 1 + roll(world, MAX_ITERATIONS);
    Candidate candidates[MAX_CANDIDATES];
    Outcome outcomes[2][MAX_CANDIDATES * MAX_ITERATIONS];
    int64_t leave_values[HAND_COUNT] = {0};
    Position position;
    RolloutStart start;
    size_t count = 0;
    int bag;

    make_position(world, &position);
    position.min_blanks = 0;
    if (position.tile_count > world->rules.rack_size) position.tile_count = world->rules.rack_size;
    start = any_start(world, &position, &bag);
    if (search_best(search, &position, leave_values, MAX_CANDIDATES - 1) == NO_MEMORY)
        fail(world, "no memory");
    for (; count < search->plays_count; count++)
        candidates[count] = any_candidate(world, &position, &search->plays[count], bag);
    candidates[count++] = any_candidate(world, &position, NULL, bag);
    for (int time = 0; time < 2; time++) {
        memset(outcomes[time], time, sizeof outcomes[time]);
        if (roll_out(search, &start, candidates, count, world->seed, iterations, outcomes[time]) !=
            YES)
            fail(world, "a rollout fails");
    }
    if (memcmp(outcomes[0], outcomes[1], count * iterations * sizeof(Outcome)))
        fail(world, "one seed gives two rollouts");
    for (size_t place = 0; place < count * iterations; place++)
        check_outcome(world, &start, &candidates[place % count], &outcomes[0][place]);
}

void try_game(World *world, Search *search)
{
    if (roll(world, 2))
        try_match(world, search);
    else
        try_rollout(world, search);
}

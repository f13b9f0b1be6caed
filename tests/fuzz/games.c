/* Games that the kernel plays by itself: do tiles stay tiles, and does one seed give one game? */

#include "fuzz.h"
#include "selfplay.h"

#include <stdlib.h>

static uint8_t any_in_bag(World *world) { return roll(world, 20) ? any_letter(world) : BLANK; }

static Terms any_terms(World *world, int players)
{
    Terms terms;

    memset(&terms, 0, sizeof terms);
    terms.players = players;
    terms.least_exchange = 1 + (int)roll(world, roll(world, 4) ? 8 : MOST_BAG);
    terms.scoreless = 1 + (int)roll(world, roll(world, 10) ? 6 : MOST_TURNS);
    terms.begins = (int)roll(world, (uint32_t)players);
    terms.target = roll(world, 4) ? 0 : 1 + (Points)roll(world, 200);
    terms.end = (EndAdjustment)roll(world, 3);
    for (int seat = 0; seat < players; seat++)
        terms.leaves[seat] = roll(world, 3) ? &world->leaves : NULL;
    return terms;
}

/* Matches */

/* Tiles neither vanish nor come out of nowhere. */
static void check_turns(const World *world, const Terms *terms, int bag, const Game *game)
{
    const int full = world->rules.rack;
    int tiles[2] = {full, full};

    bag -= 2 * full;
    if (game->turns_count < 1 || game->turns_count > MOST_TURNS) fail(world, "turns without end");
    for (int number = 0; number < game->turns_count; number++) {
        const Turn *turn = &game->turns[number];
        int *mine = &tiles[turn->seat], kept = 0, drawn;
        while (kept < MOST_TILES && turn->kept[kept] != EMPTY) kept++;
        if (turn->seat != number % 2) fail(world, "a seat is out of turn");
        if (turn->bag != bag) fail(world, "the bag has another number of tiles");
        if (kept + turn->laid + turn->exchanged != *mine) fail(world, "a rack has lost tiles");
        if (turn->laid && turn->exchanged) fail(world, "two things in one turn");
        if (turn->exchanged > bag || (turn->exchanged && bag < terms->least_exchange))
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
    const int least = 2 * world->rules.rack;
    const int tiles = roll(world, 50) ? least + (int)roll(world, 40) : MOST_BAG;
    const Terms terms = any_terms(world, 2);
    const uint64_t seed = (uint64_t)roll(world, ~0u) << 32 | roll(world, ~0u);
    Game *games = malloc(2 * sizeof *games);
    uint8_t *bag = malloc((size_t)tiles);

    if (!games || !bag) fail(world, "no memory");
    for (int place = 0; place < tiles; place++) bag[place] = any_in_bag(world);
    for (int game = 0; game < 2; game++) {
        memset(&games[game], game, sizeof *games);
        if (play_match(search, &terms, bag, tiles, seed, &games[game]) != YES)
            fail(world, "a match fails");
        check_turns(world, &terms, tiles, &games[game]);
    }
    if (memcmp(games[0].scores, games[1].scores, sizeof games->scores) ||
        games[0].turns_count != games[1].turns_count ||
        memcmp(games[0].turns, games[1].turns, sizeof(Turn) * (size_t)games[0].turns_count))
        fail(world, "one seed gives two games");
    free(games);
    free(bag);
}

/* Rollouts */

enum { MOST_CANDIDATES = 4, MOST_ITERATIONS = 3 };

void lay_play(const World *world, const Play *play, uint8_t *board)
{
    int laid = 0;

    for (int at = play->first; at < play->end; at++) {
        const int row = play->down ? at : play->line, column = play->down ? play->line : at;
        uint8_t *square = &board[row * world->rules.width + column];
        if (*square == EMPTY) *square = play->laid[laid++];
    }
}

/* The play, or with NULL an exchange or a pass. */
static Candidate any_candidate(World *world, const Position *position, const Play *play, int bag)
{
    Candidate candidate;

    memset(&candidate, 0, sizeof candidate);
    memcpy(candidate.board, position->board, sizeof candidate.board);
    for (int place = 0; place < position->tiles; place++) {
        const uint8_t tile = position->rack[place];
        if (play ? play->held >> place & 1 : candidate.given_count == bag || roll(world, 2))
            candidate.kept[candidate.kept_count++] = tile;
        else if (!play)
            candidate.given[candidate.given_count++] = tile;
    }
    if (!play) return candidate;
    lay_play(world, play, candidate.board);
    candidate.is_play = 1;
    candidate.points = play->points;
    return candidate;
}

static Outset any_outset(World *world, const Position *position, int *bag)
{
    Outset outset;

    memset(&outset, 0, sizeof outset);
    outset.terms = any_terms(world, 2 + (int)roll(world, MOST_PLAYERS - 1));
    for (int other = 0; other + 1 < outset.terms.players; other++) {
        outset.others[other] = (int)roll(world, (uint32_t)world->rules.rack + 1);
        outset.tiles += outset.others[other];
    }
    *bag = roll(world, 2) ? (int)roll(world, 30) : 0;
    /* Whoever is to move has drawn: what is missing in the rack is not in the bag. */
    if (position->tiles < world->rules.rack) *bag = 0;
    outset.tiles += *bag;
    for (int place = 0; place < outset.tiles; place++) outset.unseen[place] = any_in_bag(world);
    outset.scoreless = (int)roll(world, (uint32_t)outset.terms.scoreless);
    outset.turns = (int)roll(world, roll(world, 4) ? 5 : 40);
    return outset;
}

static void check_outcome(const World *world, const Outset *outset, const Candidate *candidate,
                          const Outcome *outcome)
{
    if (outcome->unseen < 0 || outcome->unseen > outset->tiles + candidate->given_count)
        fail(world, "tiles come out of nowhere");
    if (!outset->turns && !outcome->is_over && outcome->scores[0] != candidate->points)
        fail(world, "a candidate earns other points");
}

static void try_rollout(World *world, Search *search)
{
    const size_t iterations = 1 + roll(world, MOST_ITERATIONS);
    Candidate candidates[MOST_CANDIDATES];
    Outcome outcomes[2][MOST_CANDIDATES * MOST_ITERATIONS];
    int64_t worth[HANDS] = {0};
    Position position;
    Outset outset;
    size_t count = 0;
    int bag;

    make_position(world, &position);
    position.least_blanks = 0;
    if (position.tiles > world->rules.rack) position.tiles = world->rules.rack;
    outset = any_outset(world, &position, &bag);
    if (search_best(search, &position, worth, MOST_CANDIDATES - 1) == NO_MEMORY)
        fail(world, "no memory");
    for (; count < search->plays_count; count++)
        candidates[count] = any_candidate(world, &position, &search->plays[count], bag);
    candidates[count++] = any_candidate(world, &position, NULL, bag);
    for (int time = 0; time < 2; time++) {
        memset(outcomes[time], time, sizeof outcomes[time]);
        if (roll_out(search, &outset, candidates, count, world->seed, iterations,
                     outcomes[time]) != YES)
            fail(world, "a rollout fails");
    }
    if (memcmp(outcomes[0], outcomes[1], count * iterations * sizeof(Outcome)))
        fail(world, "one seed gives two rollouts");
    for (size_t place = 0; place < count * iterations; place++)
        check_outcome(world, &outset, &candidates[place % count], &outcomes[0][place]);
}

void try_game(World *world, Search *search)
{
    if (roll(world, 2))
        try_match(world, search);
    else
        try_rollout(world, search);
}

/* Endgames: checks that the plays are legal, that the spread follows from them, and that nobody can
   do better. */

#include "endgame.h"
#include "fuzz.h"

#include <stdlib.h>

enum { MAX_NODES = 1000 /* that are searched naively, each with all its plays */ };

/* A position of an endgame, for whoever is to move. */
typedef struct {
    uint8_t board[MAX_SQUARES];
    uint8_t racks[2][MAX_RACK];
    int tiles[2];
    int side, passes;
} EndgameState;

typedef struct {
    World *world;
    Search *search;
    int is_adjusted;
    int nodes; /* that may still be searched */
} ReferenceSolver;

static int is_time_up(void *clock)
{
    int *left = clock;
    return !(*left)--;
}

static Points left_over(const World *world, const EndgameState *state, int side)
{
    Points points = 0;
    for (int place = 0; place < state->tiles[side]; place++)
        points += world->rules.points[state->racks[side][place]];
    return points;
}

static Position position_of(const EndgameState *state)
{
    Position position;

    memset(&position, 0, sizeof position);
    memcpy(position.board, state->board, sizeof position.board);
    memcpy(position.rack, state->racks[state->side], sizeof position.rack);
    position.tile_count = state->tiles[state->side];
    return position;
}

/* Give the turn to the other; `play` may be NULL for a pass. */
static void go_on(const World *world, EndgameState *state, const Play *play)
{
    uint8_t *rack = state->racks[state->side];
    int kept = 0;

    if (play) {
        place_play(&world->rules, play, state->board);
        for (int place = 0; place < state->tiles[state->side]; place++)
            if (play->leave >> place & 1) rack[kept++] = rack[place];
        state->tiles[state->side] = kept;
    }
    state->passes = play ? 0 : state->passes + 1;
    state->side = !state->side;
}

/* Return what the end adjustment is worth to the first player. */
static Points end_value(const World *world, const EndgameState *state, int is_adjusted)
{
    const Points left[2] = {left_over(world, state, 0), left_over(world, state, 1)};

    if (!is_adjusted) return 0;
    if (!state->tiles[0]) return 2 * left[1];
    if (!state->tiles[1]) return -2 * left[0];
    return left[1] - left[0];
}

static int is_at_end(const EndgameState *state)
{
    return state->passes == 2 || !state->tiles[0] || !state->tiles[1];
}

/* Return the spread that the first player gains if both play perfectly. */
static Points solve(ReferenceSolver *solver, const EndgameState *state)
{
    const Points sign = state->side ? -1 : 1;
    Position position = position_of(state);
    EndgameState next = *state;
    size_t count;
    Points best;
    Play *plays;

    if (is_at_end(state)) return end_value(solver->world, state, solver->is_adjusted);
    if (--solver->nodes < 0) return 0;
    if (search_position(solver->search, &position, ALL) == NO_MEMORY)
        fail(solver->world, "no memory");
    count = solver->search->plays_count;
    plays = malloc((count + 1) * sizeof *plays);
    if (!plays) fail(solver->world, "no memory");
    if (count) memcpy(plays, solver->search->plays, count * sizeof *plays);
    go_on(solver->world, &next, NULL);
    best = solve(solver, &next);
    for (size_t place = 0; place < count && solver->nodes >= 0; place++) {
        Points value;
        next = *state;
        go_on(solver->world, &next, &plays[place]);
        value = sign * plays[place].points + solve(solver, &next);
        if (sign * value > sign * best) best = value;
    }
    free(plays);
    return best;
}

/* Return a play of the variation, with the leave in terms of the rack as it is then. */
static Play in_current_rack(const Endgame *endgame, const Play *play, int side, unsigned *held)
{
    Play converted = *play;
    int place = 0;

    converted.leave = 0;
    for (int tile = 0; tile < endgame->tile_counts[side]; tile++) {
        if (!(*held >> tile & 1)) continue;
        if (play->leave >> tile & 1) converted.leave |= (uint16_t)(1 << place);
        place++;
    }
    *held = play->leave;
    return converted;
}

static void check_pv(const World *world, const Endgame *endgame, const Solution *solution,
                     EndgameState state)
{
    unsigned held[2] = {(1u << state.tiles[0]) - 1, (1u << state.tiles[1]) - 1};
    Points spread = 0;

    if (solution->pv.count < 0 || solution->pv.count > MAX_PLIES)
        fail(world, "an endless variation");
    for (int ply = 0; ply < solution->pv.count; ply++) {
        const Play *play = &solution->pv.plays[ply];
        const Position position = position_of(&state);
        Play converted;
        if (is_at_end(&state)) fail(world, "the variation goes on after the end");
        if (play->first == play->end) {
            go_on(world, &state, NULL);
            continue;
        }
        if (play->leave & ~held[state.side]) fail(world, "tiles are played that are gone");
        converted = in_current_rack(endgame, play, state.side, &held[state.side]);
        if (judge(world, &position, &converted) != play->points)
            fail(world, "the variation is illegal");
        spread += state.side ? -play->points : play->points;
        go_on(world, &state, &converted);
    }
    if (!is_at_end(&state)) return;
    spread += end_value(world, &state, endgame->is_adjusted);
    if (solution->spread != spread) fail(world, "the variation has another spread");
}

static int side_of(Points spread, Points par) { return (spread > par) - (spread < par); }

void try_endgame(World *world, Search *search)
{
    int asked = roll(world, 2) ? 3 : (int)roll(world, 2);
    const int most = roll(world, 4) ? 3 : MAX_RACK;
    Position positions[2];
    Solution solution;
    Endgame endgame;
    EndgameState state;
    ReferenceSolver solver = {world, search, (int)roll(world, 2), MAX_NODES};
    Points best;

    memset(&endgame, 0, sizeof endgame);
    memset(&state, 0, sizeof state);
    for (int side = 0; side < 2; side++) {
        make_position(world, &positions[side]);
        state.tiles[side] = positions[side].tile_count < most ? positions[side].tile_count : most;
        if (!state.tiles[side]) state.tiles[side] = 1;
        memcpy(state.racks[side], positions[side].rack, sizeof state.racks[side]);
    }
    memcpy(state.board, positions[0].board, sizeof state.board);
    memcpy(endgame.board, state.board, sizeof endgame.board);
    memcpy(endgame.racks, state.racks, sizeof endgame.racks);
    memcpy(endgame.tile_counts, state.tiles, sizeof endgame.tile_counts);
    endgame.passes = state.passes = (int)roll(world, 2);
    endgame.is_adjusted = solver.is_adjusted;
    endgame.max_depth = roll(world, 4) ? MAX_PLIES : (int)roll(world, 4);
    endgame.has_threshold = !roll(world, 3);
    endgame.threshold = (Points)roll(world, 61) - 30;
    endgame.is_time_up = is_time_up;
    endgame.clock = &asked;
    if (!roll(world, 8)) starve((long)roll(world, 60));
    if (solve_endgame(search, &endgame, &solution) == NO_MEMORY) {
        starve(-1);
        return;
    }
    starve(-1);
    check_pv(world, &endgame, &solution, state);
    if (!solution.is_exact) return;
    best = solve(&solver, &state);
    if (endgame.has_threshold) {
        best = side_of(best, endgame.threshold);
        solution.spread = side_of(solution.spread, endgame.threshold);
    }
    if (solver.nodes >= 0 && best != solution.spread) fail(world, "somebody can do better");
}

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
} Stage;

typedef struct {
    World *world;
    Search *search;
    int is_adjusted;
    int nodes; /* that may still be searched */
} Naive;

static int is_time_up(void *clock)
{
    int *left = clock;
    return !(*left)--;
}

static Points left_over(const World *world, const Stage *stage, int side)
{
    Points points = 0;
    for (int place = 0; place < stage->tiles[side]; place++)
        points += world->rules.points[stage->racks[side][place]];
    return points;
}

static Position position_of(const Stage *stage)
{
    Position position;

    memset(&position, 0, sizeof position);
    memcpy(position.board, stage->board, sizeof position.board);
    memcpy(position.rack, stage->racks[stage->side], sizeof position.rack);
    position.tile_count = stage->tiles[stage->side];
    return position;
}

/* Give the turn to the other; `play` may be NULL for a pass. */
static void go_on(const World *world, Stage *stage, const Play *play)
{
    uint8_t *rack = stage->racks[stage->side];
    int kept = 0;

    if (play) {
        place_play(&world->rules, play, stage->board);
        for (int place = 0; place < stage->tiles[stage->side]; place++)
            if (play->leave >> place & 1) rack[kept++] = rack[place];
        stage->tiles[stage->side] = kept;
    }
    stage->passes = play ? 0 : stage->passes + 1;
    stage->side = !stage->side;
}

/* Return what the end adjustment is worth to the first player. */
static Points end_value(const World *world, const Stage *stage, int is_adjusted)
{
    const Points left[2] = {left_over(world, stage, 0), left_over(world, stage, 1)};

    if (!is_adjusted) return 0;
    if (!stage->tiles[0]) return 2 * left[1];
    if (!stage->tiles[1]) return -2 * left[0];
    return left[1] - left[0];
}

static int is_at_end(const Stage *stage)
{
    return stage->passes == 2 || !stage->tiles[0] || !stage->tiles[1];
}

/* Return the spread that the first player gains if both play perfectly. */
static Points solve(Naive *naive, const Stage *stage)
{
    const Points sign = stage->side ? -1 : 1;
    Position position = position_of(stage);
    Stage next = *stage;
    size_t count;
    Points best;
    Play *plays;

    if (is_at_end(stage)) return end_value(naive->world, stage, naive->is_adjusted);
    if (--naive->nodes < 0) return 0;
    if (search_position(naive->search, &position, ALL) == NO_MEMORY)
        fail(naive->world, "no memory");
    count = naive->search->plays_count;
    plays = malloc((count + 1) * sizeof *plays);
    if (!plays) fail(naive->world, "no memory");
    if (count) memcpy(plays, naive->search->plays, count * sizeof *plays);
    go_on(naive->world, &next, NULL);
    best = solve(naive, &next);
    for (size_t place = 0; place < count && naive->nodes >= 0; place++) {
        Points value;
        next = *stage;
        go_on(naive->world, &next, &plays[place]);
        value = sign * plays[place].points + solve(naive, &next);
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
                     Stage stage)
{
    unsigned held[2] = {(1u << stage.tiles[0]) - 1, (1u << stage.tiles[1]) - 1};
    Points spread = 0;

    if (solution->pv.count < 0 || solution->pv.count > MAX_PLIES)
        fail(world, "an endless variation");
    for (int ply = 0; ply < solution->pv.count; ply++) {
        const Play *play = &solution->pv.plays[ply];
        const Position position = position_of(&stage);
        Play converted;
        if (is_at_end(&stage)) fail(world, "the variation goes on after the end");
        if (play->first == play->end) {
            go_on(world, &stage, NULL);
            continue;
        }
        if (play->leave & ~held[stage.side]) fail(world, "tiles are played that are gone");
        converted = in_current_rack(endgame, play, stage.side, &held[stage.side]);
        if (judge(world, &position, &converted) != play->points)
            fail(world, "the variation is illegal");
        spread += stage.side ? -play->points : play->points;
        go_on(world, &stage, &converted);
    }
    if (!is_at_end(&stage)) return;
    spread += end_value(world, &stage, endgame->is_adjusted);
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
    Stage stage;
    Naive naive = {world, search, (int)roll(world, 2), MAX_NODES};
    Points best;

    memset(&endgame, 0, sizeof endgame);
    memset(&stage, 0, sizeof stage);
    for (int side = 0; side < 2; side++) {
        make_position(world, &positions[side]);
        stage.tiles[side] = positions[side].tile_count < most ? positions[side].tile_count : most;
        if (!stage.tiles[side]) stage.tiles[side] = 1;
        memcpy(stage.racks[side], positions[side].rack, sizeof stage.racks[side]);
    }
    memcpy(stage.board, positions[0].board, sizeof stage.board);
    memcpy(endgame.board, stage.board, sizeof endgame.board);
    memcpy(endgame.racks, stage.racks, sizeof endgame.racks);
    memcpy(endgame.tile_counts, stage.tiles, sizeof endgame.tile_counts);
    endgame.passes = stage.passes = (int)roll(world, 2);
    endgame.is_adjusted = naive.is_adjusted;
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
    check_pv(world, &endgame, &solution, stage);
    if (!solution.is_exact) return;
    best = solve(&naive, &stage);
    if (endgame.has_threshold) {
        best = side_of(best, endgame.threshold);
        solution.spread = side_of(solution.spread, endgame.threshold);
    }
    if (naive.nodes >= 0 && best != solution.spread) fail(world, "somebody can do better");
}

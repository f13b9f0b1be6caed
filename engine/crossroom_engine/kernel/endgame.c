/* The search of the game tree: negamax with alpha-beta pruning, iterative deepening, principal
   variation search and a transposition table. After D. E. Knuth and R. W. Moore, Artificial
   Intelligence 6 (1975), 293-326, and T. A. Marsland and M. Campbell, Computing Surveys 14 (1982),
   533-551.

   Where a search stops before the game does, both sides play out greedily, and what comes of that
   is the value. Such a value is a guess; a value is solved if no guess could change it. When that
   is so at the root, it is exact.

   Two passes in a row end the game here, while the rules allow some more. That makes no difference:
   after two passes the same player has the same choice again, and whoever disliked the passing had
   a play then as now. For the proof, unroll the choices: with two passes left or with more, the
   value is max(play, min(the other's play, passing)). */

#include "solver.h"

#include <stdlib.h>

enum {
    TT_ENTRIES = 1 << 20, /* 32 MB */
    MAX_STACK = 1 << 17   /* plays: 5 MB */
};

static const Points MAX_SPREAD = INT64_MAX / 4;

typedef enum { LOWER_BOUND, UPPER_BOUND, EXACT } Bound;

/* What is known of a position: its value to the player to move. A search that meets two positions
   with one key would err; of a million positions, the odds are 1 to 30 million. */
struct TTEntry {
    uint64_t key;
    Points value;
    uint32_t move_hash; /* of the best play; 0 if none is known */
    uint8_t is_used, depth, bound, is_solved;
};

typedef struct {
    Points value;
    int is_solved;
} SearchValue;

/* Hashes */

static inline uint64_t hash_position(const Solver *solver, int side, int passes)
{
    const uint64_t hands = (uint64_t)solver->hands[0] << 32 | (uint64_t)solver->hands[1] << 16;
    return solver->board_hash ^ mix64(hands | (uint64_t)(2 * side + passes) << 8 | 0xFF);
}

static uint32_t hash_move(const Play *play)
{
    uint64_t hash = (uint64_t)play->down << 24 | (uint64_t)play->line << 16 | play->first << 8;

    hash |= play->end;
    for (int tile = 0; tile < MAX_RACK; tile++)
        hash = mix64(hash << 8 ^ hash >> 56 ^ play->laid[tile]);
    return (uint32_t)hash | 1;
}

/* The transposition table. Of each pair of entries, the first keeps the deepest search. */

static TTEntry *tt_probe(const Solver *solver, uint64_t key)
{
    TTEntry *pair = &solver->tt[key & (TT_ENTRIES - 2)];

    for (TTEntry *entry = pair; entry < pair + 2; entry++)
        if (entry->is_used && entry->key == key) return entry;
    return NULL;
}

static void tt_store(Solver *solver, uint64_t key, int depth, SearchValue value, Bound bound,
                     const Play *best)
{
    TTEntry *entry = tt_probe(solver, key);

    if (!entry) {
        entry = &solver->tt[key & (TT_ENTRIES - 2)];
        if (entry->is_used && entry->depth > depth) entry++;
        entry->move_hash = 0;
    }
    if (best) entry->move_hash = hash_move(best);
    *entry = (TTEntry){key, value.value, entry->move_hash, 1, (uint8_t)depth, (uint8_t)bound,
                       (uint8_t)value.is_solved};
}

/* The tree */

/* The question that a node is to answer: the value to `side`, if it lies in the window from alpha
   to beta. */
typedef struct {
    int ply, depth, side, passes;
    Points alpha, beta;
} SearchArgs;

static SearchValue negamax(Solver *solver, SearchArgs args);

/* Put the plays of `side`, and the pass, on the stack. Return whether they all fitted. */
static int push_plays(Solver *solver, int side)
{
    const Search *s = solver->search;
    const size_t room = solver->stack_count < MAX_STACK ? MAX_STACK - solver->stack_count : 0;
    const size_t count = s->plays_count < room ? s->plays_count : room;
    Play *plays = solver->move_stack + solver->stack_count;

    if (count) memcpy(plays, s->plays, count * sizeof *plays);
    memset(&plays[count], 0, sizeof *plays);
    plays[count].leave = (uint16_t)solver->hands[side];
    plays[count].value = estimate(solver, side, &plays[count]);
    solver->stack_count += count + 1;
    return count == s->plays_count;
}

/* Subtract the best remaining reply from the value of each play; rank the table's play first. */
static void score_plays(const Solver *solver, Play *plays, size_t count, const Threats *threats,
                        uint32_t move_hash)
{
    for (Play *play = plays; play < plays + count; play++) {
        const Reply *reply = play->leave ? best_unaffected(solver, &threats->all, play) : NULL;
        if (reply) play->value -= reply->value;
        if (move_hash && hash_move(play) == move_hash) play->value = MAX_SPREAD;
    }
}

/* Bring the play of the greatest value to the front. */
static void pick_best(Play *plays, size_t count)
{
    const Play front = plays[0];
    size_t best = 0;

    for (size_t i = 1; i < count; i++)
        if (plays[i].value > plays[best].value) best = i;
    plays[0] = plays[best];
    plays[best] = front;
}

/* Search a play or a pass. Return its value to the side that makes it. */
static SearchValue try_play(Solver *solver, const SearchArgs *args, const Play *play,
                          const Threats *threats, Points alpha, Points beta)
{
    const int side = args->side, passes = is_pass(play);
    const unsigned hand = solver->hands[side];
    const SearchArgs next = {args->ply + 1, args->depth - 1, !side, passes, play->points - beta,
                             play->points - alpha};
    const Reply *reply;
    SearchValue found;
    uint32_t laid;

    solver->pvs[next.ply].count = 0;
    if (passes && args->passes) return (SearchValue){value_passed_out(solver, side), 1};
    if (!play->leave) return (SearchValue){estimate(solver, side, play), 1};
    if ((reply = best_unaffected(solver, &threats->out, play))) {
        found.value = estimate(solver, side, play) - reply->value;
        if (found.value <= alpha) return (SearchValue){found.value, 1};
    }
    laid = make_play(solver, side, play);
    found = negamax(solver, next);
    found.value = play->points - found.value;
    unmake_play(solver, side, play, laid, hand);
    return found;
}

static void update_pv(Solver *solver, int ply, const Play *play, Points value)
{
    Variation *pv = &solver->pvs[ply];
    const Variation *rest = &solver->pvs[ply + 1];

    pv->plays[0] = *play;
    memcpy(pv->plays + 1, rest->plays, (size_t)rest->count * sizeof *rest->plays);
    pv->count = rest->count + 1;
    if (!ply) solver->value = value;
}

/* Try plays one after the other. The first is likely the best, so the others are tried with a null
   window, which tells only whether they are better. Set the best play, too. */
static SearchValue search_plays(Solver *solver, const SearchArgs *args, Play *plays, size_t count,
                              const Threats *threats, const Play **best)
{
    SearchValue found = {-2 * MAX_SPREAD, 1};
    Points alpha = args->alpha;

    for (size_t i = 0; i < count && alpha < args->beta; i++) {
        const Play *play = &plays[i];
        SearchValue one;

        pick_best(plays + i, count - i);
        one = try_play(solver, args, play, threats, alpha, i ? alpha + 1 : args->beta);
        if (i && !solver->stop && one.value > alpha && one.value < args->beta)
            one = try_play(solver, args, play, threats, alpha, args->beta);
        if (solver->stop) break;
        found.is_solved &= one.is_solved;
        if (one.value >= args->beta) found.is_solved = one.is_solved;
        if (one.value <= found.value) continue;
        found.value = one.value;
        *best = play;
        if (one.value <= alpha) continue;
        alpha = one.value;
        update_pv(solver, args->ply, play, alpha);
    }
    return found;
}

/* Tell whether the table answers the question. */
static int is_cutoff(const TTEntry *entry, const SearchArgs *args)
{
    if (!entry->is_solved && entry->depth < args->depth) return 0;
    if (entry->bound == LOWER_BOUND) return entry->value >= args->beta;
    if (entry->bound == UPPER_BOUND) return entry->value <= args->alpha;
    return 1;
}

/* Find a generated play that goes out with a value of beta or more. */
static const Play *find_out_cutoff(const Search *s, Points beta)
{
    for (size_t i = 0; i < s->plays_count; i++)
        if (!s->plays[i].leave && s->plays[i].value >= beta) return &s->plays[i];
    return NULL;
}

static SearchValue negamax(Solver *solver, SearchArgs args)
{
    const uint64_t key = hash_position(solver, args.side, args.passes);
    const size_t bottom = solver->stack_count;
    const TTEntry *entry = tt_probe(solver, key);
    const uint32_t move_hash = entry ? entry->move_hash : 0;
    const int is_wide = args.beta - args.alpha > 1; /* then the variation is wanted, too */
    Play *plays = solver->move_stack + bottom;
    const Play *best = NULL;
    SearchValue found = {0, 0};
    int is_all;
    size_t count;
    Threats threats;
    SearchArgs deeper = args;

    solver->nodes++;
    if (entry && is_cutoff(entry, &args) && (!is_wide || args.depth <= 0))
        return (SearchValue){entry->value, entry->is_solved};
    generate_plays(solver, args.side);
    if (solver->stop) return found;
    if ((best = find_out_cutoff(solver->search, args.beta))) {
        found = (SearchValue){best->value, 1};
        tt_store(solver, key, 0, found, LOWER_BOUND, best);
        return found;
    }
    if (args.depth <= 0) {
        found.value = play_out(solver, args.side, args.passes, &solver->pvs[args.ply]);
        if (!solver->stop) tt_store(solver, key, 0, found, EXACT, NULL);
        return found;
    }
    is_all = push_plays(solver, args.side);
    count = solver->stack_count - bottom;
    find_threats(solver, !args.side, &threats);
    if (!solver->stop) {
        score_plays(solver, plays, count, &threats, move_hash);
        deeper.depth += count == 1; /* a pass that cannot be helped */
        found = search_plays(solver, &deeper, plays, count, &threats, &best);
    }
    solver->stack_count = bottom;
    if (solver->stop) return found;
    if (!is_all && found.value < args.beta) found.is_solved = 0;
    tt_store(solver, key, args.depth, found,
             found.value >= args.beta    ? LOWER_BOUND
             : found.value <= args.alpha ? UPPER_BOUND
                                         : EXACT,
             best);
    return found;
}

/* The endgame */

static void set_leftovers(Solver *solver)
{
    const Endgame *endgame = solver->endgame;
    const int32_t *face_values = solver->search->face_values;

    if (!endgame->is_adjusted) return;
    for (int side = 0; side < 2; side++) {
        Points *leftovers = solver->leftovers[side];
        for (unsigned hand = 1; hand < 1u << endgame->tile_counts[side]; hand++)
            leftovers[hand] = leftovers[hand & (hand - 1)] +
                              2 * (Points)face_values[endgame->racks[side][lowest_bit(hand)]];
    }
}

/* Search deeper and deeper, until the value is exact or time is up. */
static void deepen(Solver *solver, Solution *solution)
{
    const Endgame *endgame = solver->endgame;
    SearchArgs root = {0, 0, 0, endgame->passes, -MAX_SPREAD, MAX_SPREAD};

    if (endgame->has_threshold) {
        root.alpha = endgame->threshold - 1;
        root.beta = endgame->threshold + 1;
    }
    solver->value = play_out(solver, 0, endgame->passes, &solver->pvs[0]);
    while (root.depth < endgame->max_depth && root.depth < MAX_PLIES && !solution->is_exact) {
        SearchValue found;
        root.depth++;
        found = negamax(solver, root);
        if (solver->stop) break;
        solver->value = found.value;
        solution->depth = root.depth;
        solution->is_exact = found.is_solved;
    }
    solution->spread = solver->value;
    solution->nodes = solver->nodes;
    if (!endgame->has_threshold) solution->pv = solver->pvs[0];
}

Status solve_endgame(Search *search, const Endgame *endgame, Solution *solution)
{
    Solver *solver = calloc(1, sizeof *solver);
    Status status = NO_MEMORY;

    memset(solution, 0, sizeof *solution);
    if (!solver) return NO_MEMORY;
    solver->endgame = endgame;
    solver->search = search;
    solver->tt = calloc(TT_ENTRIES, sizeof *solver->tt);
    solver->move_stack = /* a pass always fits */
        malloc((MAX_STACK + MAX_PLIES + 1) * sizeof *solver->move_stack);
    if (solver->tt && solver->move_stack) {
        search->question = ALL;
        search->keep = append_play;
        search->min_blanks = 0;
        memcpy(solver->board, endgame->board, sizeof solver->board);
        for (int side = 0; side < 2; side++)
            solver->hands[side] = (1u << endgame->tile_counts[side]) - 1;
        set_leftovers(solver);
        deepen(solver, solution);
        status = solver->stop == NO_MEMORY ? NO_MEMORY : YES;
        search->prefixes = &search->own_prefixes;
    }
    for (int side = 0; side < 2; side++)
        for (int hand = 0; hand < HAND_COUNT; hand++) free_prefixes(solver->prefixes[side][hand]);
    free(solver->tt);
    free(solver->move_stack);
    free(solver);
    return status;
}

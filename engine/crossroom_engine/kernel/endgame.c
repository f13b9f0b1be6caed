/* The end of a game of two, when the bag is empty and each can tell what the other has: negamax.

   The tree is searched deeper and deeper. Where a search stops before the game does, both sides go
   on with the play that looks best, and what comes of that is the value. Such a value is a guess; a
   value is solved if no guess could change it. When that is so at the root, it is exact.

   Two passes in a row end the game here, while the rules allow some more. That makes no difference:
   after two passes the same player has the same choice again, and who did not like the passing had
   a play then as now. For the proof, unroll the choices: with two passes left or with more, the
   value is max(play, min(the other's play, passing)).
 */

#include "solver.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES = 1 << 20,    /* of the table of positions: 32 MB */
    MOST_LYING = 1 << 17  /* plays that are to be tried on the way from the root: 5 MB */
};

static const Points FAR = INT64_MAX / 4;

typedef enum { AT_LEAST, AT_MOST, EXACTLY } Bound;

/* What is known of a position: its value to the player to move. A search that meets two positions
   with one key would err; of a million positions, the odds are 1 to 30 million. */
struct Entry {
    uint64_t key;
    Points value;
    uint32_t mark; /* of the best play; 0 if none is known */
    uint8_t is_used, depth, bound, is_solved;
};

typedef struct {
    Points value;
    int is_solved;
} Found;

/* Keys */

static inline uint64_t key_of(const Solver *e, int side, int passes)
{
    const uint64_t rest = (uint64_t)e->held[0] << 32 | (uint64_t)e->held[1] << 16;
    return e->key ^ mix(rest | (uint64_t)(2 * side + passes) << 8 | 0xFF);
}

static uint32_t mark_of(const Play *play)
{
    uint64_t key = (uint64_t)play->down << 24 | (uint64_t)play->line << 16 | play->first << 8;
    key |= play->end;
    for (int tile = 0; tile < MOST_TILES; tile++)
        key = mix(key << 8 ^ key >> 56 ^ play->laid[tile]);
    return (uint32_t)key | 1;
}

/* The table of positions. Of each pair of entries, the first keeps the deepest search. */

static Entry *look_up(const Solver *e, uint64_t key)
{
    Entry *pair = &e->entries[key & (ENTRIES - 2)];
    for (Entry *entry = pair; entry < pair + 2; entry++)
        if (entry->is_used && entry->key == key) return entry;
    return NULL;
}

static void note(Solver *e, uint64_t key, int depth, Found found, Bound bound, const Play *play)
{
    Entry *entry = look_up(e, key);

    if (!entry) {
        entry = &e->entries[key & (ENTRIES - 2)];
        if (entry->is_used && entry->depth > depth) entry++;
        entry->mark = 0;
    }
    entry->is_used = 1;
    entry->key = key;
    entry->value = found.value;
    if (play) entry->mark = mark_of(play);
    entry->depth = (uint8_t)depth;
    entry->bound = (uint8_t)bound;
    entry->is_solved = (uint8_t)found.is_solved;
}

/* The tree */

/* A question: what is the value to `side`, if it lies between alpha and beta? */
typedef struct {
    int ply, depth, side, passes;
    Points alpha, beta;
} Probe;

static Found search(Solver *e, Probe probe);

/* Put the plays of `side`, and the pass, on the stack. Returns whether they all fitted. */
static int list_plays(Solver *e, int side)
{
    const Search *s = e->search;
    const size_t room = e->lying_count < MOST_LYING ? MOST_LYING - e->lying_count : 0;
    const size_t count = s->plays_count < room ? s->plays_count : room;
    Play *plays = e->lying + e->lying_count;

    if (count) memcpy(plays, s->plays, count * sizeof *plays);
    memset(&plays[count], 0, sizeof *plays);
    plays[count].held = (uint16_t)e->held[side];
    plays[count].value = estimate(e, side, &plays[count]);
    e->lying_count += count + 1;
    return count == s->plays_count;
}

/* Tell how good plays look if the best reply comes that they leave. */
static void look_ahead(const Solver *e, Play *plays, size_t count, const Threats *threats,
                       uint32_t mark)
{
    for (Play *play = plays; play < plays + count; play++) {
        const Reply *reply = play->held ? left_by(e, &threats->all, play) : NULL;
        if (reply) play->value -= reply->value;
        if (mark && mark_of(play) == mark) play->value = FAR;
    }
}

/* Bring the best of some plays to the front. */
static void pick(Play *plays, size_t count)
{
    size_t best = 0;
    Play play;

    for (size_t place = 1; place < count; place++)
        if (plays[place].value > plays[best].value) best = place;
    play = plays[best];
    plays[best] = plays[0];
    plays[0] = play;
}

/* What comes of a play or a pass, to who makes it. */
static Found try_play(Solver *e, const Probe *probe, const Play *play, const Threats *threats,
                      Points alpha, Points beta)
{
    const int side = probe->side, passes = is_pass(play);
    const unsigned held = e->held[side];
    const Probe next = {probe->ply + 1, probe->depth - 1, !side, passes, play->points - beta,
                       play->points - alpha};
    Found found = {0, 1};
    const Reply *reply;
    uint32_t laid;

    e->ways[next.ply].count = 0;
    if (passes && probe->passes) {
        found.value = settle_passed(e, side);
    } else if (!play->held) {
        found.value = play->points + e->left[!side][e->held[!side]];
    } else if ((reply = left_by(e, &threats->out, play)) &&
               play->points - reply->value - e->left[side][play->held] <= alpha) {
        found.value = play->points - reply->value - e->left[side][play->held];
    } else {
        laid = lay(e, side, play);
        found = search(e, next);
        found.value = play->points - found.value;
        take_back(e, side, play, laid, held);
    }
    return found;
}

static void note_way(Solver *e, int ply, const Play *play, Points value)
{
    Way *way = &e->ways[ply];
    const Way *rest = &e->ways[ply + 1];

    way->plays[0] = *play;
    memcpy(way->plays + 1, rest->plays, (size_t)rest->count * sizeof *rest->plays);
    way->count = rest->count + 1;
    if (!ply) e->value = value;
}

/* Try plays one after the other. The first is likely the best, so of the others it is first asked
   only whether they are better. Gives the best play, too. */
static Found search_plays(Solver *e, const Probe *probe, Play *plays, size_t count,
                          const Threats *threats, const Play **best)
{
    Found found = {-2 * FAR, 1};
    Points alpha = probe->alpha;

    for (size_t place = 0; place < count && alpha < probe->beta; place++) {
        const Play *play = &plays[place];
        Found one;

        pick(plays + place, count - place);
        one = try_play(e, probe, play, threats, alpha, place ? alpha + 1 : probe->beta);
        if (place && !e->stop && one.value > alpha && one.value < probe->beta)
            one = try_play(e, probe, play, threats, alpha, probe->beta);
        if (e->stop) break;
        found.is_solved &= one.is_solved;
        if (one.value >= probe->beta) found.is_solved = one.is_solved;
        if (one.value <= found.value) continue;
        found.value = one.value;
        *best = play;
        if (one.value <= alpha) continue;
        alpha = one.value;
        note_way(e, probe->ply, play, alpha);
    }
    return found;
}

static int is_known(const Entry *entry, const Probe *probe)
{
    if (!entry->is_solved && entry->depth < probe->depth) return 0;
    if (entry->bound == AT_LEAST) return entry->value >= probe->beta;
    if (entry->bound == AT_MOST) return entry->value <= probe->alpha;
    return 1;
}

static Found search(Solver *e, Probe probe)
{
    const uint64_t key = key_of(e, probe.side, probe.passes);
    const size_t bottom = e->lying_count;
    const Entry *entry = look_up(e, key);
    const uint32_t mark = entry ? entry->mark : 0;
    const int is_wide = probe.beta - probe.alpha > 1; /* then the way is wanted, too */
    const Play *best = NULL;
    int is_all;
    Found found = {0, 0};
    Threats threats;
    Probe deeper;

    e->nodes++;
    if (entry && is_known(entry, &probe) && (!is_wide || probe.depth <= 0)) {
        found.value = entry->value;
        found.is_solved = entry->is_solved;
        return found;
    }
    if (find_plays(e, probe.side) < 0) e->stop = NO_MEMORY;
    if (e->stop) return found;
    for (size_t place = 0; place < e->search->plays_count; place++) {
        const Play *play = &e->search->plays[place];
        if (!play->held && play->value >= probe.beta) {
            found.value = play->value;
            found.is_solved = 1;
            note(e, key, 0, found, AT_LEAST, play);
            return found;
        }
    }
    if (probe.depth <= 0) {
        found.value = play_out(e, probe.side, probe.passes, &e->ways[probe.ply]);
        if (!e->stop) note(e, key, 0, found, EXACTLY, NULL);
        return found;
    }
    is_all = list_plays(e, probe.side);
    if (find_threats(e, !probe.side, &threats) < 0) e->stop = NO_MEMORY;
    if (e->stop) {
        e->lying_count = bottom;
        return found;
    }
    look_ahead(e, e->lying + bottom, e->lying_count - bottom, &threats, mark);
    deeper = probe;
    deeper.depth += e->lying_count - bottom == 1; /* a pass that cannot be helped */
    found = search_plays(e, &deeper, e->lying + bottom, e->lying_count - bottom, &threats, &best);
    e->lying_count = bottom;
    if (e->stop) return found;
    if (!is_all && found.value < probe.beta) found.is_solved = 0;
    note(e, key, probe.depth, found,
         found.value >= probe.beta    ? AT_LEAST
         : found.value <= probe.alpha ? AT_MOST
                                     : EXACTLY,
         best);
    return found;
}

/* The endgame */

static void set_left(Solver *e)
{
    const Endgame *endgame = e->endgame;

    if (!endgame->is_adjusted) return;
    for (int side = 0; side < 2; side++)
        for (unsigned hand = 1; hand < 1u << endgame->tiles[side]; hand++)
            e->left[side][hand] = e->left[side][hand & (hand - 1)] +
                                  2 * (Points)e->search->face[endgame->racks[side][lowest(hand)]];
}

static void deepen(Solver *e, Solution *solution)
{
    const Endgame *endgame = e->endgame;
    Probe root = {0, 0, 0, endgame->passes, -FAR, FAR};

    if (endgame->has_par) {
        root.alpha = endgame->par - 1;
        root.beta = endgame->par + 1;
    }
    e->value = play_out(e, 0, endgame->passes, &e->ways[0]);
    while (root.depth < endgame->most_plies && root.depth < MOST_PLIES && !solution->is_exact) {
        Found found;
        root.depth++;
        found = search(e, root);
        if (e->stop) break;
        e->value = found.value;
        solution->depth = root.depth;
        solution->is_exact = found.is_solved;
    }
    solution->spread = e->value;
    solution->nodes = e->nodes;
    if (!endgame->has_par) solution->way = e->ways[0];
}

Answer solve_endgame(Search *search, const Endgame *endgame, Solution *solution)
{
    Solver *e = calloc(1, sizeof *e);
    Spelling own; /* of the search, which others use again */
    Answer answer = NO_MEMORY;

    memset(solution, 0, sizeof *solution);
    if (!e) return NO_MEMORY;
    e->endgame = endgame;
    e->search = search;
    e->entries = calloc(ENTRIES, sizeof *e->entries);
    e->lying = malloc((MOST_LYING + MOST_PLIES + 1) * sizeof *e->lying); /* a pass always fits */
    if (e->entries && e->lying) {
        store_spelling(search, &own);
        memcpy(e->board, endgame->board, sizeof e->board);
        for (int side = 0; side < 2; side++) e->held[side] = (1u << endgame->tiles[side]) - 1;
        set_left(e);
        deepen(e, solution);
        answer = e->stop == NO_MEMORY ? NO_MEMORY : YES;
        load_spelling(search, &own);
    }
    for (int side = 0; side < 2; side++)
        for (int hand = 0; hand < HANDS; hand++) drop_spelling(e->spellings[side][hand]);
    free(e->entries);
    free(e->lying);
    free(e);
    return answer;
}

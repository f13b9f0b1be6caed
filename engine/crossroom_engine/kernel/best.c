/* The best plays of a position.

   Before any word is looked at, each part of a line gets a bound: what the dearest tiles in hand
   would bring on its best premiums, and the best hand that could be left. Parts are searched from
   the greatest bound down, and in each only words of the lengths whose own bound is good enough,
   until no bound is as good as the worst play that is kept. MAGPIE calls this shadow play. */

#include "kernel.h"

#include <stdlib.h>
#include <string.h>

/* Bounds

   A crossed square allows few letters, so it gets the dearest tile that it allows, whatever other
   squares get. The open ones share the dearest tiles, the dearest on the best letter premium, and
   so on. That sum is taken in layers: as many of the dearest tiles as there are squares that
   multiply by 1 or more, the same for 2 or more, for 3 or more, for 4. */

static const uint32_t LAYERS[MOST_PREMIUM + 1] = {0, 0x1, 0x101, 0x10101, 0x1010101};
static const Side NO_SQUARES = {0, 0, 1, 0};

static void set_hand(Search *s, const uint8_t *rack)
{
    for (int place = 0; place < s->tiles; place++) {
        int at = place;
        for (; at && s->face[s->dearest[at - 1]] < s->face[rack[place]]; at--)
            s->dearest[at] = s->dearest[at - 1];
        s->dearest[at] = rack[place];
    }
    s->tops[0] = 0;
    for (int tiles = 1; tiles <= s->tiles; tiles++)
        s->tops[tiles] = s->tops[tiles - 1] + s->face[s->dearest[tiles - 1]];
    for (int tiles = 0; tiles <= s->tiles; tiles++) s->most_worth[tiles] = INT64_MIN / 2;
    for (unsigned held = 0; held <= s->hand; held++) {
        int64_t *most = &s->most_worth[s->tiles - count_bits(held)];
        *most = s->worth[held] > *most ? s->worth[held] : *most;
    }
    s->most_worth_upto[0] = s->most_worth[0];
    for (int tiles = 1; tiles <= s->tiles; tiles++) {
        const int64_t fewer = s->most_worth_upto[tiles - 1], these = s->most_worth[tiles];
        s->most_worth_upto[tiles] = fewer > these ? fewer : these;
    }
}

static void set_dearest(Search *s, int down, int number)
{
    Line *line = &s->lines[down][number];
    const Premiums *here = &s->premiums[down][number];

    if (s->is_opening) return;
    for (uint32_t rest = line->anchors & ~line->dead; rest; rest &= rest - 1) {
        const int at = lowest(rest);
        int tile = 0;
        while (tile < s->tiles - 1 && !(line->crosses[at] >> s->dearest[tile] & 1)) tile++;
        line->dearest[at] = s->face[s->dearest[tile]] * (Points)here->letter[at];
        line->dearest_cross[at] = (line->dearest[at] + line->cross_points[at]) * here->word[at];
    }
}

static inline void cover(Side *side, const Line *line, const Premiums *here, int at)
{
    side->fixed += line->dearest[at];
    side->crosses += line->dearest_cross[at];
    side->word *= here->word[at];
    side->open += line->cross_points[at] < 0 ? LAYERS[here->letter[at]] : 0;
}

void find_sides(const Search *s, const Part *part, Reach *reach)
{
    const Line *line = &s->lines[part->down][part->line];
    const Premiums *here = &s->premiums[part->down][part->line];
    Side side = NO_SQUARES;

    for (int at = part->first; at < part->end; at++) side.fixed += line->points[at];
    reach->sides[0] = side;
    for (int tiles = 1; tiles <= reach->most; tiles++) {
        int at = reach->ends[tiles - 1];
        cover(&side, line, here, at);
        while (++at < reach->ends[tiles]) side.fixed += line->points[at];
        reach->sides[tiles] = side;
    }
}

static inline Points most_points(const Search *s, const Side *before, const Side *behind)
{
    const uint32_t open = before->open + behind->open;
    Points points = before->fixed + behind->fixed;

    points += s->tops[open & 255] + s->tops[open >> 8 & 255];
    points += s->tops[open >> 16 & 255] + s->tops[open >> 24];
    return points * before->word * behind->word + before->crosses + behind->crosses;
}

/* Can there be such words? Without a run, the hand must spell them alone. */
static inline int is_possible(const Search *s, const Part *part, int tiles)
{
    return part->first < part->end || s->beginnings[0].lengths >> tiles & 1;
}

/* Where words may end, with `before` tiles before the part, that may be among the best. */
uint32_t promising(const Search *s, const Part *part, const Reach *reach, int before)
{
    const Line *line = &s->lines[part->down][part->line];
    const Premiums *here = &s->premiums[part->down][part->line];
    const int most = most_behind(s, reach, before);
    Side side = NO_SQUARES;
    uint32_t stops = 0;

    for (int at = part->first - before; at < part->first; at++) cover(&side, line, here, at);
    for (int behind = least_behind(s, part, before); behind <= most; behind++) {
        const int tiles = before + behind;
        int64_t bound = 1000 * most_points(s, &side, &reach->sides[behind]) + s->most_worth[tiles];
        if (tiles == s->rules->rack) bound += 1000 * (int64_t)s->rules->bingo;
        if (!is_possible(s, part, tiles)) continue;
        if (s->plays_count == s->wanted && bound < s->plays[0].value) continue;
        stops |= (uint32_t)1 << reach->ends[behind];
    }
    return stops;
}

static int64_t bound_part(const Search *s, const Part *part)
{
    const Line *line = &s->lines[part->down][part->line];
    const Premiums *here = &s->premiums[part->down][part->line];
    int64_t greatest = INT64_MIN;
    Side side = NO_SQUARES;
    Reach reach;

    find_reach(s, part, &reach);
    find_sides(s, part, &reach);
    for (int before = 0; before <= most_before(s, part); before++) {
        const int least = least_behind(s, part, before);
        int behind = most_behind(s, &reach, before);
        int64_t bound;

        if (before) cover(&side, line, here, part->first - before);
        while (behind >= least && !is_possible(s, part, before + behind)) behind--;
        if (behind < least) continue;
        /* Fewer tiles never bring more points, so one look is enough. */
        bound = 1000 * most_points(s, &side, &reach.sides[behind]);
        bound += s->most_worth_upto[before + behind];
        if (before + behind >= s->rules->rack) bound += 1000 * (int64_t)s->rules->bingo;
        if (bound > greatest) greatest = bound;
    }
    return greatest;
}

/* Parts: a heap */

static void sink_part(Part *parts, size_t count, size_t place, Part part)
{
    for (size_t below; (below = 2 * place + 1) < count; place = below) {
        below += below + 1 < count && parts[below + 1].bound > parts[below].bound;
        if (parts[below].bound <= part.bound) break;
        parts[place] = parts[below];
    }
    parts[place] = part;
}

static void bound_parts(Search *s)
{
    s->parts_count = 0;
    for (int down = 0; down < 2; down++) {
        const int lines = down ? s->rules->width : s->rules->height;
        for (int number = 0; number < lines; number++) {
            int count;
            set_line(s, down, number);
            set_dearest(s, down, number);
            count = find_parts(s, down, number, s->parts + s->parts_count);
            for (; count; count--, s->parts_count++)
                s->parts[s->parts_count].bound = bound_part(s, &s->parts[s->parts_count]);
        }
    }
    for (size_t place = s->parts_count / 2; place-- > 0;)
        sink_part(s->parts, s->parts_count, place, s->parts[place]);
}

/* Plays: a heap of at most `wanted` */

static int is_better(const Play *one, const Play *other)
{
    return one->value != other->value ? one->value > other->value : is_before(one, other);
}

static void sink_play(Play *plays, size_t count, size_t place, Play play)
{
    for (size_t below; (below = 2 * place + 1) < count; place = below) {
        if (below + 1 < count && is_better(&plays[below], &plays[below + 1])) below++;
        if (!is_better(&play, &plays[below])) break;
        plays[place] = plays[below];
    }
    plays[place] = play;
}

void keep_best(Search *s, const Play *found)
{
    Play play = *found;

    play.value += s->worth[play.held];
    if (s->plays_count < s->wanted) {
        size_t place = s->plays_count++;
        for (; place && is_better(&s->plays[(place - 1) / 2], &play); place = (place - 1) / 2)
            s->plays[place] = s->plays[(place - 1) / 2];
        s->plays[place] = play;
    } else if (is_better(&play, &s->plays[0])) {
        sink_play(s->plays, s->plays_count, 0, play);
    }
}

/* Bring the heap into order, the best first. */
static void sort_plays(Search *s)
{
    for (size_t count = s->plays_count; count > 1; count--) {
        const Play worst = s->plays[0];
        sink_play(s->plays, count - 1, 0, s->plays[count - 1]);
        s->plays[count - 1] = worst;
    }
}

Answer search_best(Search *s, const Position *position, const int64_t *worth, size_t wanted)
{
    begin_search(s, position, BEST);
    s->worth = worth;
    s->wanted = wanted;
    if (!s->parts) s->parts = malloc(2 * LARGEST * MOST_PARTS * sizeof *s->parts);
    if (!s->parts || find_beginnings(s) < 0) return NO_MEMORY;
    set_hand(s, position->rack);
    bound_parts(s);
    while (s->parts_count) {
        const Part part = s->parts[0];
        if (s->plays_count == s->wanted && part.bound < s->plays[0].value) break;
        s->parts_count--;
        sink_part(s->parts, s->parts_count, 0, s->parts[s->parts_count]);
        if (search_part(s, &part) < 0) return NO_MEMORY;
    }
    sort_plays(s);
    return s->plays_count ? YES : NO;
}

/* Leaves */

/* What each hand is worth: as much as two smaller hands, less what both have, and the new pair. */
void leaves_worth(const Leaves *leaves, const uint8_t *rack, int tiles, int64_t *worth)
{
    worth[0] = 0;
    for (unsigned held = 1; held < 1u << tiles; held++) {
        const unsigned one = held & (0 - held), rest = held & ~one, other = rest & (0 - rest);
        const uint8_t tile = rack[lowest(one)];
        if (rest)
            worth[held] = worth[rest] + worth[held & ~other] - worth[rest & ~other] +
                          leaves->pairs[tile][rack[lowest(other)]];
        else
            worth[held] = leaves->tiles[tile];
    }
    worth[0] = leaves->empty; /* last: the others are sums of smaller ones */
}

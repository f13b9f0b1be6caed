/* The best plays of a position.

   Before any word is looked at, each segment gets an upper bound: what the highest tiles of the
   rack would bring on its best premiums, and the best leave. Segments are searched from the
   greatest bound down, and in each only words of the lengths whose own bound is good enough, until
   no bound is as good as the worst play that is kept. MAGPIE calls this shadow play. */

#include "search.h"

#include <stdlib.h>

/* The squares of a segment that get tiles: what those can score at most. */
typedef struct {
    Points fixed;  /* along the line, before word premiums, of all but the open squares */
    Points cross;  /* crossing words */
    Points word;   /* product of the word premiums */
    uint32_t open; /* numbers of squares without crossing tiles, a byte each: those that multiply
                      a letter by 1 or more, by 2 or more, by 3 or more, by 4 */
} BoundTerms;

/* For each crossed square of a line, what the highest tile scores that fits there: in the word
   along the line, before word premiums, and in the crossing word. 0 for other squares. */
typedef struct {
    Points main[MAX_SIDE], cross[MAX_SIDE];
} CrossBounds;

typedef struct {
    int64_t bound; /* no play of the segment has a greater value */
    Segment segment;
} BoundedSegment;

struct BestSearch {
    size_t wanted;
    const int64_t *leave_values;
    int64_t max_leave[MAX_RACK + 1];      /* by the number of tiles laid: value of a leave */
    int64_t max_leave_upto[MAX_RACK + 1]; /* the same for so many tiles or fewer */
    uint8_t highest_tiles[MAX_RACK];      /* the rack, by face value */
    Points top_sums[MAX_RACK + 1];        /* face values of so many of them */
    CrossBounds crossed[2][MAX_SIDE];
    BoundedSegment segments[2 * MAX_SIDE * MAX_SEGMENTS]; /* a heap, the greatest bound on top */
    size_t segments_count;
};

/* Bounds

   A crossed square allows few letters, so it gets the highest tile that it allows, whatever other
   squares get. The open ones share the highest tiles, the highest on the best letter premium, and
   so on. That sum is taken in layers: as many of the highest tiles as there are squares that
   multiply by 1 or more, the same for 2 or more, for 3 or more, for 4. */

static const uint32_t LAYERS[MAX_PREMIUM + 1] = {0, 0x1, 0x101, 0x10101, 0x1010101};
static const BoundTerms NO_SQUARES = {0, 0, 1, 0};

static void set_rack_bounds(const Search *s, const uint8_t *rack, BestSearch *best)
{
    for (int i = 0; i < s->tile_count; i++) {
        uint8_t *at = &best->highest_tiles[i];
        for (; at > best->highest_tiles && s->face_values[at[-1]] < s->face_values[rack[i]]; at--)
            *at = at[-1];
        *at = rack[i];
    }
    best->top_sums[0] = 0;
    for (int i = 0; i < s->tile_count; i++)
        best->top_sums[i + 1] = best->top_sums[i] + s->face_values[best->highest_tiles[i]];
    for (int tiles = 0; tiles <= s->tile_count; tiles++) best->max_leave[tiles] = INT64_MIN / 2;
    for (unsigned leave = 0; leave <= s->hand; leave++) {
        int64_t *max = &best->max_leave[s->tile_count - count_bits(leave)];
        *max = best->leave_values[leave] > *max ? best->leave_values[leave] : *max;
    }
    best->max_leave_upto[0] = best->max_leave[0];
    for (int tiles = 1; tiles <= s->tile_count; tiles++) {
        const int64_t fewer = best->max_leave_upto[tiles - 1], these = best->max_leave[tiles];
        best->max_leave_upto[tiles] = fewer > these ? fewer : these;
    }
}

static void set_line_bounds(Search *s, int down, int number)
{
    const BoardLine *line = &s->lines[down][number];
    const LinePremiums *premiums = &s->premiums[down][number];
    const uint8_t *highest = s->best->highest_tiles;
    CrossBounds *bounds = &s->best->crossed[down][number];

    memset(bounds, 0, sizeof *bounds);
    if (s->is_opening) return;
    for (uint32_t rest = line->anchors & ~line->blocked; rest; rest &= rest - 1) {
        const int at = lowest_bit(rest);
        int i = 0;
        while (i < s->tile_count - 1 && !(line->cross_checks[at] >> highest[i] & 1)) i++;
        bounds->main[at] = s->face_values[highest[i]] * (Points)premiums->letter[at];
        bounds->cross[at] = (bounds->main[at] + line->cross_scores[at]) * premiums->word[at];
    }
}

static inline void add_square(const Search *s, const Segment *segment, int at, BoundTerms *terms)
{
    const LinePremiums *premiums = &s->premiums[segment->down][segment->line];
    const CrossBounds *bounds = &s->best->crossed[segment->down][segment->line];
    const int is_open = s->lines[segment->down][segment->line].cross_scores[at] < 0;

    terms->fixed += bounds->main[at];
    terms->cross += bounds->cross[at];
    terms->word *= premiums->word[at];
    terms->open += is_open ? LAYERS[premiums->letter[at]] : 0;
}

/* Find the terms for each number of tiles after a segment; those of the run are included. */
static void find_terms_after(const Search *s, const Segment *segment, const Extension *extension,
                             BoundTerms *terms_after)
{
    const BoardLine *line = &s->lines[segment->down][segment->line];
    BoundTerms terms = NO_SQUARES;

    for (int at = segment->first; at < segment->end; at++) terms.fixed += line->face_values[at];
    terms_after[0] = terms;
    for (int tiles = 1; tiles <= extension->max_tiles; tiles++) {
        int at = extension->ends[tiles - 1];
        add_square(s, segment, at, &terms);
        while (++at < extension->ends[tiles]) terms.fixed += line->face_values[at];
        terms_after[tiles] = terms;
    }
}

/* Return the greatest value of words with certain squares before and after a segment, without that
   of the leave. */
static inline int64_t bound_value(const Search *s, const BoundTerms *before,
                                  const BoundTerms *after)
{
    const Points *sums = s->best->top_sums;
    const uint32_t open = before->open + after->open;
    Points points = before->fixed + after->fixed;

    points += sums[open & 255] + sums[open >> 8 & 255] + sums[open >> 16 & 255] + sums[open >> 24];
    return 1000 * (points * before->word * after->word + before->cross + after->cross);
}

/* Tell whether there can be words with so many tiles. Without a run, the rack must spell them. */
static inline int can_spell(const Search *s, const Segment *segment, int tiles)
{
    return segment->first < segment->end || s->prefixes->items[0].word_lengths >> tiles & 1;
}

static inline int is_good_enough(const Search *s, int64_t bound)
{
    return s->plays_count < s->best->wanted || bound >= s->plays[0].value;
}

/* Search the words of a segment that may be among the best. */
static Status search_promising(Search *s, const Segment *segment)
{
    BoundTerms terms_after[MAX_RACK + 1];
    Extension extension;

    find_extension(s, segment, &extension);
    find_terms_after(s, segment, &extension, terms_after);
    for (int before = 0; before <= max_before(s, segment); before++) {
        const int max = max_after(s, &extension, before);
        BoundTerms terms = NO_SQUARES;
        uint32_t stops = 0;

        for (int at = segment->first - before; at < segment->first; at++)
            add_square(s, segment, at, &terms);
        for (int after = min_after(s, segment, before); after <= max; after++) {
            const int tiles = before + after;
            int64_t bound = bound_value(s, &terms, &terms_after[after]) + s->best->max_leave[tiles];
            if (tiles == s->rules->rack_size) bound += 1000 * (int64_t)s->rules->bingo_bonus;
            if (can_spell(s, segment, tiles) && is_good_enough(s, bound))
                stops |= (uint32_t)1 << extension.ends[after];
        }
        if (search_words(s, segment, before, stops) < 0) return NO_MEMORY;
    }
    return NO;
}

static int64_t bound_segment(const Search *s, const Segment *segment)
{
    int64_t greatest = INT64_MIN;
    BoundTerms terms = NO_SQUARES, terms_after[MAX_RACK + 1];
    Extension extension;

    find_extension(s, segment, &extension);
    find_terms_after(s, segment, &extension, terms_after);
    for (int before = 0; before <= max_before(s, segment); before++) {
        const int min = min_after(s, segment, before);
        int after = max_after(s, &extension, before);
        int64_t bound;

        if (before) add_square(s, segment, segment->first - before, &terms);
        while (after >= min && !can_spell(s, segment, before + after)) after--;
        if (after < min) continue;
        /* Fewer tiles never score more, so one look is enough. */
        bound =
            bound_value(s, &terms, &terms_after[after]) + s->best->max_leave_upto[before + after];
        if (before + after >= s->rules->rack_size) bound += 1000 * (int64_t)s->rules->bingo_bonus;
        if (bound > greatest) greatest = bound;
    }
    return greatest;
}

/* Segments: a heap */

static void sift_segment(BoundedSegment *heap, size_t count, size_t i, BoundedSegment segment)
{
    for (size_t below; (below = 2 * i + 1) < count; i = below) {
        below += below + 1 < count && heap[below + 1].bound > heap[below].bound;
        if (heap[below].bound <= segment.bound) break;
        heap[i] = heap[below];
    }
    heap[i] = segment;
}

static void bound_segments(Search *s)
{
    BestSearch *best = s->best;

    best->segments_count = 0;
    for (int down = 0; down < 2; down++) {
        for (int number = 0; number < line_count(s->rules, down); number++) {
            Segment found[MAX_SEGMENTS];
            int count;
            set_line(s, down, number);
            set_line_bounds(s, down, number);
            count = find_segments(s, down, number, found);
            for (int i = 0; i < count; i++) {
                BoundedSegment *bounded = &best->segments[best->segments_count++];
                bounded->bound = bound_segment(s, &found[i]);
                bounded->segment = found[i];
            }
        }
    }
    for (size_t i = best->segments_count / 2; i-- > 0;)
        sift_segment(best->segments, best->segments_count, i, best->segments[i]);
}

/* Plays: a heap of at most `wanted`, the worst on top */

static int is_better(const Play *one, const Play *other)
{
    return one->value != other->value ? one->value > other->value : precedes(one, other);
}

static void sift_play(Play *heap, size_t count, size_t i, Play play)
{
    for (size_t below; (below = 2 * i + 1) < count; i = below) {
        if (below + 1 < count && is_better(&heap[below], &heap[below + 1])) below++;
        if (!is_better(&play, &heap[below])) break;
        heap[i] = heap[below];
    }
    heap[i] = play;
}

static Status keep_best(Search *s, const Play *found)
{
    Play play = *found;

    play.value += s->best->leave_values[play.leave];
    if (s->plays_count < s->best->wanted) {
        size_t i = s->plays_count;
        if (append_play(s, &play) < 0) return NO_MEMORY;
        for (; i && is_better(&s->plays[(i - 1) / 2], &play); i = (i - 1) / 2)
            s->plays[i] = s->plays[(i - 1) / 2];
        s->plays[i] = play;
    } else if (is_better(&play, &s->plays[0])) {
        sift_play(s->plays, s->plays_count, 0, play);
    }
    return NO;
}

/* Sort the heap, the best first. */
static void sort_plays(Search *s)
{
    for (size_t count = s->plays_count; count > 1; count--) {
        const Play worst = s->plays[0];
        sift_play(s->plays, count - 1, 0, s->plays[count - 1]);
        s->plays[count - 1] = worst;
    }
}

Status search_best(Search *s, const Position *position, const int64_t *leave_values, size_t wanted)
{
    BestSearch *best = s->best ? s->best : malloc(sizeof *best);

    s->best = best;
    begin_search(s, position, ALL, keep_best);
    if (!best || find_prefixes(s) < 0) return NO_MEMORY;
    best->leave_values = leave_values;
    best->wanted = wanted;
    set_rack_bounds(s, position->rack, best);
    bound_segments(s);
    while (best->segments_count && is_good_enough(s, best->segments[0].bound)) {
        const Segment segment = best->segments[0].segment;
        best->segments_count--;
        sift_segment(best->segments, best->segments_count, 0, best->segments[best->segments_count]);
        if (search_promising(s, &segment) < 0) return NO_MEMORY;
    }
    sort_plays(s);
    return s->plays_count ? YES : NO;
}

/* Leaves */

void evaluate_leaves(const Leaves *leaves, const uint8_t *rack, int tile_count, int64_t *values)
{
    values[0] = 0;
    for (unsigned leave = 1; leave < 1u << tile_count; leave++) {
        const unsigned one = leave & (0 - leave), rest = leave & ~one, other = rest & (0 - rest);
        const uint8_t tile = rack[lowest_bit(one)];
        /* The value of two smaller leaves, less that of what both have, and the new pair. */
        if (rest)
            values[leave] = values[rest] + values[leave & ~other] - values[rest & ~other] +
                            leaves->pairs[tile][rack[lowest_bit(other)]];
        else
            values[leave] = leaves->tiles[tile];
    }
    values[0] = leaves->empty; /* last: the others are sums of smaller ones */
}

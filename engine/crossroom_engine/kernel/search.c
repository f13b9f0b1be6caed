/* Every legal play of a position.

   The prefixes of the rack are enumerated once for all segments of all lines, in prefixes.c. Before
   a run of tiles go those that its first letter may follow; after it, the word list leads on. Words
   that touch no run are spelt by the rack alone, so they are prefixes, too.

   Wherever letters are chosen, one & of masks leaves those that go on, are on the rack and fit the
   crossing tiles; another tells whether a word that ends at a permitted square can still come of
   it. Points are summed up on the way.

   After A. W. Appel and G. J. Jacobson, Communications of the ACM 31 (1988), 572-578. */

#include "search.h"

#include <stdlib.h>

void search_init(Search *s, const Dawg *dawg, const Rules *rules)
{
    memset(s, 0, sizeof *s);
    s->dawg = dawg;
    s->rules = rules;
    s->prefixes = &s->own_prefixes;
    for (int row = 0; row < rules->height; row++) {
        for (int column = 0; column < rules->width; column++) {
            const int square = row * rules->width + column;
            LinePremiums *across = &s->premiums[0][row], *down = &s->premiums[1][column];
            across->letter[column] = down->letter[row] = rules->letter_premiums[square];
            across->word[column] = down->word[row] = rules->word_premiums[square];
        }
    }
    memcpy(s->face_values, rules->points, sizeof rules->points); /* blanks keep their 0 */
}

void search_free(Search *s)
{
    free(s->own_prefixes.items);
    free(s->own_prefixes.index);
    free(s->plays);
    free(s->best);
}

/* Plays */

Status append_play(Search *s, const Play *play)
{
    if (s->plays_count == s->plays_capacity) {
        const size_t capacity = s->plays_capacity ? 2 * s->plays_capacity : 512;
        Play *plays = realloc(s->plays, capacity * sizeof *plays);
        if (!plays) return NO_MEMORY;
        s->plays = plays;
        s->plays_capacity = capacity;
    }
    s->plays[s->plays_count++] = *play;
    return NO;
}

static Status keep_play(Search *s, int end, unsigned leave, Points points)
{
    Play play;
    int laid = 0;

    memset(&play, 0, sizeof play);
    play.value = 1000 * points;
    play.points = points;
    play.leave = (uint16_t)leave;
    play.down = (uint8_t)s->down;
    play.line = (uint8_t)s->line_number;
    play.first = (uint8_t)s->first;
    play.end = (uint8_t)end;
    for (int at = s->first; at < end; at++)
        if (!(s->line->occupied >> at & 1)) play.laid[laid++] = s->laid[at];
    return s->keep(s, &play);
}

/* Record a complete word. When counting, `times` plays may come at once that differ only by what a
   blank stands for. */
static Status record_word(Search *s, int end, unsigned leave, Points points, int times)
{
    if (count_bits(s->blanks & ~leave) < s->min_blanks) return NO;
    if (count_bits(s->hand & ~leave) == s->rules->rack_size) points += s->rules->bingo_bonus;
    s->count += (uint64_t)times;
    if (points > s->most_points) s->most_points = points;
    if (s->question == COUNT) return NO;
    return s->question == ANY ? YES : keep_play(s, end, leave, points);
}

static Status extend_right(Search *s, int at, const DawgNode *node, unsigned leave, Points main,
                           Points word, Points cross);

/* Lay one tile on the empty square `at`; `leave` is the hand without it. If `is_word`, a word ends
   before `to`; one of the letters `onward` may be laid there, to go on from `next`. */
static inline Status place_tile(Search *s, int at, int code, unsigned leave, int is_word, int to,
                                Mask onward, const DawgNode *next, Points main, Points word,
                                Points cross)
{
    const Points crossing = s->line->cross_scores[at];
    const Points earned = s->face_values[code] * (Points)s->line_premiums->letter[at];
    Status status = NO;

    s->laid[at] = (uint8_t)code;
    main += earned;
    if (crossing >= 0) cross += (crossing + earned) * s->line_premiums->word[at];
    if (is_word) status = record_word(s, to, leave, main * word + cross, 1);
    if (status == NO && onward & letters_from(s, leave))
        status = extend_right(s, to, next, leave, main, word, cross);
    return status;
}

/* Lay tiles on the empty square `at`, with no run after it, that complete a word there. */
static inline Status complete_word(Search *s, int at, const DawgNode *node, unsigned leave,
                                   Points main, Points word, Points cross)
{
    const Mask accepts = node->accepts & s->line->cross_checks[at];
    Mask blanks = leave & s->blanks ? accepts & s->rules->blank_letters : 0;
    Status status = NO;

    for (Mask rest = accepts & s->letters_shown[leave]; rest && status == NO; rest &= rest - 1) {
        const int letter = lowest_bit(rest);
        status = place_tile(s, at, letter, without_one(leave, s->tiles_showing[letter]), 1, at + 1,
                            0, NULL, main, word, cross);
    }
    if (blanks && s->question == COUNT) { /* a blank scores the same, whatever it stands for */
        const Points crossing = s->line->cross_scores[at];
        if (crossing >= 0) cross += crossing * s->line_premiums->word[at];
        return record_word(s, at + 1, without_one(leave, s->blanks), main * word + cross,
                           count_bits(blanks));
    }
    for (; blanks && status == NO; blanks &= blanks - 1)
        status = place_tile(s, at, lowest_bit(blanks) | BLANK_FLAG, without_one(leave, s->blanks),
                            1, at + 1, 0, NULL, main, word, cross);
    return status;
}

/* Lay each letter that fits on the empty square `at`, and go on after it. `main` is the sum of the
   main word so far, to be multiplied by `word`; `cross` is the sum of the crossing words. */
static Status extend_right(Search *s, int at, const DawgNode *node, unsigned leave, Points main,
                           Points word, Points cross)
{
    const BoardLine *line = s->line;
    const Mask fits = line->cross_checks[at];
    const Mask reals = fits & s->letters_shown[leave];
    const Mask blanks = leave & s->blanks ? fits & s->rules->blank_letters : 0;
    const uint32_t stops = s->stops >> (at + 1);
    Status status = NO;

    word *= s->line_premiums->word[at];
    if (stops & 1) status = complete_word(s, at, node, leave, main, word, cross);
    if (!(stops & ~(uint32_t)1)) return status;
    for (Mask rest = node->children & (reals | blanks); rest && status == NO; rest &= rest - 1) {
        const Mask bit = rest & (0 - rest);
        const int letter = lowest_bit(bit);
        const DawgNode *next = dawg_child(s->dawg, node, bit);
        Points passed = main;
        Mask onward = 0;
        int is_word = 0, to = at + 1;

        for (; next && line->occupied >> to & 1; to++) {
            is_word = (next->accepts & line->letters[to]) != 0;
            passed += line->face_values[to];
            next = dawg_walk(s->dawg, next, &line->letters[to], 1);
        }
        if (line->occupied >> to & 1) continue; /* no word goes on through the run */
        is_word = is_word && s->stops >> to & 1;
        if (next && next->suffix_lengths & s->stops >> to)
            onward = (next->children | next->accepts) & line->cross_checks[to];
        if (bit & reals)
            status = place_tile(s, at, letter, without_one(leave, s->tiles_showing[letter]),
                                is_word, to, onward, next, passed, word, cross);
        if (bit & blanks && status == NO)
            status = place_tile(s, at, letter | BLANK_FLAG, without_one(leave, s->blanks), is_word,
                                to, onward, next, passed, word, cross);
    }
    return status;
}

/* Search words that begin with the run. */
static Status search_from_run(Search *s, const Segment *segment)
{
    const BoardLine *line = s->line;
    const DawgNode *node = &s->dawg->nodes[s->dawg->root];
    const int length = segment->end - segment->first;
    Points points = 0;

    node = dawg_walk(s->dawg, node, line->letters + segment->first, length);
    if (!node || !(node->suffix_lengths & s->stops >> segment->end)) return NO;
    for (int at = segment->first; at < segment->end; at++) points += line->face_values[at];
    return extend_right(s, segment->end, node, s->hand, points, 1, 0);
}

/* Lay a prefix on the squares before the run, and search words that go on from there. `points` is
   the sum of the run, `word` the product of word premiums, `crossed` has the squares with crossing
   tiles. */
static Status join_run(Search *s, const Segment *segment, const Prefix *prefix, uint32_t crossed,
                       Points points, Points word)
{
    const BoardLine *line = s->line;
    const Mask last = line->letters[segment->end - 1];
    const DawgNode *node = &s->dawg->nodes[prefix->node];
    Points cross = 0;
    Mask misfit = 0;
    int is_word;
    Status status = NO;

    for (uint32_t rest = crossed; rest; rest &= rest - 1) {
        const int at = lowest_bit(rest);
        misfit |= ~line->cross_checks[at] >> (prefix->laid[at - s->first] & (TILE_NUMBERS - 1)) & 1;
    }
    if (misfit) return NO;
    node = dawg_walk(s->dawg, node, line->letters + segment->first,
                     segment->end - segment->first - 1);
    if (!node) return NO;
    is_word = node->accepts & last && s->stops >> segment->end & 1;
    node = dawg_walk(s->dawg, node, &last, 1);
    if (node && !(node->suffix_lengths & s->stops >> segment->end)) node = NULL;
    if (!is_word && !node) return NO;
    for (int at = s->first; at < segment->first; at++) {
        const uint8_t code = prefix->laid[at - s->first];
        const Points earned = s->face_values[code] * (Points)s->line_premiums->letter[at];
        s->laid[at] = code;
        points += earned;
        if (crossed >> at & 1)
            cross += (line->cross_scores[at] + earned) * s->line_premiums->word[at];
    }
    if (is_word) status = record_word(s, segment->end, prefix->leave, points * word + cross, 1);
    if (status == NO && node &&
        (node->children | node->accepts) & line->cross_checks[segment->end] &
            letters_from(s, prefix->leave))
        status = extend_right(s, segment->end, node, prefix->leave, points, word, cross);
    return status;
}

/* Search words that have `before` tiles before the run. */
static Status search_through_run(Search *s, const Segment *segment, int before)
{
    const BoardLine *line = s->line;
    const PrefixTable *table = s->prefixes;
    const int letter = lowest_bit(line->letters[segment->first]);
    const uint32_t between = ((uint32_t)1 << segment->first) - ((uint32_t)1 << s->first);
    Points points = 0, word = 1;
    Status status = NO;

    if (letter >= s->dawg->letters) return NO;
    if (!(table->indexed >> letter & 1) && index_prefixes(s, letter) < 0) return NO_MEMORY;
    for (int at = s->first; at < segment->first; at++) word *= s->line_premiums->word[at];
    for (int at = segment->first; at < segment->end; at++) points += line->face_values[at];
    for (uint32_t i = table->index_begin[letter][before];
         i < table->index_begin[letter][before + 1] && status == NO; i++)
        status = join_run(s, segment, &table->items[table->index[i]], line->anchors & between,
                          points, word);
    return status;
}

/* Lay each tile that lengthens a prefix on the empty square `at`, and go on after it. */
static Status extend_prefix(Search *s, int at, const Prefix *prefix, Points main, Points word,
                            Points cross)
{
    const Points letter_premium = s->line_premiums->letter[at];
    const Points word_premium = s->line_premiums->word[at];
    const Points crossing = s->line->cross_scores[at];
    const Mask fits = s->line->cross_checks[at];
    const uint32_t stops = s->stops >> (at + 1);
    Status status = NO;

    word *= word_premium;
    for (uint32_t i = prefix->first_child; i < prefix->children_end && status == NO; i++) {
        const Prefix *longer = &s->prefixes->items[i];
        const uint32_t fit = 0 - (uint32_t)(fits >> longer->letter & 1);
        const uint32_t lengths = longer->word_lengths & stops & fit;
        Points earned, crosses = cross;

        if (!lengths) continue;
        s->laid[at] = longer->laid[at - s->first];
        earned = s->face_values[s->laid[at]] * letter_premium;
        if (crossing >= 0) crosses += (crossing + earned) * word_premium;
        if (lengths & 1)
            status = record_word(s, at + 1, longer->leave, (main + earned) * word + crosses, 1);
        if (lengths & ~(uint32_t)1 && status == NO)
            status = extend_prefix(s, at + 1, longer, main + earned, word, crosses);
    }
    return status;
}

/* Search words of the rack alone that have `before` tiles before the anchor. */
static Status search_at_anchor(Search *s, const Segment *segment, int before)
{
    const PrefixTable *table = s->prefixes;
    Points word = 1;
    Status status = NO;

    for (int at = s->first; at < segment->end; at++) word *= s->line_premiums->word[at];
    for (uint32_t i = table->begin[before]; i < table->begin[before + 1] && status == NO; i++) {
        const Prefix *prefix = &table->items[i];
        Points main = 0;

        if (!(prefix->word_lengths & s->stops >> segment->end)) continue;
        for (int at = s->first; at < segment->end; at++) {
            s->laid[at] = prefix->laid[at - s->first];
            main += s->face_values[s->laid[at]] * (Points)s->line_premiums->letter[at];
        }
        status = extend_prefix(s, segment->end, prefix, main, word, 0);
    }
    return status;
}

Status search_words(Search *s, const Segment *segment, int before, uint32_t stops)
{
    const int has_run = segment->first < segment->end;

    if (!stops) return NO;
    s->down = segment->down;
    s->line_number = segment->line;
    s->line = &s->lines[segment->down][segment->line];
    s->line_premiums = &s->premiums[segment->down][segment->line];
    s->first = segment->first - before;
    s->stops = stops;
    if (has_run && !before) return search_from_run(s, segment);
    if (!s->prefixes->count && find_prefixes(s) < 0) return NO_MEMORY;
    return has_run ? search_through_run(s, segment, before) : search_at_anchor(s, segment, before);
}

static Status search_segment(Search *s, const Segment *segment)
{
    Status status = NO;
    Extension extension;

    find_extension(s, segment, &extension);
    for (int before = 0; before <= max_before(s, segment) && status == NO; before++) {
        const uint32_t *below = extension.stops_below;
        const int min = min_after(s, segment, before), max = max_after(s, &extension, before);
        if (min <= max) status = search_words(s, segment, before, below[max + 1] & ~below[min]);
    }
    return status;
}

Status search_line(Search *s, int down, int number, int is_all)
{
    Segment segments[MAX_SEGMENTS];
    const int count = find_segments(s, down, number, segments);
    Status status = NO;

    for (Segment *segment = segments; segment < segments + count && status == NO; segment++) {
        if (!is_all) segment->low = segment->first;
        if (is_all || segment->first < segment->end) status = search_segment(s, segment);
    }
    return status;
}

/* Positions */

void begin_search(Search *s, const Position *position, Question question, KeepPlay keep)
{
    s->question = question;
    s->keep = keep;
    s->count = 0;
    s->most_points = -1;
    s->plays_count = s->prefixes->count = s->prefixes->index_count = 0;
    s->prefixes->indexed = 0;
    s->min_blanks = position->min_blanks;
    set_rack(s, position->rack, position->tile_count);
    set_board(s, position->board);
}

static int compare(const void *one, const void *other) { return precedes(one, other) ? -1 : 1; }

static Status search_board(Search *s, int is_all)
{
    Status status = NO;

    for (int down = 0; down < 2; down++) {
        for (int number = 0; number < line_count(s->rules, down) && status == NO; number++) {
            const size_t known = s->plays_count;
            set_line(s, down, number);
            status = search_line(s, down, number, is_all);
            if (s->plays_count > known)
                qsort(s->plays + known, s->plays_count - known, sizeof *s->plays, compare);
        }
    }
    return status;
}

Status search_position(Search *s, const Position *position, Question question)
{
    Status status = NO;

    begin_search(s, position, question, append_play);
    /* Nearly every rack can add to a word on the board, which takes no prefixes. */
    if (question == ANY) status = search_board(s, 0);
    if (status == NO) status = search_board(s, 1);
    return status == NO && s->count ? YES : status;
}

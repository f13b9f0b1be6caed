/* Every legal play of a position.

   What the hand alone can begin to spell is enumerated once for all parts of all lines, in
   prefixes.c. In front of a run of tiles are laid those that its first letter may follow; behind
   it, the word list leads on. Words through no run are spelt by the hand alone, so they are all
   known by then.

   Wherever letters are chosen, one & of masks leaves those that go on, are in hand, and fit the
   crossing tiles; another tells whether a word that ends where it may can still come of it. Points
   are summed up on the way.

   After A. W. Appel and G. J. Jacobson, Communications of the ACM 31 (1988), 572-578. */

#include "kernel.h"

#include <stdlib.h>
#include <string.h>

void search_init(Search *s, const Words *words, const Rules *rules)
{
    memset(s, 0, sizeof *s);
    s->words = words;
    s->rules = rules;
    for (int row = 0; row < rules->height; row++) {
        for (int column = 0; column < rules->width; column++) {
            const int square = row * rules->width + column;
            Premiums *across = &s->premiums[0][row], *down = &s->premiums[1][column];
            across->letter[column] = down->letter[row] = rules->letter_premiums[square];
            across->word[column] = down->word[row] = rules->word_premiums[square];
        }
    }
    memcpy(s->face, rules->points, sizeof rules->points); /* blanks keep their 0 */
}

void search_free(Search *s)
{
    free(s->beginnings);
    free(s->index);
    free(s->plays);
    free(s->parts);
}

/* Plays */

static Answer record(Search *s, int end, unsigned held, Points points)
{
    Play play;
    int laid = 0;

    memset(&play, 0, sizeof play);
    play.value = 1000 * points;
    play.points = points;
    play.held = (uint16_t)held;
    play.down = (uint8_t)s->down;
    play.line = (uint8_t)s->number;
    play.first = (uint8_t)s->first;
    play.end = (uint8_t)end;
    for (int at = s->first; at < end; at++)
        if (!(s->line->lying >> at & 1)) play.laid[laid++] = s->laid[at];
    if (s->plays_count == s->plays_room && (s->question == ALL || s->plays_count < s->wanted)) {
        const size_t room = s->plays_room ? 2 * s->plays_room : 512;
        Play *more = realloc(s->plays, room * sizeof *more);
        if (!more) return NO_MEMORY;
        s->plays = more;
        s->plays_room = room;
    }
    if (s->question == BEST)
        keep_best(s, &play);
    else
        s->plays[s->plays_count++] = play;
    return NO;
}

/* A word is complete. Where plays are only counted, `times` of them may come at once that differ by
   what a blank stands for. */
static Answer found(Search *s, int end, unsigned held, Points points, int times)
{
    if (count_bits(s->blanks & ~held) < s->least_blanks) return NO;
    if (count_bits(s->hand & ~held) == s->rules->rack) points += s->rules->bingo;
    s->count += (uint64_t)times;
    if (points > s->most) s->most = points;
    if (s->question == COUNT) return NO;
    return s->question == ANY ? YES : record(s, end, held, points);
}

static Answer extend(Search *s, int at, const Node *node, unsigned held, Points main, Points word,
                     Points cross);

/* Lay one tile on the empty square `at`; `held` is the hand without it. If `is_word`, a word ends
   before `to`; of the letters `onward`, which go on from `next`, one may be laid there. */
static inline Answer lay(Search *s, int at, int what, unsigned held, int is_word, int to,
                         Mask onward, const Node *next, Points main, Points word, Points cross)
{
    const Points crossing = s->line->cross_points[at];
    const Points earned = s->face[what] * (Points)s->here->letter[at];
    Answer answer = NO;

    s->laid[at] = (uint8_t)what;
    main += earned;
    if (crossing >= 0) cross += (crossing + earned) * s->here->word[at];
    if (is_word) answer = found(s, to, held, main * word + cross, 1);
    if (answer == NO && onward & letters_of(s, held))
        answer = extend(s, to, next, held, main, word, cross);
    return answer;
}

/* Lay tiles on the empty square `at`, no run behind it, that complete a word there. */
static inline Answer complete(Search *s, int at, const Node *node, unsigned held, Points main,
                              Points word, Points cross)
{
    const Mask ends = node->ends & s->line->crosses[at];
    Mask blanks = held & s->blanks ? ends & s->rules->blank_letters : 0;
    Answer answer = NO;

    for (Mask rest = ends & s->shown[held]; rest && answer == NO; rest &= rest - 1) {
        const int letter = lowest(rest);
        answer = lay(s, at, letter, without(held, s->having[letter]), 1, at + 1, 0, NULL, main,
                     word, cross);
    }
    if (blanks && s->question == COUNT) { /* a blank scores the same, whatever it stands for */
        const Points crossing = s->line->cross_points[at];
        if (crossing >= 0) cross += crossing * s->here->word[at];
        return found(s, at + 1, without(held, s->blanks), main * word + cross, count_bits(blanks));
    }
    for (; blanks && answer == NO; blanks &= blanks - 1)
        answer = lay(s, at, lowest(blanks) | IS_BLANK, without(held, s->blanks), 1, at + 1, 0,
                     NULL, main, word, cross);
    return answer;
}

/* Lay each letter that fits on the empty square `at`, and go on behind it. `main` is the sum of the
   main word so far, to be multiplied by `word`; `cross` are the points of the crossing words. */
static Answer extend(Search *s, int at, const Node *node, unsigned held, Points main, Points word,
                     Points cross)
{
    const Line *line = s->line;
    const Mask fits = line->crosses[at];
    const Mask reals = fits & s->shown[held];
    const Mask blanks = held & s->blanks ? fits & s->rules->blank_letters : 0;
    const uint32_t stops = s->stops >> (at + 1);
    Answer answer = NO;

    word *= s->here->word[at];
    if (stops & 1) answer = complete(s, at, node, held, main, word, cross);
    if (!(stops & ~(uint32_t)1)) return answer;
    for (Mask rest = node->follow & (reals | blanks); rest && answer == NO; rest &= rest - 1) {
        const Mask bit = rest & (0 - rest);
        const int letter = lowest(bit);
        const Node *next = child(s->words, node, bit);
        Points passed = main;
        Mask onward = 0;
        int is_word = 0, to = at + 1;

        for (; next && line->lying >> to & 1; to++) {
            is_word = (next->ends & line->letters[to]) != 0;
            passed += line->points[to];
            next = walk(s->words, next, &line->letters[to], 1);
        }
        if (line->lying >> to & 1) continue; /* no word goes on through the run */
        is_word = is_word && s->stops >> to & 1;
        if (next && next->lengths & s->stops >> to)
            onward = (next->follow | next->ends) & line->crosses[to];
        if (bit & reals)
            answer = lay(s, at, letter, without(held, s->having[letter]), is_word, to, onward,
                         next, passed, word, cross);
        if (bit & blanks && answer == NO)
            answer = lay(s, at, letter | IS_BLANK, without(held, s->blanks), is_word, to, onward,
                         next, passed, word, cross);
    }
    return answer;
}

/* Words that begin with the run. */
static Answer search_behind(Search *s, const Part *part)
{
    const Line *line = s->line;
    const Node *node = &s->words->nodes[s->words->root];
    Points points = 0;

    node = walk(s->words, node, line->letters + part->first, part->end - part->first);
    if (!node || !(node->lengths & s->stops >> part->end)) return NO;
    for (int at = part->first; at < part->end; at++) points += line->points[at];
    return extend(s, part->end, node, s->hand, points, 1, 0);
}

/* A word that begins so, on squares before the run. `points` are those of the run, `word` is the
   product of the word premiums, `crossed` are the squares with crossing tiles. */
static Answer join(Search *s, const Part *part, const Beginning *one, uint32_t crossed,
                   Points points, Points word)
{
    const Line *line = s->line;
    const Mask last = line->letters[part->end - 1];
    const Node *node = &s->words->nodes[one->node];
    Points cross = 0;
    Mask misfit = 0;
    int is_word;
    Answer answer = NO;

    for (uint32_t rest = crossed; rest; rest &= rest - 1) {
        const int at = lowest(rest);
        misfit |= ~line->crosses[at] >> (one->laid[at - s->first] & (KINDS - 1)) & 1;
    }
    if (misfit) return NO;
    node = walk(s->words, node, line->letters + part->first, part->end - part->first - 1);
    if (!node) return NO;
    is_word = node->ends & last && s->stops >> part->end & 1;
    node = walk(s->words, node, &last, 1);
    if (node && !(node->lengths & s->stops >> part->end)) node = NULL;
    if (!is_word && !node) return NO;
    for (int at = s->first; at < part->first; at++) {
        const uint8_t what = one->laid[at - s->first];
        const Points earned = s->face[what] * (Points)s->here->letter[at];
        s->laid[at] = what;
        points += earned;
        if (crossed >> at & 1) cross += (line->cross_points[at] + earned) * s->here->word[at];
    }
    if (is_word) answer = found(s, part->end, one->held, points * word + cross, 1);
    if (answer == NO && node &&
        (node->follow | node->ends) & line->crosses[part->end] & letters_of(s, one->held))
        answer = extend(s, part->end, node, one->held, points, word, cross);
    return answer;
}

/* Words that have `before` tiles before the run. */
static Answer search_before(Search *s, const Part *part, int before)
{
    const Line *line = s->line;
    const int letter = lowest(line->letters[part->first]);
    const uint32_t between = ((uint32_t)1 << part->first) - ((uint32_t)1 << s->first);
    Points points = 0, word = 1;
    Answer answer = NO;

    if (letter >= s->words->letters) return NO;
    if (!(s->indexed >> letter & 1) && index_letter(s, letter) < 0) return NO_MEMORY;
    for (int at = s->first; at < part->first; at++) word *= s->here->word[at];
    for (int at = part->first; at < part->end; at++) points += line->points[at];
    for (uint32_t place = s->index_begin[letter][before];
         place < s->index_begin[letter][before + 1] && answer == NO; place++)
        answer = join(s, part, &s->beginnings[s->index[place]], line->anchors & between, points,
                      word);
    return answer;
}

/* Go on with a beginning of words from the hand alone, on the empty square `at`. */
static Answer spell(Search *s, int at, const Beginning *one, Points main, Points word, Points cross)
{
    const Points letter_premium = s->here->letter[at], word_premium = s->here->word[at];
    const Points crossing = s->line->cross_points[at];
    const Mask fits = s->line->crosses[at];
    const uint32_t stops = s->stops >> (at + 1);
    Answer answer = NO;

    word *= word_premium;
    for (uint32_t place = one->longer; place < one->longer_end && answer == NO; place++) {
        const Beginning *longer = &s->beginnings[place];
        const uint32_t fit = 0 - (uint32_t)(fits >> longer->letter & 1);
        const uint32_t lengths = longer->lengths & stops & fit;
        Points earned, crosses = cross;

        if (!lengths) continue;
        s->laid[at] = longer->laid[at - s->first];
        earned = s->face[s->laid[at]] * letter_premium;
        if (crossing >= 0) crosses += (crossing + earned) * word_premium;
        if (lengths & 1)
            answer = found(s, at + 1, longer->held, (main + earned) * word + crosses, 1);
        if (lengths & ~(uint32_t)1 && answer == NO)
            answer = spell(s, at + 1, longer, main + earned, word, crosses);
    }
    return answer;
}

/* Words from the hand alone that have `before` tiles before the anchor. */
static Answer search_over(Search *s, const Part *part, int before)
{
    Points word = 1;
    Answer answer = NO;

    for (int at = s->first; at < part->end; at++) word *= s->here->word[at];
    for (uint32_t place = s->begin[before]; place < s->begin[before + 1] && answer == NO; place++) {
        const Beginning *one = &s->beginnings[place];
        Points main = 0;

        if (!(one->lengths & s->stops >> part->end)) continue;
        for (int at = s->first; at < part->end; at++) {
            s->laid[at] = one->laid[at - s->first];
            main += s->face[s->laid[at]] * (Points)s->here->letter[at];
        }
        answer = spell(s, part->end, one, main, word, 0);
    }
    return answer;
}

Answer search_part(Search *s, const Part *part)
{
    const int is_run = part->first < part->end;
    Answer answer = NO;
    Reach reach;

    s->down = part->down;
    s->number = part->line;
    s->line = &s->lines[part->down][part->line];
    s->here = &s->premiums[part->down][part->line];
    find_reach(s, part, &reach);
    if (s->question == BEST) find_sides(s, part, &reach);
    for (int before = 0; before <= most_before(s, part) && answer == NO; before++) {
        const int least = least_behind(s, part, before), most = most_behind(s, &reach, before);
        s->first = part->first - before;
        if (s->question == BEST)
            s->stops = promising(s, part, &reach, before);
        else
            s->stops = least <= most ? reach.upto[most + 1] & ~reach.upto[least] : 0;
        if (!s->stops) continue;
        if (is_run && !before)
            answer = search_behind(s, part);
        else if (!s->beginnings_count && find_beginnings(s) < 0)
            answer = NO_MEMORY;
        else
            answer = is_run ? search_before(s, part, before) : search_over(s, part, before);
    }
    return answer;
}

/* Positions */

void begin_search(Search *s, const Position *position, Question question)
{
    s->question = question;
    s->count = 0;
    s->most = -1;
    s->plays_count = s->beginnings_count = s->index_count = 0;
    s->indexed = 0;
    set_position(s, position);
}

static int compare(const void *one, const void *other)
{
    return is_before(one, other) ? -1 : 1;
}

/* Search all parts of a line; or of the words, only those that begin with a run. */
static Answer search_line(Search *s, int down, int number, int is_all)
{
    const size_t known = s->plays_count;
    Part parts[MOST_PARTS];
    Answer answer = NO;
    int count;

    set_line(s, down, number);
    count = find_parts(s, down, number, parts);
    for (Part *part = parts; part < parts + count && answer == NO; part++) {
        if (!is_all) part->low = part->first;
        if (is_all || part->first < part->end) answer = search_part(s, part);
    }
    if (s->plays_count > known)
        qsort(s->plays + known, s->plays_count - known, sizeof *s->plays, compare);
    return answer;
}

static Answer search_board(Search *s, int is_all)
{
    Answer answer = NO;

    for (int down = 0; down < 2; down++) {
        const int lines = down ? s->rules->width : s->rules->height;
        for (int number = 0; number < lines && answer == NO; number++)
            answer = search_line(s, down, number, is_all);
    }
    return answer;
}

Answer search_all(Search *s, const Position *position, Question question)
{
    Answer answer = NO;

    begin_search(s, position, question);
    /* Nearly every hand can add to a word that lies there, and need not be enumerated for that. */
    if (question == ANY) answer = search_board(s, 0);
    if (answer == NO) answer = search_board(s, 1);
    return answer == NO && s->count ? YES : answer;
}

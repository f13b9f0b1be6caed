/* What a search starts from: the word list as nodes, the rack as a hand, the board as lines and
   their parts. */

#include "kernel.h"

#include <stdlib.h>
#include <string.h>

Answer words_build(Words *words, int letters, size_t states, size_t children,
                   const Mask *child_masks, const Mask *accept_masks, const uint32_t *bases,
                   const uint32_t *to)
{
    const Mask alphabet = ((Mask)1 << letters) - 1;
    const uint32_t depths = ((uint32_t)2 << LARGEST) - 1;
    uint32_t *lengths = calloc(states, sizeof *lengths);
    Node *nodes = calloc(children + 1, sizeof *nodes);
    Answer answer = NO_MEMORY;

    if (!lengths || !nodes) goto done;
    answer = NO;
    /* Children have greater numbers than their parents: backwards, all that is needed is known. */
    for (size_t state = states; state-- > 0;) {
        const size_t kids = (size_t)count_bits(child_masks[state]);
        if ((child_masks[state] | accept_masks[state]) & ~alphabet) goto done;
        if (bases[state] > children || kids > children - bases[state]) goto done;
        lengths[state] = accept_masks[state] ? 2 : 0;
        for (size_t kid = 0; kid < kids; kid++) {
            const uint32_t next = to[bases[state] + kid];
            if (next <= state || next >= states) goto done;
            lengths[state] |= lengths[next] << 1 & depths;
        }
    }
    for (size_t place = 0; place <= children; place++) {
        const uint32_t state = place < children ? to[place] : 0;
        if (state >= states) goto done;
        nodes[place].follow = child_masks[state];
        nodes[place].ends = accept_masks[state];
        nodes[place].first = bases[state];
        nodes[place].lengths = lengths[state];
    }
    words->letters = letters;
    words->root = (uint32_t)children;
    words->nodes = nodes;
    nodes = NULL;
    answer = YES;
done:
    free(lengths);
    free(nodes);
    return answer;
}

void set_rack(Search *s, const uint8_t *rack, int tiles)
{
    s->tiles = tiles;
    s->hand = (1u << tiles) - 1;
    s->blanks = 0;
    memset(s->having, 0, sizeof s->having);
    s->shown[0] = 0;
    for (int place = 0; place < tiles; place++) {
        const unsigned tile = 1u << place;
        const Mask letter = rack[place] < s->words->letters ? (Mask)1 << rack[place] : 0;
        if (rack[place] == BLANK) s->blanks |= tile;
        if (letter) s->having[rack[place]] |= (uint16_t)tile;
        for (unsigned rest = 0; rest < tile; rest++)
            s->shown[tile | rest] = s->shown[rest] | letter;
    }
}

void set_board(Search *s, const uint8_t *board)
{
    s->is_opening = 1;
    memset(s->lines, 0, sizeof s->lines);
    for (int row = 0; row < s->rules->height; row++) {
        for (int column = 0; column < s->rules->width; column++) {
            const uint8_t what = *board++;
            Line *across = &s->lines[0][row], *down = &s->lines[1][column];
            if (what == EMPTY) continue;
            s->is_opening = 0;
            across->lying |= (uint32_t)1 << column;
            down->lying |= (uint32_t)1 << row;
            across->letters[column] = down->letters[row] = (Mask)1 << (what & (KINDS - 1));
            across->points[column] = down->points[row] = s->face[what];
        }
    }
}

void set_position(Search *s, const Position *position)
{
    set_rack(s, position->rack, position->tiles);
    set_board(s, position->board);
    s->least_blanks = position->least_blanks;
}

/* The letters in hand that make a word on the empty square `at`, with the tiles around it. */
static Mask fitting(const Search *s, const Line *line, int at, int32_t *points)
{
    const Words *words = s->words;
    const Mask in_hand = letters_of(s, s->hand);
    const Node *node = &words->nodes[words->root];
    int first = at, end = at + 1;
    Mask fit = 0;

    *points = 0;
    while (first && line->lying >> (first - 1) & 1) *points += line->points[--first];
    while (line->lying >> end & 1) *points += line->points[end++];
    node = walk(words, node, line->letters + first, at - first);
    if (!node) return 0;
    if (end == at + 1) return node->ends & in_hand;
    for (Mask rest = node->follow & in_hand; rest; rest &= rest - 1) {
        const Mask bit = rest & (0 - rest);
        const Node *last = child(words, node, bit);
        last = walk(words, last, line->letters + at + 1, end - at - 2);
        if (last && last->ends & line->letters[end - 1]) fit |= bit;
    }
    return fit;
}

/* Find out what may be laid along a line. All lines must have their tiles. */
void set_line(Search *s, int down, int number)
{
    const Rules *rules = s->rules;
    const int length = down ? rules->height : rules->width;
    const int count = down ? rules->width : rules->height;
    Line *line = &s->lines[down][number];
    uint32_t crossed = 0;

    if (number) crossed |= line[-1].lying;
    if (number + 1 < count) crossed |= line[1].lying;
    crossed &= ~line->lying;
    line->anchors = crossed;
    if (s->is_opening) {
        const int row = rules->start / rules->width, column = rules->start % rules->width;
        if (number == (down ? column : row)) line->anchors = (uint32_t)1 << (down ? row : column);
    }
    if (!(line->anchors | line->lying)) return;
    line->dead = ~(((uint32_t)1 << length) - 1);
    for (int at = 0; at < length; at++) {
        line->crosses[at] = ~(Mask)0;
        line->cross_points[at] = -1;
    }
    for (; crossed; crossed &= crossed - 1) {
        const int at = lowest(crossed);
        line->crosses[at] = fitting(s, &s->lines[!down][at], number, &line->cross_points[at]);
        if (!line->crosses[at]) line->dead |= (uint32_t)1 << at;
    }
}

static inline uint32_t squares(int low, int high)
{
    return low < high ? ((uint32_t)1 << high) - ((uint32_t)1 << low) : 0;
}

/* Cut a line into parts, so that each word belongs to one: that of the first run of tiles it goes
   through, or else that of the first anchor it covers. Returns their number. */
int find_parts(const Search *s, int down, int number, Part *parts)
{
    const Line *line = &s->lines[down][number];
    const int length = down ? s->rules->height : s->rules->width;
    Part part = {0, (uint8_t)down, (uint8_t)number, 0, 0, 0, 0};
    int count = 0, gap = 0;

    if (!(line->lying | line->anchors)) return 0;
    while (gap < length) {
        const int run = gap + lowest(line->lying >> gap | (uint32_t)1 << (length - gap));
        /* A word on the squares beside a run would go through it. */
        const int low = gap ? gap + 1 : 0, high = run < length ? run - 1 : length;
        uint32_t rest = (line->anchors | line->dead) & squares(low, high);

        part.high = (uint8_t)high;
        part.low = (uint8_t)low;
        for (; rest; rest &= rest - 1) {
            part.first = part.end = (uint8_t)lowest(rest);
            if (!(line->dead >> part.end & 1)) parts[count++] = part;
            part.low = part.end + 1;
        }
        if (run == length) break;
        gap = run + lowest(~(line->lying >> run));
        part.low = (uint8_t)(low < run ? low : run);
        for (rest = line->dead & squares(low, run); rest; rest &= rest - 1)
            part.low = (uint8_t)(lowest(rest) + 1);
        part.first = (uint8_t)run;
        part.end = (uint8_t)gap;
        part.high = (uint8_t)length;
        parts[count++] = part;
    }
    return count;
}

void find_reach(const Search *s, const Part *part, Reach *reach)
{
    const Line *line = &s->lines[part->down][part->line];
    int tiles = 0, at = part->end;

    reach->ends[0] = (uint8_t)at;
    reach->upto[0] = 0;
    reach->upto[1] = (uint32_t)1 << at;
    while (tiles < s->tiles && at < part->high && !(line->dead >> at & 1)) {
        at += 1 + lowest(~(line->lying >> (at + 1)));
        reach->ends[++tiles] = (uint8_t)at;
        reach->upto[tiles + 1] = reach->upto[tiles] | (uint32_t)1 << at;
    }
    reach->most = tiles;
}

int most_before(const Search *s, const Part *part)
{
    const int room = part->first - part->low;
    return room < s->tiles ? room : s->tiles;
}

/* How many tiles behind the part, with so many before it, make a play that is found nowhere else: a
   single tile with a word across is a play across. */
int least_behind(const Search *s, const Part *part, int before)
{
    const int32_t *cross_points = s->lines[part->down][part->line].cross_points;
    if (part->first == part->end) return before ? 1 : 2;
    if (before > 1) return 0;
    if (before == 1) return part->down && cross_points[part->first - 1] >= 0;
    return part->down && cross_points[part->end] >= 0 ? 2 : 1;
}

/* May be less than the least. */
int most_behind(const Search *s, const Reach *reach, int before)
{
    return reach->most < s->tiles - before ? reach->most : s->tiles - before;
}

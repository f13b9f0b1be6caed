/* Racks and boards, prepared for a search: lines, cross-checks and segments. */

#include "search.h"

void set_rack(Search *s, const uint8_t *rack, int tile_count)
{
    s->tile_count = tile_count;
    s->hand = (1u << tile_count) - 1;
    s->blanks = 0;
    memset(s->tiles_showing, 0, sizeof s->tiles_showing);
    s->letters_shown[0] = 0;
    for (int i = 0; i < tile_count; i++) {
        const unsigned tile = 1u << i;
        const Mask letter = rack[i] < s->dawg->letters ? (Mask)1 << rack[i] : 0;
        if (rack[i] == BLANK) s->blanks |= tile;
        if (letter) s->tiles_showing[rack[i]] |= (uint16_t)tile;
        for (unsigned rest = 0; rest < tile; rest++)
            s->letters_shown[tile | rest] = s->letters_shown[rest] | letter;
    }
}

void set_board(Search *s, const uint8_t *board)
{
    s->is_opening = 1;
    memset(s->lines, 0, sizeof s->lines);
    for (int row = 0; row < s->rules->height; row++) {
        for (int column = 0; column < s->rules->width; column++) {
            const uint8_t code = *board++;
            BoardLine *across = &s->lines[0][row], *down = &s->lines[1][column];
            if (code == EMPTY) continue;
            s->is_opening = 0;
            across->occupied |= (uint32_t)1 << column;
            down->occupied |= (uint32_t)1 << row;
            across->letters[column] = down->letters[row] = (Mask)1 << (code & (TILE_NUMBERS - 1));
            across->face_values[column] = down->face_values[row] = s->face_values[code];
        }
    }
}

/* Return the letters from the rack that make a word on the empty square `at`, with the tiles around
   it along the line; and the sum of those tiles. */
static Mask cross_check(const Search *s, const BoardLine *line, int at, int32_t *score)
{
    const Dawg *dawg = s->dawg;
    const Mask on_rack = letters_from(s, s->hand);
    const DawgNode *node = &dawg->nodes[dawg->root];
    int first = at, end = at + 1;
    Mask fit = 0;

    *score = 0;
    while (first && line->occupied >> (first - 1) & 1) *score += line->face_values[--first];
    while (line->occupied >> end & 1) *score += line->face_values[end++];
    node = dawg_walk(dawg, node, line->letters + first, at - first);
    if (!node) return 0;
    if (end == at + 1) return node->accepts & on_rack;
    for (Mask rest = node->children & on_rack; rest; rest &= rest - 1) {
        const Mask letter = rest & (0 - rest);
        const DawgNode *last = dawg_child(dawg, node, letter);
        last = dawg_walk(dawg, last, line->letters + at + 1, end - at - 2);
        if (last && last->accepts & line->letters[end - 1]) fit |= letter;
    }
    return fit;
}

void set_line(Search *s, int down, int number)
{
    const Rules *rules = s->rules;
    const int length = line_length(rules, down);
    BoardLine *line = &s->lines[down][number];
    uint32_t crossed = 0;

    if (number) crossed |= line[-1].occupied;
    if (number + 1 < line_count(rules, down)) crossed |= line[1].occupied;
    crossed &= ~line->occupied;
    line->anchors = crossed;
    if (s->is_opening) {
        const int row = rules->start / rules->width, column = rules->start % rules->width;
        if (number == (down ? column : row)) line->anchors = (uint32_t)1 << (down ? row : column);
    }
    if (!(line->anchors | line->occupied)) return;
    line->blocked = ~(((uint32_t)1 << length) - 1);
    for (int at = 0; at < length; at++) {
        line->cross_checks[at] = ~(Mask)0;
        line->cross_scores[at] = -1;
    }
    for (; crossed; crossed &= crossed - 1) {
        const int at = lowest_bit(crossed);
        const BoardLine *crossing = &s->lines[!down][at];
        line->cross_checks[at] = cross_check(s, crossing, number, &line->cross_scores[at]);
        if (!line->cross_checks[at]) line->blocked |= (uint32_t)1 << at;
    }
}

static inline uint32_t square_mask(int low, int high)
{
    return low < high ? ((uint32_t)1 << high) - ((uint32_t)1 << low) : 0;
}

int find_segments(const Search *s, int down, int number, Segment *segments)
{
    const BoardLine *line = &s->lines[down][number];
    const int length = line_length(s->rules, down);
    Segment segment = {(uint8_t)down, (uint8_t)number, 0, 0, 0, 0};
    int count = 0, gap = 0;

    if (!(line->occupied | line->anchors)) return 0;
    while (gap < length) {
        const int run = gap + lowest_bit(line->occupied >> gap | (uint32_t)1 << (length - gap));
        /* A word on the squares beside a run would go through it. */
        const int low = gap ? gap + 1 : 0, high = run < length ? run - 1 : length;
        uint32_t rest = (line->anchors | line->blocked) & square_mask(low, high);

        segment.high = (uint8_t)high;
        segment.low = (uint8_t)low;
        for (; rest; rest &= rest - 1) {
            segment.first = segment.end = (uint8_t)lowest_bit(rest);
            if (!(line->blocked >> segment.end & 1)) segments[count++] = segment;
            segment.low = segment.end + 1;
        }
        if (run == length) break;
        gap = run + lowest_bit(~(line->occupied >> run));
        segment.low = (uint8_t)(low < run ? low : run);
        for (rest = line->blocked & square_mask(low, run); rest; rest &= rest - 1)
            segment.low = (uint8_t)(lowest_bit(rest) + 1);
        segment.first = (uint8_t)run;
        segment.end = (uint8_t)gap;
        segment.high = (uint8_t)length;
        segments[count++] = segment;
    }
    return count;
}

void find_extension(const Search *s, const Segment *segment, Extension *extension)
{
    const BoardLine *line = &s->lines[segment->down][segment->line];
    int tiles = 0, at = segment->end;

    extension->ends[0] = (uint8_t)at;
    extension->stops_below[0] = 0;
    extension->stops_below[1] = (uint32_t)1 << at;
    while (tiles < s->tile_count && at < segment->high && !(line->blocked >> at & 1)) {
        at += 1 + lowest_bit(~(line->occupied >> (at + 1)));
        extension->ends[++tiles] = (uint8_t)at;
        extension->stops_below[tiles + 1] = extension->stops_below[tiles] | (uint32_t)1 << at;
    }
    extension->max_tiles = tiles;
}

int max_before(const Search *s, const Segment *segment)
{
    const int room = segment->first - segment->low;
    return room < s->tile_count ? room : s->tile_count;
}

int min_after(const Search *s, const Segment *segment, int before)
{
    const int32_t *cross_scores = s->lines[segment->down][segment->line].cross_scores;

    if (segment->first == segment->end) return before ? 1 : 2;
    if (before > 1) return 0;
    if (before == 1) return segment->down && cross_scores[segment->first - 1] >= 0;
    return segment->down && cross_scores[segment->end] >= 0 ? 2 : 1;
}

int max_after(const Search *s, const Extension *extension, int before)
{
    const int left = s->tile_count - before;
    return extension->max_tiles < left ? extension->max_tiles : left;
}

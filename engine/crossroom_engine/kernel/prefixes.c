/* What the hand alone can begin to spell.

   That does not depend on what lies on the board, so it is enumerated once for all parts of all
   lines. */

#include "kernel.h"

#include <stdlib.h>
#include <string.h>

static Beginning *new_beginning(Search *s)
{
    if (s->beginnings_count == s->beginnings_room) {
        const size_t room = s->beginnings_room ? 2 * s->beginnings_room : 512;
        Beginning *more = realloc(s->beginnings, room * sizeof *more);
        if (!more) return NULL;
        s->beginnings = more;
        s->beginnings_room = room;
    }
    return &s->beginnings[s->beginnings_count++];
}

/* Add one tile to a beginning of `length` tiles. */
static Answer lengthen(Search *s, uint32_t place, int length)
{
    const Words *words = s->words;
    const Beginning one = s->beginnings[place]; /* a copy: they may move */
    const Node *node = &words->nodes[one.node];

    s->beginnings[place].longer = (uint32_t)s->beginnings_count;
    for (Mask rest = one.next & letters_of(s, one.held); rest; rest &= rest - 1) {
        const Mask bit = rest & (0 - rest);
        const int letter = lowest(bit);
        const Node *next = node->follow & bit ? child(words, node, bit) : NULL;
        const int is_blank_fit = (s->rules->blank_letters & bit) != 0;

        for (int blank = 0; blank <= is_blank_fit; blank++) {
            const unsigned tiles = one.held & (blank ? s->blanks : s->having[letter]);
            Beginning *longer;
            if (!tiles) continue;
            longer = new_beginning(s);
            if (!longer) return NO_MEMORY;
            longer->next = next ? next->follow | next->ends : 0;
            longer->node = next ? (uint32_t)(next - words->nodes) : 0;
            longer->lengths = (node->ends & bit) != 0;
            longer->shorter = place;
            longer->longer = longer->longer_end = 0;
            longer->held = (uint16_t)without(one.held, tiles);
            longer->letter = (uint8_t)letter;
            memcpy(longer->laid, one.laid, sizeof one.laid);
            longer->laid[length] = (uint8_t)(blank ? letter | IS_BLANK : letter);
        }
    }
    s->beginnings[place].longer_end = (uint32_t)s->beginnings_count;
    return NO;
}

Answer find_beginnings(Search *s)
{
    const Node *root = &s->words->nodes[s->words->root];
    Beginning *empty = new_beginning(s);

    if (!empty) return NO_MEMORY;
    memset(empty, 0, sizeof *empty);
    empty->next = root->follow | root->ends;
    empty->node = s->words->root;
    empty->held = (uint16_t)s->hand;
    s->begin[0] = 0;
    s->begin[1] = 1;
    for (int length = 0; length < s->tiles; length++) {
        for (uint32_t place = s->begin[length]; place < s->begin[length + 1]; place++)
            if (lengthen(s, place, length) < 0) return NO_MEMORY;
        s->begin[length + 2] = (uint32_t)s->beginnings_count;
    }
    for (size_t place = s->beginnings_count; place-- > 1;) {
        const Beginning *one = &s->beginnings[place];
        s->beginnings[one->shorter].lengths |= one->lengths << 1;
    }
    return NO;
}

Answer index_letter(Search *s, int letter)
{
    uint32_t *begin = s->index_begin[letter];
    size_t count = s->index_count;

    if (s->index_room - count < s->beginnings_count) {
        const size_t room = 2 * (count + s->beginnings_count);
        uint32_t *more = realloc(s->index, room * sizeof *more);
        if (!more) return NO_MEMORY;
        s->index = more;
        s->index_room = room;
    }
    for (int length = 0; length <= s->tiles; length++) {
        begin[length] = (uint32_t)count;
        for (uint32_t place = s->begin[length]; place < s->begin[length + 1]; place++) {
            s->index[count] = place; /* without a branch, for it would be mispredicted too often */
            count += s->beginnings[place].next >> letter & 1;
        }
    }
    begin[s->tiles + 1] = (uint32_t)count;
    s->index_count = count;
    s->indexed |= (Mask)1 << letter;
    return NO;
}

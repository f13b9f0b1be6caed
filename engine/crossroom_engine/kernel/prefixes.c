/* The prefixes of a rack: everything that its tiles alone can begin to spell.

   They do not depend on the board, so they are enumerated once for all segments of all lines. */

#include "search.h"

#include <stdlib.h>

static Prefix *new_prefix(PrefixTable *table)
{
    if (table->count == table->capacity) {
        const size_t capacity = table->capacity ? 2 * table->capacity : 512;
        Prefix *items = realloc(table->items, capacity * sizeof *items);
        if (!items) return NULL;
        table->items = items;
        table->capacity = capacity;
    }
    return &table->items[table->count++];
}

/* Add one tile to the prefix at `parent`, of `length` tiles. */
static Status lengthen(const Search *s, PrefixTable *table, uint32_t parent, int length)
{
    const Prefix prefix = table->items[parent]; /* a copy: the table may move */
    const DawgNode *node = &s->dawg->nodes[prefix.node];

    table->items[parent].first_child = (uint32_t)table->count;
    for (Mask rest = prefix.continuations & letters_from(s, prefix.leave); rest; rest &= rest - 1) {
        const Mask bit = rest & (0 - rest);
        const int letter = lowest_bit(bit);
        const DawgNode *next = node->children & bit ? dawg_child(s->dawg, node, bit) : NULL;
        const int can_be_blank = (s->rules->blank_letters & bit) != 0;

        for (int is_blank = 0; is_blank <= can_be_blank; is_blank++) {
            const unsigned fit = is_blank ? s->blanks : s->tiles_showing[letter];
            Prefix *child;
            if (!(prefix.leave & fit)) continue;
            child = new_prefix(table);
            if (!child) return NO_MEMORY;
            child->continuations = next ? next->children | next->accepts : 0;
            child->node = next ? (uint32_t)(next - s->dawg->nodes) : 0;
            child->word_lengths = (node->accepts & bit) != 0;
            child->parent = parent;
            child->first_child = child->children_end = 0;
            child->leave = (uint16_t)without_one(prefix.leave, fit);
            child->letter = (uint8_t)letter;
            memcpy(child->laid, prefix.laid, sizeof prefix.laid);
            child->laid[length] = (uint8_t)(is_blank ? letter | BLANK_FLAG : letter);
        }
    }
    table->items[parent].children_end = (uint32_t)table->count;
    return NO;
}

Status find_prefixes(Search *s)
{
    const DawgNode *root = &s->dawg->nodes[s->dawg->root];
    PrefixTable *table = s->prefixes;
    Prefix *empty = new_prefix(table);

    if (!empty) return NO_MEMORY;
    memset(empty, 0, sizeof *empty);
    empty->continuations = root->children | root->accepts;
    empty->node = s->dawg->root;
    empty->leave = (uint16_t)s->hand;
    table->begin[0] = 0;
    table->begin[1] = 1;
    for (int length = 0; length < s->tile_count; length++) {
        for (uint32_t i = table->begin[length]; i < table->begin[length + 1]; i++)
            if (lengthen(s, table, i, length) < 0) return NO_MEMORY;
        table->begin[length + 2] = (uint32_t)table->count;
    }
    for (size_t i = table->count; i-- > 1;)
        table->items[table->items[i].parent].word_lengths |= table->items[i].word_lengths << 1;
    return NO;
}

Status index_prefixes(Search *s, int letter)
{
    PrefixTable *table = s->prefixes;
    uint32_t *begin = table->index_begin[letter];
    size_t count = table->index_count;

    if (table->index_capacity - count < table->count) {
        const size_t capacity = 2 * (count + table->count);
        uint32_t *index = realloc(table->index, capacity * sizeof *index);
        if (!index) return NO_MEMORY;
        table->index = index;
        table->index_capacity = capacity;
    }
    for (int length = 0; length <= s->tile_count; length++) {
        begin[length] = (uint32_t)count;
        for (uint32_t i = table->begin[length]; i < table->begin[length + 1]; i++) {
            table->index[count] = i; /* without a branch, which would often be mispredicted */
            count += table->items[i].continuations >> letter & 1;
        }
    }
    begin[s->tile_count + 1] = (uint32_t)count;
    table->index_count = count;
    table->indexed |= (Mask)1 << letter;
    return NO;
}

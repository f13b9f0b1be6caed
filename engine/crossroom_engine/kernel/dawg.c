/* Word lists: the columns of an automaton, turned into nodes. */

#include "kernel.h"

#include <stdlib.h>

Status dawg_build(Dawg *dawg, int letters, size_t states, size_t children, const Mask *child_masks,
                  const Mask *accept_masks, const uint32_t *bases, const uint32_t *to)
{
    const Mask alphabet = ((Mask)1 << letters) - 1;
    const uint32_t all_lengths = ((uint32_t)2 << MAX_SIDE) - 1;
    uint32_t *lengths = calloc(states, sizeof *lengths);
    DawgNode *nodes = calloc(children + 1, sizeof *nodes);
    Status status = NO_MEMORY;

    if (!lengths || !nodes) goto done;
    status = NO;
    /* Children have greater numbers than their parents, so go backwards. */
    for (size_t state = states; state-- > 0;) {
        const size_t kids = (size_t)count_bits(child_masks[state]);
        if ((child_masks[state] | accept_masks[state]) & ~alphabet) goto done;
        if (bases[state] > children || kids > children - bases[state]) goto done;
        lengths[state] = accept_masks[state] ? 2 : 0;
        for (size_t kid = 0; kid < kids; kid++) {
            const uint32_t next = to[bases[state] + kid];
            if (next <= state || next >= states) goto done;
            lengths[state] |= lengths[next] << 1 & all_lengths;
        }
    }
    for (size_t i = 0; i <= children; i++) {
        const uint32_t state = i < children ? to[i] : 0;
        if (state >= states) goto done;
        nodes[i].children = child_masks[state];
        nodes[i].accepts = accept_masks[state];
        nodes[i].first_child = bases[state];
        nodes[i].suffix_lengths = lengths[state];
    }
    dawg->letters = letters;
    dawg->root = (uint32_t)children;
    dawg->nodes = nodes;
    nodes = NULL;
    status = YES;
done:
    free(lengths);
    free(nodes);
    return status;
}

/* Word lists, rules and positions of all kinds, within the documented limits and at them. */

#include "fuzz.h"

#include <stdlib.h>

uint32_t roll(World *world, uint32_t end)
{
    uint64_t z = world->random += 0x9E3779B97F4A7C15u; /* SplitMix64 */
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(((z ^ z >> 31) >> 32) * end >> 32);
}

/* Return a number in a range, more often a small one. */
static int small(World *world, int low, int high)
{
    const uint32_t end = roll(world, (uint32_t)(high - low + 1)) + 1;
    return low + (int)roll(world, roll(world, end) + 1);
}

static Mask any_mask(World *world) { return (Mask)roll(world, ~0u) << 32 | roll(world, ~0u); }

uint8_t any_letter(World *world)
{
    if (roll(world, 16)) return world->pool[roll(world, (uint32_t)world->pool_size)];
    return (uint8_t)roll(world, BLANK);
}

/* Word lists */

enum { MAX_WORDS = 60 };

typedef struct {
    uint8_t letters[MAX_SIDE + 1]; /* each and 1, then 0 */
} Word;

static int compare_words(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(Word));
}

/* Make a trie of words, breadth first: so children have greater numbers, side by side. */
static void make_trie(World *world)
{
    Word words[MAX_WORDS];
    struct {
        int first, end, depth;
    } ranges[MAX_STATES];
    const int count = 1 + (int)roll(world, MAX_WORDS);

    memset(words, 0, sizeof words);
    for (int number = 0; number < count; number++) {
        const int length = roll(world, 30) ? small(world, 1, 8) : MAX_SIDE;
        for (int at = 0; at < length; at++)
            words[number].letters[at] = 1 + world->pool[roll(world, (uint32_t)world->pool_size)];
    }
    qsort(words, (size_t)count, sizeof *words, compare_words);
    world->states = 1;
    ranges[0].first = ranges[0].depth = 0;
    ranges[0].end = count;
    for (size_t state = 0; state < world->states; state++) {
        const int end = ranges[state].end, depth = ranges[state].depth;
        world->bases[state] = (uint32_t)world->children;
        for (int first = ranges[state].first, next; first < end; first = next) {
            const int letter = words[first].letters[depth];
            int longer = first;
            next = first;
            while (next < end && words[next].letters[depth] == letter) next++;
            while (longer < next && !words[longer].letters[depth + 1]) longer++;
            if (longer > first) world->accept_masks[state] |= (Mask)1 << (letter - 1);
            if (longer == next || world->states == MAX_STATES) continue;
            world->child_masks[state] |= (Mask)1 << (letter - 1);
            ranges[world->states].first = longer;
            ranges[world->states].end = next;
            ranges[world->states].depth = depth + 1;
            world->to[world->children++] = (uint32_t)world->states++;
        }
    }
}

/* Make a graph of states that lead anywhere further on. */
static void make_net(World *world)
{
    const Mask alphabet = ((Mask)1 << world->letters) - 1;
    const uint32_t thin = roll(world, 4);

    world->states = (size_t)small(world, 1, 60);
    for (size_t state = 0; state < world->states; state++) {
        const uint32_t later = (uint32_t)(world->states - 1 - state);
        Mask follow = any_mask(world) & alphabet, ends = any_mask(world) & alphabet;
        for (uint32_t times = 0; times < thin; times++) {
            follow &= any_mask(world);
            ends &= any_mask(world);
        }
        if (!later || world->children + MAX_LETTERS > MAX_CHILDREN) follow = 0;
        world->child_masks[state] = follow;
        world->accept_masks[state] = ends;
        world->bases[state] = (uint32_t)world->children;
        for (int kid = 0; kid < count_bits(follow); kid++)
            world->to[world->children++] = (uint32_t)state + 1 + roll(world, later);
    }
}

/* Return a number that is at or near some limit, right or wrong. */
static uint32_t wrong(World *world)
{
    const uint32_t near[] = {0, 1, (uint32_t)world->states, (uint32_t)world->children, ~0u};
    return near[roll(world, 5)] + roll(world, 3) - roll(world, 3);
}

static void spoil(World *world)
{
    const uint32_t state = roll(world, (uint32_t)world->states);

    switch (roll(world, 7)) {
    case 0: world->child_masks[state] ^= (Mask)1 << roll(world, 64); break;
    case 1: world->accept_masks[state] ^= (Mask)1 << roll(world, 64); break;
    case 2: world->bases[state] = wrong(world); break;
    case 3: world->bases[state] = roll(world, (uint32_t)world->children + 2); break;
    case 4:
        if (world->children) world->to[roll(world, (uint32_t)world->children)] = wrong(world);
        break;
    case 5:
        if (world->children)
            world->to[roll(world, (uint32_t)world->children)] =
                roll(world, (uint32_t)world->states);
        break;
    default: /* the last ones are missing */
        if (roll(world, 2))
            world->states -= roll(world, (uint32_t)world->states);
        else
            world->children -= roll(world, (uint32_t)world->children + 1);
    }
}

/* Count the paths through a word list that the kernel has accepted. */
static double count_paths(const World *world)
{
    double paths[MAX_STATES];

    for (size_t state = world->states; state-- > 0;) {
        const size_t kids = (size_t)count_bits(world->child_masks[state]);
        paths[state] = 1 + count_bits(world->accept_masks[state]);
        for (size_t kid = 0; kid < kids; kid++)
            paths[state] += paths[world->to[world->bases[state] + kid]];
    }
    return paths[0];
}

/* Copy a column to memory of just its size, so that reading past its end is caught. */
static void *copy(const void *column, size_t count, size_t item)
{
    void *made = malloc(count * item);
    if (!made) abort();
    return memcpy(made, column, count * item);
}

static Status build(World *world)
{
    Mask *child_masks = copy(world->child_masks, world->states, sizeof(Mask));
    Mask *accept_masks = copy(world->accept_masks, world->states, sizeof(Mask));
    uint32_t *bases = copy(world->bases, world->states, sizeof(uint32_t));
    uint32_t *to = copy(world->to, world->children, sizeof(uint32_t));
    const int is_starved = !roll(world, 50);
    Status status;

    if (is_starved) starve((long)roll(world, 2));
    status = dawg_build(&world->dawg, world->letters, world->states, world->children, child_masks,
                        accept_masks, bases, to);
    starve(-1);
    if (status == NO_MEMORY && !is_starved) fail(world, "no memory");
    free(child_masks);
    free(accept_masks);
    free(bases);
    free(to);
    return status;
}

/* Rules */

static void make_rules(World *world)
{
    Rules *rules = &world->rules;
    const Mask alphabet = ((Mask)1 << world->letters) - 1;
    const uint32_t kind = roll(world, 4);
    int squares;

    memset(rules, 0, sizeof *rules);
    rules->width = roll(world, 40) ? small(world, 1, MAX_SIDE) : MAX_SIDE;
    rules->height = roll(world, 40) ? small(world, 1, MAX_SIDE) : MAX_SIDE;
    squares = rules->width * rules->height;
    rules->start = (int)roll(world, (uint32_t)squares);
    rules->rack_size = 1 + (int)roll(world, MAX_RACK);
    rules->bingo_bonus = roll(world, 8) ? (int32_t)roll(world, 60) : MAX_TILE_POINTS;
    rules->blank_letters = roll(world, 3) ? alphabet : any_mask(world) & alphabet;
    for (int square = 0; square < squares; square++) {
        uint8_t *letter = &rules->letter_premiums[square], *word = &rules->word_premiums[square];
        *letter = kind ? 1 + (kind > 1 && !roll(world, 3) ? (uint8_t)roll(world, 4) : 0) : 4;
        *word = kind ? 1 + (kind > 1 && !roll(world, 3) ? (uint8_t)roll(world, 4) : 0) : 4;
    }
    for (int tile = 0; tile < BLANK; tile++)
        rules->points[tile] = roll(world, 8) ? (int32_t)roll(world, 12) : MAX_TILE_POINTS;
}

static int32_t any_worth(World *world)
{
    switch (roll(world, 8)) {
    case 0: return MAX_LEAVE_VALUE;
    case 1: return -MAX_LEAVE_VALUE;
    default: return (int32_t)roll(world, 40000) - 20000;
    }
}

static void make_leaves(World *world)
{
    Leaves *leaves = &world->leaves;

    memset(leaves, 0, sizeof *leaves);
    if (!roll(world, 4)) return;
    leaves->empty = any_worth(world);
    for (int one = 0; one < TILE_NUMBERS; one++) {
        leaves->tiles[one] = any_worth(world);
        for (int pair = 0; pair < 8; pair++) {
            const uint32_t other = roll(world, TILE_NUMBERS);
            leaves->pairs[one][other] = leaves->pairs[other][one] = any_worth(world);
        }
    }
}

Status make_world(World *world, uint64_t seed)
{
    static const int EDGES[] = {1, 2, 31, 32, 33, 61, MAX_LETTERS};
    Status status;

    memset(world, 0, sizeof *world);
    world->seed = world->random = seed;
    world->letters = roll(world, 2) ? EDGES[roll(world, 7)] : 1 + (int)roll(world, MAX_LETTERS);
    world->pool_size = small(world, 1, 8);
    for (int place = 0; place < world->pool_size; place++)
        world->pool[place] = (uint8_t)roll(world, (uint32_t)world->letters);
    if (roll(world, 3))
        make_trie(world);
    else
        make_net(world);
    if (roll(world, 3) == 0)
        for (uint32_t times = 1 + roll(world, 3); times; times--) spoil(world);
    status = build(world);
    if (status != YES) return NO;
    if (count_paths(world) > MANY_PATHS) {
        free(world->dawg.nodes);
        return NO;
    }
    make_rules(world);
    make_leaves(world);
    return YES;
}

/* Positions */

static uint8_t any_tile(World *world)
{
    const uint8_t letter = any_letter(world);
    return roll(world, 6) ? letter : letter | BLANK_FLAG;
}

/* Lay a path through the word list from some square on, whatever lies there. */
static void lay_word(World *world, Position *position)
{
    const int width = world->rules.width, step = roll(world, 2) ? 1 : width;
    int square = (int)roll(world, (uint32_t)(width * world->rules.height));
    size_t state = 0;

    for (;;) {
        const Mask follow = world->child_masks[state];
        Mask rest = follow | world->accept_masks[state], bit;
        if (!rest) return;
        for (uint32_t skip = roll(world, (uint32_t)count_bits(rest)); skip; skip--)
            rest &= rest - 1;
        bit = rest & (0 - rest);
        position->board[square] = (uint8_t)(lowest_bit(bit) | (roll(world, 8) ? 0 : BLANK_FLAG));
        square += step;
        if (step == 1 ? square % width == 0 : square >= width * world->rules.height) return;
        if (!(follow & bit) || (world->accept_masks[state] & bit && roll(world, 2))) return;
        state = world->to[world->bases[state] + (uint32_t)count_bits(follow & (bit - 1))];
    }
}

static void make_rack(World *world, Position *position)
{
    const uint32_t blanks = roll(world, 20) ? roll(world, 12) : 1; /* 1 of so many; 0: none */

    position->tile_count = roll(world, 3) ? small(world, 0, MAX_RACK) : (int)roll(world, 10);
    for (int place = 0; place < position->tile_count; place++)
        position->rack[place] = blanks && !roll(world, blanks) ? BLANK : any_letter(world);
}

void make_position(World *world, Position *position)
{
    const int squares = world->rules.width * world->rules.height;

    memset(position, 0, sizeof *position);
    memset(position->board, EMPTY, sizeof position->board);
    for (uint32_t words = roll(world, 7); words; words--) lay_word(world, position);
    switch (roll(world, 16)) {
    case 0: /* tiles anywhere */
        for (int square = 0; square < squares; square++)
            if (!roll(world, 4)) position->board[square] = any_tile(world);
        break;
    case 1: /* hardly a hole */
        for (int square = 0; square < squares; square++)
            if (roll(world, 16)) position->board[square] = any_tile(world);
        break;
    default: break;
    }
    make_rack(world, position);
    if (!roll(world, 12)) {
        const int32_t least[] = {1, 2, MAX_RACK, INT32_MAX, -1, INT32_MIN};
        position->min_blanks = least[roll(world, 6)];
    }
}

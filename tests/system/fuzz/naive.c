/* The rules of the game once more, by the letter and without haste, to judge the kernel by. Words
   are looked up in the columns, not in the kernel's nodes. */

#include "fuzz.h"

typedef struct {
    const World *world;
    const Position *position;
    const Play *plays, *end; /* found, not yet come up */
    Play play;
    int laid;
} Enumeration;

/* The board as it is after a play. */
typedef struct {
    uint8_t on[MAX_SQUARES]; /* what lies there, or is laid */
    uint8_t is_new[MAX_SQUARES];
} Squares;

/* Follow a letter. Return the next state, or -1; and set whether the letter completes a word. */
static int64_t step(const World *world, int64_t state, int letter, int *is_word)
{
    const Mask bit = (Mask)1 << letter, follow = world->child_masks[state];

    *is_word = (world->accept_masks[state] & bit) != 0;
    if (!(follow & bit)) return -1;
    return world->to[world->bases[state] + (uint32_t)count_bits(follow & (bit - 1))];
}

/* Score a word on the squares that it covers. Return -1 if it is no word. */
static Points score(const World *world, const Squares *squares, int down, int line, int first,
                    int end)
{
    const Rules *rules = &world->rules;
    Points sum = 0, times = 1;
    int64_t state = 0;
    int is_word = 0;

    for (int at = first; at < end; at++) {
        const int square = square_at(rules, down, line, at), what = squares->on[square];
        Points points = what & BLANK_FLAG ? 0 : rules->points[what];
        if (state < 0) return -1;
        state = step(world, state, what & ~BLANK_FLAG, &is_word);
        if (squares->is_new[square]) {
            points *= rules->letter_premiums[square];
            times *= rules->word_premiums[square];
        }
        sum += points;
    }
    return is_word ? sum * times : -1;
}

/* Score the word across a square of the play. Return 0 if there is none, -1 if it is no word. */
static Points score_cross(const World *world, const Squares *squares, int down, int line, int at,
                          int *is_crossed)
{
    const Rules *rules = &world->rules;
    const int length = down ? rules->width : rules->height;
    int first = line, end = line + 1;

    while (first && squares->on[square_at(rules, !down, at, first - 1)] != EMPTY) first--;
    while (end < length && squares->on[square_at(rules, !down, at, end)] != EMPTY) end++;
    *is_crossed = end - first > 1;
    return *is_crossed ? score(world, squares, !down, at, first, end) : 0;
}

/* Take a tile out of a hand. Return whether it was there. */
static int use(const World *world, const Position *position, int what, unsigned *held)
{
    const int letter = what & ~BLANK_FLAG, tile = what & BLANK_FLAG ? BLANK : letter;

    if (letter >= BLANK) return 0;
    if (what & BLANK_FLAG && !(world->rules.blank_letters >> letter & 1)) return 0;
    for (int place = 0; place < position->tile_count; place++) {
        if (!(*held >> place & 1) || position->rack[place] != tile) continue;
        *held &= ~(1u << place);
        return 1;
    }
    return 0;
}

/* List the tiles of a hand, sorted. */
static void sort_kept(const Position *position, unsigned held, uint8_t *kept)
{
    int count[TILE_NUMBERS] = {0};

    for (int place = 0; place < position->tile_count; place++)
        if (held >> place & 1) count[position->rack[place]]++;
    memset(kept, EMPTY, MAX_RACK);
    for (int tile = 0; tile < TILE_NUMBERS; tile++)
        while (count[tile]--) *kept++ = (uint8_t)tile;
}

/* Lay the tiles. Return their number; or -1 if they are not on the rack, or lead off the board. */
static int lay(const World *world, const Position *position, const Play *play, Squares *squares,
               unsigned *held)
{
    const Rules *rules = &world->rules;
    const int lines = play->down ? rules->width : rules->height;
    const int length = play->down ? rules->height : rules->width;
    int laid = 0;

    if (play->line >= lines || play->end > length || play->end < play->first + 2) return -1;
    memcpy(squares->on, position->board, sizeof squares->on);
    memset(squares->is_new, 0, sizeof squares->is_new);
    for (int at = play->first; at < play->end; at++) {
        const int square = square_at(rules, play->down, play->line, at);
        if (position->board[square] != EMPTY) continue;
        if (laid == MAX_RACK || !use(world, position, play->laid[laid], held)) return -1;
        squares->on[square] = play->laid[laid++];
        squares->is_new[square] = 1;
    }
    if (play->first &&
        squares->on[square_at(rules, play->down, play->line, play->first - 1)] != EMPTY)
        return -1;
    if (play->end < length &&
        squares->on[square_at(rules, play->down, play->line, play->end)] != EMPTY)
        return -1;
    return laid;
}

static int is_empty(const World *world, const Position *position)
{
    for (int square = 0; square < world->rules.width * world->rules.height; square++)
        if (position->board[square] != EMPTY) return 0;
    return 1;
}

Points judge(const World *world, const Position *position, const Play *play)
{
    const Rules *rules = &world->rules;
    unsigned held = (1u << position->tile_count) - 1;
    uint8_t kept[MAX_RACK], left[MAX_RACK];
    int crossed = 0, blanks = 0, is_on_start = 0;
    Squares squares;
    const int laid = lay(world, position, play, &squares, &held);
    Points points;

    if (laid < 1) return -1;
    points = score(world, &squares, play->down, play->line, play->first, play->end);
    if (points < 0) return -1;
    for (int at = play->first; at < play->end; at++) {
        const int square = square_at(rules, play->down, play->line, at);
        int is_crossed;
        Points cross;
        is_on_start |= square == rules->start;
        if (!squares.is_new[square]) continue;
        cross = score_cross(world, &squares, play->down, play->line, at, &is_crossed);
        if (cross < 0) return -1;
        points += cross;
        crossed += is_crossed;
    }
    for (int place = 0; place < laid; place++) blanks += play->laid[place] >= BLANK_FLAG;
    if (is_empty(world, position) ? !is_on_start : !crossed && laid == play->end - play->first)
        return -1;
    if (play->down && laid == 1 && crossed) return -1; /* it is a play across */
    if (blanks < position->min_blanks) return -1;
    sort_kept(position, held, kept);
    sort_kept(position, play->leave, left);
    if (play->leave >> position->tile_count || memcmp(kept, left, sizeof kept)) return -1;
    return points + (laid == rules->rack_size ? rules->bingo_bonus : 0);
}

/* Try a word. They come in the order of plays: the next legal one is the next that was found. */
static void try_word(Enumeration *tried)
{
    const World *world = tried->world;
    const Position *position = tried->position;
    unsigned held = (1u << position->tile_count) - 1;
    Points points;

    for (int place = 0; place < tried->laid; place++)
        if (!use(world, position, tried->play.laid[place], &held)) return;
    tried->play.leave = (uint16_t)held;
    points = judge(world, position, &tried->play);
    if (points < 0) return;
    if (tried->plays == tried->end || precedes(&tried->play, tried->plays))
        fail(world, "a play was not found");
    if (tried->plays->points != points) fail(world, "a play has other points");
    tried->plays++;
}

/* Try everything that may be laid from a square on; `state` is where the word has led. */
static void try_squares(Enumeration *tried, int at, int64_t state)
{
    const World *world = tried->world;
    Play *play = &tried->play;
    const int square = square_at(&world->rules, play->down, play->line, at);
    const int lying = tried->position->board[square];

    for (int what = 0; what < BLANK_FLAG + BLANK; what++) {
        int is_word;
        int64_t next;
        if (what == BLANK) what = BLANK_FLAG;
        if (lying != EMPTY && what != lying) continue;
        next = step(world, state, what & ~BLANK_FLAG, &is_word);
        if (next < 0 && !is_word) continue;
        if (lying == EMPTY) {
            if (tried->laid == tried->position->tile_count) return;
            play->laid[tried->laid++] = (uint8_t)what;
        }
        if (at + 1 == play->end && is_word) try_word(tried);
        if (at + 1 < play->end && next >= 0) try_squares(tried, at + 1, next);
        if (lying == EMPTY) play->laid[--tried->laid] = 0;
    }
}

void compare_all(const World *world, const Position *position, const Play *plays, size_t count)
{
    const Rules *rules = &world->rules;
    Enumeration tried = {
        .world = world, .position = position, .plays = plays, .end = plays + count};

    for (int down = 0; down < 2; down++) {
        const int lines = down ? rules->width : rules->height;
        const int length = down ? rules->height : rules->width;
        for (int line = 0; line < lines; line++) {
            for (int first = 0; first < length; first++) {
                for (int end = first + 2; end <= length; end++) {
                    tried.play.down = (uint8_t)down;
                    tried.play.line = (uint8_t)line;
                    tried.play.first = (uint8_t)first;
                    tried.play.end = (uint8_t)end;
                    try_squares(&tried, first, 0);
                }
            }
        }
    }
    if (tried.plays != tried.end) fail(world, "there is no such play");
}

/* Making plays and finding them, in an endgame.

   Racks change only by the tiles played, so a hand tells what is left of one, and what a hand can
   begin to spell is found once and kept. */

#include "solver.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_KEPT = 24 << 20, /* bytes of beginnings, of all hands together */
    ASK_AFTER = 1 << 17   /* plays and beginnings seen, until it is asked whether time is over */
};

/* Laying */

uint32_t lay(Solver *e, int side, const Play *play)
{
    uint32_t laid = 0;
    int tile = 0;

    for (int at = play->first; at < play->end; at++) {
        const int square = square_of(e, play, at);
        if (e->board[square] != EMPTY) continue;
        e->board[square] = play->laid[tile++];
        e->key ^= mix((uint64_t)(square << 8 | e->board[square]) + 1);
        laid |= (uint32_t)1 << at;
    }
    e->held[side] = play->held;
    return laid;
}

void take_back(Solver *e, int side, const Play *play, uint32_t laid, unsigned held)
{
    for (; laid; laid &= laid - 1) {
        const int square = square_of(e, play, lowest(laid));
        e->key ^= mix((uint64_t)(square << 8 | e->board[square]) + 1);
        e->board[square] = EMPTY;
    }
    e->held[side] = held;
}

/* Plays */

void load_spelling(Search *s, const Spelling *from)
{
    s->beginnings = from->beginnings;
    s->beginnings_count = from->beginnings_count;
    s->beginnings_room = from->beginnings_room;
    s->index = from->index;
    s->index_count = from->index_count;
    s->index_room = from->index_room;
    s->indexed = from->indexed;
    memcpy(s->begin, from->begin, sizeof s->begin);
    memcpy(s->index_begin, from->index_begin, sizeof s->index_begin);
}

void store_spelling(const Search *s, Spelling *to)
{
    to->beginnings = s->beginnings;
    to->beginnings_count = s->beginnings_count;
    to->beginnings_room = s->beginnings_room;
    to->index = s->index;
    to->index_count = s->index_count;
    to->index_room = s->index_room;
    to->indexed = s->indexed;
    memcpy(to->begin, s->begin, sizeof s->begin);
    memcpy(to->index_begin, s->index_begin, sizeof s->index_begin);
}

static size_t size_of(const Spelling *one)
{
    return sizeof *one + one->beginnings_room * sizeof *one->beginnings +
           one->index_room * sizeof *one->index;
}

void drop_spelling(Spelling *one)
{
    if (!one) return;
    free(one->beginnings);
    free(one->index);
    free(one);
}

static void ask(Solver *e)
{
    e->work += 100 + e->search->plays_count + e->search->beginnings_count;
    if (e->work < ASK_AFTER) return;
    e->work = 0;
    if (!e->stop && e->endgame->is_over(e->endgame->asker)) e->stop = YES;
}

static Answer search_hand(Solver *e, int side)
{
    Search *s = e->search;
    const Rules *rules = s->rules;
    Part parts[MOST_PARTS];

    set_rack(s, e->endgame->racks[side], e->endgame->tiles[side]);
    s->hand = e->held[side];
    s->tiles = count_bits(s->hand);
    s->least_blanks = 0;
    s->question = ALL;
    s->plays_count = 0;
    set_board(s, e->board);
    for (int down = 0; down < 2; down++) {
        for (int number = 0; number < (down ? rules->width : rules->height); number++) {
            int count;
            set_line(s, down, number);
            count = find_parts(s, down, number, parts);
            for (int part = 0; part < count; part++)
                if (search_part(s, &parts[part]) < 0) return NO_MEMORY;
        }
    }
    return YES;
}

Points estimate(const Solver *e, int side, const Play *play)
{
    const Points *left = e->left[side];
    return play->points + (play->held ? -left[play->held] : e->left[!side][e->held[!side]]);
}

Answer find_plays(Solver *e, int side)
{
    Search *s = e->search;
    Spelling **spelling = &e->spellings[side][e->held[side]];
    Answer answer;

    if (*spelling)
        e->kept -= size_of(*spelling);
    else if (!(*spelling = calloc(1, sizeof **spelling)))
        return NO_MEMORY;
    load_spelling(s, *spelling);
    answer = search_hand(e, side);
    store_spelling(s, *spelling);
    e->kept += size_of(*spelling);
    ask(e);
    if (e->kept > MOST_KEPT) {
        e->kept -= size_of(*spelling);
        drop_spelling(*spelling);
        *spelling = NULL;
    }
    for (size_t place = 0; place < s->plays_count; place++)
        s->plays[place].value = estimate(e, side, &s->plays[place]);
    return answer;
}

static const Play *best_looking(const Search *s)
{
    const Play *best = NULL;
    for (size_t place = 0; place < s->plays_count; place++)
        if (!best || s->plays[place].value > best->value) best = &s->plays[place];
    return best;
}

Points settle_passed(const Solver *e, int side)
{
    return (e->left[!side][e->held[!side]] - e->left[side][e->held[side]]) / 2;
}

Points play_out(Solver *e, int side, int passes, Way *way)
{
    const uint64_t key = e->key;
    const unsigned held[2] = {e->held[0], e->held[1]};
    const int mover = side;
    uint8_t board[SQUARES];
    Points value = 0, sign = 1;
    static const Play PASS;

    memcpy(board, e->board, sizeof board);
    way->count = 0;
    for (; passes < 2 && e->held[!side]; side = !side, sign = -sign) {
        const Play *play;
        if (find_plays(e, side) < 0) {
            e->stop = NO_MEMORY;
            break;
        }
        play = best_looking(e->search);
        way->plays[way->count++] = play ? *play : PASS;
        passes = play ? 0 : passes + 1;
        if (!play) continue;
        lay(e, side, play);
        value += sign * play->points;
    }
    if (passes == 2)
        value += settle_passed(e, mover);
    else if (e->held[mover])
        value -= e->left[mover][e->held[mover]];
    else
        value += e->left[!mover][e->held[!mover]];
    memcpy(e->board, board, sizeof board);
    e->key = key;
    e->held[0] = held[0];
    e->held[1] = held[1];
    return value;
}

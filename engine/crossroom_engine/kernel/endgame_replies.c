/* What the other could do if it were its turn.

   A reply stays as it is, points and all, unless a tile comes to lie on its squares or right beside
   one of its words. So if there is a reply that goes out, most plays have an upper bound that costs
   next to nothing; and of the best reply that is left, their order can be told. */

#include "solver.h"

#include <string.h>

static void add_square(Reply *reply, int square)
{
    reply->near[square / 64] |= (uint64_t)1 << square % 64;
}

/* Add the first empty square from `square` on, which is at `at` of a line of `length`. */
static void add_end(const Solver *e, Reply *reply, int square, int at, int length, int step,
                    int direction)
{
    while (at >= 0 && at < length && e->board[square] != EMPTY) {
        at += direction;
        square += direction * step;
    }
    if (at >= 0 && at < length) add_square(reply, square);
}

static void set_near(const Solver *e, Reply *reply, const Play *play)
{
    const Rules *rules = e->search->rules;
    const int along = play->down ? rules->width : 1, athwart = play->down ? 1 : rules->width;
    const int length = play->down ? rules->height : rules->width;
    const int lines = play->down ? rules->width : rules->height;

    memset(reply->near, 0, sizeof reply->near);
    for (int at = play->first; at < play->end; at++) {
        const int square = square_of(e, play, at);
        if (e->board[square] != EMPTY) continue;
        add_square(reply, square);
        add_end(e, reply, square - athwart, play->line - 1, lines, athwart, -1);
        add_end(e, reply, square + athwart, play->line + 1, lines, athwart, 1);
    }
    if (play->first) add_square(reply, square_of(e, play, play->first) - along);
    if (play->end < length) add_square(reply, square_of(e, play, play->first) +
                                                  (play->end - play->first) * along);
}

static void add_reply(const Solver *e, Replies *replies, const Play *play, Points value)
{
    Reply *list = replies->replies;
    int at = replies->count;

    if (at == MOST_REPLIES && value <= list[at - 1].value) return;
    if (at == MOST_REPLIES)
        at--;
    else
        replies->count++;
    for (; at && list[at - 1].value < value; at--) list[at] = list[at - 1];
    list[at].value = value;
    set_near(e, &list[at], play);
}

Answer find_threats(Solver *e, int side, Threats *threats)
{
    threats->all.count = threats->out.count = 0;
    if (find_plays(e, side) < 0) return NO_MEMORY;
    for (size_t place = 0; place < e->search->plays_count; place++) {
        const Play *play = &e->search->plays[place];
        add_reply(e, &threats->all, play, play->value);
        if (!play->held) add_reply(e, &threats->out, play, play->points);
    }
    return YES;
}

const Reply *left_by(const Solver *e, const Replies *replies, const Play *play)
{
    int squares[MOST_TILES], count = 0;

    for (int at = play->first; at < play->end; at++) {
        const int square = square_of(e, play, at);
        if (e->board[square] == EMPTY) squares[count++] = square;
    }
    for (int place = 0; place < replies->count; place++) {
        const Reply *reply = &replies->replies[place];
        uint64_t is_near = 0;
        for (int tile = 0; tile < count; tile++)
            is_near |= reply->near[squares[tile] / 64] >> squares[tile] % 64 & 1;
        if (!is_near) return reply;
    }
    return NULL;
}

/* Threats: what the other side could play if it were its turn.

   A reply keeps its points unless a tile is laid on its squares or right beside one of its words.
   So a reply that goes out gives most plays an upper bound that costs next to nothing; and the
   best remaining reply tells in which order to try plays. */

#include "solver.h"

static void add_square(Reply *reply, int square)
{
    reply->neighbourhood[square / 64] |= (uint64_t)1 << square % 64;
}

/* Add the first empty square of a line from `at` on, in steps of 1 or -1. */
static void add_end(const Solver *solver, Reply *reply, int down, int line, int at, int step)
{
    const Rules *rules = solver->search->rules;

    while (at >= 0 && solver->search->lines[down][line].occupied >> at & 1) at += step;
    if (at >= 0 && at < line_length(rules, down))
        add_square(reply, square_at(rules, down, line, at));
}

/* Find the neighbourhood of a play that was just generated: the Search has its board. */
static void set_neighbourhood(const Solver *solver, Reply *reply, const Play *play)
{
    const Rules *rules = solver->search->rules;
    const int down = play->down, line = play->line;

    memset(reply->neighbourhood, 0, sizeof reply->neighbourhood);
    for (int at = play->first; at < play->end; at++) {
        const int square = square_at(rules, down, line, at);
        if (solver->board[square] != EMPTY) continue;
        add_square(reply, square);
        add_end(solver, reply, !down, at, line - 1, -1);
        add_end(solver, reply, !down, at, line + 1, 1);
    }
    add_end(solver, reply, down, line, play->first - 1, -1);
    add_end(solver, reply, down, line, play->end, 1);
}

static void add_reply(const Solver *solver, Replies *replies, const Play *play, Points value)
{
    Reply *list = replies->replies;
    int at = replies->count;

    if (at == MAX_REPLIES && value <= list[at - 1].value) return;
    if (at == MAX_REPLIES)
        at--;
    else
        replies->count++;
    for (; at && list[at - 1].value < value; at--) list[at] = list[at - 1];
    list[at].value = value;
    set_neighbourhood(solver, &list[at], play);
}

void find_threats(Solver *solver, int side, Threats *threats)
{
    threats->all.count = threats->out.count = 0;
    generate_plays(solver, side);
    for (size_t i = 0; i < solver->search->plays_count; i++) {
        const Play *play = &solver->search->plays[i];
        add_reply(solver, &threats->all, play, play->value);
        if (!play->leave) add_reply(solver, &threats->out, play, play->points);
    }
}

const Reply *best_unaffected(const Solver *solver, const Replies *replies, const Play *play)
{
    int squares[MAX_RACK], count = 0;

    for (int at = play->first; at < play->end; at++) {
        const int square = square_at(solver->search->rules, play->down, play->line, at);
        if (solver->board[square] == EMPTY) squares[count++] = square;
    }
    for (const Reply *reply = replies->replies; reply < replies->replies + replies->count;
         reply++) {
        uint64_t is_near = 0;
        for (int i = 0; i < count; i++)
            is_near |= reply->neighbourhood[squares[i] / 64] >> squares[i] % 64 & 1;
        if (!is_near) return reply;
    }
    return NULL;
}

/* Making, unmaking and generating plays in an endgame.

   Nobody draws tiles, so a hand tells what is left of a rack, and the prefixes of a hand are found
   once and kept. */

#include "solver.h"

#include <stdlib.h>

enum {
    MAX_PREFIX_BYTES = 24 << 20, /* of all hands together */
    CHECK_TIME_AFTER = 1 << 17   /* plays and prefixes generated */
};

/* Making plays */

/* Add a tile to the board's hash, or take it away. The hash is the exclusive or of one number per
   tile, after A. L. Zobrist, A New Hashing Method with Application for Game Playing (1970). */
static void hash_square(Solver *solver, int square)
{
    solver->board_hash ^= mix64((uint64_t)(square << 8 | solver->board[square]) + 1);
}

uint32_t make_play(Solver *solver, int side, const Play *play)
{
    const uint8_t *tile = play->laid;
    uint32_t laid = 0;

    for (int at = play->first; at < play->end; at++) {
        const int square = square_at(solver->search->rules, play->down, play->line, at);
        if (solver->board[square] != EMPTY) continue;
        solver->board[square] = *tile++;
        hash_square(solver, square);
        laid |= (uint32_t)1 << at;
    }
    solver->hands[side] = play->leave;
    return laid;
}

void unmake_play(Solver *solver, int side, const Play *play, uint32_t laid, unsigned hand)
{
    for (; laid; laid &= laid - 1) {
        const int at = lowest_bit(laid);
        const int square = square_at(solver->search->rules, play->down, play->line, at);
        hash_square(solver, square);
        solver->board[square] = EMPTY;
    }
    solver->hands[side] = hand;
}

/* Generating plays */

static size_t size_of(const PrefixTable *table)
{
    return sizeof *table + table->capacity * sizeof *table->items +
           table->index_capacity * sizeof *table->index;
}

void free_prefixes(PrefixTable *table)
{
    if (!table) return;
    free(table->items);
    free(table->index);
    free(table);
}

static void check_time(Solver *solver)
{
    const Endgame *endgame = solver->endgame;

    solver->work += 100 + solver->search->plays_count + solver->search->prefixes->count;
    if (solver->work < CHECK_TIME_AFTER) return;
    solver->work = 0;
    if (!solver->stop && endgame->is_time_up(endgame->clock)) solver->stop = YES;
}

static Status search_hand(Solver *solver, int side)
{
    Search *s = solver->search;

    set_rack(s, solver->endgame->racks[side], solver->endgame->tile_counts[side]);
    s->hand = solver->hands[side];
    s->tile_count = count_bits(s->hand);
    set_board(s, solver->board);
    for (int down = 0; down < 2; down++) {
        for (int number = 0; number < line_count(s->rules, down); number++) {
            set_line(s, down, number);
            if (search_line(s, down, number, 1) < 0) return NO_MEMORY;
        }
    }
    return YES;
}

Points estimate(const Solver *solver, int side, const Play *play)
{
    if (play->leave) return play->points - solver->leftovers[side][play->leave];
    return play->points + solver->leftovers[!side][solver->hands[!side]];
}

void generate_plays(Solver *solver, int side)
{
    Search *s = solver->search;
    PrefixTable **table = &solver->prefixes[side][solver->hands[side]];

    s->plays_count = 0;
    if (*table)
        solver->prefix_bytes -= size_of(*table);
    else
        *table = calloc(1, sizeof **table);
    s->prefixes = *table;
    if (!*table || search_hand(solver, side) < 0) solver->stop = NO_MEMORY;
    if (!*table) return;
    solver->prefix_bytes += size_of(*table);
    check_time(solver);
    if (solver->prefix_bytes > MAX_PREFIX_BYTES) {
        solver->prefix_bytes -= size_of(*table);
        free_prefixes(*table);
        *table = NULL;
    }
    for (size_t i = 0; i < s->plays_count; i++)
        s->plays[i].value = estimate(solver, side, &s->plays[i]);
}

/* Playing out */

static const Play *best_estimate(const Search *s)
{
    const Play *best = NULL;

    for (size_t i = 0; i < s->plays_count; i++)
        if (!best || s->plays[i].value > best->value) best = &s->plays[i];
    return best;
}

Points value_passed_out(const Solver *solver, int side)
{
    const unsigned *hands = solver->hands;

    return (solver->leftovers[!side][hands[!side]] - solver->leftovers[side][hands[side]]) / 2;
}

Points play_out(Solver *solver, int side, int passes, Variation *pv)
{
    static const Play PASS;
    const uint64_t hash = solver->board_hash;
    const unsigned hands[2] = {solver->hands[0], solver->hands[1]};
    const int mover = side;
    uint8_t board[MAX_SQUARES];
    Points value = 0, sign = 1;

    memcpy(board, solver->board, sizeof board);
    pv->count = 0;
    for (; passes < 2 && solver->hands[!side]; side = !side, sign = -sign) {
        const Play *play;
        generate_plays(solver, side);
        if (solver->stop == NO_MEMORY) break;
        play = best_estimate(solver->search);
        pv->plays[pv->count++] = play ? *play : PASS;
        passes = play ? 0 : passes + 1;
        if (!play) continue;
        make_play(solver, side, play);
        value += sign * play->points;
    }
    if (passes == 2)
        value += value_passed_out(solver, mover);
    else if (solver->hands[mover])
        value -= solver->leftovers[mover][solver->hands[mover]];
    else
        value += solver->leftovers[!mover][solver->hands[!mover]];
    memcpy(solver->board, board, sizeof board);
    solver->board_hash = hash;
    memcpy(solver->hands, hands, sizeof hands);
    return value;
}

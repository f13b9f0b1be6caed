/* A table at which a game is played, by those who look no further than their own next play: one
   turn after the other. match.c plays whole games so, rollout.c goes on with a game so. */

#include "selfplay.h"

#include <string.h>

/* SplitMix64, by S. Vigna, after G. L. Steele, D. Lea and C. H. Flood (2014). */
static uint64_t draw_number(uint64_t *random)
{
    uint64_t z = *random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

void shuffle_bag(Table *table)
{
    for (int end = table->right - table->left; end > 1; end--) {
        const uint64_t high = draw_number(&table->random) >> 32;
        uint8_t *one = &table->bag[table->left + (int)(high * (uint64_t)end >> 32)];
        uint8_t *last = &table->bag[table->left + end - 1];
        const uint8_t tile = *one;
        *one = *last;
        *last = tile;
    }
}

/* Keep only the tiles of a hand. */
static void put_down(Table *table, int seat, unsigned held)
{
    uint8_t *rack = table->racks[seat];
    int kept = 0;

    for (int place = 0; place < table->tiles[seat]; place++)
        if (held >> place & 1) rack[kept++] = rack[place];
    table->tiles[seat] = kept;
}

void fill_rack(Table *table, int seat, int full)
{
    uint8_t *rack = table->racks[seat];

    while (table->tiles[seat] < full && table->left < table->right) {
        const uint8_t tile = seat & 1 ? table->bag[--table->right] : table->bag[table->left++];
        int at = table->tiles[seat]++;
        for (; at && rack[at - 1] > tile; at--) rack[at] = rack[at - 1];
        rack[at] = tile;
    }
}

void exchange(Table *table, int seat, const uint8_t *given, int count, int full)
{
    fill_rack(table, seat, full);
    while (count--) {
        if (seat & 1)
            table->bag[table->right++] = given[count];
        else
            table->bag[--table->left] = given[count];
    }
    shuffle_bag(table);
}

static Points total(const Rules *rules, const Table *table, int seat, unsigned held)
{
    Points points = 0;
    for (int place = 0; place < table->tiles[seat]; place++)
        if (held >> place & 1) points += rules->points[table->racks[seat][place]];
    return points;
}

/* With an empty bag the game may end on this turn: tiles that are kept go to another, and those of
   the others come to whoever goes out. */
void set_worth(const Terms *terms, const Rules *rules, const Table *table, int seat,
               int64_t *worth)
{
    const unsigned hand = (1u << table->tiles[seat]) - 1;

    memset(worth, 0, sizeof *worth * (hand + 1));
    if (!terms->leaves[seat]) return;
    if (table->left < table->right) {
        leaves_worth(terms->leaves[seat], table->racks[seat], table->tiles[seat], worth);
    } else if (terms->end != END_NONE) {
        for (unsigned held = 1; held <= hand; held++)
            worth[held] = -2000 * total(rules, table, seat, held);
        for (int other = 0; other < terms->players; other++)
            if (other != seat) worth[0] += 2000 * total(rules, table, other, ~0u);
        worth[0] /= terms->players - 1;
    }
}

/* Which tiles to keep in an exchange: the hand of the greatest worth, of those the smallest.
   Returns the whole hand if nothing may be exchanged. */
static unsigned choose_kept(const Terms *terms, const Table *table, int seat, const int64_t *worth)
{
    const unsigned hand = (1u << table->tiles[seat]) - 1;
    const int bag = table->right - table->left;
    unsigned best = hand;

    if (bag < terms->least_exchange) return hand;
    for (unsigned held = 0; held < hand; held++) {
        if (count_bits(hand & ~held) > bag) continue;
        if (best == hand || worth[held] > worth[best] ||
            (worth[held] == worth[best] && count_bits(held) < count_bits(best)))
            best = held;
    }
    return best;
}

static void lay_tiles(Table *table, const Rules *rules, const Play *play)
{
    int laid = 0;
    for (int at = play->first; at < play->end; at++) {
        const int row = play->down ? at : play->line, column = play->down ? play->line : at;
        uint8_t *square = &table->position.board[row * rules->width + column];
        if (*square == EMPTY) *square = play->laid[laid++];
    }
}

static void note(Turn *turn, const Table *table, int seat, unsigned kept)
{
    int count = 0;

    memset(turn, 0, sizeof *turn);
    memset(turn->kept, EMPTY, sizeof turn->kept);
    turn->seat = (uint8_t)seat;
    turn->bag = (uint16_t)(table->right - table->left);
    for (int place = 0; place < table->tiles[seat]; place++)
        if (kept >> place & 1) turn->kept[count++] = table->racks[seat][place];
}

static void use_turn(Search *search, Table *table, unsigned kept, const Play *play, Turn *turn)
{
    const int seat = table->seat, tiles = table->tiles[seat], full = search->rules->rack;
    uint8_t given[MOST_TILES];
    int count = 0;

    note(turn, table, seat, kept);
    for (int place = 0; place < tiles; place++)
        if (!(kept >> place & 1)) given[count++] = table->racks[seat][place];
    put_down(table, seat, kept);
    if (play) {
        turn->points = play->points;
        turn->laid = (uint8_t)count;
        table->scores[seat] += play->points;
        lay_tiles(table, search->rules, play);
        fill_rack(table, seat, full);
    } else {
        turn->exchanged = (uint8_t)count;
        if (count) exchange(table, seat, given, count, full);
    }
}

Answer take_turn(Search *search, const Terms *terms, Table *table, Turn *turn)
{
    const int seat = table->seat;
    const unsigned hand = (1u << table->tiles[seat]) - 1;
    const Play *play = NULL;
    int64_t worth[HANDS];
    unsigned kept = hand;
    Answer answer;

    table->position.tiles = table->tiles[seat];
    memcpy(table->position.rack, table->racks[seat], sizeof table->position.rack);
    set_worth(terms, search->rules, table, seat, worth);
    answer = search_best(search, &table->position, worth, 1);
    if (answer == NO_MEMORY) return NO_MEMORY;
    if (answer == NO || terms->leaves[seat]) kept = choose_kept(terms, table, seat, worth);
    if (answer == YES && (kept == hand || worth[kept] <= search->plays[0].value)) {
        play = &search->plays[0];
        kept = play->held;
    }
    table->kept[seat] = worth[kept];
    use_turn(search, table, kept, play, turn);
    return play ? YES : NO;
}

/* Has somebody reached the target, and everybody had a turn in the round? */
static int is_target_reached(const Terms *terms, const Table *table)
{
    if (!terms->target || table->seat != terms->begins) return 0;
    for (int seat = 0; seat < terms->players; seat++)
        if (table->scores[seat] >= terms->target) return 1;
    return 0;
}

int end_turn(const Terms *terms, Table *table, int is_play)
{
    const int is_bag_empty = table->left == table->right;
    const int is_out = is_bag_empty && !table->tiles[table->seat];

    table->scoreless = is_play ? 0 : table->scoreless + 1;
    table->passes = is_play || !is_bag_empty ? 0 : table->passes + 1;
    table->seat = (table->seat + 1) % terms->players;
    return is_out || table->scoreless >= terms->scoreless || table->passes == terms->players ||
           is_target_reached(terms, table);
}

void settle(const Terms *terms, const Rules *rules, Table *table)
{
    Points left[MOST_PLAYERS], all = 0;
    int out = -1;

    if (terms->end == END_NONE) return;
    for (int seat = terms->players; seat--;) {
        all += left[seat] = total(rules, table, seat, ~0u);
        if (!table->tiles[seat]) out = seat;
    }
    for (int seat = 0; seat < terms->players; seat++)
        if (terms->end == END_SUM || out < 0) table->scores[seat] -= left[seat];
    if (out >= 0) table->scores[out] += all * (terms->end == END_DOUBLE ? 2 : 1);
}

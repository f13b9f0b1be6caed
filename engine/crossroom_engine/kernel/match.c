/* Games of two players who look no further than their own next play: to train leaves, to compare
   them, to measure.

   Before the game the bag is shuffled once, and each seat draws from its own end. So two games of
   one seed, the players' seats exchanged, are as alike as they can be. */

#include "selfplay.h"

#include <string.h>

Answer play_match(Search *search, const Terms *terms, const uint8_t *bag, int tiles, uint64_t seed,
                  Game *game)
{
    Answer answer;
    Table table;

    memset(&table, 0, sizeof table);
    memset(table.position.board, EMPTY, sizeof table.position.board);
    memcpy(table.bag, bag, (size_t)tiles);
    table.right = tiles;
    table.random = seed;
    shuffle_bag(&table);
    fill_rack(&table, 0, search->rules->rack);
    fill_rack(&table, 1, search->rules->rack);
    game->turns_count = 0;
    do {
        answer = take_turn(search, terms, &table, &game->turns[game->turns_count++]);
        if (answer == NO_MEMORY) return NO_MEMORY;
    } while (!end_turn(terms, &table, answer == YES) && game->turns_count < MOST_TURNS);
    settle(terms, search->rules, &table);
    memcpy(game->scores, table.scores, sizeof game->scores);
    return YES;
}

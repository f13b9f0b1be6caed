/* Fuzzes the kernel without Python: fuzz_kernel SEED CASES SECONDS. */

#include "fuzz.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 60 /* seconds that a world may take */ };

static volatile sig_atomic_t is_interrupted;

noreturn void fail(const World *world, const char *what)
{
    printf("seed %" PRIu64 ": %s\n", world->seed, what);
    fflush(stdout);
    _exit(1);
}

/* Positions */

/* Ask one question, or with leave values for the best plays. Unless `memory` is -1, it runs out
   after so many allocations. */
static Status put(World *world, Search *search, const Position *position, Question question,
                  const int64_t *leave_values, size_t wanted, long memory)
{
    Status status;

    starve(memory);
    if (leave_values)
        status = search_best(search, position, leave_values, wanted);
    else
        status = search_position(search, position, question);
    starve(-1);
    if (memory < 0 && status == NO_MEMORY) fail(world, "no memory");
    return status;
}

static void check_plays(const World *world, const Position *position, const Search *search,
                        Points most)
{
    Points greatest = -1;

    for (size_t place = 0; place < search->plays_count; place++) {
        const Play *play = &search->plays[place];
        if (judge(world, position, play) != play->points) fail(world, "a play is illegal");
        if (place && !precedes(play - 1, play)) fail(world, "plays are out of order");
        if (play->value != 1000 * play->points) fail(world, "a value is no thousand points");
        if (play->points > greatest) greatest = play->points;
    }
    if (greatest != most) fail(world, "the most points are wrong");
}

static int compare_values(const void *one, const void *other)
{
    const Play *left = one, *right = other;
    if (left->value != right->value) return left->value > right->value ? -1 : 1;
    return precedes(left, right) ? -1 : 1;
}

/* The `wanted` best must be the first of all, sorted. */
static void check_best(World *world, Search *search, const Position *position, const Play *sorted,
                       size_t count, const int64_t *leave_values, size_t wanted)
{
    const size_t expected = wanted < count ? wanted : count;

    put(world, search, position, ALL, leave_values, wanted, -1);
    if (search->plays_count != expected) fail(world, "not as many best plays as wanted");
    if (expected && memcmp(search->plays, sorted, expected * sizeof *sorted))
        fail(world, "the best plays are others");
}

static void check_all_best(World *world, Search *search, const Position *position, Play *all,
                           size_t count)
{
    const size_t wanted[] = {1, 2, 3, 10, count ? count : 1, SIZE_MAX};
    int64_t leave_values[HAND_COUNT] = {0};

    if (roll(world, 4))
        evaluate_leaves(&world->leaves, position->rack, position->tile_count, leave_values);
    for (size_t place = 0; place < count; place++)
        all[place].value += leave_values[all[place].leave];
    if (count) qsort(all, count, sizeof *all, compare_values);
    check_best(world, search, position, all, count, leave_values, wanted[roll(world, 5)]);
    check_best(world, search, position, all, count, leave_values, SIZE_MAX);
}

static void check_starved(World *world, const Position *position, uint64_t count)
{
    const uint32_t choice = roll(world, 4); /* a question, or the best plays */
    const Question question = choice < 3 ? (Question)choice : ALL;
    const int64_t leave_values[HAND_COUNT] = {0};
    Search search;
    Status status;

    search_init(&search, &world->dawg, &world->rules);
    status = put(world, &search, position, question, choice < 3 ? NULL : leave_values, SIZE_MAX,
                 (long)roll(world, 5));
    if (status != NO_MEMORY && status != (count ? YES : NO))
        fail(world, "short of memory, it lies");
    if (status == YES && question == ALL && search.plays_count != count)
        fail(world, "short of memory, it forgets plays");
    put(world, &search, position, COUNT, NULL, 0, -1);
    if (search.count != count) fail(world, "after a lack of memory, it counts wrong");
    search_free(&search);
}

static void try_position(World *world, Search *search)
{
    Position position;
    Status status;
    uint64_t count;
    Points most;
    Play *all;

    make_position(world, &position);
    status = put(world, search, &position, COUNT, NULL, 0, -1);
    count = search->count;
    most = search->most_points;
    if (status != (count ? YES : NO)) fail(world, "an answer is not that of the count");
    if (put(world, search, &position, ANY, NULL, 0, -1) != status) fail(world, "any is another");
    if (put(world, search, &position, ALL, NULL, 0, -1) != status) fail(world, "all is another");
    if (search->plays_count != count || search->count != count) fail(world, "count is another");
    check_plays(world, &position, search, most);
    if (world->rules.width * world->rules.height <= 30 && !roll(world, 8))
        compare_all(world, &position, search->plays, search->plays_count);
    all = malloc((size_t)(count + 1) * sizeof *all);
    if (!all) fail(world, "no memory");
    if (count) memcpy(all, search->plays, (size_t)count * sizeof *all);
    check_all_best(world, search, &position, all, (size_t)count);
    free(all);
    if (!roll(world, 30)) check_starved(world, &position, count);
}

/* Worlds */

/* Try a world. Return the number of cases. */
static uint64_t try_world(World *world, uint64_t seed)
{
    uint64_t cases = 1; /* the word list */
    Search search;

    alarm(LONGEST);
    if (make_world(world, seed) == NO) return cases;
    search_init(&search, &world->dawg, &world->rules);
    for (int number = 0; number < POSITIONS; number++, cases++) try_position(world, &search);
    if (!roll(world, 8)) {
        try_game(world, &search);
        cases++;
    }
    if (!roll(world, 200)) {
        try_endgame(world, &search);
        cases++;
    }
    search_free(&search);
    free(world->dawg.nodes);
    return cases;
}

static World *now; /* for the alarm */

static void on_alarm(int number)
{
    (void)number;
    fail(now, "this takes for ever");
}

static void on_interrupt(int number)
{
    (void)number;
    is_interrupted = 1;
}

int main(int count, char **arguments)
{
    const uint64_t first = count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    const uint64_t wanted = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    const double seconds = count > 3 ? atof(arguments[3]) : 1e9;
    const time_t began = time(NULL);
    uint64_t seed = first, cases = 0;
    time_t reported = began, at = began;

    now = malloc(sizeof *now);
    if (!now) return 1;
    signal(SIGALRM, on_alarm);
    signal(SIGINT, on_interrupt);
    do {
        cases += try_world(now, seed++);
        at = time(NULL);
        if (at - reported < 10) continue;
        reported = at;
        printf("%" PRIu64 " cases, %.0f a second; seed %" PRIu64 "\n", cases,
               (double)cases / (double)(at - began), seed);
        fflush(stdout);
    } while (cases < wanted && difftime(at, began) < seconds && !is_interrupted);
    printf("%" PRIu64 " cases, seeds %" PRIu64 " to %" PRIu64 ", %.0f seconds: nothing found\n",
           cases, first, seed - 1, difftime(at, began));
    free(now);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_walk.c - what is alive during a step, against closed forms and against
 * whole orders walked by hand. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closed_forms.h"
#include "cost/memory/memory.h"

enum { MAX_CHUNKS = 8 };

static p3d_plan plan_of(p3d_schedule schedule, int pp, int vp, int group)
{
    return (p3d_plan){.pp = pp, .vp = vp, .schedule = schedule, .group = group};
}

/** Chunks that all keep one byte, and need nothing beside it. */
static const cost_chunk ones[MAX_CHUNKS] = {{.saved_bytes = 1},
        {.saved_bytes = 1}, {.saved_bytes = 1}, {.saved_bytes = 1},
        {.saved_bytes = 1}, {.saved_bytes = 1}, {.saved_bytes = 1},
        {.saved_bytes = 1}};

static void check_closed(p3d_schedule schedule, int p, int v, int m)
{
    const p3d_plan plan = plan_of(schedule, p, v, 0);

    for (int rank = 0; rank < p; rank++) {
        int64_t sum = 0;
        cost_walk walk;

        cost_walk_rank(&plan, rank, m,
                &(cost_kept){.chunks = ones, .sent = {.frac = 0}}, &walk);
        for (int j = 0; j < v; j++) {
            const int64_t want = closed_in_flight(&plan, rank, j, m);

            assert_int_equal(walk.forward.alive[j], want);
            sum += want;
        }
        assert_true(walk.forward.saved_bytes == (double)sum);
        assert_true(walk.backward.saved_bytes == (double)sum);
    }
}

/* Far more micro-batches than the walk needs to see its peak, too. */
static void the_peak_holds_the_known_number_of_micro_batches(void **state)
{
    static const int chunks[] = {1, 1, 3, 1, 1, 2, 2, 1, 1, 1};

    (void)state;
    for (int order = 0; order < P3D_N_SCHEDULES; order++) {
        for (int p = 2; p <= 8; p++) {
            for (int m = 2 * p; m <= 12 * p; m += p)
                check_closed((p3d_schedule)order, p, chunks[order], m);
        }
    }
}

static void fewer_micro_batches_than_ranks_are_all_alive(void **state)
{
    (void)state;
    for (int p = 1; p <= 8; p++) {
        for (int m = 1; m <= p; m++) {
            check_closed(P3D_1F1B, p, 1, m);
            check_closed(P3D_GPIPE, p, 1, m);
        }
    }
}

/** How much of a step. */
typedef enum walked { TO_FIRST_BACKWARD, WHOLE } walked;

/** Every task of it, none left out. */
static void walk_all(const p3d_plan *plan, int rank, int m,
        const cost_chunk *chunks, double kept, walked how_far, double most[2])
{
    const cost_pipeline pl = {.order = plan->schedule,
            .p = plan->pp,
            .v = plan->vp,
            .m = m,
            .group = plan->group};
    cost_task *tasks =
            calloc((size_t)cost_schedule_max_tasks(&pl), sizeof(*tasks));
    const int64_t n = cost_schedule_list(&pl, rank, tasks);
    double now = 0;

    most[0] = most[1] = -1;
    for (int64_t i = 0; i < n; i++) {
        const cost_chunk *c = &chunks[tasks[i].chunk];

        if (tasks[i].kind == COST_FORWARD) {
            now += c->saved_bytes;
            most[0] = fmax(most[0], kept * now + c->forward_bytes);
            continue;
        }
        if (tasks[i].kind != COST_BACKWARD_WEIGHT)
            most[1] = fmax(most[1], kept * now + c->backward_bytes);
        if (how_far == TO_FIRST_BACKWARD)
            break;
        if (tasks[i].kind != COST_BACKWARD_INPUT)
            now -= c->saved_bytes;
    }
    assert_true(how_far == TO_FIRST_BACKWARD || now == 0);
    free(tasks);
}

static int random_below(uint32_t *seed, int n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (int)((*seed >> 8) % (uint32_t)n);
}

static double bytes_at(const cost_moment *moment)
{
    return moment->saved_bytes + moment->passing_bytes + moment->beside_bytes;
}

static void check_no_more(const cost_walk *a, const cost_walk *b)
{
    assert_true(bytes_at(&a->forward) <= bytes_at(&b->forward));
    assert_true(bytes_at(&a->backward) <= bytes_at(&b->backward));
}

/** The quick bounds lie on both sides of the walk, whatever is on its way to
 *  the host. */
static void check_bounds(const p3d_plan *plan, int rank, int m,
        const cost_chunk *chunks, cost_sent sent)
{
    cost_walk start, walk, most;

    if (!cost_schedule_alternates(plan->schedule))
        return;
    cost_walk_start(plan, rank, m, &(cost_kept){chunks, sent}, &start);
    cost_walk_rank(plan, rank, m, &(cost_kept){chunks, sent}, &walk);
    cost_walk_most(plan, rank, m, &(cost_kept){chunks, sent}, &most);
    check_no_more(&start, &walk);
    check_no_more(&walk, &most);
}

/** The walk that ends with the first backward pass is that of its tasks. */
static void check_start(const p3d_plan *plan, int rank, int m,
        const cost_chunk *chunks, double kept)
{
    cost_walk start;
    double most[2];

    if (!cost_schedule_alternates(plan->schedule))
        return;
    cost_walk_start(plan, rank, m,
            &(cost_kept){.chunks = chunks, .sent = {.frac = 1 - kept}}, &start);
    walk_all(plan, rank, m, chunks, kept, TO_FIRST_BACKWARD, most);
    assert_true(bytes_at(&start.forward) == most[0]);
    assert_true(bytes_at(&start.backward) == most[1]);
}

static void check_peaks(
        const p3d_plan *plan, int m, const cost_chunk *chunks, double kept)
{
    for (int rank = 0; rank < plan->pp; rank++) {
        cost_walk walk;
        double most[2];
        double saved = 0;

        check_start(plan, rank, m, chunks, kept);

        cost_walk_rank(plan, rank, m,
                &(cost_kept){.chunks = chunks, .sent = {.frac = 1 - kept}},
                &walk);
        walk_all(plan, rank, m, chunks, kept, WHOLE, most);
        assert_true(walk.forward.saved_bytes + walk.forward.beside_bytes ==
                    most[0]);
        assert_true(walk.backward.saved_bytes + walk.backward.beside_bytes ==
                    most[1]);
        assert_true(walk.backward.beside_bytes ==
                    chunks[walk.backward.task.chunk].backward_bytes);
        for (int j = 0; j < plan->vp; j++)
            saved += (double)walk.backward.alive[j] * chunks[j].saved_bytes;
        assert_true(walk.backward.whole_bytes == saved);
        assert_true(walk.backward.saved_bytes == kept * saved);
        for (int n = 0; n < 4; n++)
            check_bounds(plan, rank, m, chunks,
                    (cost_sent){.frac = 1 - kept,
                            .passing_bytes = n * chunks[0].saved_bytes});
    }
}

/* Chunks of any sizes, groups of any size, and a part of them offloaded:
 * quarters of whole bytes, so that no sum is rounded. */
static void the_peak_is_that_of_the_whole_order(void **state)
{
    static const int chunks_of[] = {1, 1, 0, 1, 1, 2, 2, 1, 1, 1};
    uint32_t seed = 11;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        const p3d_schedule order =
                (p3d_schedule)random_below(&seed, P3D_N_SCHEDULES);
        const int p = 2 + random_below(&seed, 6);
        const int v = chunks_of[order] > 0 ? chunks_of[order]
                                           : 2 + random_below(&seed, 4);
        const int group =
                order == P3D_INTERLEAVED ? p + random_below(&seed, 2 * p) : 0;
        const int m = (group > 0 ? group : p) * (2 + random_below(&seed, 8));
        const p3d_plan plan = plan_of(order, p, v, group);
        cost_chunk chunks[MAX_CHUNKS];

        for (int j = 0; j < v; j++)
            chunks[j] = (cost_chunk){1 + random_below(&seed, 9),
                    random_below(&seed, 30), random_below(&seed, 30), 0, 0};
        check_peaks(&plan, m, chunks, random_below(&seed, 5) / 4.0);
    }
}

/* Groups of 3 micro-batches and one of 2 on two ranks: the last rank holds one
 * micro-batch more of its second chunk when the smaller group ends. */
static void a_smaller_last_group_counts_too(void **state)
{
    static const cost_chunk chunks[] = {{.saved_bytes = 1}, {2, 0, 0, 0, 0}};
    const p3d_plan plan = plan_of(P3D_INTERLEAVED, 2, 2, 3);

    (void)state;
    check_peaks(&plan, 3 * 3 + 2, chunks, 1);
    check_peaks(&plan, 4 * 3 + 2, chunks, 1);
}

/* Megatron-LM@d98e8a64 schedules.py:968: warm-up of 2 (p-1-r) + (v-1) g chunk
 * passes with groups of g, and one more before the first backward. */
static void larger_groups_keep_more_chunks(void **state)
{
    (void)state;
    for (int p = 2; p <= 6; p++) {
        for (int group = p; group <= 3 * p; group++) {
            const p3d_plan plan = plan_of(P3D_INTERLEAVED, p, 3, group);

            for (int rank = 0; rank < p; rank++) {
                cost_walk walk;

                cost_walk_rank(&plan, rank, 4 * group,
                        &(cost_kept){.chunks = ones, .sent = {.frac = 0}},
                        &walk);
                assert_true(walk.forward.saved_bytes ==
                            2 * (p - 1 - rank) + 2 * group + 1);
            }
        }
    }
}

/* The first of several equal moments: the last forward of the warm-up with its
 * loss, and the backward after it. */
static void the_moment_says_which_task_it_is_of(void **state)
{
    static const cost_chunk chunk = {
            .saved_bytes = 10, .forward_bytes = 5, .backward_bytes = 3};
    const p3d_plan plan = plan_of(P3D_1F1B, 4, 1, 0);
    cost_walk walk;

    (void)state;
    cost_walk_rank(&plan, 1, 16,
            &(cost_kept){.chunks = &chunk, .sent = {.frac = 0}}, &walk);
    assert_true(walk.forward.saved_bytes == 30);
    assert_true(walk.forward.beside_bytes == 5);
    assert_int_equal(walk.forward.task.kind, COST_FORWARD);
    assert_int_equal(walk.forward.task.micro_batch, 2);
    assert_true(walk.backward.beside_bytes == 3);
    assert_int_equal(walk.backward.task.kind, COST_BACKWARD);
    assert_int_equal(walk.backward.task.micro_batch, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_peak_holds_the_known_number_of_micro_batches),
            cmocka_unit_test(fewer_micro_batches_than_ranks_are_all_alive),
            cmocka_unit_test(the_peak_is_that_of_the_whole_order),
            cmocka_unit_test(a_smaller_last_group_counts_too),
            cmocka_unit_test(larger_groups_keep_more_chunks),
            cmocka_unit_test(the_moment_says_which_task_it_is_of),
    };

    return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}

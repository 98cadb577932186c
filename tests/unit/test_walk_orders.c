/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_walk_orders.c - the walk of a rank against a count of every task. */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "cost/cost.h"
#include "cost/memory/memory.h"

enum { MAX_CHUNKS = 4, MAX_RANKS = 8, MOST_ROUNDS = 6 };

/** Numbers of a fixed sequence; whole ones, so that sums are exact. */
static uint32_t seed;

static int below(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)n);
}

static void fill_chunks(cost_chunk chunks[MAX_CHUNKS])
{
    for (int j = 0; j < MAX_CHUNKS; j++)
        chunks[j] = (cost_chunk){.saved_bytes = 1 + below(1000),
                .forward_bytes = below(3) == 0 ? below(5000) : 0,
                .backward_bytes = below(3000)};
}

/** The most that is alive, forward and backward. */
typedef struct peaks {
    double forward, backward;
} peaks;

/* Every micro-batch of the step, added and taken away one by one: a forward
 * leaves its chunk's bytes until its backward, or the last half of it. */
static peaks count_every_task(const cost_pipeline *pipeline, int rank,
        const cost_chunk *chunks, double kept_frac)
{
    cost_task *const tasks = malloc(
            (size_t)cost_schedule_max_tasks(pipeline) * sizeof(cost_task));
    const int64_t n = cost_schedule_list(pipeline, rank, tasks);
    peaks most = {-1, -1};
    double now = 0;

    for (int64_t i = 0; i < n; i++) {
        const cost_chunk *chunk = &chunks[tasks[i].chunk];
        const cost_task_kind kind = tasks[i].kind;

        now += kind == COST_FORWARD ? chunk->saved_bytes : 0;
        if (kind == COST_FORWARD)
            most.forward =
                    fmax(most.forward, kept_frac * now + chunk->forward_bytes);
        if (kind == COST_BACKWARD || kind == COST_BACKWARD_INPUT)
            most.backward = fmax(
                    most.backward, kept_frac * now + chunk->backward_bytes);
        if (kind == COST_BACKWARD || kind == COST_BACKWARD_WEIGHT)
            now -= chunk->saved_bytes;
    }
    assert_true(now == 0);
    free(tasks);
    return most;
}

/** A moment is one that the chunks explain. */
static void check_moment(const cost_moment *moment, const cost_chunk *chunks,
        int n_chunks, double kept_frac, bool forward)
{
    const cost_chunk *own = &chunks[moment->task.chunk];
    double whole = 0;

    for (int j = 0; j < n_chunks; j++)
        whole += (double)moment->alive[j] * chunks[j].saved_bytes;
    assert_true(moment->whole_bytes == whole);
    CHECK_REL(moment->saved_bytes, kept_frac * whole, 1e-12);
    assert_true(moment->beside_bytes ==
                (forward ? own->forward_bytes : own->backward_bytes));
    assert_true(moment->alive[moment->task.chunk] >= 1);
    assert_int_equal(moment->task.kind == COST_FORWARD, forward);
}

static void check_rank(const cost_pipeline *pl, int rank, double kept_frac)
{
    const p3d_plan plan = {.pp = pl->p,
            .vp = pl->v,
            .schedule = pl->order,
            .group = pl->group};
    cost_chunk chunks[MAX_CHUNKS];
    cost_walk walk;
    peaks want;

    fill_chunks(chunks);
    want = count_every_task(pl, rank, chunks, kept_frac);
    cost_walk_rank(&plan, rank, pl->m,
            &(cost_kept){.chunks = chunks, .sent = {.frac = 1 - kept_frac}},
            &walk);
    if (walk.forward.saved_bytes + walk.forward.beside_bytes != want.forward ||
            walk.backward.saved_bytes + walk.backward.beside_bytes !=
                    want.backward)
        print_error("%s, p=%d v=%d m=%d group=%d rank %d\n",
                p3d_schedule_name(pl->order), pl->p, pl->v, pl->m, pl->group,
                rank);
    CHECK_REL(walk.forward.saved_bytes + walk.forward.beside_bytes,
            want.forward, 1e-12);
    CHECK_REL(walk.backward.saved_bytes + walk.backward.beside_bytes,
            want.backward, 1e-12);
    check_moment(&walk.forward, chunks, pl->v, kept_frac, true);
    check_moment(&walk.backward, chunks, pl->v, kept_frac, false);
}

static int check_ranks(const cost_pipeline *pl)
{
    if (!cost_schedule_exists(pl))
        return 0;
    for (int rank = 0; rank < pl->p; rank++)
        check_rank(pl, rank, 1);
    return 1;
}

/* All orders but the interleaved one: 1 .. 6p micro-batches, and 25p. */
static void the_peak_is_that_of_all_micro_batches(void **state)
{
    (void)state;
    seed = 1;
    for (int order = 0; order < P3D_N_SCHEDULES; order++) {
        const int chunks = p3d_schedule_chunks((p3d_schedule)order);
        int n = 0;

        if (order == P3D_INTERLEAVED)
            continue;
        for (int p = 1; p <= MAX_RANKS; p++) {
            cost_pipeline pl = {
                    .order = (p3d_schedule)order, .p = p, .v = chunks};

            for (pl.m = 1; pl.m <= MOST_ROUNDS * p; pl.m++)
                n += check_ranks(&pl);
            pl.m = 25 * p;
            n += check_ranks(&pl);
        }
        assert_true(n >= 100);
    }
}

/** Two to four chunks in groups of p, p + 1, 2p and 3p + 1 micro-batches; the
 *  last group is smaller where m is no multiple of it. */
static int check_groups(bool smaller_last)
{
    int n = 0;

    for (int p = 2; p <= MAX_RANKS; p++) {
        const int groups[] = {p, p + 1, 2 * p, 3 * p + 1};

        for (int g = 0; g < 4; g++) {
            cost_pipeline pl = {.order = P3D_INTERLEAVED,
                    .p = p,
                    .group = g == 0 ? 0 : groups[g]};

            for (pl.v = 2; pl.v <= MAX_CHUNKS; pl.v++) {
                for (pl.m = 1; pl.m <= MOST_ROUNDS * groups[g]; pl.m++) {
                    if ((pl.m % groups[g] != 0) == smaller_last)
                        n += check_ranks(&pl);
                }
            }
        }
    }
    return n;
}

static void the_interleaved_peak_is_that_of_all_groups(void **state)
{
    (void)state;
    seed = 2;
    assert_true(check_groups(false) >= 400);
}

/* The passes of a smaller last group take another order, and may need more. */
static void a_smaller_last_group_counts_too(void **state)
{
    (void)state;
    seed = 4;
    assert_true(check_groups(true) >= 1000);
}

/* What is offloaded scales what is saved, and can move the peak. */
static void only_the_kept_share_is_on_the_device(void **state)
{
    static const double shares[] = {0, 0.125, 0.5, 0.75};
    const cost_pipeline pipelines[] = {{P3D_1F1B, 8, 1, 40, 0},
            {P3D_GPIPE, 4, 1, 20, 0}, {P3D_INTERLEAVED, 4, 3, 24, 0},
            {P3D_ZB_H2, 4, 1, 24, 0}, {P3D_ZB_V, 4, 2, 24, 0},
            {P3D_DUALPIPE_V, 4, 2, 24, 0}};

    (void)state;
    seed = 3;
    for (int i = 0; i < 6; i++) {
        for (int s = 0; s < 4; s++) {
            for (int rank = 0; rank < pipelines[i].p; rank++)
                check_rank(&pipelines[i], rank, shares[s]);
        }
    }
}

/* 100 m at the last forward and the first backward of m micro-batches, half of
 * it on the device, whatever m. */
static void gpipe_holds_every_micro_batch(void **state)
{
    const p3d_plan plan = {.pp = 4, .vp = 1, .schedule = P3D_GPIPE};
    const cost_chunk chunk = {100, 30, 70, 0, 0};
    cost_walk walk;

    (void)state;
    for (int64_t m = 1; m <= 1000000; m *= 10) {
        for (int rank = 0; rank < 4; rank++) {
            cost_walk_rank(&plan, rank, m,
                    &(cost_kept){.chunks = &chunk, .sent = {.frac = 0.5}},
                    &walk);
            assert_true(walk.forward.saved_bytes == 50.0 * (double)m);
            assert_true(walk.forward.beside_bytes == 30);
            assert_true(walk.backward.saved_bytes == 50.0 * (double)m);
            assert_true(walk.backward.beside_bytes == 70);
            assert_int_equal(walk.forward.alive[0], m);
            assert_int_equal(walk.backward.alive[0], m);
        }
    }
}

/* Rank r of p holds p - r micro-batches, however many there are. */
static void one_f_one_b_holds_as_many_as_ranks_follow(void **state)
{
    const p3d_plan plan = {.pp = 8, .vp = 1, .schedule = P3D_1F1B};
    const cost_chunk chunk = {10, 0, 1, 0, 0};
    cost_walk walk;

    (void)state;
    for (int rank = 0; rank < 8; rank++) {
        cost_walk_rank(&plan, rank, INT64_C(1) << 40,
                &(cost_kept){.chunks = &chunk, .sent = {.frac = 0}}, &walk);
        assert_int_equal(walk.backward.alive[0], 8 - rank);
        assert_true(walk.backward.saved_bytes == 10.0 * (8 - rank));
    }
}

/* Interleaved: (v - 1) p + 2 (p - 1 - r) + 1 chunks, arXiv:2104.04473. */
static void interleaving_holds_the_chunks_of_its_warm_up(void **state)
{
    const p3d_plan plan = {.pp = 4, .vp = 3, .schedule = P3D_INTERLEAVED};
    const cost_chunk chunks[3] = {
            {10, 0, 1, 0, 0}, {10, 0, 1, 0, 0}, {10, 0, 1, 0, 0}};
    cost_walk walk;

    (void)state;
    for (int rank = 0; rank < 4; rank++) {
        cost_walk_rank(&plan, rank, 64,
                &(cost_kept){.chunks = chunks, .sent = {.frac = 0}}, &walk);
        assert_true(walk.backward.saved_bytes ==
                    10.0 * (2 * 4 + 2 * (3 - rank) + 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_peak_is_that_of_all_micro_batches),
            cmocka_unit_test(the_interleaved_peak_is_that_of_all_groups),
            cmocka_unit_test(a_smaller_last_group_counts_too),
            cmocka_unit_test(only_the_kept_share_is_on_the_device),
            cmocka_unit_test(gpipe_holds_every_micro_batch),
            cmocka_unit_test(one_f_one_b_holds_as_many_as_ranks_follow),
            cmocka_unit_test(interleaving_holds_the_chunks_of_its_warm_up),
    };

    return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}

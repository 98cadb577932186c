/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_timeline.c - every task of a pipeline in time: against another
 * simulation, against the order of its inputs, against the work of a rank. */
#include "cost/time/timeline.h"

#include <math.h>
#include <stdlib.h>

#include "problem.h"
#include "simulate.h"

enum { MAX_STAGES = 16, M = 16 };

typedef struct instance {
    cost_pipeline pl;
    double delay_s;
    cost_stage_pass stages[MAX_STAGES];
    cost_timeline line;
} instance;

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / (1 << 24);
}

/** A pipeline of 4 ranks whose stages all differ, run. */
static instance *run(p3d_schedule order, uint64_t seed)
{
    const int chunks = p3d_schedule_chunks(order);
    instance *const x = calloc(1, sizeof(*x));

    assert_non_null(x);
    x->pl = (cost_pipeline){order, 4, chunks > 0 ? chunks : 2, M, 0};
    x->delay_s = 0.125 * uniform(&seed);
    assert_true(cost_schedule_exists(&x->pl));
    for (int s = 0; s < x->pl.p * x->pl.v; s++)
        x->stages[s] = (cost_stage_pass){
                1 + uniform(&seed), 1 + uniform(&seed), 0.5 + uniform(&seed)};
    x->line.spans = calloc((size_t)(x->pl.p * cost_schedule_max_tasks(&x->pl)),
            sizeof(cost_span));
    x->line.forward_end_s =
            calloc((size_t)(x->pl.p * x->pl.v * M), sizeof(double));
    x->line.input_end_s =
            calloc((size_t)(x->pl.p * x->pl.v * M), sizeof(double));
    cost_timeline_run(&x->pl, x->stages, x->delay_s, &x->line);
    return x;
}

static void destroy(instance *x)
{
    free(x->line.spans);
    free(x->line.forward_end_s);
    free(x->line.input_end_s);
    free(x);
}

static double other_makespan_s(const instance *x)
{
    simulate_stage stages[MAX_STAGES];

    for (int s = 0; s < x->pl.p * x->pl.v; s++)
        stages[s] = (simulate_stage){x->stages[s].forward_s,
                x->stages[s].input_s, x->stages[s].weight_s};
    return simulate(&x->pl, stages, x->delay_s).makespan_s;
}

static void last_end_is_that_of_another_simulation(void **state)
{
    (void)state;
    for (int order = 0; order < P3D_N_SCHEDULES; order++) {
        instance *const x = run((p3d_schedule)order, 7 + (uint64_t)order);
        double last_s = 0;

        for (int rank = 0; rank < x->pl.p; rank++)
            last_s = fmax(last_s, cost_timeline_done_s(&x->line, &x->pl, rank));
        CHECK_REL(last_s, other_makespan_s(x), 1e-12);
        destroy(x);
    }
}

/* Forward, and the gradients of inputs and of weights together: all orders. */
static double work_s(const instance *x, int rank)
{
    double sum_s = 0;

    for (int chunk = 0; chunk < x->pl.v; chunk++) {
        const cost_stage_pass *const pass =
                &x->stages[cost_schedule_stage(&x->pl, rank, chunk)];

        sum_s += pass->forward_s + pass->input_s + pass->weight_s;
    }
    return M * sum_s;
}

static void ranks_do_their_work_and_one_thing_at_a_time(void **state)
{
    (void)state;
    for (int order = 0; order < P3D_N_SCHEDULES; order++) {
        instance *const x = run((p3d_schedule)order, 70 + (uint64_t)order);

        for (int rank = 0; rank < x->pl.p; rank++) {
            const cost_span *const spans =
                    cost_timeline_rank(&x->line, &x->pl, rank);
            double busy_s = 0, free_s = 0;

            for (int64_t i = 0; i < x->line.n_spans[rank]; i++) {
                if (i > 0 && spans[i - 1].task.with_next) {
                    CHECK_REL(spans[i].end_s, free_s, 0);
                    continue;
                }
                assert_true(spans[i].start_s >= free_s);
                busy_s += spans[i].end_s - spans[i].start_s;
                free_s = spans[i].end_s;
            }
            CHECK_REL(busy_s, work_s(x, rank), 1e-12);
        }
        destroy(x);
    }
}

/** When the forward pass (or the gradients of inputs) of a stage and a
 *  micro-batch begins; found in the spans. */
static double start_s(const instance *x, bool forward, int stage, int i)
{
    int rank, chunk;

    cost_schedule_place(&x->pl, stage, &rank, &chunk);
    for (int64_t k = 0; k < x->line.n_spans[rank]; k++) {
        const cost_span *const span =
                &cost_timeline_rank(&x->line, &x->pl, rank)[k];

        if (span->task.chunk == chunk && span->task.micro_batch == i &&
                span->task.kind != COST_BACKWARD_WEIGHT &&
                (span->task.kind == COST_FORWARD) == forward)
            return span->start_s;
    }
    fail_msg("stage %d has no pass of micro-batch %d", stage, i);
    return -1;
}

static double delay_s(const instance *x, int from, int to)
{
    int sender, receiver, chunk;

    cost_schedule_place(&x->pl, from, &sender, &chunk);
    cost_schedule_place(&x->pl, to, &receiver, &chunk);
    return sender == receiver ? 0 : x->delay_s;
}

static void passes_wait_for_their_inputs(void **state)
{
    (void)state;
    for (int order = 0; order < P3D_N_SCHEDULES; order++) {
        instance *const x = run((p3d_schedule)order, 700 + (uint64_t)order);
        const int last = x->pl.p * x->pl.v - 1;

        for (int s = 0; s < last; s++) {
            for (int i = 0; i < M; i++) {
                const double sent_s = delay_s(x, s, s + 1);

                assert_true(start_s(x, true, s + 1, i) >=
                            x->line.forward_end_s[s * M + i] + sent_s);
                assert_true(start_s(x, false, s, i) >=
                            x->line.input_end_s[(s + 1) * M + i] + sent_s);
            }
        }
        for (int i = 0; i < M; i++)
            assert_true(start_s(x, false, last, i) >=
                        x->line.forward_end_s[last * M + i]);
        destroy(x);
    }
}

/* 2 ranks, 2 micro-batches, forward 1 s, backward 2 s, 1/4 s on the way:
 * rank 1 works from 1.25 to 7.25 s without a pause, rank 0 ends its last
 * backward at 7.25 + 0.25 + 2 s. */
static void a_small_pipeline_is_as_by_hand(void **state)
{
    static const double starts_s[2][4] = {
            {0, 1, 4.5, 7.5}, {1.25, 2.25, 4.25, 5.25}};
    const cost_pipeline pl = {P3D_1F1B, 2, 1, 2, 0};
    const cost_stage_pass stages[2] = {{1, 1.5, 0.5}, {1, 1.5, 0.5}};
    cost_span spans[12];
    double ends_s[2][4];
    cost_timeline line = {.spans = spans,
            .forward_end_s = ends_s[0],
            .input_end_s = ends_s[1]};

    (void)state;
    cost_timeline_run(&pl, stages, 0.25, &line);
    for (int rank = 0; rank < 2; rank++) {
        assert_int_equal(line.n_spans[rank], 4);
        for (int k = 0; k < 4; k++)
            CHECK_REL(cost_timeline_rank(&line, &pl, rank)[k].start_s,
                    starts_s[rank][k], 0);
    }
    CHECK_REL(cost_timeline_done_s(&line, &pl, 0), 9.5, 0);
    CHECK_REL(cost_timeline_done_s(&line, &pl, 1), 7.25, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(last_end_is_that_of_another_simulation),
            cmocka_unit_test(ranks_do_their_work_and_one_thing_at_a_time),
            cmocka_unit_test(passes_wait_for_their_inputs),
            cmocka_unit_test(a_small_pipeline_is_as_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

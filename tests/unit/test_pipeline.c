/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pipeline.c - in flight and transfers against schedules carried out. */
#include "problem.h"

#include <math.h>
#include <stdio.h>

#include "closed_forms.h"
#include "cost/cost.h"
#include "cost/memory/memory.h"

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))

enum { MAX_RANKS = 8, MAX_PASSES = 512, MAX_CHUNKS = 8 };

/** One pass of a rank: micro-batch and chunk, forward or backward. */
typedef struct pass {
    bool forward;
    int chunk;
    int micro_batch;
} pass;

/** The passes of one rank in the order in which it runs them. */
typedef struct order {
    int n;
    pass passes[2 * MAX_PASSES];
} order;

/* The i-th forward (or backward) pass of interleaving: rounds of p
 * micro-batches through chunk 0, 1, ...; backward through the chunks from the
 * last. With one chunk this is 0, 1, 2, ... */
static pass nth(const p3d_plan *plan, bool forward, int i)
{
    const int round = plan->pp * plan->vp;
    const int chunk = i % round / plan->pp;

    return (pass){.forward = forward,
            .chunk = forward ? chunk : plan->vp - 1 - chunk,
            .micro_batch = i / round * plan->pp + i % plan->pp};
}

/* Megatron-LM@d98e8a64 megatron/core/pipeline_parallel/schedules.py: warm-up
 * of p - 1 - r passes, with v chunks of 2 (p - 1 - r) + (v - 1) p; then one
 * forward, one backward; then the backward passes that are left. GPipe warms
 * up with all. */
static void make_order(const p3d_plan *plan, int rank, int m, order *out)
{
    const int total = m * plan->vp;
    const int p = plan->pp;
    int warm = p - 1 - rank;
    int next_backward = 0;

    if (plan->schedule == P3D_INTERLEAVED)
        warm = 2 * (p - 1 - rank) + (plan->vp - 1) * p;
    if (plan->schedule == P3D_GPIPE || warm > total)
        warm = total;
    assert_true(total <= MAX_PASSES);
    out->n = 0;
    for (int i = 0; i < total; i++) {
        out->passes[out->n++] = nth(plan, true, i);
        if (i >= warm)
            out->passes[out->n++] = nth(plan, false, next_backward++);
    }
    while (next_backward < total)
        out->passes[out->n++] = nth(plan, false, next_backward++);
}

static p3d_plan plan_of(p3d_schedule schedule, int pp, int vp)
{
    return (p3d_plan){.tp = 1,
            .pp = pp,
            .dp = 1,
            .cp = 1,
            .ep = 1,
            .etp = 1,
            .vp = vp,
            .micro_batch = 1,
            .schedule = schedule};
}

/* Alive micro-batches of all chunks at the first peak, and per chunk. */
static int alive_at_peak(
        const p3d_plan *plan, const order *o, int at_peak[MAX_CHUNKS])
{
    int alive[MAX_CHUNKS] = {0};
    int sum = 0;
    int peak = 0;

    for (int i = 0; i < o->n; i++) {
        const int change = o->passes[i].forward ? 1 : -1;

        alive[o->passes[i].chunk] += change;
        assert_true(alive[o->passes[i].chunk] >= 0);
        sum += change;
        if (sum > peak) {
            peak = sum;
            for (int j = 0; j < plan->vp; j++)
                at_peak[j] = alive[j];
        }
    }
    assert_int_equal(sum, 0);
    return peak;
}

/* The walk of the memory model and the closed form both hold what the order
 * carried out holds. */
static void check_in_flight(p3d_schedule schedule, int pp, int vp, int m)
{
    const p3d_plan plan = plan_of(schedule, pp, vp);
    cost_chunk chunks[MAX_CHUNKS];

    for (int j = 0; j < vp; j++)
        chunks[j] = (cost_chunk){.saved_bytes = 1};
    for (int rank = 0; rank < pp; rank++) {
        int at_peak[MAX_CHUNKS] = {0};
        int64_t sum = 0;
        cost_walk walk;
        order o;

        make_order(&plan, rank, m, &o);
        alive_at_peak(&plan, &o, at_peak);
        cost_walk_rank(&plan, rank, m,
                &(cost_kept){.chunks = chunks, .sent = {.frac = 0}}, &walk);
        for (int j = 0; j < vp; j++) {
            const int64_t n = walk.forward.alive[j];

            assert_int_equal(n, at_peak[j]);
            assert_int_equal(closed_in_flight(&plan, rank, j, m), at_peak[j]);
            sum += n;
        }
        assert_int_equal(sum, alive_at_peak(&plan, &o, at_peak));
    }
}

static void in_flight_is_what_the_schedule_holds(void **state)
{
    (void)state;
    for (int p = 1; p <= MAX_RANKS; p++) {
        for (int m = 1; m <= 4 * MAX_RANKS; m++) {
            check_in_flight(P3D_1F1B, p, 1, m);
            check_in_flight(P3D_GPIPE, p, 1, m);
        }
        for (int v = 2; v <= MAX_CHUNKS && p > 1; v++) {
            for (int rounds = 1; rounds <= 4; rounds++)
                check_in_flight(P3D_INTERLEAVED, p, v, rounds * p);
        }
    }
}

/* When each pass of each rank ends; forward 1, backward 2 per chunk, and a
 * transfer between neighbouring stages takes `delay`. */
typedef struct run {
    p3d_plan plan;
    int m;
    double delay;
    double weight[MAX_RANKS]; /* of a rank's passes */
    order orders[MAX_RANKS];
    int next[MAX_RANKS];
    double clock[MAX_RANKS];
    double end[2][MAX_RANKS * MAX_CHUNKS][MAX_PASSES]; /* backward, forward */
} run;

/* When the data of a pass is there; negative = not yet known. */
static double ready(const run *r, int rank, const pass *x)
{
    const int last = r->plan.pp * r->plan.vp - 1;
    const int stage = x->chunk * r->plan.pp + rank;
    double end;

    if (x->forward && stage == 0)
        return 0;
    if (x->forward) {
        end = r->end[1][stage - 1][x->micro_batch];
    } else if (stage == last) {
        return r->end[1][stage][x->micro_batch];
    } else {
        end = r->end[0][stage + 1][x->micro_batch];
    }
    return end < 0 ? -1 : end + (r->plan.pp > 1 ? r->delay : 0);
}

/** Run one rank as far as its data allows; true when it moved. */
static bool advance(run *r, int rank)
{
    bool moved = false;

    while (r->next[rank] < r->orders[rank].n) {
        const pass *x = &r->orders[rank].passes[r->next[rank]];
        const int stage = x->chunk * r->plan.pp + rank;
        const double start = ready(r, rank, x);

        if (start < 0)
            break;
        r->clock[rank] = fmax(r->clock[rank], start) +
                         r->weight[rank] * (x->forward ? 1 : 2);
        r->end[x->forward][stage][x->micro_batch] = r->clock[rank];
        r->next[rank]++;
        moved = true;
    }
    return moved;
}

static double makespan(run *r)
{
    double last = 0;
    bool moved = true;

    for (int rank = 0; rank < r->plan.pp; rank++) {
        make_order(&r->plan, rank, r->m, &r->orders[rank]);
        r->next[rank] = 0;
        r->clock[rank] = 0;
    }
    for (int stage = 0; stage < MAX_RANKS * MAX_CHUNKS; stage++) {
        for (int i = 0; i < MAX_PASSES; i++)
            r->end[0][stage][i] = r->end[1][stage][i] = -1;
    }
    while (moved) {
        moved = false;
        for (int rank = 0; rank < r->plan.pp; rank++)
            moved = advance(r, rank) || moved;
    }
    for (int rank = 0; rank < r->plan.pp; rank++) {
        assert_int_equal(r->next[rank], r->orders[rank].n);
        last = fmax(last, r->clock[rank]);
    }
    return last;
}

static run shared_run; /* too large for the stack */

static double makespan_of(p3d_schedule schedule, int pp, int vp, int m,
        double delay, const double *weight)
{
    shared_run.plan = plan_of(schedule, pp, vp);
    shared_run.m = m;
    shared_run.delay = delay;
    for (int rank = 0; rank < pp; rank++)
        shared_run.weight[rank] = weight == NULL ? 1 : weight[rank];
    return makespan(&shared_run);
}

/* (m v + p - 1) passes of 3: (p - 1) / (v m) of bubble. */
static void equal_stages_take_the_known_time(void **state)
{
    (void)state;
    for (int p = 2; p <= MAX_RANKS; p++) {
        for (int m = p; m <= 4 * p; m += p) {
            for (int v = 2; v <= 4; v++)
                CHECK_REL(makespan_of(P3D_INTERLEAVED, p, v, m, 0, NULL),
                        3.0 * (m * v + p - 1), 1e-12);
            CHECK_REL(makespan_of(P3D_1F1B, p, 1, m, 0, NULL),
                    3.0 * (m + p - 1), 1e-12);
            CHECK_REL(makespan_of(P3D_GPIPE, p, 1, m, 0, NULL),
                    3.0 * (m + p - 1), 1e-12);
        }
    }
}

/** One-way delays that the planner adds to a step. */
static double planned_delays(
        const p3d_problem *base, p3d_schedule schedule, int p, int v, int m)
{
    p3d_problem problem = *base;
    char words[64];
    p3d_error err = {0};
    p3d_plan plan;
    p3d_estimate e;
    double c;

    problem_check(p3d_cluster_resize(&problem.cluster, 8 * p, &err), &err);
    problem.job.global_batch = m;
    snprintf(words, sizeof(words), "tp=8,pp=%d,vp=%d,zero=0,nosp%s", p, v,
            schedule == P3D_GPIPE ? ",schedule=gpipe" : "");
    e = problem_estimate(&problem, words);
    plan = e.plan;
    /* 2 bytes x 4,096 tokens x 4,096 channels. */
    c = cost_p2p_s(&problem.cluster,
            cost_place(&problem.cluster, &plan, P3D_AXIS_PP),
            2 * 4096.0 * 4096);
    return e.time.pp_comm_s / c;
}

static p3d_problem model_of_layers(int n_layers)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "generic", 4096, 8);

    problem.model.n_layers = n_layers;
    return problem;
}

/* A small delay, so that no pass changes its place. */
static void transfers_are_those_of_the_schedule_carried_out(void **state)
{
    const p3d_problem problem = model_of_layers(840); /* by 1 to 8 */
    const double c = 1e-3;

    (void)state;
    for (int p = 2; p <= MAX_RANKS; p++) {
        for (int m = 1; m <= 4 * p; m++) {
            const double base = 3.0 * (m + p - 1);

            CHECK_REL(planned_delays(&problem, P3D_1F1B, p, 1, m),
                    (makespan_of(P3D_1F1B, p, 1, m, c, NULL) - base) / c, 1e-6);
            CHECK_REL(planned_delays(&problem, P3D_GPIPE, p, 1, m),
                    (makespan_of(P3D_GPIPE, p, 1, m, c, NULL) - base) / c,
                    1e-6);
        }
    }
}

static const struct {
    int p, v, m;
} interleaved[] = {{2, 2, 2}, {2, 2, 8}, {4, 2, 4}, {4, 2, 16}, {4, 3, 16},
        {8, 2, 8}, {8, 5, 32}, {8, 3, 16}};

static void interleaved_transfers_too(void **state)
{
    const p3d_problem problem = model_of_layers(240); /* by p v below */
    const double c = 1e-3;

    (void)state;
    for (int i = 0; i < N_ROWS(interleaved); i++) {
        const int p = interleaved[i].p, v = interleaved[i].v;
        const int m = interleaved[i].m;
        const double base = 3.0 * (m * v + p - 1);

        CHECK_REL(planned_delays(&problem, P3D_INTERLEAVED, p, v, m),
                (makespan_of(P3D_INTERLEAVED, p, v, m, c, NULL) - base) / c,
                1e-6);
    }
}

static void check_unequal(
        p3d_schedule schedule, int p, int v, int m, uint32_t *seed)
{
    double weight[MAX_RANKS];
    double sum = 0, most = 0;
    double t;

    for (int rank = 0; rank < p; rank++) {
        *seed = *seed * 1664525u + 1013904223u;
        weight[rank] = 1 + (*seed >> 8) / 16777216.0;
        sum += weight[rank];
        most = fmax(most, weight[rank]);
    }
    t = makespan_of(schedule, p, v, m, 0, weight);
    assert_true(t <= 3 * (m * v * most + sum - most) * (1 + 1e-12));
    assert_true(t >= 3 * m * v * most);
}

/* m t_max + (sum t - t_max) / v is never below the schedule carried out. */
static void unequal_stages_take_at_most_the_planned_time(void **state)
{
    uint32_t seed = 7;

    (void)state;
    for (int i = 0; i < 500; i++) {
        const int p = 2 + i % (MAX_RANKS - 1);

        check_unequal(P3D_1F1B, p, 1, p + i % 20, &seed);
        check_unequal(P3D_GPIPE, p, 1, p + i % 20, &seed);
        check_unequal(P3D_INTERLEAVED, p, 2 + i % 3, p * (1 + i % 6), &seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(in_flight_is_what_the_schedule_holds),
            cmocka_unit_test(equal_stages_take_the_known_time),
            cmocka_unit_test(transfers_are_those_of_the_schedule_carried_out),
            cmocka_unit_test(interleaved_transfers_too),
            cmocka_unit_test(unequal_stages_take_at_most_the_planned_time),
    };

    return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}

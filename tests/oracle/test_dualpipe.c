/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dualpipe.c - the original DualPipe, whose ranks r and p - 1 - r both
 * hold the stages r and p - 1 - r, against what plan3d has for it: DualPipe-V
 * on p / 2 ranks and twice the replicas. Its order and its simulation are
 * written apart from those that are tested.
 *
 * Source: deepseek-ai/DualPipe@3da1bbea dualpipe/dualpipe.py (step) and README;
 * arXiv:2412.19437 table 2. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost/cost.h"
#include "cost/memory/memory.h"
#include "simulate.h"

enum { MAX_RANKS = 16, MAX_BATCHES = 64, MAX_OPS = 6 * MAX_BATCHES };

typedef enum pass { FORWARD, BACKWARD, INPUT, WEIGHT } pass;

/** A pass of a micro-batch in one of two directions. */
typedef struct op {
    pass kind;
    int way; /* 0: the stages follow the ranks; 1: they go against them */
    int i;   /* micro-batch */
    bool with_next;
} op;

typedef struct rank_order {
    int first; /* direction that begins here */
    int n;
    op at[MAX_OPS];
    int next[3][2]; /* micro-batch of F, B and W */
    int head, n_due;
    op due[MAX_OPS];
} rank_order;

/** @param phase  0: the direction that begins on this half of the ranks */
static op *put(rank_order *o, pass kind, int phase)
{
    const int way = phase ^ o->first;
    const int row = kind == FORWARD ? 0 : kind == WEIGHT ? 2 : 1;
    op *const now = &o->at[o->n++];

    assert_true(o->n <= MAX_OPS);
    *now = (op){kind, way, o->next[row][way]++, false};
    if (kind == INPUT)
        o->due[o->n_due++] = (op){WEIGHT, way, now->i, false};
    return now;
}

static void put_due(rank_order *o)
{
    assert_true(o->head < o->n_due);
    o->at[o->n++] = o->due[o->head++];
}

static void pair(rank_order *o, int forward, int backward)
{
    put(o, FORWARD, forward)->with_next = true;
    put(o, BACKWARD, backward);
}

/** The eight steps of one rank of p; n micro-batches each way. */
static void list(int p, int n, int rank, rank_order *o)
{
    const int half = p / 2;
    const int r = rank < half ? rank : p - 1 - rank;
    bool late = false;

    memset(o, 0, sizeof(*o));
    o->first = rank >= half;
    for (int i = 0; i < 2 * (half - r - 1); i++)
        put(o, FORWARD, 0);
    for (int i = 0; i < r + 1; i++) {
        put(o, FORWARD, 0);
        put(o, FORWARD, 1);
    }
    for (int i = 0; i < half - r - 1; i++) {
        put(o, INPUT, 1);
        put_due(o);
        put(o, FORWARD, 1);
    }
    for (int i = 0; i < n - p + r + 1; i++) {
        if (i == 0 && r == half - 1) {
            put(o, FORWARD, 0);
            put(o, BACKWARD, 1);
        } else {
            pair(o, 0, 1);
        }
        pair(o, 1, 0);
    }
    for (int i = 0; i < half - r - 1; i++) {
        put(o, BACKWARD, 1);
        pair(o, 1, 0);
    }
    for (int i = 0; i < r + 1; i++) {
        late = late || (i == (r + 1) / 2 && r % 2 == 1);
        put(o, late ? INPUT : BACKWARD, 1);
        late = late || (i == (r + 1) / 2 && r % 2 == 0);
        put(o, late ? INPUT : BACKWARD, 0);
    }
    for (int i = 0; i < half - r - 1; i++) {
        put_due(o);
        put(o, INPUT, 0);
    }
    while (o->head < o->n_due)
        put_due(o);
}

/** Ends of passes, by kind (F, B), direction, stage and micro-batch. */
typedef struct world {
    int p, n;
    simulate_stage stage; /* one of p */
    double end[2][2][MAX_RANKS][MAX_BATCHES];
} world;

/** When a pass may begin; NAN while an input is missing. */
static double ready(const world *w, int rank, const op *t)
{
    const int stage = t->way == 0 ? rank : w->p - 1 - rank;
    double own;

    if (t->kind == FORWARD)
        return stage == 0 ? 0 : w->end[0][t->way][stage - 1][t->i];
    if (t->kind == WEIGHT)
        return w->end[1][t->way][stage][t->i];
    own = w->end[0][t->way][stage][t->i];
    if (stage == w->p - 1 || isnan(own))
        return own;
    return isnan(w->end[1][t->way][stage + 1][t->i])
                   ? (double)NAN
                   : fmax(own, w->end[1][t->way][stage + 1][t->i]);
}

static double seconds(const world *w, pass kind)
{
    const double input = w->stage.backward_input_s;
    const double weight = w->stage.backward_weight_s;

    return kind == FORWARD    ? w->stage.forward_s
           : kind == BACKWARD ? input + weight
           : kind == INPUT    ? input
                              : weight;
}

/** Run the next pass, or the next two that run as one. */
static bool advance(
        world *w, int rank, const rank_order *o, int *next, double *clock)
{
    const op *const t = &o->at[*next];
    const int n = t->with_next ? 2 : 1;
    const double start = *clock;
    double at = start;

    for (int k = 0; k < n; k++) {
        const double input = ready(w, rank, &t[k]);

        if (isnan(input))
            return false;
        at = fmax(at, input);
    }
    for (int k = 0; k < n; k++)
        at += seconds(w, t[k].kind);
    for (int k = 0; k < n; k++) {
        const int stage = t[k].way == 0 ? rank : w->p - 1 - rank;

        if (t[k].kind != WEIGHT)
            w->end[t[k].kind != FORWARD][t[k].way][stage][t[k].i] = at;
    }
    *clock = at;
    *next += n;
    return true;
}

/** Seconds until all ranks are done; -1 where the order deadlocks. */
static double makespan(world *w)
{
    rank_order *const orders = calloc((size_t)w->p, sizeof(*orders));
    double clock[MAX_RANKS] = {0}, last = 0;
    int next[MAX_RANKS] = {0};
    bool moved = true;

    assert_non_null(orders);
    for (int i = 0; i < 2 * 2 * MAX_RANKS * MAX_BATCHES; i++)
        (&w->end[0][0][0][0])[i] = (double)NAN;
    for (int rank = 0; rank < w->p; rank++)
        list(w->p, w->n, rank, &orders[rank]);
    while (moved) {
        moved = false;
        for (int rank = 0; rank < w->p; rank++) {
            while (next[rank] < orders[rank].n &&
                    advance(w, rank, &orders[rank], &next[rank], &clock[rank]))
                moved = true;
        }
    }
    for (int rank = 0; rank < w->p; rank++)
        last = next[rank] < orders[rank].n || last < 0
                       ? -1
                       : fmax(last, clock[rank]);
    free(orders);
    return last;
}

/** What plan3d takes: a stage is a chunk. */
static double planned(const world *w)
{
    const cost_pipeline v = {P3D_DUALPIPE_V, w->p / 2, 2, w->n, 0};
    simulate_stage stages[MAX_RANKS];

    for (int i = 0; i < w->p; i++)
        stages[i] = w->stage;
    return simulate(&v, stages, 0).makespan_s;
}

static const simulate_stage costs[] = {
        {1, 1, 1}, {1, 1.2, 0.8}, {1, 1.5, 1}, {2, 1, 0.5}};

static void both_halves_take_as_long_as_two_replicas(void **state)
{
    world *const w = calloc(1, sizeof(*w));

    (void)state;
    assert_non_null(w);
    for (int c = 0; c < 4; c++) {
        for (int p = 4; p <= 16; p += 4) {
            for (int n = p; n <= 3 * p; n += p / 2) {
                w->p = p;
                w->n = n;
                w->stage = costs[c];
                assert_true(fabs(makespan(w) - planned(w)) < 1e-9 * planned(w));
            }
        }
    }
    free(w);
}

/* README: (p / 2 - 1) (F&B + B - 3 W), which an unpaired first pair on the
 * middle ranks leaves a little below. */
static void the_bubble_is_the_published_one(void **state)
{
    world *const w = calloc(1, sizeof(*w));

    (void)state;
    assert_non_null(w);
    for (int p = 8; p <= 16; p += 4) {
        const simulate_stage t = costs[1];
        const double B = t.backward_input_s + t.backward_weight_s;
        const double published =
                (p / 2 - 1) * (t.forward_s + B + B - 3 * t.backward_weight_s);
        double bubble;

        w->p = p;
        w->n = 2 * p;
        w->stage = t;
        bubble = makespan(w) - 2 * w->n * (t.forward_s + B);
        assert_true(bubble <= published + 1e-9);
        assert_true(bubble >= published - 2 * t.forward_s);
    }
    free(w);
}

/** Most passes whose activations are alive at once. */
static int most_kept(const rank_order *o)
{
    int now = 0, most = 0;

    for (int i = 0; i < o->n; i++) {
        now += o->at[i].kind == FORWARD;
        most = now > most ? now : most;
        now -= o->at[i].kind == BACKWARD || o->at[i].kind == WEIGHT;
    }
    assert_int_equal(now, 0);
    return most;
}

/* arXiv:2412.19437 table 2: activations of p + 1 stages, on every rank; weights
 * of two stages of p where 1F1B has one: twice. */
static void a_rank_keeps_what_the_paper_says(void **state)
{
    static const cost_chunk ones[2] = {{.saved_bytes = 1}, {.saved_bytes = 1}};
    rank_order *const o = malloc(sizeof(*o));

    (void)state;
    assert_non_null(o);
    for (int p = 4; p <= 16; p += 2) {
        const p3d_plan v = {.pp = p / 2, .vp = 2, .schedule = P3D_DUALPIPE_V};

        for (int rank = 0; rank < p; rank++) {
            const int r = rank < p / 2 ? rank : p - 1 - rank;
            cost_walk walk;

            list(p, 2 * p, rank, o);
            assert_int_equal(most_kept(o), p + 1);
            cost_walk_rank(&v, r, 2 * p,
                    &(cost_kept){.chunks = ones, .sent = {.frac = 0}}, &walk);
            assert_true(walk.forward.saved_bytes == p + 1);
            assert_int_equal(cost_stage_of(&v, r, 0), r);
            assert_int_equal(cost_stage_of(&v, r, 1), p - 1 - r);
        }
    }
    free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(both_halves_take_as_long_as_two_replicas),
            cmocka_unit_test(the_bubble_is_the_published_one),
            cmocka_unit_test(a_rank_keeps_what_the_paper_says),
    };

    return cmocka_run_group_tests_name("dualpipe", tests, NULL, NULL);
}

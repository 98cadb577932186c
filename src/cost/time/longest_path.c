/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longest_path.c - when each pipeline rank is done, stage by stage.
 *
 * The order of every rank is fixed, so the result does not depend on the order
 * in which ranks are visited: each is advanced as far as its inputs allow. */
#include "cost/time/longest_path.h"

#include <math.h>
#include <stdint.h>

#include "base/util.h"
#include "plan3d/model.h"

/* Groups of micro-batches that are simulated where there is room, and after
 * which one more takes always the same; four are needed. */
enum { MOST_GROUPS = 12, FEWEST_GROUPS = 4 };

/** A pass of the order that all ranks share: the chunk, and where the end of
 *  the first rank's pass is kept; those of the others are m further each. */
typedef struct pass {
    uint16_t chunk;
    uint16_t end; /* below COST_MAX_ENDS */
} pass;

typedef struct path {
    cost_pipeline pl;
    const cost_pass_time *stages;
    cost_moments delays;
    int next[P3D_MAX_LAYERS]; /* task of each rank */
    cost_moments *clock;      /* of each rank */
    double groups;            /* of micro-batches to add to what is run */
    /* Passes forward and backward in their order. */
    pass *forward;
    pass *backward;
    /* When each micro-batch leaves each stage, stage by stage: forward, then,
     * with the sign turned, backward. */
    cost_moments *end;
} path;

static const double NOT_YET = HUGE_VAL;

/** Micro-batches that are simulated: all, or as many groups as show the period,
 *  the last as incomplete as it is. */
static int64_t shortened(const cost_pipeline *pl)
{
    const int64_t group = cost_schedule_group(pl);
    const int64_t stages = (int64_t)pl->p * pl->v;
    int64_t groups = MOST_GROUPS;
    int64_t m;

    while (groups > FEWEST_GROUPS &&
            stages * (groups + 1) * group > COST_MAX_ENDS)
        groups--;
    m = groups * group + pl->m % group;
    return pl->m < m ? pl->m : m;
}

bool cost_has_longest_path(const cost_pipeline *pl)
{
    return cost_schedule_alternates(pl->order) &&
           pl->order != P3D_2BW && /* steps overlap */
           pl->order != P3D_PIPEDREAM &&
           pl->order != P3D_NAIVE && /* nothing does */
           pl->p <= P3D_MAX_LAYERS &&
           (int64_t)pl->p * pl->v * shortened(pl) <= COST_MAX_ENDS;
}

/** A rank at work: what it needs at each pass is here. */
typedef struct runner {
    const pass *forward, *backward;
    const cost_pass_time
            *stages; /* of its first chunk; of the next p further */
    cost_moments *ends;
    cost_moments clock;
    cost_moments delays;
    int p, m;
    int open;  /* chunk whose forward needs no other rank, or -1 */
    int close; /* the same backward */
} runner;

static runner begin(const path *x, int rank)
{
    return (runner){.forward = x->forward,
            .backward = x->backward,
            .stages = &x->stages[rank],
            .ends = &x->end[rank * x->pl.m],
            .clock = x->clock[rank],
            .delays = x->delays,
            .p = x->pl.p,
            .m = x->pl.m,
            .open = rank == 0 ? 0 : -1,
            .close = rank == x->pl.p - 1 ? x->pl.v - 1 : -1};
}

/** Run a pass once its input, turned to positive by `sign`, is there and a
 *  delay has passed. */
static inline void run_pass(
        runner *r, const cost_moments *input, double sign, double seconds)
{
    for (int i = 0; i < COST_N_DELAYS; i++) {
        const double ready = sign * input->s[i] + r->delays.s[i];

        r->clock.s[i] =
                (r->clock.s[i] > ready ? r->clock.s[i] : ready) + seconds;
    }
}

static inline void run_at_once(runner *r, double seconds)
{
    for (int i = 0; i < COST_N_DELAYS; i++)
        r->clock.s[i] += seconds;
}

/** Run a pass forward. @return false while its input is missing */
static inline bool run_forward(runner *r, int k)
{
    const pass t = r->forward[k];
    cost_moments *const end = &r->ends[t.end];
    const double seconds = r->stages[t.chunk * r->p].forward_s;

    if (t.chunk == r->open) {
        run_at_once(r, seconds);
    } else {
        const cost_moments *const input = end - r->m;

        if (input->s[0] == NOT_YET)
            return false;
        run_pass(r, input, 1, seconds);
    }
    *end = r->clock;
    return true;
}

/** The same backward: the last stage's input is its own, which the rank ran
 *  before. */
static inline bool run_backward(runner *r, int k)
{
    const pass t = r->backward[k];
    cost_moments *const end = &r->ends[t.end];
    const double seconds = r->stages[t.chunk * r->p].backward_s;

    if (t.chunk == r->close) {
        if (end->s[0] == NOT_YET)
            return false;
        run_at_once(r, seconds);
    } else {
        const cost_moments *const input = end + r->m;

        if (!signbit(input->s[0]))
            return false;
        run_pass(r, input, -1, seconds);
    }
    for (int i = 0; i < COST_N_DELAYS; i++)
        end->s[i] = -r->clock.s[i];
    return true;
}

/** Run a rank as far as its inputs allow: forward passes to warm up, then the
 *  two in turn, then what is left backward. @return whether it moved */
static bool advance(path *x, int rank)
{
    const int passes = x->pl.m * x->pl.v;
    const int warm = cost_schedule_warm_up(&x->pl, rank);
    const int before = x->next[rank];
    runner r = begin(x, rank);
    int next = before;
    bool moves = true;

    while (moves && next < warm)
        next += moves = run_forward(&r, next);
    while (moves && next < 2 * passes - warm) {
        const int turn = (next - warm) / 2;

        if ((next - warm) % 2 == 0)
            next += moves = run_forward(&r, warm + turn);
        if (moves)
            next += moves = run_backward(&r, turn);
    }
    while (moves && next < 2 * passes)
        next += moves = run_backward(&r, next - passes);
    x->next[rank] = next;
    x->clock[rank] = r.clock;
    return next > before;
}

/** All passes in one direction; the ranks run them in the same order. */
static void list_passes(path *x, cost_task_kind kind, pass *out)
{
    cost_passes at = cost_passes_begin(&x->pl, kind);
    const int n = x->pl.m * x->pl.v;
    const int chunk = x->pl.m * x->pl.p;

    for (int k = 0; k < n; k++) {
        out[k] = (pass){(uint16_t)at.task.chunk,
                (uint16_t)(at.task.chunk * chunk + at.task.micro_batch)};
        cost_passes_next(&at);
    }
}

static void run(path *x, int m, cost_moments *done)
{
    bool moved = true;

    x->pl.m = m;
    x->clock = done;
    list_passes(x, COST_FORWARD, x->forward);
    list_passes(x, COST_BACKWARD, x->backward);
    for (int i = 0; i < x->pl.p * x->pl.v * m; i++)
        x->end[i].s[0] = NOT_YET;
    for (int rank = 0; rank < x->pl.p; rank++) {
        x->next[rank] = 0;
        done[rank] = (cost_moments){{0}};
    }
    while (moved) {
        moved = false;
        for (int rank = 0; rank < x->pl.p; rank++)
            moved = advance(x, rank) || moved;
    }
}

/** Seconds of a micro-batch on all stages of a rank. */
static double rank_s(
        const cost_pipeline *pl, const cost_pass_time *stages, int rank)
{
    double sum = 0;

    for (int chunk = 0; chunk < pl->v; chunk++) {
        const int stage = cost_schedule_stage(pl, rank, chunk);

        sum += stages[stage].forward_s + stages[stage].backward_s;
    }
    return sum;
}

/** The rank that takes longest: the period of its micro-batches is no less. */
static double slowest_s(const cost_pipeline *pl, const cost_pass_time *stages)
{
    double most = 0;

    for (int rank = 0; rank < pl->p; rank++)
        most = fmax(most, rank_s(pl, stages, rank));
    return most;
}

/** The last of a rank's backward passes that alternate with forward ones of
 *  whole groups; negative when there is none. */
static int last_in_turn(const cost_pipeline *pl, int rank)
{
    const int group = cost_schedule_group(pl);
    const int odd = pl->m % group > 0 ? group * pl->v : 0;

    return pl->m * pl->v - cost_schedule_warm_up(pl, rank) - 1 - odd;
}

/** When a rank had run its k-th backward pass. */
static cost_moments moments_of(const path *x, int rank, int k)
{
    const cost_moments *const end =
            &x->end[rank * x->pl.m + x->backward[k].end];
    cost_moments at;

    for (int i = 0; i < COST_N_DELAYS; i++)
        at.s[i] = -end->s[i];
    return at;
}

/** Seconds of a rank for one more group: between two of its backward passes
 *  while forward and backward alternate. @return false when it does not do so
 *  for long enough */
static bool period_of(const path *x, int rank, cost_moments *out)
{
    const int last = last_in_turn(&x->pl, rank);
    const int before = last - cost_schedule_group(&x->pl) * x->pl.v;
    cost_moments end, begin;

    if (before < 0)
        return false;
    end = moments_of(x, rank, last);
    begin = moments_of(x, rank, before);
    for (int i = 0; i < COST_N_DELAYS; i++)
        out->s[i] = end.s[i] - begin.s[i];
    return true;
}

/** The same of all ranks. @return false when one does not alternate enough */
static bool periods_in_turn(const path *x, cost_moments *periods)
{
    for (int rank = 0; rank < x->pl.p; rank++) {
        if (!period_of(x, rank, &periods[rank]))
            return false;
    }
    return true;
}

/** The same by a run of one group less. */
static void periods_by_difference(
        path *x, const cost_moments *done, cost_moments *periods)
{
    run(x, x->pl.m - cost_schedule_group(&x->pl), periods);
    for (int rank = 0; rank < x->pl.p; rank++) {
        for (int i = 0; i < COST_N_DELAYS; i++)
            periods[rank].s[i] = done[rank].s[i] - periods[rank].s[i];
    }
}

/** Add groups of micro-batches that are not simulated: each takes what the last
 *  one simulated does, and no less than the slowest rank. */
static void extrapolate(
        path *x, double groups, double least_s, cost_moments *done)
{
    cost_moments periods[P3D_MAX_LAYERS];

    if (!periods_in_turn(x, periods))
        periods_by_difference(x, done, periods);
    for (int rank = 0; rank < x->pl.p; rank++) {
        for (int i = 0; i < COST_N_DELAYS; i++)
            done[rank].s[i] += groups * fmax(least_s, periods[rank].s[i]);
    }
}

/** Room for the passes of a rank and for the ends of all. */
typedef struct room {
    pass *forward, *backward;
    cost_moments *end;
} room;

static void solve(path *x, int m, room in, cost_moments *done)
{
    x->forward = in.forward;
    x->backward = in.backward;
    x->end = in.end;
    run(x, m, done);
    if (x->groups > 0)
        extrapolate(x, x->groups,
                cost_schedule_group(&x->pl) * slowest_s(&x->pl, x->stages),
                done);
}

/* A compiler that guards the stack touches each page of a frame, used or not:
 * most pipelines are far from the largest, and get frames of their own. */
enum { FEW_ENDS = 1 << 12 };

static __attribute__((noinline)) void solve_small(
        path *x, int m, cost_moments *done)
{
    pass forward[FEW_ENDS], backward[FEW_ENDS];
    cost_moments end[FEW_ENDS];

    solve(x, m, (room){forward, backward, end}, done);
}

static __attribute__((noinline)) void solve_large(
        path *x, int m, cost_moments *done)
{
    pass forward[COST_MAX_ENDS], backward[COST_MAX_ENDS];
    cost_moments end[COST_MAX_ENDS];

    solve(x, m, (room){forward, backward, end}, done);
}

/** Run as many micro-batches as are simulated, and add the groups. */
static void solve_in_room(path *x, int m, cost_moments *done)
{
    if ((int64_t)x->pl.p * x->pl.v * m <= FEW_ENDS)
        solve_small(x, m, done);
    else
        solve_large(x, m, done);
}

void cost_longest_path(const cost_pipeline *pipeline,
        const cost_pass_time *stages, cost_moments delays, cost_moments *done)
{
    const int m = (int)shortened(pipeline);
    path x = {.pl = *pipeline,
            .stages = stages,
            .delays = pipeline->p > 1 ? delays : (cost_moments){{0}},
            .groups =
                    (double)(pipeline->m - m) / cost_schedule_group(pipeline)};

    P3D_ASSERT(cost_has_longest_path(pipeline));
    solve_in_room(&x, m, done);
}

double cost_longest_path_least_s(
        const cost_pipeline *pipeline, const cost_pass_time *stages)
{
    const int m = (int)shortened(pipeline);
    cost_moments done[P3D_MAX_LAYERS];
    double last_s = 0;
    path x = {.pl = *pipeline, .stages = stages};

    P3D_ASSERT(cost_has_longest_path(pipeline));
    solve_in_room(&x, m, done);
    for (int rank = 0; rank < pipeline->p; rank++)
        last_s = fmax(last_s, done[rank].s[0]);
    return last_s + (pipeline->m - m) * slowest_s(pipeline, stages);
}

double cost_longest_path_floor_s(
        const cost_pipeline *pl, const cost_pass_time *stages)
{
    const double m = pl->m;
    double all_s = 0;
    double before_s = 0;
    double floor_s = 0;

    for (int rank = 0; rank < pl->p; rank++)
        all_s += stages[rank].forward_s + stages[rank].backward_s;
    for (int rank = 0; rank < pl->p; rank++) {
        const double b = stages[rank].backward_s;
        const double t = stages[rank].forward_s + b;
        const double warm = fmin(pl->p - 1 - rank, m - 1);

        floor_s = fmax(floor_s, before_s + m * rank_s(pl, stages, rank));
        if (pl->order == P3D_1F1B)
            floor_s = fmax(floor_s, all_s + (m - 1 - warm) * t + warm * b);
        before_s += t;
    }
    return floor_s;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.c - the order in which a pipeline rank runs its micro-batches. */
#include "cost/pipeline/schedule.h"

#include "base/util.h"

/** Who is told the tasks, and how far each chunk has come. */
typedef struct order_writer {
    cost_visit_task *visit;
    void *context;
    int next[3][2]; /* next micro-batch of F, B and W, by chunk (V-shapes) */
} order_writer;

static void put_task(order_writer *w, cost_task task)
{
    w->visit(w->context, &task);
}

static void put(
        order_writer *w, cost_task_kind kind, int chunk, int micro_batch)
{
    put_task(w,
            (cost_task){
                    .kind = kind, .chunk = chunk, .micro_batch = micro_batch});
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

cost_pipeline cost_pipeline_of(const p3d_plan *plan, int64_t n_micro_batches)
{
    return (cost_pipeline){.order = plan->schedule,
            .p = plan->pp,
            .v = plan->vp,
            .m = (int)n_micro_batches,
            .group = plan->group};
}

int cost_schedule_group(const cost_pipeline *pl)
{
    return pl->group > 0 ? pl->group : pl->p;
}

/** Passes forward before the first backward that follows one. */
int cost_schedule_warm_up(const cost_pipeline *pl, int rank)
{
    const int before = pl->p - 1 - rank;
    const int passes = pl->m * pl->v;

    if (pl->order == P3D_GPIPE)
        return passes;
    if (pl->order == P3D_NAIVE)
        return 0;
    if (pl->order == P3D_INTERLEAVED)
        return smaller(
                passes, 2 * before + (pl->v - 1) * cost_schedule_group(pl));
    return smaller(passes, before);
}

bool cost_schedule_alternates(p3d_schedule order)
{
    return order == P3D_1F1B || order == P3D_2BW || order == P3D_GPIPE ||
           order == P3D_INTERLEAVED || order == P3D_NAIVE ||
           order == P3D_PIPEDREAM;
}

cost_passes cost_passes_begin(const cost_pipeline *pl, cost_task_kind kind)
{
    return (cost_passes){.pl = pl,
            .task = {.kind = kind,
                    .chunk = kind == COST_FORWARD ? 0 : pl->v - 1},
            .size = smaller(cost_schedule_group(pl), pl->m)};
}

void cost_passes_next(cost_passes *at)
{
    const cost_pipeline *pl = at->pl;
    cost_task *task = &at->task;
    const bool forward = task->kind == COST_FORWARD;

    task->micro_batch++;
    if (++at->i < at->size)
        return;
    at->i = 0;
    if (task->chunk != (forward ? pl->v - 1 : 0)) {
        task->micro_batch -= at->size;
        task->chunk += forward ? 1 : -1;
        return;
    }
    at->size = smaller(at->size, pl->m - task->micro_batch);
    task->chunk = forward ? 0 : pl->v - 1;
}

/** Micro-batches of the round that goes through the chunks next. */
static int round_size(const cost_pipeline *pl, int n_rounds)
{
    const int group = cost_schedule_group(pl);

    return smaller(group, pl->m - n_rounds * group);
}

int cost_schedule_forwards(const cost_pipeline *pl, int chunk, int n)
{
    const int group = cost_schedule_group(pl);
    const int rounds = smaller(n / (group * pl->v), pl->m / group);
    const int size = round_size(pl, rounds);
    const int rest = n - rounds * group * pl->v - chunk * size;

    return rounds * group + (rest < 0 ? 0 : smaller(rest, size));
}

int cost_schedule_until(const cost_pipeline *pl, int chunk, int k)
{
    const int group = cost_schedule_group(pl);
    const int rounds = (k - 1) / group;

    return rounds * group * pl->v + chunk * round_size(pl, rounds) + k -
           rounds * group;
}

/** Up to the n-th turn of a backward pass, with a forward one while there is
 *  one. */
static void list_alternating(
        const cost_pipeline *pl, int rank, int n, order_writer *w)
{
    const int passes = pl->m * pl->v;
    const int warm = cost_schedule_warm_up(pl, rank);
    cost_passes forward = cost_passes_begin(pl, COST_FORWARD);
    cost_passes backward = cost_passes_begin(pl, COST_BACKWARD);

    for (int k = 0; k < warm + n; k++) {
        if (k < passes) {
            put_task(w, forward.task);
            cost_passes_next(&forward);
        }
        if (k >= warm) {
            put_task(w, backward.task);
            cost_passes_next(&backward);
        }
    }
}

/** Zero bubble with a handcrafted order: the gradients of weights lag behind
 *  those of inputs by `lag` micro-batches and fill the cool-down. */
static void list_zero_bubble(
        const cost_pipeline *pl, int first, int lag, order_writer *w)
{
    const int warm = smaller(first, pl->m);
    int forward = warm;
    int weight = 0;

    for (int i = 0; i < warm; i++)
        put(w, COST_FORWARD, 0, i);
    for (int i = 0; i < pl->m; i++) {
        if (forward < pl->m)
            put(w, COST_FORWARD, 0, forward++);
        put(w, COST_BACKWARD_INPUT, 0, i);
        if (i >= lag)
            put(w, COST_BACKWARD_WEIGHT, 0, weight++);
    }
    while (weight < pl->m)
        put(w, COST_BACKWARD_WEIGHT, 0, weight++);
}

/* V-shaped orders: each kind of task counts its micro-batches by chunk. */

static void put_f(order_writer *w, int chunk)
{
    put(w, COST_FORWARD, chunk, w->next[0][chunk]++);
}

static void put_b(order_writer *w, cost_task_kind kind, int chunk)
{
    put(w, kind, chunk, w->next[1][chunk]++);
}

static void put_w(order_writer *w, int chunk)
{
    put(w, COST_BACKWARD_WEIGHT, chunk, w->next[2][chunk]++);
}

static void put_b_w(order_writer *w, int chunk)
{
    put_b(w, COST_BACKWARD_INPUT, chunk);
    put_w(w, chunk);
}

static void list_zb_v(const cost_pipeline *pl, int r, order_writer *w)
{
    const int p = pl->p;

    for (int i = 0; i < 2 * (p - r) - 1; i++)
        put_f(w, 0);
    for (int i = 0; i < r; i++) {
        put_f(w, 1);
        put_f(w, 0);
    }
    for (int i = 0; i < p - r; i++) {
        put_f(w, 1);
        put_b_w(w, 1);
    }
    while (w->next[0][1] < pl->m) {
        if (w->next[0][0] < pl->m)
            put_f(w, 0);
        put_b_w(w, 0);
        put_f(w, 1);
        put_b_w(w, 1);
    }
    for (int i = 0; i < r; i++) {
        put_b(w, COST_BACKWARD_INPUT, 0);
        put_b(w, COST_BACKWARD_INPUT, 1);
    }
    for (int i = 0; i < p - r; i++)
        put_b_w(w, 0);
    while (w->next[2][1] < pl->m)
        put_w(w, 1);
    while (w->next[2][0] < pl->m)
        put_w(w, 0);
}

/** A forward and a backward, which may overlap each other's communication. */
static void put_pair(order_writer *w, int forward, int backward, bool overlap)
{
    put_task(w, (cost_task){.kind = COST_FORWARD,
                        .chunk = forward,
                        .micro_batch = w->next[0][forward]++,
                        .with_next = overlap});
    put_b(w, COST_BACKWARD, backward);
}

enum { MAX_DUE = 4096 };

/** Gradients of weights that were put off, first come first served. */
typedef struct weight_queue {
    int head;
    int n;
    cost_task due[MAX_DUE];
} weight_queue;

/** A backward, whole or with its weight gradients put off. */
static void put_b_or_half(
        order_writer *w, weight_queue *q, int chunk, bool half)
{
    if (half) {
        P3D_ASSERT(q->n < MAX_DUE);
        q->due[q->n++] = (cost_task){.kind = COST_BACKWARD_WEIGHT,
                .chunk = chunk,
                .micro_batch = w->next[1][chunk]};
    }
    put_b(w, half ? COST_BACKWARD_INPUT : COST_BACKWARD, chunk);
}

static void put_w_due(order_writer *w, weight_queue *q)
{
    P3D_ASSERT(q->head < q->n);
    put_task(w, q->due[q->head++]);
}

/** Steps 5 to 8: no forwards of chunk 0 are left. */
static void list_dualpipe_v_end(
        const cost_pipeline *pl, int r, weight_queue *due, order_writer *w)
{
    bool half = false;

    for (int i = 0; i < pl->p - 1 - r; i++) {
        put_b(w, COST_BACKWARD, 1);
        put_pair(w, 1, 0, true);
    }
    for (int i = 0; i < r + 1; i++) {
        const bool turn = i == (r + 1) / 2;

        half = half || (turn && r % 2 == 1);
        put_b_or_half(w, due, 1, half);
        half = half || (turn && r % 2 == 0);
        put_b_or_half(w, due, 0, half);
    }
    for (int i = 0; i < pl->p - 1 - r; i++) {
        put_w_due(w, due);
        put_b_or_half(w, due, 0, true);
    }
    while (due->head < due->n)
        put_w_due(w, due);
}

static void list_dualpipe_v(const cost_pipeline *pl, int r, order_writer *w)
{
    const int p = pl->p;
    weight_queue due;

    due.head = due.n = 0;
    for (int i = 0; i < 2 * (p - 1 - r); i++)
        put_f(w, 0);
    for (int i = 0; i < r + 1; i++) {
        put_f(w, 0);
        put_f(w, 1);
    }
    for (int i = 0; i < p - 1 - r; i++) {
        put_b_or_half(w, &due, 1, true);
        put_w_due(w, &due);
        put_f(w, 1);
    }
    for (int i = 0; i < pl->m - 2 * p + r + 1; i++) {
        /* The last rank starts unpaired. */
        put_pair(w, 0, 1, i > 0 || r < p - 1);
        put_pair(w, 1, 0, true);
    }
    list_dualpipe_v_end(pl, r, &due, w);
}

static bool is_v_shaped(p3d_schedule order)
{
    return p3d_schedule_chunks(order) == 2;
}

int64_t cost_schedule_max_tasks(const cost_pipeline *pipeline)
{
    return 3 * (int64_t)pipeline->m * pipeline->v;
}

bool cost_schedule_exists(const cost_pipeline *pl)
{
    const int chunks = p3d_schedule_chunks(pl->order);

    if (pl->p < 1 || pl->v < 1 || (chunks > 0 && pl->v != chunks) ||
            pl->m < p3d_schedule_min_micro_batches(pl->order, pl->p))
        return false;
    if (pl->order == P3D_INTERLEAVED)
        return cost_schedule_group(pl) >= pl->p &&
               (pl->m % cost_schedule_group(pl) == 0 ||
                       pl->m % cost_schedule_group(pl) >= pl->p);
    return pl->order != P3D_DUALPIPE_V || pl->p <= MAX_DUE / 4;
}

void cost_schedule_visit(const cost_pipeline *pipeline, int rank,
        cost_visit_task *visit, void *context)
{
    const int before = pipeline->p - 1 - rank;
    order_writer w = {.visit = visit, .context = context};

    P3D_ASSERT(cost_schedule_exists(pipeline));
    switch (pipeline->order) {
    case P3D_GPIPE:
    case P3D_1F1B:
    case P3D_2BW:
    case P3D_NAIVE:
    case P3D_PIPEDREAM:
    case P3D_INTERLEAVED:
        list_alternating(pipeline, rank, pipeline->m * pipeline->v, &w);
        break;
    case P3D_ZB_H1: list_zero_bubble(pipeline, before, rank, &w); break;
    case P3D_ZB_H2: list_zero_bubble(pipeline, 2 * before, 2 * rank, &w); break;
    case P3D_ZB_V: list_zb_v(pipeline, rank, &w); break;
    case P3D_DUALPIPE_V: list_dualpipe_v(pipeline, rank, &w); break;
    case P3D_N_SCHEDULES: break;
    }
}

void cost_schedule_visit_period(const cost_pipeline *pl, int rank,
        cost_visit_task *visit, void *context)
{
    const int passes = pl->m * pl->v;
    const int turns = passes - cost_schedule_warm_up(pl, rank);
    const int period = cost_schedule_group(pl) * pl->v;
    const bool repeats =
            turns >= period && pl->m % cost_schedule_group(pl) == 0;
    order_writer w = {.visit = visit, .context = context};

    P3D_ASSERT(cost_schedule_alternates(pl->order));
    list_alternating(pl, rank, repeats ? period : passes, &w);
}

typedef struct task_list {
    cost_task *out;
    int64_t n;
} task_list;

static void append(void *context, const cost_task *task)
{
    task_list *list = context;

    list->out[list->n++] = *task;
}

int64_t cost_schedule_list(
        const cost_pipeline *pipeline, int rank, cost_task *out)
{
    task_list list = {.out = out};

    cost_schedule_visit(pipeline, rank, append, &list);
    return list.n;
}

int cost_schedule_stage(const cost_pipeline *pipeline, int rank, int chunk)
{
    if (is_v_shaped(pipeline->order))
        return chunk == 0 ? rank : 2 * pipeline->p - 1 - rank;
    return chunk * pipeline->p + rank;
}

void cost_schedule_place(
        const cost_pipeline *pipeline, int stage, int *rank, int *chunk)
{
    *chunk = stage / pipeline->p;
    *rank = stage % pipeline->p;
    if (is_v_shaped(pipeline->order) && *chunk == 1)
        *rank = pipeline->p - 1 - *rank;
}

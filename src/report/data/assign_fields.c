/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign_fields.c - which job on which pool: the rows of the answer, and its
 * JSON document by tables. */
#include "report/assign.h"
#include "report/data/fields.h"

static void fill_place(const report_assign *a, const p3d_assign_point *at,
        report_assign_place *out)
{
    *out = (report_assign_place){.at = *at};
    if (at->n_nodes == 0)
        return;
    out->pool = a->pools->names[at->pool];
    out->gpu = a->pools->clusters[at->pool].gpu.name;
    p3d_plan_print(&at->plan, out->plan, sizeof(out->plan));
}

static report_assign_need need_of(const report_assign *a, int j, int k)
{
    return (report_assign_need){.job = a->jobs[j].name,
            .pool = a->pools->names[k],
            .least_nodes = a->found.rows[j].least_nodes[k],
            .refusal = a->jobs[j].refused[k] ? a->words[j].refusal[k] : NULL};
}

static void fill_row(const report_assign *a, int j, report_assign_row *out)
{
    const p3d_assign_row *const row = &a->found.rows[j];
    const p3d_assign_job *const job = &a->jobs[j];

    *out = (report_assign_row){.name = job->name,
            .model = job->on[0].model.name,
            .seq_len = job->on[0].job.seq_len,
            .global_batch = job->on[0].job.global_batch,
            .n_tokens = job->on[0].job.n_tokens,
            .weight = job->weight,
            .deadline_s = job->deadline_s,
            .verdict = (int)row->verdict};
    fill_place(a, &row->at, &out->place);
    fill_place(a, &row->alone, &out->alone);
}

void report_assign_fill(report_assign *a)
{
    const p3d_pools *const pools = a->pools;

    for (int j = 0; j < a->found.n_jobs; j++) {
        fill_row(a, j, &a->job_rows[j]);
        for (int k = 0; k < pools->n_pools; k++)
            a->need_rows[a->needs.n++] = need_of(a, j, k);
    }
    a->needs.items = a->need_rows;
    for (int k = 0; k < pools->n_pools; k++)
        a->pool_rows[k] = (report_assign_pool){pools->names[k],
                pools->clusters[k].name, pools->clusters[k].n_nodes,
                a->found.n_nodes[k], a->found.unit_nodes[k]};
    a->rows = (json_list){a->job_rows, a->found.n_jobs};
    a->pool_list = (json_list){a->pool_rows, pools->n_pools};
}

/* clang-format off */
#define P report_assign_pool
static const json_field pool_fields[] = {
    ROW(P, name, "of the pool"),
    ROW(P, cluster, "GPUs x type"),
    ROW(P, n_nodes, "nodes"),
    ROW(P, n_used_nodes, "nodes that have a job"),
    ROW(P, unit_nodes, "jobs take nodes of it by so many"),
};
static const json_shape pool_shape = REPORT_SHAPE(
        P, pool_fields, "a pool, and what the jobs take of it");

#define L report_assign_place
static const json_field place_fields[] = {
    ROW(L, pool, "its name; null: there is no place"),
    ROW(L, gpu, "type of its GPUs"),
    IN(L, at, n_nodes, "nodes"),
    IN(L, at, n_gpus, "GPUs"),
    {TYPED("plan", L, plan, JSON_GOT(TEXT, report_get_chars), char *,
        "the fastest that is sure to fit, as --plan reads it")},
    MAYBE_IN(L, at, step_s, "time of its step"),
    {MAYBE("training_s", L, at.end_s, "of the training, with failures")},
    MAYBE_IN(L, at, goodput_frac, "of the time, steps that are kept"),
    {MAYBE("training_gpu_h", L, at.gpu_h, "GPU-hours of the training")},
    {MAYBE("training_usd", L, at.usd, "its cost; null: not priced")},
};
static const json_shape place_shape = REPORT_SHAPE(
        L, place_fields, "a job on nodes of a pool");

#define N report_assign_need
static const json_field need_fields[] = {
    ROW(N, job, "its name"),
    ROW(N, pool, "its name"),
    MAYBE_ROW(N, least_nodes, "the fewest nodes of it on which the job fits "
        "and is in time; null: all are not enough"),
    ROW(N, refusal, "why the pool cannot run the job; null: it may"),
};
static const json_shape need_shape = REPORT_SHAPE(
        N, need_fields, "what a job needs of a pool");

#define R report_assign_row
static const json_field row_fields[] = {
    ROW(R, name, "of the job"),
    ROW(R, model, "its name"),
    ROW(R, seq_len, "tokens per sequence"),
    ROW(R, global_batch, "sequences per step"),
    ROW(R, n_tokens, "of the training"),
    ROW(R, weight, "how much the job counts"),
    MAYBE_ROW(R, deadline_s, "by when it has to end"),
    WORD_ROW(R, verdict, int, p3d_assign_verdict_word,
        "assigned; no_room: it would have a place without the others; late: "
        "not in time on any number of nodes; no_plan: none is sure to fit; "
        "refused: no pool runs it"),
    OBJECT_ROW(R, place, report_assign_place, place_shape, "where it runs"),
    OBJECT_ROW(R, alone, report_assign_place, place_shape,
        "where it ends first, without the others"),
};
const json_shape report_assign_row_shape = REPORT_SHAPE(
        R, row_fields, "a job, and its place");

#define A report_assign
static const json_field proof_fields[] = {
    MAYBE_IN(A, found, floor_s, "no earlier end of the last job: of those "
        "that have a place, the longest, where it ends first without the "
        "others"),
    IN(A, found, n_look_ups, "pairs of a job and a number of nodes of a pool"),
    IN(A, found, n_skipped, "of these, ruled out by the peak of the GPUs"),
    IN(A, found, n_choices, "places that are faster than all with fewer nodes "
        "of the pool"),
    IN(A, found, n_states, "combinations of nodes in use that were gone "
        "through"),
    IN(A, found, complete, "false: stopped, not all times are known"),
    IN(A, found, seconds, "time of the search"),
};
static const json_shape proof_shape = REPORT_SHAPE(
        A, proof_fields, "the certificate: no other places are better");
static const json_field assign_fields[] = {
    SCHEMA_ROWS("assign"),
    WORD_ROW(A, objective, int, p3d_assign_objective_word,
        "what is least: the last job's end, the mean end by weights, or the "
        "cost"),
    IN(A, found, n_jobs, "jobs"),
    IN(A, found, n_assigned, "jobs that have a place"),
    MAYBE_IN(A, found, end_s, "time until the last job ends"),
    MAYBE_IN(A, found, mean_s, "mean time until a job ends, by weights"),
    {MAYBE("training_gpu_h", A, found.gpu_h, "GPU-hours of all jobs")},
    {MAYBE("training_usd", A, found.usd, "cost of all jobs; null: not "
        "priced")},
    IN(A, found, by_price, "cost is money: every pool has a price; else "
        "GPU-hours"),
    LIST_ROW(A, rows, report_assign_row_shape, "the jobs"),
    {TYPED("pools", A, pool_list, JSON_LIST(pool_shape), json_list,
        "of the fleet")},
    LIST_ROW(A, needs, need_shape, "what each job needs of each pool"),
    PART_ROW("proof", proof_shape, "the certificate"),
};
/* clang-format on */

const json_shape report_assign_shape =
        REPORT_SHAPE(A, assign_fields, "answer of plan3d assign");

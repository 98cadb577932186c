/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes.c - what a change gains: of the question (the job, the cluster, the
 * framework, the pins), each searched anew, when nothing fits; or a single one
 * of a plan or an option of the job, all else as it is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tasks.h"
#include "base/util.h"
#include "plan3d/best_framework.h"
#include "plan3d/catalog.h"
#include "plan3d/recommend.h"
#include "plan3d/single_changes.h"
#include "search/advice/decisions.h"
#include "search/exact/engine.h"
#include "spec/given.h"
#include "spec/sizes.h"

/* Changes of the question. How far a larger cluster is looked for: a factor,
 * and what keeps the answer instant: steps, bounds of memory (a million takes a
 * second), halves of a step. */
enum {
    GROWTH_FACTOR = 64,
    MAX_SIZES = 512,
    MOST_WORK = 100000,
    MOST_HALVES = 6
};

enum { SHORTEST_SEQUENCE = 512 };

/** The problem on another number of GPUs. A batch that those cannot share out
 *  is replaced by the default one. */
static bool resize(p3d_problem *problem, int n_gpus)
{
    p3d_error ignored = {.code = P3D_OK};
    int odd = n_gpus;

    if (!p3d_cluster_resize(&problem->cluster, n_gpus, &ignored))
        return false;
    while (odd % 2 == 0)
        odd /= 2;
    if (problem->job.global_batch % odd != 0)
        problem->job.global_batch = p3d_job_default_batch(
                &problem->model, problem->job.seq_len, n_gpus);
    return true;
}

/** A way through larger clusters. */
typedef struct growth {
    const p3d_problem *problem;
    const p3d_pins *pins;
    p3d_search_result *scratch;
    int64_t work_left;
} growth;

/** What a number of GPUs comes to: one that nodes cannot have ends a way. */
typedef enum size { SIZE_NOT_THERE, SIZE_TOO_SMALL, SIZE_FITS } size;

static size try_size(growth *g, int64_t n_gpus)
{
    p3d_problem larger = *g->problem;
    int64_t work = 0;
    bool fits;

    if (!resize(&larger, (int)n_gpus))
        return SIZE_NOT_THERE;
    fits = search_fits(&larger, g->pins, g->scratch, &work);
    g->work_left -= work;
    return fits ? SIZE_FITS : SIZE_TOO_SMALL;
}

/** The smallest between a cluster that is too small and one that is not, taking
 *  it that all above the smallest fit. */
static int64_t bisect(growth *g, int64_t low, int64_t high)
{
    const int64_t step = g->problem->cluster.node.gpus_per_node;

    for (int i = 0; i < MOST_HALVES && high - low > step; i++) {
        const int64_t middle = low + (high - low) / step / 2 * step;

        if (try_size(g, middle) == SIZE_FITS)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/** Smallest larger cluster of at most so many GPUs, or 0. Every whole number of
 *  nodes is tried while that takes little, because a larger one need not be
 *  better: its divisors may be poor. Then the clusters double, and the step
 *  from the last that was too small is bisected. */
static int smallest_larger(const p3d_problem *problem, const p3d_pins *pins,
        int max_gpus, p3d_search_result *scratch)
{
    growth g = {problem, pins, scratch, MOST_WORK};
    const int64_t step = problem->cluster.node.gpus_per_node;
    const int64_t largest = max_gpus / step * step;
    int64_t low = problem->cluster.n_gpus;

    for (int tried = 0; tried < MAX_SIZES; tried++) {
        const bool fine = g.work_left > 0;
        const int64_t more = !fine             ? low
                             : low < 64 * step ? step
                                               : low / 64 / step * step;
        const int64_t n = low + more < largest ? low + more : largest;
        const size found = n > low ? try_size(&g, n) : SIZE_NOT_THERE;

        if (found == SIZE_NOT_THERE)
            return 0;
        if (found == SIZE_FITS)
            return (int)(fine ? n : bisect(&g, low, n));
        low = n;
    }
    return 0;
}

int p3d_smallest_cluster(const p3d_problem *problem, int max_gpus)
{
    if (!spec_problem_given(problem))
        return 0;

    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *scratch = malloc(sizeof(*scratch));
    int64_t work = 0;
    int n = 0;

    if (scratch == NULL)
        return 0;
    n = search_fits(problem, &pins, scratch, &work)
                ? problem->cluster.n_gpus
                : smallest_larger(problem, &pins, max_gpus, scratch);
    free(scratch);
    return n;
}

/** A change that is looked for. */
typedef struct finder {
    const p3d_problem *problem;
    const p3d_pins *pins;
    p3d_search_result *scratch;
    p3d_remedy *out;
} finder;

/** Whether anything fits at all: known sooner than what is the best. */
static bool may_fit(
        const finder *f, const p3d_problem *changed, const p3d_pins *pins)
{
    int64_t work = 0;

    return search_fits(changed, pins, f->scratch, &work);
}

/** Search the changed problem, for the plan that its own question would get;
 *  keep it when something fits.
 *  @return how many are kept */
static int add_change(const finder *f, const p3d_problem *changed,
        const p3d_pins *pins, const char *words)
{
    const p3d_recommend_options options = {.pins = pins,
            .search = {.n_top = 1},
            .within_frac = P3D_WITHIN_FRAC,
            .alone = true,
            .only_sure = true};
    p3d_recommendation found;
    p3d_error ignored = {.code = P3D_OK};

    if (!may_fit(f, changed, pins) ||
            !p3d_recommend(changed, &options, f->scratch, &found, &ignored) ||
            f->scratch->n_top == 0)
        return 0;
    *f->out = (p3d_remedy){.estimate = f->scratch->top[0],
            .fit_probability_frac = p3d_peak_probability_frac(changed,
                    p3d_memory_device_bytes(&f->scratch->top[0].memory)),
            .n_gpus = changed->cluster.n_gpus,
            .seq_len = changed->job.seq_len,
            .global_batch = changed->job.global_batch};
    (void)p3d_copy(f->out->words, sizeof(f->out->words), words);
    return 1;
}

/** The longest shorter sequence that fits, with the same tokens per step. */
static int shorter_sequence(const finder *f)
{
    p3d_problem shorter = *f->problem;
    char words[160];

    while (shorter.job.seq_len % 2 == 0 &&
            shorter.job.seq_len / 2 >= SHORTEST_SEQUENCE &&
            shorter.job.global_batch <= P3D_MAX_BATCH / 2) {
        shorter.job.seq_len /= 2;
        shorter.job.global_batch *= 2;
        (void)snprintf(words, sizeof(words), "sequences of %d tokens",
                shorter.job.seq_len);
        if (add_change(f, &shorter, f->pins, words))
            return 1;
    }
    return 0;
}

/** So many GPUs of a type, in its usual nodes.
 *  @return false where they do not fill them */
static bool take_gpus(const p3d_gpu *gpu, int n_gpus, p3d_problem *problem)
{
    p3d_error ignored = {.code = P3D_OK};
    char words[160];

    (void)snprintf(words, sizeof(words), "%dx%s", n_gpus, gpu->name);
    if (!p3d_cluster_find(words, &problem->cluster, &ignored))
        return false;
    p3d_job_use(&problem->job, problem->job.framework, &problem->model,
            &problem->cluster);
    return true;
}

/** Where the nodes at hand cannot be many, or are too small: the same GPUs in
 *  their usual nodes, in powers of two. */
static int usual_nodes(const finder *f)
{
    const int n_gpus = f->problem->cluster.n_gpus;
    char words[160];

    for (int64_t n = 2;
            n <= P3D_MAX_GPUS && n <= (int64_t)n_gpus * GROWTH_FACTOR; n *= 2) {
        p3d_problem larger = *f->problem;
        int64_t work = 0;

        if (n <= n_gpus ||
                !take_gpus(&f->problem->cluster.gpu, (int)n, &larger) ||
                !search_fits(&larger, f->pins, f->scratch, &work))
            continue;
        (void)snprintf(words, sizeof(words),
                "%d GPUs instead of %d, in nodes of %d", (int)n, n_gpus,
                larger.cluster.node.gpus_per_node);
        return add_change(f, &larger, f->pins, words);
    }
    return 0;
}

static int larger_cluster(const finder *f)
{
    const int n_gpus = f->problem->cluster.n_gpus;
    const int64_t most = (int64_t)n_gpus * GROWTH_FACTOR;
    const int n = smallest_larger(f->problem, f->pins,
            most > P3D_MAX_GPUS ? P3D_MAX_GPUS : (int)most, f->scratch);
    p3d_problem larger = *f->problem;
    char words[160];

    if (n == 0 || !resize(&larger, n))
        return usual_nodes(f);
    (void)snprintf(words, sizeof(words), "%d GPUs instead of %d", n, n_gpus);
    return add_change(f, &larger, f->pins, words);
}

/** Drop the pins, if there are any. */
static int without_pins(const finder *f)
{
    const p3d_pins free_pins = p3d_pins_free();

    if (p3d_pins_are_free(f->pins))
        return 0;
    return add_change(f, f->problem, &free_pins,
            "without the pinned values, or with another offload");
}

/** The best other framework on the same cluster. */
static int other_framework(const finder *f)
{
    const p3d_framework_list all =
            p3d_frameworks_current(&f->problem->cluster.gpu);
    p3d_framework_list others = {.n = 0};
    const p3d_ranking_options options = {.among = &others, .limit_s = HUGE_VAL};
    p3d_framework_ranking ranking;
    p3d_problem other = *f->problem;
    char words[160];

    for (int i = 0; i < all.n; i++) {
        p3d_job_use(&other.job, all.at[i], &other.model, &other.cluster);
        if (all.at[i] != f->problem->job.framework &&
                p3d_job_runs(&other.model, &other.cluster, &other.job, NULL) &&
                may_fit(f, &other, f->pins))
            others.at[others.n++] = all.at[i];
    }
    other = *f->problem;
    if (others.n == 0 ||
            !p3d_rank_frameworks(
                    f->problem, f->pins, &options, &ranking, NULL) ||
            !p3d_take_first_framework(&ranking, &other, NULL))
        return 0;
    (void)snprintf(words, sizeof(words),
            p3d_job_is_usually_16(&other.job)
                    ? "framework %s (--framework %s; weights and moments in 16 "
                      "bit)"
                    : "framework %s (--framework %s)",
            other.job.framework->name, other.job.framework->name);
    return add_change(f, &other, f->pins, words);
}

static void gradients_in_16(p3d_job *job)
{
    job->gradient_dtype = P3D_STATE_IN_16;
}

static void moments_in_16(p3d_job *job)
{
    job->moment_dtype = P3D_STATE_IN_16;
}

static void adam_in_8(p3d_job *job)
{
    job->optimizer = P3D_ADAM_8BIT;
}

static void all_in_16(p3d_job *job)
{
    gradients_in_16(job);
    moments_in_16(job);
    job->master_dtype = P3D_STATE_IN_16;
}

static void sgd(p3d_job *job)
{
    job->optimizer = P3D_SGD;
}

/** Fewer bytes of state per parameter, the least risk to the training first. */
static const struct {
    void (*set)(p3d_job *job);
    const char *words;
} lighter_states[] = {
        {gradients_in_16, "gradients in 16 bit (--gradient-dtype 16bit)"},
        {moments_in_16,
                "moments of the optimizer in 16 bit (--moment-dtype 16bit)"},
        {adam_in_8,
                "moments of the optimizer in 8 bit (--optimizer adam-8bit)"},
        {all_in_16,
                "gradients, master weights and moments in 16 bit "
                "(--gradient-dtype 16bit --master-dtype 16bit --moment-dtype "
                "16bit)"},
        {sgd, "one state less per parameter (--optimizer sgd)"},
};

/** The first that fits of those that the framework has. */
static int fewer_bytes(const finder *f)
{
    for (int i = 0; i < P3D_COUNT_OF(lighter_states); i++) {
        p3d_problem lighter = *f->problem;
        p3d_error ignored = {.code = P3D_OK};

        if (lighter.job.optimizer != P3D_ADAM)
            return 0;
        lighter_states[i].set(&lighter.job);
        if (p3d_job_check_states(&lighter.job, &ignored) &&
                add_change(f, &lighter, f->pins, lighter_states[i].words))
            return 1;
    }
    return 0;
}

enum { USUAL_RANK = 16 };

/** Adapters in place of the weights: another training, in which few numbers
 *  learn; at last beside weights in 4 bits. */
static const struct {
    p3d_base base;
    const char *words;
} lighter_trainings[] = {
        {P3D_BASE_16, "LoRA (--lora r=16), which trains adapters only"},
        {P3D_BASE_NF4, "QLoRA (--lora r=16,base=nf4), which trains adapters "
                       "beside weights in 4 bits"},
};

/** Adapters that are there, beside weights in 4 bits: of the framework, or of
 *  the one that most people use who have few GPUs. */
static const struct {
    const char *framework; /* NULL = that of the job */
    const char *words;
} lighter_weights[] = {
        {NULL, "QLoRA (base=nf4 in --lora): frozen weights in 4 bits"},
        {"fsdp2-hf", "QLoRA (--framework fsdp2-hf, base=nf4 in --lora): frozen "
                     "weights in 4 bits"},
};

static int adapters_beside_less(const finder *f)
{
    for (int i = 0; i < P3D_COUNT_OF(lighter_weights); i++) {
        const char *const other = lighter_weights[i].framework;
        p3d_problem lighter = *f->problem;

        if (lighter.job.adapters.base != P3D_BASE_16)
            return 0;
        lighter.job.adapters.base = P3D_BASE_NF4;
        if (other != NULL)
            p3d_job_use(&lighter.job, p3d_framework_find(other), &lighter.model,
                    &lighter.cluster);
        if (p3d_job_runs(
                    &lighter.model, &lighter.cluster, &lighter.job, NULL) &&
                add_change(f, &lighter, f->pins, lighter_weights[i].words))
            return 1;
    }
    return 0;
}

/** The first that fits, where all weights are trained and the framework has
 *  adapters. */
static int adapters_alone(const finder *f)
{
    const p3d_job *const job = &f->problem->job;

    if (job->adapters.rank > 0)
        return adapters_beside_less(f);
    if (job->frozen != 0)
        return 0;
    for (int i = 0; i < P3D_COUNT_OF(lighter_trainings); i++) {
        p3d_problem lighter = *f->problem;

        lighter.job.adapters = (p3d_adapters){
                .rank = USUAL_RANK, .base = lighter_trainings[i].base};
        if (p3d_job_runs(
                    &lighter.model, &lighter.cluster, &lighter.job, NULL) &&
                add_change(f, &lighter, f->pins, lighter_trainings[i].words))
            return 1;
    }
    return 0;
}

/** True for a GPU that one may change to: of the same maker, no slower, and
 *  one that is on sale as such. */
static bool is_offered(const p3d_gpu *gpu, const p3d_gpu *than)
{
    return strcmp(gpu->vendor, than->vendor) == 0 && !gpu->variant &&
           gpu->bf16_flop_per_s >= than->bf16_flop_per_s &&
           gpu->fp16_flop_per_s >= than->fp16_flop_per_s;
}

/** Read the GPU with the least memory above a limit of those that are offered;
 *  of those with as much the first by name.
 *  @return false where there is none */
static bool next_gpu(const p3d_catalog *catalog, const p3d_gpu *than,
        int64_t above_bytes, p3d_gpu *out)
{
    bool found = false;
    p3d_gpu gpu;

    for (int i = 0; i < catalog->n_names; i++) {
        p3d_error ignored = {.code = P3D_OK};

        if (p3d_gpu_find(catalog->names[i], &gpu, &ignored) &&
                is_offered(&gpu, than) &&
                gpu.visible_memory_bytes > above_bytes &&
                (!found ||
                        gpu.visible_memory_bytes < out->visible_memory_bytes)) {
            *out = gpu;
            found = true;
        }
    }
    return found;
}

/** The smallest larger GPU with which it fits, in nodes whose NVLink reaches as
 *  many. */
static int larger_gpus(const finder *f)
{
    const p3d_gpu *const own = &f->problem->cluster.gpu;
    int64_t above_bytes = own->visible_memory_bytes;
    p3d_error ignored = {.code = P3D_OK};
    p3d_catalog catalog;
    p3d_gpu gpu = {.visible_memory_bytes = 0};
    char words[160];
    int n = 0;

    if (!p3d_catalog_open(P3D_GPUS, &catalog, &ignored))
        return 0;
    while (n == 0 && next_gpu(&catalog, own, above_bytes, &gpu)) {
        p3d_problem larger = *f->problem;
        int64_t work = 0;

        above_bytes = gpu.visible_memory_bytes;
        (void)snprintf(words, sizeof(words), "%d x %s instead of %s",
                larger.cluster.n_gpus, gpu.name, own->name);
        if (take_gpus(&gpu, f->problem->cluster.n_gpus, &larger) &&
                larger.cluster.node.gpus_per_nvlink_domain >=
                        f->problem->cluster.node.gpus_per_nvlink_domain &&
                search_fits(&larger, f->pins, f->scratch, &work))
            n = add_change(f, &larger, f->pins, words);
    }
    p3d_catalog_free(&catalog);
    return n;
}

/* Ways to make a job fit: what is set first, then more GPUs, then larger ones;
 * each finds one change or none. */
static int (*const finders[])(const finder *) = {without_pins, fewer_bytes,
        other_framework, shorter_sequence, adapters_alone, larger_cluster,
        larger_gpus};

/** What each of them finds. */
typedef struct finding {
    const p3d_problem *problem;
    const p3d_pins *pins;
    struct {
        p3d_remedy change;
        int n;
    } at[P3D_COUNT_OF(finders)];
} finding;

static void find_one(void *context, int64_t i, int thread)
{
    finding *const found = context;
    const finder f = {found->problem, found->pins,
            malloc(sizeof(p3d_search_result)), &found->at[i].change};

    (void)thread;
    if (f.scratch != NULL)
        found->at[i].n = finders[i](&f);
    free(f.scratch);
}

int p3d_remedies_find(const p3d_problem *problem, const p3d_pins *pins,
        p3d_remedy changes[P3D_MAX_REMEDIES])
{
    if (!spec_problem_given(problem) || !spec_pins_given(pins) ||
            changes == NULL)
        return 0;

    finding found = {.problem = problem, .pins = pins};
    int n = 0;

    p3d_tasks_run(&(p3d_tasks){.n = P3D_COUNT_OF(finders),
            .n_threads = p3d_threads_for(P3D_COUNT_OF(finders)),
            .context = &found,
            .work = find_one});
    for (int i = 0; i < P3D_COUNT_OF(finders); i++) {
        if (found.at[i].n > 0)
            changes[n++] = found.at[i].change;
    }
    return n;
}

/* Single changes. */

/* Of the step; less is not worth a change. */
static const double least_gain_frac = 0.001;

/* One decision at work. */
typedef struct trial {
    const p3d_problem *problem;
    const p3d_estimate *from;
    const decision_row *row;
    double best_s; /* to be beaten */
    bool found;
    p3d_estimate *best;
} trial;

static void try_plan(trial *t, const p3d_plan *plan)
{
    p3d_estimate e;

    if (plan->dp < 1 || p3d_stopped() ||
            !p3d_estimate_plan(t->problem, plan, &e, NULL) || !e.sure ||
            p3d_time_step_s(&e.time) >= t->best_s)
        return;
    *t->best = e;
    t->best_s = p3d_time_step_s(&e.time);
    t->found = true;
}

/* Some or all layers of a chunk, or all in groups. */
static void try_layers(trial *t, p3d_plan plan, const search_savings *savings)
{
    const int most = space_chunk_layers(t->problem, &plan);
    const int n_groups = search_n_groups(savings, &plan, most);

    for (int layers = search_least_layers(savings, &plan, most); layers <= most;
            layers++) {
        plan.recompute_layers = layers < most ? layers : 0;
        try_plan(t, &plan);
    }
    plan.recompute_layers = 0;
    for (int i = 0; i < n_groups; i++) {
        plan.recompute_group = search_least_group(savings) + i;
        try_plan(t, &plan);
    }
}

static void try_recompute(trial *t, int value)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_plan plan = decision_change(&t->from->plan, t->row, value);
    search_savings savings;
    int n_sets;

    plan.recompute_layers = plan.recompute_group = 0;
    plan.recompute_modules = 0;
    search_savings_build(t->problem, &pins, &savings);
    n_sets = search_n_sets(&savings, &plan);
    if (plan.recompute == P3D_RECOMPUTE_FULL)
        try_layers(t, plan, &savings);
    else if (plan.recompute == P3D_RECOMPUTE_NONE)
        try_plan(t, &plan);
    else
        for (int i = 0; i < n_sets; i++) {
            plan.recompute_modules = savings.sets[i];
            try_plan(t, &plan);
        }
}

/* Shares of the states, each with shares of the activations. */
static void try_offload(trial *t, int value)
{
    p3d_pins pins = p3d_pins_free();
    p3d_plan plan = decision_change(&t->from->plan, t->row, value);
    search_savings savings;
    search_offloads ways;

    pins.offload = value;
    search_savings_build(t->problem, &pins, &savings);
    search_offloads_of(t->problem, &pins, &plan, &ways);
    for (int i = 0; i < ways.n; i++) {
        search_set_offload(&plan, &ways.at[i], ways.at[i].nvme);
        for (int k = 0; k < savings.n_activations; k++) {
            plan.activation_offload_frac = savings.activations[k];
            try_plan(t, &plan);
        }
    }
}

static void try_value(trial *t, int value)
{
    const p3d_plan plan = decision_change(&t->from->plan, t->row, value);

    /* What follows from another decision before and after is a change of that
     * one: 1f1b for interleaved chunks is one chunk. */
    if (t->row->follows == NULL || !t->row->follows(&t->from->plan) ||
            !t->row->follows(&plan))
        try_plan(t, &plan);
}

/* Decisions whose words say more than a value. */
static const struct {
    spec_plan_key key;
    void (*try)(trial *t, int value);
} worded[] = {
        {P3D_KEY_recompute, try_recompute}, {P3D_KEY_offload, try_offload}};

static void try_values(trial *t)
{
    void (*try)(trial *, int) = try_value;
    search_divisors values;

    for (int i = 0; i < P3D_COUNT_OF(worded); i++) {
        if (worded[i].key == t->row->key)
            try = worded[i].try;
    }
    decision_values(t->row, t->problem, &values);
    for (int i = 0; i < values.n; i++)
        try(t, values.at[i]);
}

static void overlap_tensors(p3d_problem *p)
{
    p->job.tp_overlap = p->job.framework->transformer_engine;
}

static void overlap_experts(p3d_problem *p)
{
    p->job.expert_overlap = true;
}

static void fuse_attention(p3d_problem *p)
{
    if (p->job.attention != P3D_EAGER)
        return;
    p->job.attention = P3D_FLASH;
    p3d_job_default_attention(&p->job, &p->model, &p->cluster.gpu);
}

static void wrap_layers(p3d_problem *p)
{
    p->job.unit_params = 0;
}

static void compile_layers(p3d_problem *p)
{
    p->job.eager = false;
}

/* Options of the job that change how its numbers are computed, not which. */
static const struct {
    const char *word;
    const char *doc;
    void (*set)(p3d_problem *problem);
} options[] = {
        {"--tp-overlap", "tensor-parallel communication beside products",
                overlap_tensors},
        {"--moe-overlap", "tokens travel beside another micro-batch",
                overlap_experts},
        {"--attention flash", "fused attention", fuse_attention},
        {"--fsdp-unit layer", "layers are units of FSDP1", wrap_layers},
        {"compile", "layers are compiled", compile_layers},
};

/* What a change must be faster than. */
static double to_beat_s(const p3d_estimate *from)
{
    return from->sure ? p3d_time_step_s(&from->time) * (1 - least_gain_frac)
                      : HUGE_VAL;
}

static int compare_steps(const void *a, const void *b)
{
    const p3d_single_change *x = a, *y = b;
    const double x_s = p3d_time_step_s(&x->estimate.time);
    const double y_s = p3d_time_step_s(&y->estimate.time);

    if (x_s != y_s)
        return x_s < y_s ? -1 : 1;
    return strcmp(x->word, y->word);
}

static bool try_decision(const p3d_problem *problem, const p3d_estimate *from,
        const decision_row *row, p3d_single_change *out)
{
    trial t = {.problem = problem,
            .from = from,
            .row = row,
            .best_s = to_beat_s(from),
            .best = &out->estimate};

    try_values(&t);
    out->word = spec_plan_fields[row->key].word;
    out->doc = row->doc;
    out->is_option = false;
    return t.found;
}

static bool try_option(const p3d_problem *problem, const p3d_estimate *from,
        int i, p3d_single_change *out)
{
    p3d_problem changed = *problem;
    trial t = {.problem = &changed,
            .from = from,
            .best_s = to_beat_s(from),
            .best = &out->estimate};

    options[i].set(&changed);
    try_plan(&t, &from->plan);
    out->word = options[i].word;
    out->doc = options[i].doc;
    out->is_option = true;
    return t.found;
}

int p3d_single_changes_find(const p3d_problem *problem,
        const p3d_estimate *from, p3d_single_change out[P3D_MAX_SINGLE_CHANGES])
{
    if (!spec_problem_given(problem) || !spec_estimate_given(from) ||
            out == NULL)
        return 0;

    int n_rows, n = 0;
    const decision_row *rows = decision_rows(&n_rows);

    for (int i = 0; i < n_rows; i++) {
        P3D_ASSERT(n < P3D_MAX_SINGLE_CHANGES);
        n += try_decision(problem, from, &rows[i], &out[n]);
    }
    for (int i = 0; i < P3D_COUNT_OF(options); i++) {
        P3D_ASSERT(n < P3D_MAX_SINGLE_CHANGES);
        n += try_option(problem, from, i, &out[n]);
    }
    qsort(out, (size_t)n, sizeof(*out), compare_steps);
    return n;
}

void p3d_single_change_apply(
        const p3d_single_change *change, p3d_problem *problem)
{
    if (change == NULL || !spec_problem_given(problem) || !change->is_option)
        return;
    for (int i = 0; i < P3D_COUNT_OF(options); i++)
        if (strcmp(options[i].word, change->word) == 0)
            options[i].set(problem);
}

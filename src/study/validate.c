/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate.c - what has to be measured for a plan, and whether it holds on the
 * machine that was measured: why it does not, and what is not known of it. */
#include "study/validate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/recommend.h"
#include "plan3d/units.h"
#include "spec/given.h"
#include "spec/plan_words.h"

/* Sets of plan3d-bench, which fits need beside the few shapes of a plan, and
 * how many measurements each makes with the default options. Sources:
 * bench/device/gemm_command.c, attention_command.c, memory_command.c and
 * nccl_command.c. */
enum {
    N_SET_PRODUCTS = 48,
    N_SEVERAL_PRODUCTS = 5,
    N_LARGE_PRODUCTS = 2, /* one, and again sustained */
    N_SET_CORES = 16,
    N_SET_PASSES = 7 * 8 + 3 * 8 + 3,
    N_SET_COLLECTIVES = 15 * (4 * 2 + 2)
};

static p3d_bench *add(p3d_benches *to, const char *command, const char *output,
        bool of_plan, int64_t n_measurements)
{
    p3d_bench *const bench = &to->at[to->n++];

    *bench = (p3d_bench){.command = command,
            .output = output,
            .of_plan = of_plan,
            .n_measurements = n_measurements};
    to->n_measurements += n_measurements;
    return bench;
}

static void add_word(p3d_bench *bench, const char *word)
{
    P3D_ASSERT(bench->n_words < P3D_MAX_BENCH_WORDS);
    p3d_copy(bench->words[bench->n_words++], sizeof(bench->words[0]), word);
}

static double flop_of(const p3d_request_gemm *row)
{
    return (double)row->m * (double)row->n * (double)row->k *
           (double)row->count;
}

/* Products of more than half of the largest one's work are sustained too. */
static int64_t n_products(const p3d_request *request)
{
    const p3d_request_gemm *const rows = request->gemm.items;
    double most = 0;
    int64_t n = request->gemm.n;

    for (int i = 0; i < request->gemm.n; i++)
        most = flop_of(&rows[i]) > most ? flop_of(&rows[i]) : most;
    for (int i = 0; i < request->gemm.n; i++)
        n += flop_of(&rows[i]) > 0.5 * most;
    return n;
}

static void add_products(
        p3d_benches *to, p3d_dtype dtype, const p3d_request *request)
{
    const int n_types = dtype == P3D_FP8 ? 2 : 1;
    p3d_bench *const bench = add(to, "gemm", "gemm.json", true,
            n_products(request) +
                    n_types * (N_SET_PRODUCTS + N_SEVERAL_PRODUCTS +
                                      N_LARGE_PRODUCTS));

    add_word(bench, "--points");
    add_word(bench, "48");
    add_word(bench, "--sustain");
    add_word(bench, "10s");
    if (dtype != P3D_BF16) {
        add_word(bench, "--dtype");
        add_word(bench, dtype == P3D_FP8    ? "bf16,fp8"
                        : dtype == P3D_FP16 ? "fp16"
                                            : "tf32");
    }
}

static void add_gpus(p3d_bench *bench, int n_gpus)
{
    char word[sizeof(bench->words[0])];

    snprintf(word, sizeof(word), "%d", n_gpus);
    add_word(bench, "--gpus");
    add_word(bench, word);
}

/* Groups that so many ranks form run twice, one alone and all at once; the one
 * group of all of them once. */
static int64_t n_collectives(const p3d_request *request, int n_ranks)
{
    const p3d_request_collective *const rows = request->collective.items;
    int64_t n = 0;

    for (int i = 0; i < request->collective.n; i++) {
        const p3d_request_collective *const c = &rows[i];
        const int64_t span = c->n_inner > 0
                                     ? c->block * (c->n_ranks / c->n_inner)
                                     : c->stride * c->n_ranks;

        if (n_ranks % span == 0)
            n += c->n_ranks < n_ranks ? 2 : 1;
    }
    return n;
}

static void add_collectives(p3d_benches *to, const p3d_cluster *cluster,
        const p3d_request *request, bool launched)
{
    const int n_local = cluster->node.gpus_per_node;
    p3d_bench *bench = add(to, "nccl", "nccl.json", true,
            n_collectives(request, launched ? cluster->n_gpus : n_local));

    if (!launched)
        add_gpus(bench, n_local);
    /* Over several nodes the set says nothing of the links inside one. */
    if (launched && cluster->n_nodes > 1)
        return;
    bench = add(to, "nccl", "nccl-set.json", false, N_SET_COLLECTIVES);
    if (!launched)
        add_gpus(bench, n_local);
}

void p3d_benches_list(const p3d_problem *problem, const p3d_request *request,
        bool launched, p3d_benches *out)
{
    if (out == NULL)
        return;
    *out = (p3d_benches){.n = 0};
    if (!spec_problem_given(problem) || request == NULL)
        return;
    add_products(out, problem->job.dtype, request);
    if (request->attention.n > 0) {
        add(out, "attention", "attention.json", true, request->attention.n);
        add(out, "attention", "attention-set.json", false, N_SET_CORES);
    }
    add(out, "memory", "memory.json", true,
            P3D_N_REQUEST_KERNELS * request->pass.n);
    add(out, "memory", "memory-set.json", false, N_SET_PASSES);
    if (request->collective.n > 0)
        add_collectives(out, &problem->cluster, request, launched);
    add(out, "capacity", "capacity.json", true, 1);
}

/* Of less than this share nothing is said of the whole; of less than that one
 * it is said with care. */
static const double LEAST_COVERED_FRAC = 0.5;
static const double MOST_COVERED_FRAC = 0.95;

static void note(p3d_notes *notes, const char *fmt, ...) P3D_PRINTF(2, 3);

static void note(p3d_notes *notes, const char *fmt, ...)
{
    va_list args;

    if (notes->n == P3D_MAX_NOTES)
        return;
    va_start(args, fmt);
    vsnprintf(notes->at[notes->n++], P3D_NOTE_TEXT, fmt, args);
    va_end(args);
}

void study_notes_reasons(const study_judged *j, p3d_notes *out)
{
    const p3d_had_memory *const memory = &j->compared->memory;
    const double limit = j->tolerance_frac;
    const double covered = p3d_covered_frac(j->compared);
    char bytes[32];

    if (covered < LEAST_COVERED_FRAC)
        note(out, "only %.1f %% of the planned seconds was measured",
                100 * covered);
    for (int kind = 0; kind < P3D_N_COMPARED; kind++) {
        const p3d_comparison *const c = &j->compared->kinds[kind];

        if (p3d_is_off(j->compared, kind, limit))
            note(out, "%s: %.1f %% %s than predicted", c->name,
                    100 * fabs(c->median_ratio - 1),
                    c->median_ratio > 1 ? "slower" : "faster");
    }
    if (j->step->calibrated_s > 0 && fabs(j->step->change_frac) > limit)
        note(out, "a step takes %.1f %% %s than predicted",
                100 * fabs(j->step->change_frac),
                j->step->change_frac > 0 ? "longer" : "less");
    if (j->searched && j->step->regret_frac > limit)
        note(out,
                "another plan is the fastest, and this one takes %.1f %% "
                "longer",
                100 * j->step->regret_frac);
    if (memory->measured && !memory->fits)
        note(out, "the tensors of the peak could not be had");
    if (!j->estimate->fits)
        note(out, "the plan is not predicted to fit: %s are missing",
                p3d_print_bytes(bytes, sizeof(bytes),
                        -(double)p3d_estimate_margin_bytes(j->estimate)));
}

/* Forms that the plan's operations use, and that kept their constants. */
static void note_kept(const study_judged *j, p3d_notes *out)
{
    static const int kinds[] = {[P3D_FORM_GEMM] = P3D_COMPARED_GEMM,
            [P3D_FORM_GEMM_FP8] = -1,
            [P3D_FORM_ATTENTION] = P3D_COMPARED_ATTENTION,
            [P3D_FORM_ATTENTION_BACKWARD] = P3D_COMPARED_ATTENTION,
            [P3D_FORM_PASS] = P3D_COMPARED_PASS,
            [P3D_FORM_ALL_REDUCE] = P3D_COMPARED_ALL_REDUCE,
            [P3D_FORM_ALL_GATHER] = P3D_COMPARED_ALL_GATHER,
            [P3D_FORM_REDUCE_SCATTER] = P3D_COMPARED_REDUCE_SCATTER,
            [P3D_FORM_ALL_TO_ALL] = P3D_COMPARED_ALL_TO_ALL};

    for (int form = 0; form <= P3D_FORM_ALL_TO_ALL; form++) {
        const p3d_form_result *const f = &j->calibrated->forms[form];
        const bool used =
                form == P3D_FORM_GEMM_FP8
                        ? j->problem->job.dtype == P3D_FP8
                        : j->compared->kinds[kinds[form]].n_wanted > 0;

        if (used && !f->fitted)
            note(out, "%s: %d points, a fit needs %d; constants of %s stay",
                    f->name, f->n_points, f->n_least, j->calibrated->base);
    }
}

void study_notes_limits(const study_judged *j, p3d_notes *out)
{
    const p3d_compared *const c = j->compared;

    if (p3d_covered_frac(c) < MOST_COVERED_FRAC)
        note(out,
                "what was not measured is taken as predicted: %.1f %% of the "
                "planned seconds",
                100 * (1 - p3d_covered_frac(c)));
    note_kept(j, out);
    if (c->n_eager > 0)
        note(out,
                "%d attention cores were measured as products and a softmax, "
                "and are not compared",
                c->n_eager);
    if (c->kinds[P3D_COMPARED_ATTENTION].n_points > 0 &&
            j->problem->job.attention != P3D_CUDNN)
        note(out, "attention was measured with cuDNN's kernel, which the job "
                  "does not use: its time in the step stays");
    if (c->n_elsewhere > 0)
        note(out,
                "%d collectives were measured on other numbers of nodes than "
                "the plan's groups have; --launcher starts all of them",
                c->n_elsewhere);
    if (j->problem->cluster.n_nodes > 1)
        note(out, "collectives between nodes are compared, their constants "
                  "stay");
    if (j->missing[0] != '\0')
        note(out, "failed and left out: %.200s", j->missing);
}

/* Every file of the GPUs that the plan is for. */
static bool check_devices(const p3d_validate_options *o, p3d_error *err)
{
    const p3d_gpu *const gpu = &o->problem->cluster.gpu;

    for (int i = 0; i < o->n_files; i++) {
        const p3d_machine *const m = &o->files[i].machine;
        bool same = false;

        if (!p3d_gpu_may_be(gpu, m, &same, err))
            return false;
        if (!same)
            return p3d_fail(err, P3D_DATA,
                    "measured on '%.90s', but the cluster has %s; validate a "
                    "plan of the cluster that was measured",
                    m->name, gpu->name);
    }
    return true;
}

static bool compare(
        const p3d_validate_options *o, p3d_validated *out, p3d_error *err)
{
    p3d_request request = {.command = ""};
    bool ok;

    if (!p3d_request_build(o->problem, o->estimate, &request, err))
        return false;
    ok = p3d_compare(&(p3d_compare_options){o->problem, o->estimate, &request,
                             o->files, o->n_files},
            &out->compared, err);
    p3d_request_free(&request);
    if (ok && out->compared.all.n_points == 0 && !out->compared.memory.measured)
        return p3d_fail(err, P3D_DATA,
                "none of the plan's operations was measured; see 'plan3d "
                "validate --dry-run' for what measures them");
    return ok;
}

/* The plan, by the constants that were fitted. */
static void estimate_again(const p3d_validate_options *o,
        const p3d_problem *problem, p3d_step_check *step)
{
    p3d_estimate estimate;

    P3D_ASSERT(p3d_estimate_plan(problem, &o->estimate->plan, &estimate, NULL));
    step->calibrated_s = p3d_time_step_s(&estimate.time);
    step->change_frac = step->calibrated_s / step->predicted_s - 1;
}

/* The fastest plan by these constants. */
static void take_fastest(const p3d_validate_options *o,
        const p3d_search_result *search, p3d_step_check *step)
{
    const p3d_plan *const best = &search->top[0].plan;

    if (search->n_top == 0)
        return;
    step->best_s = p3d_time_step_s(&search->top[0].time);
    step->regret_frac = step->calibrated_s / step->best_s - 1;
    step->is_best = spec_plan_compare(best, &o->estimate->plan) == 0;
    p3d_plan_print(best, step->best_words, sizeof(step->best_words));
}

static bool search_again(const p3d_validate_options *o,
        const p3d_calibration *constants, p3d_step_check *step, p3d_error *err)
{
    const p3d_recommend_options options = {
            .search = {.n_top = 1, .watch = o->watch},
            .within_frac = P3D_WITHIN_FRAC,
            .alone = true};
    p3d_recommendation recommendation;
    p3d_problem problem = *o->problem;
    p3d_search_result *const search = malloc(sizeof(*search));
    bool ok;

    if (search == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    problem.cluster.calibration = *constants;
    estimate_again(o, &problem, step);
    ok = p3d_recommend(&problem, &options, search, &recommendation, err);
    if (ok && search->interrupted)
        ok = p3d_fail(err, P3D_INTERRUPTED, "interrupted %s",
                search->n_top == 0 ? "before any plan was found"
                                   : "while the plans were searched again");
    if (ok)
        take_fastest(o, search, step);
    free(search);
    return ok;
}

static bool calibrate(
        const p3d_validate_options *o, p3d_validated *out, p3d_error *err)
{
    const p3d_cluster *const cluster = &o->problem->cluster;
    p3d_calibrated *const made = &out->calibrated;

    out->step.predicted_s = p3d_time_step_s(&o->estimate->time);
    return p3d_calibrate_some(
                   &(p3d_calibrate_options){&cluster->gpu,
                           &cluster->calibration, o->files, o->n_files},
                   made, err) &&
           (made->n_fitted == 0 ||
                   search_again(o, &made->constants, &out->step, err));
}

static void judge(const p3d_validate_options *o, p3d_validated *out)
{
    const study_judged j = {.problem = o->problem,
            .estimate = o->estimate,
            .compared = &out->compared,
            .calibrated = &out->calibrated,
            .step = &out->step,
            .missing = o->missing != NULL ? o->missing : "",
            .tolerance_frac = o->tolerance_frac,
            .searched = o->searched};

    study_notes_reasons(&j, &out->reasons);
    study_notes_limits(&j, &out->notes);
    out->holds = out->reasons.n == 0;
    out->covered_frac = p3d_covered_frac(&out->compared);
}

static bool is_given(const p3d_validate_options *o)
{
    return o != NULL && spec_problem_given(o->problem) &&
           spec_estimate_given(o->estimate) && o->files != NULL &&
           o->n_files >= 1 && o->tolerance_frac > 0 && o->tolerance_frac <= 1;
}

bool p3d_validate_run(
        const p3d_validate_options *options, p3d_validated *out, p3d_error *err)
{
    p3d_validated *made;
    bool ok;

    if (!is_given(options) || out == NULL)
        return p3d_misuse(err, __func__);
    made = calloc(1, sizeof(*made));
    if (made == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = check_devices(options, err) && compare(options, made, err) &&
         calibrate(options, made, err);
    if (ok) {
        judge(options, made);
        *out = *made;
        if (out->step.best_words[0] != '\0')
            out->step.best_plan = out->step.best_words;
    }
    free(made);
    return ok;
}

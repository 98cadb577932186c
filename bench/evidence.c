/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence.c - prints hardware/evidence/runs.csv from a table of measured runs:
 * of each source, model, GPU, framework and number of them the fastest run.
 *
 *   evidence FILE       that table
 *   evidence FILE near  what of it says how near a job is, as C:
 *                       src/calibrate/near_runs.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/runs/corpus.h"
#include "plan3d/plan3d.h"
#include "spec/nearness.h"

/* Runs that stand for all of their kind, and room for what they point to. */
typedef struct table {
    p3d_measured_run *runs;
    spec_run_facts *facts;
    int n;
    struct {
        char plan[P3D_PLAN_WORDS];
        char gpu[48], architecture[16];
    } * words;
} table;

/* As many digits as all C libraries agree on. */
static double rounded(double value)
{
    char text[32];

    snprintf(text, sizeof(text), "%.5g", value);
    return strtod(text, NULL);
}

/* As many as a distance needs, which is in tenths of a doubling. */
static double short_number(double value)
{
    char text[32];

    snprintf(text, sizeof(text), "%.3g", value);
    return strtod(text, NULL);
}

static bool is_same(const p3d_measured_run *a, const p3d_measured_run *b)
{
    return strcmp(a->source, b->source) == 0 &&
           strcmp(a->model, b->model) == 0 && strcmp(a->gpu, b->gpu) == 0 &&
           strcmp(a->framework, b->framework) == 0 &&
           strcmp(a->dtype, b->dtype) == 0 &&
           a->adapter_rank == b->adapter_rank && a->n_gpus == b->n_gpus &&
           a->seq_len == b->seq_len;
}

static p3d_measured_run run_of(
        const exchange_run *row, const exchange_case *c, double step_s)
{
    const p3d_problem *const p = &c->problem;
    const double tokens_per_gpu = (double)p->job.seq_len *
                                  (double)p->job.global_batch /
                                  p->cluster.n_gpus;

    return (p3d_measured_run){.id = row->id,
            .source = row->source,
            .year = row->year > 0 ? row->year : 0,
            .framework = row->framework,
            .profile = p->job.framework->name,
            .model = row->model,
            .dtype = p3d_dtype_name(p->job.dtype),
            .ref = row->ref,
            .n_gpus = p->cluster.n_gpus,
            .network_bytes_per_s_per_gpu =
                    rounded(spec_network_bytes_per_s_per_gpu(&p->cluster)),
            .parameters = p3d_total_params(&p->model),
            .active_parameters = p3d_active_params(&p->model),
            .n_experts = p->model.n_experts,
            .adapter_rank = p->job.adapters.rank,
            .seq_len = p->job.seq_len,
            .measured_step_s = rounded(row->measured_step_s),
            .predicted_step_s = rounded(step_s),
            .measured_tokens_per_s_per_gpu =
                    rounded(tokens_per_gpu / row->measured_step_s),
            .predicted_tokens_per_s_per_gpu = rounded(tokens_per_gpu / step_s)};
}

/* A run in the place of the slower one of its kind, or as a new one. */
static void put(table *t, p3d_measured_run run, const exchange_case *c)
{
    int i = 0;

    run.gpu = c->problem.cluster.gpu.name;
    while (i < t->n && !is_same(&t->runs[i], &run))
        i++;
    if (i < t->n && t->runs[i].measured_tokens_per_s_per_gpu >=
                            run.measured_tokens_per_s_per_gpu)
        return;
    t->n += i == t->n;
    p3d_plan_print(&c->plan, t->words[i].plan, sizeof(t->words[i].plan));
    p3d_copy(t->words[i].gpu, sizeof(t->words[i].gpu), run.gpu);
    p3d_copy(t->words[i].architecture, sizeof(t->words[i].architecture),
            c->problem.cluster.gpu.architecture);
    run.plan = t->words[i].plan;
    run.gpu = t->words[i].gpu;
    run.architecture = t->words[i].architecture;
    t->runs[i] = run;
    t->facts[i] = spec_facts_of(&c->problem, &c->plan);
    t->facts[i].gpu = run.gpu;
    t->facts[i].architecture = run.architecture;
    t->facts[i].active_parameters = short_number(t->facts[i].active_parameters);
    t->facts[i].network_bytes_per_s_per_gpu =
            short_number(t->facts[i].network_bytes_per_s_per_gpu);
}

static void add(table *t, const exchange_run *row, exchange_hardware *hardware)
{
    exchange_case c;
    exchange_reason reason;
    p3d_estimate estimate;

    if (row->usable_time == 1 && row->measured_step_s > 0 &&
            exchange_corpus_convert(row, hardware, &c, &reason) &&
            p3d_estimate_plan(&c.problem, &c.plan, &estimate, NULL))
        put(t, run_of(row, &c, p3d_time_step_s(&estimate.time)), &c);
}

static bool print_csv(const table *t)
{
    p3d_text text = {0};
    bool ok;

    json_put_table(&exchange_evidence_shape, (json_list){t->runs, t->n}, &text);
    ok = !text.failed && fputs(p3d_text_get(&text), stdout) >= 0;
    p3d_text_free(&text);
    return ok;
}

/* A text of a run. */
typedef const char *word_of(const table *t, int i);

static const char *source_of(const table *t, int i)
{
    return t->runs[i].source;
}

static const char *gpu_of(const table *t, int i)
{
    return t->facts[i].gpu;
}

static const char *architecture_of(const table *t, int i)
{
    return t->facts[i].architecture;
}

static const char *profile_of(const table *t, int i)
{
    return t->facts[i].profile;
}

/* The number of a run's text among those that differ, in their order. */
static int number_of(const table *t, word_of *word, int i)
{
    int n = 0;

    for (int k = 0; strcmp(word(t, k), word(t, i)) != 0; k++) {
        int first = 0;

        while (strcmp(word(t, first), word(t, k)) != 0)
            first++;
        n += first == k;
    }
    return n;
}

static void print_words(const table *t, const char *name, word_of *word)
{
    int n = 0;

    printf("static const char *const near_%s[] = {", name);
    for (int i = 0; i < t->n; i++) {
        if (number_of(t, word, i) != n)
            continue;
        printf("\n    \"%s\",", word(t, i));
        n++;
    }
    printf("\n};\n\n");
}

static bool are_alike(const table *t, int i, int k)
{
    const p3d_distance_parts parts = spec_distance(&t->facts[i], &t->facts[k]);

    return strcmp(t->runs[i].source, t->runs[k].source) == 0 &&
           spec_distance_steps(&parts) <= 0;
}

static bool print_near(const table *t)
{
    printf("/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
           "/* near_runs.h - the measured runs, by what counts for their "
           "distance.\n *\n * Written by `make accuracy` from "
           "tests/accuracy/runs.csv. Do not edit. */\n"
           "#ifndef PLAN3D_CALIBRATE_NEAR_RUNS_H\n"
           "#define PLAN3D_CALIBRATE_NEAR_RUNS_H\n\n"
           "/** A run: places of its words, and the numbers of "
           "spec_run_facts. */\n"
           "typedef struct calibrate_near_run {\n"
           "    unsigned char source, gpu, architecture, profile;\n"
           "    double active_parameters, seq_len, "
           "network_bytes_per_s_per_gpu;\n"
           "    int n_gpus, experts, adapters, dtype, tp, pp, cp, ep, "
           "recompute;\n} calibrate_near_run;\n\n/* clang-format off */\n");
    print_words(t, "sources", source_of);
    print_words(t, "gpus", gpu_of);
    print_words(t, "architectures", architecture_of);
    print_words(t, "profiles", profile_of);
    printf("static const calibrate_near_run calibrate_near_runs[] = {\n");
    for (int i = 0; i < t->n; i++) {
        const spec_run_facts *const f = &t->facts[i];
        int k = 0;

        while (k < i && !are_alike(t, i, k))
            k++;
        if (k < i)
            continue;
        printf("    {%d, %d, %d, %d, %.3g, %.0f, %.3g, %d, %d, %d, %d, %d, %d, "
               "%d, %d, %d},\n",
                number_of(t, source_of, i), number_of(t, gpu_of, i),
                number_of(t, architecture_of, i), number_of(t, profile_of, i),
                f->active_parameters, f->seq_len,
                f->network_bytes_per_s_per_gpu, f->n_gpus, f->experts,
                f->adapters, (int)f->dtype, f->tp, f->pp, f->cp, f->ep,
                (int)f->recompute);
    }
    printf("};\n/* clang-format on */\n\n#endif\n");
    return ferror(stdout) == 0;
}

static bool print(const exchange_corpus *corpus, exchange_hardware *hardware,
        bool near, p3d_error *err)
{
    const size_t n = (size_t)corpus->n_rows + 1;
    table t = {.runs = calloc(n, sizeof(*t.runs)),
            .facts = calloc(n, sizeof(*t.facts)),
            .words = calloc(n, sizeof(*t.words))};
    bool ok = t.runs != NULL && t.facts != NULL && t.words != NULL;

    for (int i = 0; i < corpus->n_rows && ok; i++)
        add(&t, &corpus->rows[i], hardware);
    ok = ok && (near ? print_near(&t) : print_csv(&t));
    free(t.words);
    free(t.facts);
    free(t.runs);
    return ok || p3d_fail(err, P3D_SYSTEM, "out of memory, or no output");
}

int main(int argc, char **argv)
{
    p3d_error err = {.code = P3D_OK};
    exchange_corpus corpus = {.rows = NULL};
    exchange_hardware *const hardware = exchange_hardware_create(&err);
    const bool near = argc == 3 && strcmp(argv[2], "near") == 0;
    const bool ok = (argc == 2 || near) && hardware != NULL &&
                    exchange_corpus_open(argv[1], &corpus, &err) &&
                    print(&corpus, hardware, near, &err);

    exchange_corpus_close(&corpus);
    exchange_hardware_destroy(hardware);
    if (!ok)
        fprintf(stderr, "evidence: %s\n",
                err.code != P3D_OK ? err.text : "name a table of runs");
    return ok ? 0 : 1;
}

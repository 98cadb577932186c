/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_report.c - plan3d report: one page of HTML to look at and to send. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/file.h"
#include "base/tasks.h"
#include "base/util.h"
#include "cli/launch_export.h"
#include "cli/option_rows.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "exchange/launch/export.h"
#include "plan3d/constants.h"
#include "plan3d/fit_probability.h"
#include "plan3d/pareto.h"
#include "report/page.h"
#include "report/text/layout.h"
#include "spec/abilities.h"
#include "spec/hardware.h"
#include "spec/model_file.h"
#include "study/sweep.h"

/* What a page has room for. */
enum {
    MOST_TP = 6,
    MOST_PP = 10,
    MOST_CELLS = MOST_TP * MOST_PP,
    N_SCALES = 5,
    MOST_TARGETS = 24
};

/* What a thread searches with. */
typedef struct page_bench {
    p3d_search_cache *cache;
    p3d_search_result *result;
} page_bench;

/* A search around the plan of the page: for a cell, or for a scale. */
typedef struct page_task {
    report_cell *cell;
    report_scale *scale; /* the other is NULL */
    p3d_estimate best;   /* of the cell, where it fits */
    p3d_error error;     /* none = there is none */
} page_task;

/* The page in the making, with the storage of what it points to. */
typedef struct page_work {
    const cli_args *args;
    const cli_question *question;
    cli_found *found;
    p3d_search_result *search; /* its plans: that of the objective, then the
                                  fastest */
    int n_threads;
    page_bench *benches; /* of the threads */
    page_task tasks[MOST_CELLS + N_SCALES];
    int n_tasks;
    cli_progress progress;
    p3d_error *error;      /* of the searches; NULL = none so far */
    p3d_estimate estimate; /* the plan of the page */
    report_document *document;
    report_page page;
    char *texts[3]; /* of the origin: model, cluster, calibration */
    report_option options[CLI_MAX_GIVEN];
    report_cell cells[MOST_CELLS];
    report_point points[P3D_MAX_TOP + MOST_CELLS + 4]; /* its own, and those to
                                                          choose from */
    report_scale scales[N_SCALES];
    report_swing swings[P3D_N_CONSTANTS];
    report_target targets[MOST_TARGETS];
    report_file files[MOST_TARGETS][EXCHANGE_MAX_FILES];
    exchange_files launches[MOST_TARGETS];
} page_work;

enum { MOST_BYTES = 8 << 20, MODEL = 0, CLUSTER, CALIBRATION };

/* The text of a file as it stands. */
static bool read_text(
        page_work *page, int which, const char *path, p3d_error *err)
{
    size_t length = 0;

    return p3d_read_file(path, MOST_BYTES, &page->texts[which], &length, err) &&
           (length > 0 ||
                   p3d_fail(err, P3D_DATA,
                           "%.300s: a page holds this file, and a pipe cannot "
                           "be read again; write the path of a file",
                           path));
}

static void add_options(page_work *page)
{
    const cli_args *const args = page->args;
    const p3d_framework *const framework =
            page->question->question.problem.job.framework;
    int n = 0;

    for (int i = 0; i < args->n_given; i++) {
        const json_option_given *const given = &args->given[i];

        if (given->option->is_job)
            page->options[n++] = (report_option){given->option->field.key,
                    cli_given_value(given, framework)};
    }
    page->page.origin.options = (json_list){page->options, n};
}

/* What was asked, to ask it again: words, options, texts of files. */
static bool set_origin(page_work *page, p3d_error *err)
{
    const cli_args *const args = page->args;
    char path[SPEC_MODEL_PATH], file[SPEC_PATH];
    const char *const source = spec_model_path(args->words[0], path, err);

    if (source == NULL)
        return false;
    if (strcmp(source, "-") == 0)
        return p3d_fail(err, P3D_DATA,
                "a page holds the model's file, and standard input is none; "
                "write the path of the config.json");
    if (spec_cluster_pool(args->words[1], file) != NULL)
        return p3d_fail(err, P3D_DATA,
                "a page holds the cluster's file, and not one pool of it; "
                "write '%.80s' into a file of its own",
                args->words[1]);
    if (!read_text(page, MODEL, source, err) ||
            (spec_cluster_is_file(args->words[1]) &&
                    !read_text(page, CLUSTER, args->words[1], err)) ||
            (args->calibration != NULL &&
                    cli_is_calibration_file(args->calibration) &&
                    !read_text(page, CALIBRATION, args->calibration, err)))
        return false;
    page->page.origin = (report_origin){.model = args->words[0],
            .model_text = page->texts[MODEL],
            .cluster = args->words[1],
            .cluster_text = page->texts[CLUSTER],
            .calibration_text = page->texts[CALIBRATION],
            .plan = page->document->estimate->words};
    add_options(page);
    return true;
}

/* Numbers of ranks that are worth a row or a column. */
static bool is_usual(int n, int least)
{
    return n <= least || (n & (n - 1)) == 0;
}

/* Numbers of ranks of one kind that are shown. */
typedef struct ranks {
    int most;  /* of them */
    int least; /* up to here, each number is worth it */
    int own;   /* of the plan, whatever it is */
    int room;  /* for so many numbers */
} ranks;

/* Divisors of the GPUs up to the most, and the plan's own. */
static int list_ranks(int n_gpus, ranks of, int *out)
{
    int n = 0;

    for (int i = 1; i <= n_gpus && n < of.room; i++) {
        if (i == of.own ||
                (n_gpus % i == 0 && i <= of.most && is_usual(i, of.least)))
            out[n++] = i;
    }
    return n;
}

static void set_cell(const p3d_search_result *found, report_cell *cell)
{
    const p3d_estimate *const best = cli_best_or_closest(found);

    cell->legal = found->n_plans > 0;
    cell->fits = found->n_top > 0;
    if (!cell->legal) {
        if (found->empty.rule != NULL)
            p3d_copy(cell->rule, sizeof(cell->rule), found->empty.rule);
        p3d_copy(cell->reason, sizeof(cell->reason), found->empty.reason);
        return;
    }
    if (!cell->fits && !found->have_closest)
        return; /* none is close: the search cut them all */
    cell->barely = !cell->fits && best->fits;
    p3d_plan_print(&best->plan, cell->words, sizeof(cell->words));
    cell->step_s = cell->fits ? p3d_time_step_s(&best->time) : 0;
    cell->missing_bytes = report_missing_bytes(best);
}

/* A plan that fits, once. */
static void add_point(page_work *page, const p3d_estimate *estimate)
{
    const p3d_problem *const problem = &page->question->question.problem;
    report_point *const points = page->points;
    int *const n = &page->page.points.n;
    char words[REPORT_PLAN];

    if (!estimate->fits)
        return;
    p3d_plan_print(&estimate->plan, words, sizeof(words));
    for (int i = 0; i < *n; i++)
        if (strcmp(points[i].words, words) == 0)
            return;
    points[*n] = (report_point){.step_s = p3d_time_step_s(&estimate->time),
            .margin_bytes = p3d_estimate_margin_bytes(estimate),
            .sure = estimate->sure,
            .fit_probability_frac = p3d_peak_probability_frac(
                    problem, p3d_memory_device_bytes(&estimate->memory))};
    p3d_copy(points[(*n)++].words, REPORT_PLAN, words);
}

static void find_cell(
        const page_work *page, const page_bench *bench, page_task *task)
{
    const p3d_search_options options = {.n_top = 1, .cache = bench->cache};
    p3d_pins pins = p3d_pins_free();

    pins.tp = task->cell->tp;
    pins.pp = task->cell->pp;
    if (!p3d_search_with(&page->question->question.problem, &pins, &options,
                bench->result, &task->error))
        return;
    set_cell(bench->result, task->cell);
    if (task->cell->fits)
        task->best = bench->result->top[0];
}

static void add_cell(page_work *page, int tp, int pp)
{
    report_cell *const cell = &page->cells[page->page.cells.n++];

    *cell = (report_cell){.tp = tp, .pp = pp};
    page->tasks[page->n_tasks++] = (page_task){.cell = cell};
}

static void add_cells(page_work *page)
{
    const p3d_problem *const problem = &page->question->question.problem;
    const p3d_plan *const plan = &page->estimate.plan;
    const int n_gpus = problem->cluster.n_gpus;
    int tps[MOST_TP], pps[MOST_PP];
    const ranks of_tp = {.most = 2 * problem->cluster.node.gpus_per_node,
            .least = 8,
            .own = plan->tp,
            .room = MOST_TP};
    const ranks of_pp = {.most = problem->model.n_layers,
            .least = 12,
            .own = plan->pp,
            .room = MOST_PP};
    const int n_tps = list_ranks(n_gpus, of_tp, tps);
    const int n_pps = list_ranks(n_gpus, of_pp, pps);

    page->page.cells.items = page->cells;
    for (int i = 0; i < n_tps; i++)
        for (int k = 0; k < n_pps; k++)
            add_cell(page, tps[i], pps[k]);
}

static int compare_points(const void *a, const void *b)
{
    const report_point *const x = a, *const y = b;

    if (x->step_s != y->step_s)
        return x->step_s < y->step_s ? -1 : 1;
    if (x->margin_bytes != y->margin_bytes)
        return x->margin_bytes > y->margin_bytes ? -1 : 1;
    return strcmp(x->words, y->words);
}

static bool mark_front(report_point *points, int n, p3d_error *err)
{
    double values[2 * P3D_COUNT_OF(((page_work *)NULL)->points)] = {0};
    bool on_front[P3D_COUNT_OF(((page_work *)NULL)->points)];

    for (int i = 0; i < n; i++) {
        values[2 * i] = points[i].step_s;
        values[2 * i + 1] = -(double)points[i].margin_bytes;
    }
    if (!p3d_pareto_front(n, 2, values, on_front, err))
        return false;
    for (int i = 0; i < n; i++)
        points[i].on_front = on_front[i];
    return true;
}

/* All plans that are known to fit. */
static void add_points(page_work *page)
{
    const p3d_recommendation *const found = &page->found->recommendation;
    const p3d_estimate *const choices[] = {
            &found->recommended, &found->fastest, &found->roomiest};

    add_point(page, &page->estimate);
    if (page->search->n_top > 0)
        for (int i = 0; i < P3D_COUNT_OF(choices); i++)
            add_point(page, choices[i]);
    if (found->have_usual)
        add_point(page, &found->usual);
    for (int i = 0; i < page->search->n_top; i++)
        add_point(page, &page->search->top[i]);
    for (int i = 0; i < page->n_tasks; i++) {
        const page_task *const task = &page->tasks[i];

        if (task->cell != NULL && task->cell->fits)
            add_point(page, &task->best);
    }
}

static bool set_points(page_work *page, p3d_error *err)
{
    page->page.points.items = page->points;
    add_points(page);
    qsort(page->points, (size_t)page->page.points.n, sizeof(page->points[0]),
            compare_points);
    return page->page.points.n == 0 ||
           mark_front(page->points, page->page.points.n, err);
}

/* Days and cost as a sweep has them. */
static bool train(const p3d_problem *problem, const p3d_estimate *best,
        report_scale *to, p3d_error *err)
{
    p3d_sweep_row row = {.n_gpus = problem->cluster.n_gpus};

    if (!study_sweep_train(problem, best, &row, err))
        return false;
    to->billion_tokens_usd = row.billion_tokens_usd;
    to->low_billion_usd = row.low.billion_tokens_usd;
    to->high_billion_usd = row.high.billion_tokens_usd;
    to->training_s = row.training_s;
    to->low_s = row.low.training_s;
    to->high_s = row.high.training_s;
    to->training_usd = row.training_usd;
    to->low_usd = row.low.training_usd;
    to->high_usd = row.high.training_usd;
    return true;
}

static bool set_scale(const p3d_problem *problem,
        const p3d_search_result *found, report_scale *to, p3d_error *err)
{
    const p3d_estimate *const best = cli_best_or_closest(found);

    to->legal = found->n_plans > 0;
    to->fits = found->n_top > 0;
    if (!to->legal) {
        p3d_copy(to->reason, sizeof(to->reason), found->empty.reason);
        return true;
    }
    if (!to->fits && !found->have_closest)
        return true;
    p3d_plan_print(&best->plan, to->words, sizeof(to->words));
    to->missing_bytes = report_missing_bytes(best);
    if (!to->fits)
        return true;
    to->step_s = p3d_time_step_s(&best->time);
    to->tokens_per_s = best->tokens_per_s;
    return train(problem, best, to, err);
}

static void find_scale(
        const page_work *page, const page_bench *bench, page_task *task)
{
    p3d_recommend_options options = cli_recommend_options(page->args);
    p3d_recommendation recommendation;
    p3d_problem problem = page->question->question.problem;
    const p3d_search_result *found = page->search;

    if (task->scale->n_gpus != problem.cluster.n_gpus) {
        options.search =
                (p3d_search_options){.n_top = 1, .cache = bench->cache};
        options.alone = true;
        if (!p3d_cluster_resize(
                    &problem.cluster, task->scale->n_gpus, &task->error) ||
                !p3d_recommend(&problem, &options, bench->result,
                        &recommendation, &task->error))
            return;
        found = bench->result;
    }
    if (!p3d_stopped())
        (void)set_scale(&problem, found, task->scale, &task->error);
}

/* A number of GPUs that fills no nodes is left out. */
static void add_scale(page_work *page, int n_gpus)
{
    p3d_cluster cluster = page->question->question.problem.cluster;
    report_scale *const to = &page->scales[page->page.scales.n];

    if (n_gpus != cluster.n_gpus && !p3d_cluster_resize(&cluster, n_gpus, NULL))
        return;
    *to = (report_scale){.n_gpus = n_gpus};
    page->page.scales.n++;
    page->tasks[page->n_tasks++] = (page_task){.scale = to};
}

/* Against the speed of a GPU of the asked cluster or, where nothing fits
 * there, of the smallest on which something does. */
static void set_efficiency(report_scale *scales, int n, int asked)
{
    double usual = 0;

    for (int i = n - 1; i >= 0; i--)
        if (scales[i].fits && (usual == 0 || scales[i].n_gpus >= asked))
            usual = scales[i].tokens_per_s / scales[i].n_gpus;
    for (int i = 0; i < n; i++)
        if (scales[i].fits)
            scales[i].efficiency_frac =
                    scales[i].tokens_per_s / scales[i].n_gpus / usual;
}

/* The best plan on fewer and more GPUs. */
static void add_scales(page_work *page)
{
    static const double factors[N_SCALES] = {0.25, 0.5, 1, 2, 4};
    const int asked = page->question->question.problem.cluster.n_gpus;

    page->page.scales.items = page->scales;
    for (int i = 0; i < N_SCALES; i++) {
        const double n_gpus = factors[i] * asked;

        if (n_gpus == floor(n_gpus) && n_gpus <= P3D_MAX_GPUS)
            add_scale(page, (int)n_gpus);
    }
}

static bool begin_task(void *context, int64_t i)
{
    page_work *const page = context;

    cli_progress_parts(&page->progress, (int)i, page->n_tasks);
    return true;
}

static void do_task(void *context, int64_t i, int thread)
{
    page_work *const page = context;
    page_task *const task = &page->tasks[i];

    (task->cell != NULL ? find_cell : find_scale)(
            page, &page->benches[thread], task);
}

static bool take_task(void *context, int64_t i)
{
    page_work *const page = context;
    const p3d_error *const cause = &page->tasks[i].error;

    if (cause->code != P3D_OK)
        return p3d_fail(page->error, cause->code, "%s", cause->text);
    return cli_goes_on("before the page was made", page->error);
}

/* The searches of cells and scales. */
static bool search_around(page_work *page, p3d_error *err)
{
    p3d_error cause = {.code = P3D_OK};
    const p3d_tasks tasks = {.n = page->n_tasks,
            .n_threads = page->n_threads,
            .context = page,
            .begin = begin_task,
            .work = do_task,
            .take = take_task};

    page->error = &cause;
    cli_progress_begin(&page->progress, "search", 0);
    p3d_tasks_run(&tasks);
    cli_progress_end(&page->progress);
    page->error = NULL;
    return cause.code == P3D_OK || p3d_fail(err, cause.code, "%s", cause.text);
}

/* The best plan for each number of tensor-parallel and pipeline ranks, and on
 * fewer and more GPUs; all plans that are known to fit. */
static bool add_space(page_work *page, p3d_error *err)
{
    const int asked = page->question->question.problem.cluster.n_gpus;

    add_cells(page);
    add_scales(page);
    if (!search_around(page, err))
        return false;
    set_efficiency(page->scales, page->page.scales.n, asked);
    return set_points(page, err);
}

static double step_with(
        const page_work *page, p3d_constant constant, double factor)
{
    p3d_factors factors = p3d_factors_one();
    p3d_problem problem;
    p3d_estimate estimate;

    factors.of[constant] = factor;
    problem = p3d_problem_scaled(&page->question->question.problem, &factors);
    if (!p3d_estimate_plan(&problem, &page->estimate.plan, &estimate, NULL))
        return p3d_time_step_s(&page->estimate.time);
    return p3d_time_step_s(&estimate.time);
}

static int compare_swings(const void *a, const void *b)
{
    const report_swing *const x = a, *const y = b;
    const double more = (y->high_s - y->low_s) - (x->high_s - x->low_s);

    return more > 0 ? 1 : more < 0 ? -1 : strcmp(x->name, y->name);
}

/* The step of the plan when constants are wrong. */
static void set_swings(page_work *page)
{
    const p3d_problem *const problem = &page->question->question.problem;

    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        const p3d_constant constant = (p3d_constant)i;
        const double sigma = p3d_constant_sigma(problem, constant);

        page->swings[i] =
                (report_swing){.name = p3d_constant_of(constant)->name,
                        .measure = p3d_constant_of(constant)->measure,
                        .sigma = sigma,
                        .low_s = step_with(page, constant, p3d_exp(-sigma)),
                        .high_s = step_with(page, constant, p3d_exp(sigma))};
    }
    qsort(page->swings, P3D_N_CONSTANTS, sizeof(page->swings[0]),
            compare_swings);
    page->page.swings = (json_list){page->swings, P3D_N_CONSTANTS};
}

/* The launch with one framework: the question under its rules and costs. */
typedef struct attempt {
    const exchange_target *target;
    p3d_framework framework;
    report_question question;
    p3d_estimate estimate;
} attempt;

static bool ask_target(const page_work *page, attempt *a, p3d_error *err)
{
    cli_args args = *page->args;
    p3d_refusal refusal = {0};

    args.framework = a->target->framework;
    a->question = page->question->question;
    if (!cli_job_begin(&args, &a->question.problem, err))
        return false;
    a->framework = exchange_target_framework(a->target);
    a->question.problem.job.framework = &a->framework;
    return p3d_estimate_plan(&a->question.problem, &page->estimate.plan,
                   &a->estimate, &refusal) ||
           p3d_fail(err, P3D_DATA, "%s", refusal.reason);
}

static bool make_launch(const attempt *a, exchange_files *files, p3d_error *err)
{
    const report_findings findings = {.estimate = &a->estimate};
    const p3d_problem *const problem = &a->question.problem;
    report_document *const document =
            report_document_create(&a->question, &findings, err);
    const cli_launch launch = {.document = document,
            .problem = problem,
            .plan = &a->estimate.plan,
            .target = a->target,
            .launcher = cli_usual_launcher(a->target, &problem->cluster),
            .less_sure_frac = cli_less_sure_frac(problem, &a->estimate)};
    const bool ok = document != NULL && cli_make_launch(&launch, files, err);

    report_document_destroy(document);
    return ok;
}

/* What a framework cannot run is a result; only the system fails. */
static bool add_target(
        page_work *page, const exchange_target *target, p3d_error *err)
{
    const int i = page->page.targets.n++;
    report_target *const to = &page->targets[i];
    attempt a = {.target = target};
    p3d_error cause = {0};

    *to = (report_target){.name = target->name,
            .title = target->title,
            .versions = target->versions};
    to->can = ask_target(page, &a, &cause) &&
              make_launch(&a, &page->launches[i], &cause);
    if (cause.code == P3D_SYSTEM)
        return p3d_fail(err, P3D_SYSTEM, "%s", cause.text);
    if (!to->can) {
        snprintf(to->reason, sizeof(to->reason), "%s", cause.text);
        return true;
    }
    to->fits = a.estimate.fits;
    to->step_s = p3d_time_step_s(&a.estimate.time);
    to->files = cli_list_files(&page->launches[i], page->files[i]);
    return true;
}

/* The launch files of the plan, by framework. Those of other devices are not
 * mentioned. */
static bool add_targets(page_work *page, p3d_error *err)
{
    const p3d_gpu *const gpu = &page->question->question.problem.cluster.gpu;
    const exchange_target *target;

    page->page.targets.items = page->targets;
    for (int i = 0; (target = exchange_target_at(i)) != NULL; i++) {
        P3D_ASSERT(i < MOST_TARGETS);
        if (spec_framework_runs_on(
                    p3d_framework_find(target->framework), gpu) &&
                !add_target(page, target, err))
            return false;
    }
    return true;
}

/* The page stands where other commands have text. */
static const char *format_word(int i)
{
    static const char *const words[] = {"html", "json"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/* clang-format off */
static const json_option options[] = {
    CLI_PLAN_OR_BEST_ROW,
    CLI_FILE_ROWS("standard output", "file to write (plan.html)",
            "replace a file that is there"),
    CLI_IDLE_ROW,
    CLI_FORMATS_ROW(format_word, "html", "html, or json: what the page shows"),
    CLI_JOB_ROWS,
};
/* clang-format on */

static bool make_document(page_work *page, p3d_error *err)
{
    const report_question *const question = &page->question->question;
    const p3d_pins pins = p3d_pins_free();
    p3d_remedy changes[P3D_MAX_REMEDIES];
    report_findings findings = {.search = page->search,
            .recommendation = &page->found->recommendation,
            .estimate = &page->estimate,
            .explain = true};

    if (page->search->n_top == 0)
        cli_find_changes(&question->problem, &pins, changes, &findings);
    page->document = report_document_create(question, &findings, err);
    page->page.document = page->document;
    return page->document != NULL;
}

/* The plans to choose from, and all that are known to be fast. */
static bool search_plans(page_work *page, p3d_error *err)
{
    p3d_recommend_options choice = cli_recommend_options(page->args);

    choice.search.n_top = P3D_MAX_TOP;
    choice.usual = true;
    page->found = cli_question_choose(page->question, choice, err);
    page->search = page->found != NULL ? &page->found->search : NULL;
    return page->found != NULL;
}

static bool create_benches(page_work *page, p3d_error *err)
{
    page->n_threads = p3d_threads_for(MOST_CELLS);
    page->benches = calloc((size_t)page->n_threads, sizeof(*page->benches));
    for (int i = 0; page->benches != NULL && i < page->n_threads; i++) {
        page_bench *const bench = &page->benches[i];

        bench->cache = p3d_search_cache_create(err);
        if (bench->cache == NULL)
            return false;
        bench->result = malloc(sizeof(*bench->result));
        if (bench->result == NULL)
            return p3d_fail(err, P3D_SYSTEM, "out of memory");
    }
    return page->benches != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

static void free_benches(page_work *page)
{
    for (int i = 0; page->benches != NULL && i < page->n_threads; i++) {
        p3d_search_cache_destroy(page->benches[i].cache);
        free(page->benches[i].result);
    }
    free(page->benches);
}

static bool find_all(page_work *page, p3d_error *err)
{
    if (!create_benches(page, err) || !search_plans(page, err) ||
            !cli_goes_on("before the page was made", err) ||
            !cli_estimate_plan_or_found(page->question, page->args->plan,
                    page->search, &page->estimate, err) ||
            !make_document(page, err) || !set_origin(page, err) ||
            !add_space(page, err) || !add_targets(page, err))
        return false;
    set_swings(page);
    return true;
}

static void free_page(page_work *page)
{
    for (int i = 0; i < P3D_COUNT_OF(page->texts); i++)
        free(page->texts[i]);
    for (int i = 0; i < page->page.targets.n; i++)
        exchange_files_free(&page->launches[i]);
    report_document_destroy(page->document);
    free_benches(page);
    free(page->found);
    free(page);
}

static bool is_to_file(const cli_args *args)
{
    return args->out != NULL && strcmp(args->out, "-") != 0;
}

/* What is printed is an answer, whose devices have names anyway. */
static void name_devices(const page_work *page, p3d_text *file)
{
    const p3d_cluster *const cluster =
            &page->question->question.problem.cluster;

    if (cli_format(page->args) != REPORT_JSON && file->length > 0)
        report_name_devices(p3d_gpu_noun(&cluster->gpu), file->data);
}

static bool print(const page_work *page, p3d_text *out, p3d_error *err)
{
    const cli_args *const args = page->args;
    const bool to_file = is_to_file(args);
    p3d_text file = {.style = {.lang = out->style.lang}};
    p3d_text *const to = to_file ? &file : out;
    bool ok = true;

    if (cli_format(args) == REPORT_JSON)
        report_print_json(&report_page_shape, &page->page, to);
    else
        ok = report_page_print(&page->page, to, err);
    if (ok && to_file) {
        name_devices(page, &file);
        p3d_text_add(out, "%s: %lld KB%s\n", args->out,
                ((long long)file.length + 999) / 1000,
                cli_format(args) == REPORT_JSON
                        ? ""
                        : "; open it in a browser, or read it with plan3d "
                          "import");
        ok = out->failed ||
             cli_write_file(args->out, args->force, "plan.html", &file, err);
    }
    p3d_text_free(&file);
    return ok;
}

static bool answer(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    page_work *page;
    bool ok;

    if (is_to_file(args) &&
            !cli_may_write_file(args->out, args->force, "plan.html", err))
        return false;
    page = calloc(1, sizeof(*page));
    if (page == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    page->args = args;
    page->question = question;
    ok = find_all(page, err) && print(page, reply->out, err);
    if (ok)
        reply->code = page->estimate.fits ? P3D_OK : P3D_NO;
    free_page(page);
    return ok;
}

const cli_command cli_report = {
        .name = "report",
        .summary = "One page of HTML to look at and to send: the plan, its "
                   "figures, its launch files.",
        .positionals = {{"MODEL",
                                "name of 'plan3d list models' or of Hugging "
                                "Face (Qwen/Qwen2.5-7B), path of a "
                                "config.json, or a size such as 70B",
                                CLI_ONCE},
                CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d report 70B 64xA800 -o plan.html",
                "plan3d report 70B 64xA800 --plan tp=8,pp=4 --tokens 2T "
                "--price 1.50 -o plan.html"},
        .answer = answer,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_misuse.c - every function of the library given NULL, structs of zeros
 * and numbers out of range comes back. */
#include "misuse.h"

#include <limits.h>
#include <stdio.h>

#include "base/util.h"
#include "plan3d/plan3d.h"
#include "spec/members.h"

/* What is wrong here is wrong on purpose. */
#if defined(__GNUC__)
#    pragma GCC diagnostic ignored "-Wunused-result"
#    pragma GCC diagnostic ignored "-Wunused-value"
#    pragma GCC diagnostic ignored "-Wsign-conversion"
#    pragma GCC diagnostic ignored "-Wformat-nonliteral"
#    pragma GCC diagnostic ignored "-Wformat-security"
#endif

/* Right arguments, filled once. */
static p3d_problem *problem;
static p3d_estimate estimate;
static p3d_plan plan;
static p3d_pins pins;
static p3d_blocks blocks;
static p3d_measurements measured;
static p3d_request request;
static p3d_search_result *found;
static char text[P3D_PLAN_WORDS];
static const size_t n_text = sizeof(text);
static const char *const words = "1GiB";
static const int64_t n_bytes = 1;

static int fill(void **state)
{
    (void)state;
    zeros = malloc(n_zeros);
    problem = calloc(1, sizeof(*problem));
    found = malloc(sizeof(*found));
    if (zeros == NULL || problem == NULL || found == NULL ||
            !p3d_model_find("gpt2", &problem->model, &err) ||
            !p3d_cluster_find("2xA100", &problem->cluster, &err))
        return -1;
    p3d_job_default(&problem->job, &problem->model, &problem->cluster);
    problem->job.n_tokens = 1e9;
    pins = p3d_pins_free();
    if (!p3d_search(problem, &pins, 2, found, &err) || found->n_top == 0)
        return -1;
    estimate = found->top[0];
    plan = estimate.plan;
    p3d_blocks_build(problem, p3d_plan_shard(&plan), &blocks);
    return p3d_measurements_open(
                   "tests/data/measured/h100-compute.json", &measured, &err) &&
                           p3d_request_build(problem, &estimate, &request, &err)
                   ? 0
                   : -1;
}

static int empty(void **state)
{
    (void)state;
    p3d_measurements_free(&measured);
    p3d_request_free(&request);
    free(found);
    free(problem);
    free(zeros);
    return 0;
}

static void of_errors_and_units(void **state)
{
    int64_t whole;
    double number;

    (void)state;
    TRY1(p3d_exit_status, 0u);
    TRY3(p3d_print_error, text, n_text, &err);
    TRY3(p3d_record, &err, 99u, "words");
    REFUSE2(p3d_parse_bytes, words, &whole);
    REFUSE2(p3d_parse_bytes_per_s, words, &number);
    REFUSE2(p3d_parse_seconds, words, &number);
    REFUSE4(p3d_parse_count, words, n_bytes, n_bytes, &whole);
    REFUSE4(p3d_parse_number, words, 0.0, 1.0, &number);
    TRY3(p3d_print_bytes, text, n_text, 1.0);
    TRY3(p3d_print_seconds, text, n_text, 1.0);
    TRY3(p3d_print_count, text, n_text, 1.0);
    TRY3(p3d_print_integer, text, n_text, n_bytes);
    assert_int_equal(p3d_exit_status((p3d_code)99), 4);
}

static void of_words(void **state)
{
    int n;

    (void)state;
    TRY1(p3d_dtype_name, 0u);
    TRY1(p3d_dtype_bytes, 0u);
    TRY1(p3d_dispatcher_name, 0u);
    TRY1(p3d_graphs_word, 0);
    TRY1(p3d_optimizer_of, 0u);
    TRY1(p3d_loss_name, 0u);
    TRY1(p3d_loss_passes, 0u);
    TRY1(p3d_loss_is_chunked, 0u);
    TRY1(p3d_loss_hole_bytes, 0u);
    TRY2(p3d_loss_copies, 1u, &n);
    TRY1(p3d_module_name, 0);
    TRY1(p3d_recompute_name, 0u);
    TRY1(p3d_schedule_name, 0u);
    TRY1(p3d_offload_name, 0u);
    TRY1(p3d_order_name, 0u);
    TRY1(p3d_schedule_chunks, 0u);
    TRY2(p3d_schedule_min_micro_batches, 0u, 1);
    TRY1(p3d_schedule_splits_backward, 0u);
    TRY1(p3d_schedule_flushes, 0u);
    TRY2(p3d_schedule_offered, 0u, problem->job.framework);
    TRY1(p3d_moment_name, 0);
    TRY1(p3d_axis_word, 0u);
    TRY1(p3d_pass_name, 0u);
    TRY1(p3d_constant_of, 0u);
    TRY1(p3d_frameworks, &n);
    TRY1(p3d_framework_find, words);
    TRY2(p3d_framework_alias, problem->job.framework, 0);
    TRY1(p3d_framework_standing_word, 0);
    TRY1(p3d_framework_verdict_word, 0);
    TRY1(p3d_attention_name, 0u);
    note("p3d_frameworks_current");
    assert_true(p3d_frameworks_current().n > 0);
    TRY1(p3d_kernel_element_bytes, 0u);
    TRY2(p3d_kernel_bytes, 0u, n_bytes);
    TRY2(p3d_bus_factor, 0u, n_bytes);
    assert_string_equal(p3d_dtype_name((p3d_dtype)99), "");
    assert_string_equal(p3d_optimizer_of((p3d_optimizer)99)->name, "");
    assert_null(p3d_graphs_word(-1));
}

static void of_files(void **state)
{
    p3d_catalog catalog;
    p3d_cluster cluster;
    p3d_gpu gpu;
    p3d_model model;
    p3d_measurements other;
    p3d_request again;
    bool is;

    (void)state;
    assert_true(p3d_catalog_open(P3D_MODELS, &catalog, &err));
    TRY4(p3d_catalog_path, &catalog, 0, text, n_text);
    p3d_catalog_free(&catalog);
    REFUSE2(p3d_catalog_open, 99u, &catalog);
    TRY1(p3d_catalog_free, &catalog);
    REFUSE2(p3d_cluster_find, "8xA100", &cluster);
    REFUSE3(p3d_cluster_parse, "x.json", "{}", &cluster);
    REFUSE2(p3d_cluster_resize, &cluster, 8);
    REFUSE2(p3d_gpu_find, "A100", &gpu);
    REFUSE4(p3d_gpu_of_device, "A100", n_bytes, n_bytes, &gpu);
    REFUSE5(p3d_gpu_may_be, &gpu, "A100", n_bytes, n_bytes, &is);
    TRY1(p3d_gpu_sm, &gpu);
    TRY2(p3d_gpu_peak_flop_per_s, &gpu, 0u);
    REFUSE2(p3d_model_find, "gpt2", &model);
    REFUSE2(p3d_model_load, "models/gpt2.json", &model);
    REFUSE3(p3d_model_parse, "x.json", "{}", &model);
    REFUSE2(p3d_measurements_open, "none.json", &other);
    TRY1(p3d_measurements_free, &(p3d_measurements){.command = ""});
    REFUSE2(p3d_request_open, "none.json", &again);
    TRY1(p3d_request_free, &(p3d_request){.command = ""});
}

/* Of no framework, which may be. */
#define PARSE(words, n_gpus, out, err) \
    p3d_plan_parse(words, n_gpus, NULL, out, err)

static void of_models_jobs_and_plans(void **state)
{
    const p3d_framework *const framework = problem->job.framework;
    const p3d_model *const model = &problem->model;
    const p3d_cluster *const cluster = &problem->cluster;
    const p3d_job *const job = &problem->job;
    p3d_job other = *job;
    p3d_refusal refusal;
    int layers[P3D_MAX_LAYERS];

    (void)state;
    TRY2(p3d_model_count_layers, model, 0);
    TRY1(p3d_model_is_mla, model);
    TRY3(p3d_job_default, &other, model, cluster);
    TRY2(p3d_job_default_batch, 1, 1);
    TRY3(p3d_job_default_attention, &other, model, &cluster->gpu);
    TRY4(p3d_job_use, &other, framework, model, cluster);
    TRY4(p3d_job_runs, model, cluster, job, &refusal);
    REFUSE1(p3d_job_check_states, job);
    TRY1(p3d_job_is_usually_16, job);
    TRY1(p3d_job_kept, job);
    TRY1(p3d_job_loss, job);
    TRY2(p3d_memory_error_frac, framework, model);
    note("p3d_plan_parse");
    REFUSE3(PARSE, "tp=1", 1, &plan);
    TRY3(p3d_plan_print, &plan, text, n_text);
    TRY2(p3d_plan_n_micro_batches, &plan, job);
    TRY2(p3d_print_recompute, &plan, text);
    TRY2(p3d_print_offload, &plan, text);
    TRY5(p3d_plan_legal, model, cluster, job, &plan, &refusal);
    TRY5(p3d_plan_stays_legal, model, cluster, job, &plan, 0u);
    TRY4(p3d_plan_split_layers, model, job, &plan, layers);
    TRY4(p3d_plan_plain, model, cluster, job, &plan);
    TRY2(p3d_plan_has_orders, cluster, &plan);
    assert_false(p3d_plan_legal(model, cluster, job, NULL, &refusal));
    assert_null(refusal.rule);
    assert_string_equal(
            refusal.reason, "no plan, or no model, cluster or job to run it");
}

static void of_workloads_and_estimates(void **state)
{
    const p3d_model *const model = &problem->model;
    const p3d_shard shard = p3d_shard_whole();
    p3d_workload *const list = malloc(sizeof(*list));
    p3d_memory_item *const items =
            malloc(P3D_MAX_MEMORY_ITEMS * sizeof(*items));
    p3d_estimate other;
    p3d_blocks made = blocks;
    p3d_stage stage;
    p3d_refusal refusal;
    p3d_factors factors = p3d_factors_one();
    int moment;

    (void)state;
    assert_true(list != NULL && items != NULL);
    TRY5(p3d_workload_build, model, &problem->job, shard, 0, list);
    TRY2(p3d_workload_saved_bytes, list, 0u);
    TRY1(p3d_workload_input_bytes, list);
    TRY2(p3d_workload_working_bytes, list, &moment);
    TRY1(p3d_op_flop, &list->ops[0]);
    TRY1(p3d_plan_shard, &plan);
    IN_EACH_MODE(p3d_shard_whole, p3d_shard_whole());
    TRY4(p3d_block_params, model, problem->job.framework, shard, 0);
    TRY1(p3d_total_params, model);
    TRY1(p3d_active_params, model);
    TRY3(p3d_padded_vocab, model, problem->job.framework, 1);
    TRY2(p3d_model_flop_per_token, model, &problem->job);
    TRY1(p3d_memory_allocated_bytes, &estimate.memory);
    TRY1(p3d_memory_reserved_bytes, &estimate.memory);
    TRY1(p3d_memory_device_bytes, &estimate.memory);
    TRY1(p3d_time_step_s, &estimate.time);
    TRY3(p3d_blocks_build, problem, shard, &made);
    TRY3(p3d_blocks_recompute, problem, 0u, &made);
    TRY3(p3d_blocks_regroup, problem, shard, &made);
    TRY1(p3d_estimate_margin_bytes, &estimate);
    TRY4(p3d_estimate_plan, problem, &plan, &other, &refusal);
    TRY4(p3d_estimate_blocks, problem, &plan, &blocks, &other);
    TRY3(p3d_memory_ranges_of, problem, &plan, &estimate.memory);
    TRY4(p3d_estimate_items, problem, &plan, 0, items);
    TRY5(p3d_estimate_stage, problem, &plan, &blocks, 0, &stage);
    TRY2(p3d_constant_sigma, problem, 0u);
    IN_EACH_MODE(p3d_factors_one, p3d_factors_one());
    TRY2(p3d_problem_scaled, problem, &factors);
    TRY2(p3d_attention_fit_of, &problem->cluster.calibration, 0u);
    TRY2(p3d_step_range, problem, &estimate);
    free(items);
    free(list);
}

/* With nobody who watches, which may be. */
#define VERIFY(problem, pins, out, err) \
    p3d_verify(problem, pins, NULL, out, err)
#define RANK(problem, pins, among, out, err) \
    p3d_rank_frameworks(problem, pins, among, NULL, out, err)
#define PRICE(problem, best, out, err) \
    p3d_decisions_price(problem, best, NULL, NULL, out, err)

static void of_searches(void **state)
{
    const p3d_search_options options = {.n_top = 1};
    p3d_verification *const checked = malloc(sizeof(*checked));
    p3d_change *const changes = malloc(P3D_MAX_CHANGES * sizeof(*changes));
    p3d_walk *const walk = malloc(sizeof(*walk));
    p3d_single_change *const single =
            malloc(P3D_MAX_SINGLE_CHANGES * sizeof(*single));
    const p3d_framework_list among = p3d_frameworks_current();
    p3d_framework_ranking *const ranking = calloc(1, sizeof(*ranking));
    const double values[] = {1, 2};
    bool front[2];
    const p3d_sweep_cluster cluster = {
            .word = "2xA100", .cluster = problem->cluster, .sized = true};
    static const char *const nobodys[] = {"none"}; /* so that it fails */
    const p3d_sweep_options sweep_options = {&problem->model, &cluster, 1,
            .frameworks = nobodys, .n_frameworks = 1};
    p3d_sweep swept = {.rows = NULL};

    (void)state;
    assert_true(checked != NULL && changes != NULL && walk != NULL &&
                single != NULL && ranking != NULL);
    IN_EACH_MODE(p3d_pins_free, p3d_pins_free());
    REFUSE2(p3d_pins_parse, "tp=1", &pins);
    TRY1(p3d_pins_are_free, &pins);
    pins.tp = 1;
    note("p3d_search_cache_create");
    p3d_search_cache_destroy(p3d_search_cache_create(NULL));
    note("p3d_search_cache_destroy");
    p3d_search_cache_destroy(NULL);
    REFUSE4(p3d_search_with, problem, &pins, &options, found);
    REFUSE4(p3d_search, problem, &pins, 1, found);
    note("p3d_verify");
    REFUSE3(VERIFY, problem, &pins, checked);
    TRY2(p3d_verification_agrees, checked, found);
    note("p3d_rank_frameworks");
    REFUSE4(RANK, problem, &pins, &among, ranking);
    TRY4(p3d_rank_frameworks_by_plan, problem, "tp=1", &among, ranking);
    REFUSE2(p3d_take_first_framework, ranking, problem);
    TRY3(p3d_find_changes, problem, &pins, changes);
    TRY2(p3d_smallest_cluster, problem, 2);
    TRY2(p3d_advise, problem, walk);
    TRY3(p3d_single_changes_find, problem, &estimate, single);
    REFUSE4(p3d_pareto_front, 2, 1, values, front);
    REFUSE2(p3d_sweep_run, &sweep_options, &swept);
    TRY1(p3d_sweep_free, &swept);
    free(ranking);
    free(single);
    free(walk);
    free(changes);
    free(checked);
}

static double no_bound(void *context, int64_t n_gpus)
{
    (void)context;
    (void)n_gpus;
    return 0;
}

static bool no_training(
        void *context, int64_t n_gpus, double limit_s, p3d_training_point *out)
{
    (void)context;
    (void)n_gpus;
    (void)limit_s;
    (void)out;
    return false;
}

static void of_choices(void **state)
{
    p3d_decisions *const decisions = malloc(sizeof(*decisions));
    p3d_choice *const choice = malloc(sizeof(*choice));
    p3d_sensitivity *const judged = malloc(sizeof(*judged));
    const p3d_sensitivity_options options = {.n_draws = P3D_LEAST_DRAWS};
    const p3d_decision decision = {.word = "tp"};
    const p3d_deadline_question question = {
            .bound_s = no_bound, .train = no_training};
    p3d_deadline_answer in_time;

    (void)state;
    assert_true(decisions != NULL && choice != NULL && judged != NULL);
    REFUSE3(p3d_choice_search, problem, &pins, choice);
    note("p3d_decisions_price");
    REFUSE3(PRICE, problem, &estimate, decisions);
    TRY4(p3d_decision_print, &decision, 1, text, n_text);
    TRY5(p3d_decisions_differ, &plan, &plan, "tp", text, n_text);
    REFUSE6(p3d_judge, problem, &plan, &estimate, 1, &options, judged);
    TRY2(p3d_deadline_scan, &question, &in_time);
    free(judged);
    free(choice);
    free(decisions);
}

/* What comes out is released. */
static bool build(
        const p3d_problem *asked, const p3d_estimate *from, p3d_error *why)
{
    p3d_request made = {.command = ""};
    const bool ok = p3d_request_build(asked, from, &made, why);

    p3d_request_free(&made);
    return ok;
}

static void of_fits(void **state)
{
    const p3d_gpu *const gpu = &problem->cluster.gpu;
    const p3d_calibration *const base = &problem->cluster.calibration;
    const p3d_measured_kernel kernels[P3D_LEAST_MEASURED] = {{.time_s = 1}};
    const int n = P3D_LEAST_MEASURED;
    const p3d_residual residual = {.error_frac = 0};
    const p3d_ranked_run run = {.measured_s = 1, .predicted_s = 1};
    const p3d_set_result set = {.source = 0};
    p3d_calibrated made;
    p3d_gemm_fit gemm;
    p3d_attention_pass attention;
    p3d_collective_fit collective;
    p3d_pass_fit pass;
    p3d_fit_quality quality;
    p3d_compared compared;
    p3d_score score;
    p3d_set_score set_score;
    p3d_rank_score rank_score;
    p3d_training training;
    const p3d_backtest_options runs = {.runs = "none.csv"};
    p3d_backtest tried = {.n_rows = 0};
    const p3d_validate_options asked = {.problem = problem,
            .estimate = &estimate,
            .files = &measured,
            .n_files = 1,
            .tolerance_frac = 0.1};
    p3d_validated *const validated = malloc(sizeof(*validated));
    p3d_benches benches;

    (void)state;
    REFUSE5(p3d_calibrate, gpu, base, &measured, 1, &made);
    REFUSE5(p3d_calibrate_some, gpu, base, &measured, 1, &made);
    REFUSE6(p3d_fit_gemm, gpu, kernels, n, 1, &gemm, &quality);
    REFUSE6(p3d_fit_attention, gpu, kernels, n, 1.0, &attention, &quality);
    REFUSE6(p3d_fit_collective, gpu, kernels, n, 0u, &collective, &quality);
    REFUSE5(p3d_fit_pass, gpu, kernels, n, &pass, &quality);
    REFUSE6(p3d_compare, problem, &estimate, &request, &measured, 1, &compared);
    TRY1(p3d_covered_frac, &compared);
    TRY3(p3d_is_off, &compared, 0, 1.0);
    REFUSE3(p3d_score_residuals, &residual, 1, &score);
    REFUSE3(p3d_score_set, &run, 1, &set_score);
    REFUSE3(p3d_score_ranks, &set, 1, &rank_score);
    TRY1(p3d_operations_of, problem);
    REFUSE3(p3d_training_find, problem, &estimate, &training);
    REFUSE2(p3d_backtest_run, &runs, &tried);
    TRY1(p3d_backtest_free, &tried);
    REFUSE2(p3d_validate_run, &asked, validated);
    TRY4(p3d_benches_list, problem, &request, true, &benches);
    free(validated);
    note("p3d_request_build");
    REFUSE2(build, problem, &estimate);
    assert_false(p3d_request_build(problem, &estimate, NULL, NULL));
}

static void of_commands(void **state)
{
    const char *const argv[] = {"version", NULL};
    char *out, *message;

    (void)state;
    note("p3d_command");
    note("p3d_command_free");
    assert_int_equal(p3d_command(2, argv, &out, &message), 2);
    assert_string_equal(message,
            "plan3d: p3d_command() was called with NULL for an argument; give "
            "argc words\n");
    p3d_command_free(out);
    p3d_command_free(message);
    assert_int_equal(p3d_command(1, NULL, NULL, NULL), 2);
    assert_int_equal(p3d_command(-1, argv, NULL, NULL), 2);
    assert_int_equal(p3d_command(1, argv, NULL, NULL), 0);
    assert_int_equal(p3d_command(0, NULL, NULL, NULL), 2);
    p3d_command_free(NULL);
}

/* Numbers and enumerations of the structs that a caller fills. */

static p3d_problem wrong_problem;
static p3d_pins wrong_pins;
static p3d_plan wrong_plan;

/* A struct, where it is declared (NULL: its members are a list), its table. */
typedef struct filled {
    const char *name;
    const char *header;
    const p3d_members *members;
    void *at;
    const char *prefix; /* of its members in the table of another struct */
} filled;

/* clang-format off */
static const filled structs[] = {
    {"p3d_job", "job.h", &spec_job_members, &wrong_problem.job, ""},
    {"p3d_operations", "job.h", &spec_job_members, &wrong_problem.job,
        "operations."},
    {"p3d_model", "model.h", &spec_model_members, &wrong_problem.model, ""},
    {"p3d_cluster", "cluster.h", &spec_cluster_members, &wrong_problem.cluster,
        ""},
    {"p3d_node", "cluster.h", &spec_cluster_members, &wrong_problem.cluster,
        "node."},
    {"p3d_fabric", "cluster.h", &spec_cluster_members, &wrong_problem.cluster,
        "fabric."},
    {"p3d_gpu", "cluster.h", &spec_gpu_members, &wrong_problem.cluster.gpu, ""},
    {"p3d_pins", NULL, &spec_pins_members, &wrong_pins, ""},
    {"p3d_plan", NULL, &spec_plan_members, &wrong_plan, ""},
    {"p3d_plan", NULL, &spec_plan_sizes, &wrong_plan, ""},
};
/* clang-format on */

static void make_right(void)
{
    wrong_problem = *problem;
    wrong_pins = p3d_pins_free();
    wrong_plan = plan;
}

static bool may_be(const p3d_member *member, double value)
{
    return (member->least <= value && value <= member->most) ||
           (member->or_zero && value == 0);
}

/* False for what the member's type cannot hold. */
static bool set(const p3d_member *member, void *of, double value)
{
    char *const to = (char *)of + member->offset;
    int whole;
    int64_t wide;

    if (member->kind == P3D_MEMBER_DOUBLE) {
        memcpy(to, &value, sizeof(value));
        return true;
    }
    if (!(fabs(value) < 0x1p63) || value != trunc(value))
        return false;
    wide = (int64_t)value;
    if (member->kind == P3D_MEMBER_INT64) {
        memcpy(to, &wide, sizeof(wide));
        return true;
    }
    whole = (int)wide;
    memcpy(to, &whole, sizeof(whole));
    return whole == wide;
}

/* Functions that say nothing of mistakes only have to come back. */
static void come_back(const p3d_problem *p)
{
    int layers[P3D_MAX_LAYERS];
    p3d_job other = p->job;
    p3d_cluster cluster = p->cluster;
    p3d_blocks made = blocks;
    p3d_estimate ignored;
    p3d_stage stage;
    p3d_change changes[P3D_MAX_CHANGES];
    p3d_training training;
    char words_of[P3D_PLAN_WORDS];

    (void)p3d_job_runs(&p->model, &p->cluster, &p->job, NULL);
    (void)p3d_job_check_states(&p->job, NULL);
    (void)p3d_job_is_usually_16(&p->job);
    (void)p3d_loss_passes(p3d_job_loss(&p->job));
    p3d_job_default(&other, &p->model, &p->cluster);
    p3d_job_default_attention(&other, &p->model, &p->cluster.gpu);
    (void)p3d_cluster_resize(&cluster, 8, NULL);
    (void)p3d_model_count_layers(&p->model, 0);
    (void)p3d_total_params(&p->model);
    (void)p3d_active_params(&p->model);
    (void)p3d_padded_vocab(&p->model, p->job.framework, 1);
    (void)p3d_model_flop_per_token(&p->model, &p->job);
    (void)p3d_plan_split_layers(&p->model, &p->job, &plan, layers);
    (void)p3d_plan_print(&wrong_plan, words_of, sizeof(words_of));
    (void)p3d_plan_legal(&p->model, &p->cluster, &p->job, &wrong_plan, NULL);
    (void)p3d_plan_n_micro_batches(&wrong_plan, &p->job);
    p3d_blocks_build(p, p3d_plan_shard(&wrong_plan), &made);
    p3d_estimate_blocks(p, &wrong_plan, &made, &ignored);
    p3d_estimate_stage(p, &wrong_plan, &made, 0, &stage);
    (void)p3d_constant_sigma(p, P3D_CONSTANT_ATTENTION);
    (void)p3d_operations_of(p);
    (void)p3d_step_range(p, &estimate);
    (void)p3d_training_find(p, &estimate, &training, NULL);
    (void)p3d_find_changes(p, &wrong_pins, changes);
    (void)p3d_smallest_cluster(p, 2);
}

static void check_wrong(const filled *s, const char *member, double value)
{
    const p3d_search_options options = {.n_top = 1};
    const bool is_plan = s->at == &wrong_plan;
    p3d_refusal refusal;
    p3d_estimate other;

    come_back(&wrong_problem);
    err = (p3d_error){.code = P3D_OK};
    if (s->at != &wrong_pins &&
            p3d_estimate_plan(&wrong_problem, &wrong_plan, &other, &refusal))
        fail_msg("%s.%s = %g: it was estimated", s->name, member, value);
    if (is_plan)
        return;
    if (p3d_search(&wrong_problem, &wrong_pins, 1, found, &err))
        fail_msg("%s.%s = %g: it was searched", s->name, member, value);
    test_check_error(&err, P3D_USAGE, "p3d_search() was called");
    err = (p3d_error){.code = P3D_OK};
    if (p3d_search_with(&wrong_problem, &wrong_pins, &options, found, &err))
        fail_msg("%s.%s = %g: it was searched", s->name, member, value);
    test_check_error(&err, P3D_USAGE, "p3d_search_with() was called");
}

/* What crashed once, and what lies just outside. */
static int try_wrong_values(const filled *s, const p3d_member *member)
{
    const double values[] = {member->least - 1, member->most + 1,
            member->least / 2, member->most * 2, -1, 99, INT_MIN, INT_MAX,
            4294967808.0, 8589935104.0, 9e18, -9e18, (double)NAN, HUGE_VAL,
            -HUGE_VAL};
    int n_tried = 0;

    for (int i = 0; i < P3D_COUNT_OF(values); i++) {
        make_right();
        if (may_be(member, values[i]) || !set(member, s->at, values[i]))
            continue;
        check_wrong(s, member->name, values[i]);
        n_tried++;
    }
    return n_tried;
}

static void no_wild_number_is_believed(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(structs); i++) {
        for (int k = 0; k < structs[i].members->n; k++)
            assert_true(try_wrong_values(
                                &structs[i], &structs[i].members->rows[k]) > 0);
    }
}

/* The ends of a range belong to it, and nothing overflows there. */
static void the_ends_of_a_range_are_taken(void **state)
{
    const p3d_members *const members = &spec_job_members;

    (void)state;
    for (int i = 0; i < members->n; i++) {
        const p3d_member *const member = &members->rows[i];
        const double ends[] = {member->least, member->most};

        for (int k = 0; k < P3D_COUNT_OF(ends); k++) {
            make_right();
            if (!set(member, &wrong_problem.job, ends[k]))
                continue;
            err = (p3d_error){.code = P3D_OK};
            if (!p3d_search(&wrong_problem, &wrong_pins, 1, found, &err))
                fail_msg("%s = %g: %s", member->name, ends[k], err.text);
        }
    }
}

static bool is_in_a_table(const filled *s, const char *member)
{
    char name[64];

    snprintf(name, sizeof(name), "%s%s", s->prefix, member);
    for (int i = 0; i < P3D_COUNT_OF(structs); i++) {
        const p3d_members *const members = structs[i].members;

        for (int k = 0; structs[i].at == s->at && k < members->n; k++) {
            if (strcmp(members->rows[k].name, name) == 0)
                return true;
        }
    }
    return false;
}

/* The text of a header without its comments. */
static void read_header(const char *header, char *text_of, size_t n)
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "include/plan3d/%s", header);
    file = fopen(path, "r");
    assert_non_null(file);
    text_of[fread(text_of, 1, n - 1, file)] = '\0';
    fclose(file);
    for (char *from = strstr(text_of, "/*"); from != NULL;
            from = strstr(text_of, "/*")) {
        const char *const to = strstr(from, "*/");

        assert_non_null(to);
        memset(from, ' ', (size_t)(to + 2 - from));
    }
}

/* A number or an enumeration, by the words of its type. */
static bool is_number(const char *type)
{
    static const char *const others[] = {"bool", "char", "uint8_t", "const",
            "p3d_operations", "p3d_gpu", "p3d_node", "p3d_fabric",
            "p3d_calibration"};

    for (int i = 0; i < P3D_COUNT_OF(others); i++) {
        if (strcmp(type, others[i]) == 0)
            return false;
    }
    return true;
}

/* "int tp, pp, dp" */
static int check_declaration(const filled *s, char *declaration)
{
    static const char *const blanks = " \t\n,";
    char *at = NULL;
    const char *const type = strtok_r(declaration, blanks, &at);
    int n = 0;

    if (type == NULL || !is_number(type))
        return 0;
    for (const char *member = strtok_r(NULL, blanks, &at); member != NULL;
            member = strtok_r(NULL, blanks, &at)) {
        if (!is_in_a_table(s, member))
            fail_msg("%s.%s: no table says what it may be", s->name, member);
        n++;
    }
    return n;
}

static void check_members(const filled *s)
{
    char header[32768];
    char words_of[64];
    char *from, *to, *at = NULL;
    int n = 0;

    read_header(s->header, header, sizeof(header));
    snprintf(words_of, sizeof(words_of), "typedef struct %s {", s->name);
    from = strstr(header, words_of);
    assert_non_null(from);
    from += strlen(words_of);
    to = strchr(from, '}');
    assert_non_null(to);
    *to = '\0';
    for (char *one = strtok_r(from, ";", &at); one != NULL;
            one = strtok_r(NULL, ";", &at))
        n += check_declaration(s, one);
    assert_true(n >= 2);
}

static void no_number_is_left_out(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(structs) && structs[i].header; i++)
        check_members(&structs[i]);
}

static void residuals_of_no_source_are_refused(void **state)
{
    const p3d_residual wrong[] = {{0.1, INT_MAX}, {0.2, -1}};
    p3d_score score;

    (void)state;
    assert_true(p3d_score_residuals(wrong, 1, &score, &err));
    err = (p3d_error){.code = P3D_OK};
    assert_false(p3d_score_residuals(wrong, 2, &score, &err));
    test_check_error(&err, P3D_USAGE, "p3d_score_residuals() was called");
}

static void a_decision_that_is_none_has_no_words(void **state)
{
    const p3d_decision wrong = {.word = "colour"};

    (void)state;
    assert_string_equal(p3d_decision_print(&wrong, 1, text, n_text), "");
}

/* The list that tests/tools/library holds against the library. */
static void no_function_is_left_out(void **state)
{
    FILE *const list = fopen("tests/data/symbols.txt", "r");
    char line[128];
    char function[128];
    int n = 0;

    (void)state;
    assert_non_null(list);
    while (fgets(line, sizeof(line), list) != NULL) {
        if (sscanf(line, "function %127s", function) != 1)
            continue;
        n++;
        if (!is_called(function)) {
            print_error("%s: no test calls it with NULL\n", function);
            fail();
        }
    }
    fclose(list);
    assert_true(n > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(of_errors_and_units),
            cmocka_unit_test(of_words),
            cmocka_unit_test(of_files),
            cmocka_unit_test(of_models_jobs_and_plans),
            cmocka_unit_test(of_workloads_and_estimates),
            cmocka_unit_test(of_searches),
            cmocka_unit_test(of_choices),
            cmocka_unit_test(of_fits),
            cmocka_unit_test(of_commands),
            cmocka_unit_test(no_function_is_left_out),
            cmocka_unit_test(no_wild_number_is_believed),
            cmocka_unit_test(the_ends_of_a_range_are_taken),
            cmocka_unit_test(no_number_is_left_out),
            cmocka_unit_test(residuals_of_no_source_are_refused),
            cmocka_unit_test(a_decision_that_is_none_has_no_words),
    };

    return cmocka_run_group_tests(tests, fill, empty);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_misuse.c - every function of the library given NULL, structs of zeros
 * and numbers out of range comes back. */
#include "misuse.h"

#include <limits.h>
#include <stdio.h>

#include "base/util.h"
#include "plan3d/plan3d.h"
#include "spec/given.h"

static char text[P3D_PLAN_WORDS];
static const size_t n_text = sizeof(text);
static const char *const words = "1GiB";
static const int64_t n_bytes = 1;

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
    REFUSE4(p3d_parse_length, words, n_bytes, n_bytes, &whole);
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
    TRY1(p3d_use_threads, 1);
    p3d_use_threads(1);
    TRY1(p3d_overlap_word, 0);
    TRY1(p3d_optimizer_of, 0u);
    TRY1(p3d_loss_name, 0u);
    TRY2(p3d_loss_passes, 0u, 0u);
    TRY1(p3d_loss_is_chunked, 0u);
    TRY2(p3d_loss_hole_bytes, 0u, 0u);
    TRY2(p3d_loss_copy_bytes, NULL, 0u);
    TRY2(p3d_loss_copies, 1u, &n);
    TRY1(p3d_module_name, 0);
    TRY1(p3d_recompute_name, 0u);
    TRY1(p3d_schedule_name, 0u);
    TRY1(p3d_offload_name, 0u);
    TRY1(p3d_order_name, 0u);
    TRY1(p3d_tail_name, 0u);
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
    TRY1(p3d_framework_costs_name, problem->job.framework);
    TRY2(p3d_framework_alias, problem->job.framework, 0);
    TRY1(p3d_framework_standing_word, 0);
    TRY1(p3d_framework_verdict_word, 0);
    TRY1(p3d_attention_name, 0u);
    TRY1(p3d_fp8_recipe_name, 0u);
    note("p3d_frameworks_current");
    assert_true(p3d_frameworks_current(NULL).n > 0);
    TRY1(p3d_kernel_element_bytes, 0u);
    TRY2(p3d_kernel_bytes, 0u, n_bytes);
    TRY2(p3d_bus_factor, 0u, n_bytes);
    assert_string_equal(p3d_dtype_name((p3d_dtype)99), "");
    assert_string_equal(p3d_optimizer_of((p3d_optimizer)99)->name, "");
    assert_null(p3d_graphs_word(-1));
    assert_null(p3d_overlap_word(-1));
}

static void of_fine_tuning(void **state)
{
    (void)state;
    TRY1(p3d_adapter_facts_of, problem->job.framework);
    TRY1(p3d_companion_facts_of, problem->job.framework);
    TRY1(p3d_companion_is_base, &problem->job);
    TRY1(p3d_companion_pairs, &problem->job);
    TRY1(p3d_companion_passes, &problem->job);
    TRY2(p3d_companion_of, &problem->job, &problem->model);
    TRY1(p3d_reference_word, 0);
    TRY1(p3d_filling_word, 0);
    TRY1(p3d_link_choice_word, 0);
    TRY1(p3d_placement_word, 0);
    TRY1(p3d_text_tokens, &problem->job);
    TRY1(p3d_job_tokens, &problem->job);
    TRY1(p3d_target_word, 0);
    TRY1(p3d_part_word, 0);
    TRY1(p3d_base_word, 0);
    TRY2(p3d_base_bytes, P3D_BASE_NF4, 2.0);
    TRY2(p3d_job_frozen, &problem->job, &problem->model);
}

static void of_files(void **state)
{
    p3d_catalog catalog;
    p3d_cluster cluster;
    p3d_gpu gpu;
    p3d_model model;
    p3d_measurements other;
    p3d_machine machine = {.name = "A100"};
    p3d_request again;
    p3d_trace trace;
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
    REFUSE2(p3d_gpu_of_device, &machine, &gpu);
    REFUSE3(p3d_gpu_may_be, &gpu, &machine, &is);
    TRY1(p3d_gpu_sm, &gpu);
    TRY1(p3d_gpu_link, &gpu);
    TRY1(p3d_gpu_noun, &gpu);
    TRY2(p3d_gpu_peak_flop_per_s, &gpu, 0u);
    REFUSE2(p3d_model_find, "gpt2", &model);
    REFUSE2(p3d_model_load, "models/gpt2.json", &model);
    REFUSE3(p3d_model_parse, "x.json", "{}", &model);
    REFUSE2(p3d_measurements_open, "none.json", &other);
    TRY1(p3d_measurements_free, &(p3d_measurements){.command = ""});
    REFUSE3(p3d_measurements_open_all, (const char *const[]){"none.json"}, 1,
            &other);
    REFUSE2(p3d_trace_open, "none.json", &trace);
    TRY1(p3d_trace_free, &(p3d_trace){.n_steps = 0});
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
    TRY2(p3d_sparse_pairs, &model->sparse, 4096);
    TRY2(p3d_model_count_layers, model, 0);
    TRY2(p3d_model_count_with, model, 1);
    TRY1(p3d_model_is_mla, model);
    TRY3(p3d_job_default, &other, model, cluster);
    TRY3(p3d_job_default_batch, model, 1, 1);
    TRY3(p3d_job_default_attention, &other, model, &cluster->gpu);
    TRY4(p3d_job_use, &other, framework, model, cluster);
    TRY4(p3d_job_runs, model, cluster, job, &refusal);
    REFUSE1(p3d_job_check_states, job);
    TRY1(p3d_job_is_usually_16, job);
    TRY1(p3d_job_kept, job);
    TRY1(p3d_precision_of, job);
    TRY1(p3d_job_loss, job);
    TRY2(p3d_memory_error_frac, framework, model);
    note("p3d_plan_parse");
    REFUSE3(PARSE, "tp=1", 1, &plan);
    TRY3(p3d_plan_print, &plan, text, n_text);
    TRY2(p3d_plan_n_micro_batches, &plan, job);
    TRY2(p3d_plan_head_ranks, job, &plan);
    TRY2(p3d_print_recompute, &plan, text);
    TRY2(p3d_print_offload, &plan, text);
    TRY5(p3d_plan_legal, model, cluster, job, &plan, &refusal);
    TRY5(p3d_plan_stays_legal, model, cluster, job, &plan, 0u);
    TRY4(p3d_plan_split_layers, model, job, &plan, layers);
    TRY4(p3d_plan_plain, model, cluster, job, &plan);
    TRY2(p3d_plan_has_orders, cluster, &plan);
    TRY1(p3d_plan_says_layers, &plan);
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
    p3d_network network;
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
    TRY2(p3d_low_rank_numbers, model, 4);
    TRY1(p3d_has_tower, model);
    TRY1(p3d_tower_part, model);
    TRY1(p3d_tower_params, model);
    TRY2(p3d_tower_blocks, model, P3D_BLOCK_TOWER);
    TRY2(p3d_tower_trained, model, &problem->job);
    TRY2(p3d_tower_replays, model, &problem->job);
    TRY2(p3d_job_images, &problem->job, model);
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
    TRY2(p3d_error_budget_of, problem, &estimate);
    TRY3(p3d_network_of, problem, &estimate, &network);
    free(items);
    free(list);
}

static void of_searches(void **state)
{
    const p3d_search_options options = {.n_top = 1};
    p3d_verification *const checked = malloc(sizeof(*checked));
    p3d_remedy *const changes = malloc(P3D_MAX_REMEDIES * sizeof(*changes));
    p3d_advice *const walk = malloc(sizeof(*walk));
    p3d_single_change *const single =
            malloc(P3D_MAX_SINGLE_CHANGES * sizeof(*single));
    const p3d_framework_list among = p3d_frameworks_current(NULL);
    const p3d_ranking_options rank_options = {.among = &among};
    p3d_framework_ranking *const ranking = calloc(1, sizeof(*ranking));
    const double values[] = {1, 2};
    bool front[2];
    const p3d_sweep_cluster cluster = {
            .word = "2xA100", .cluster = problem->cluster, .sized = true};
    static const char *const nobodys[] = {"none"}; /* so that it fails */
    const p3d_sweep_options sweep_options = {&problem->model, &cluster, 1,
            .frameworks = nobodys, .n_frameworks = 1};
    p3d_sweep swept = {.rows = NULL};
    p3d_sweep_limit *const limit = calloc(1, sizeof(*limit));

    (void)state;
    assert_true(limit != NULL && checked != NULL && changes != NULL &&
                walk != NULL && single != NULL && ranking != NULL);
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
    REFUSE4(p3d_rank_frameworks, problem, &pins, &rank_options, ranking);
    REFUSE4(RANK, problem, &pins, &among, ranking);
    TRY4(p3d_rank_frameworks_by_plan, problem, "tp=1", &among, ranking);
    REFUSE2(p3d_take_first_framework, ranking, problem);
    TRY3(p3d_remedies_find, problem, &pins, changes);
    TRY2(p3d_smallest_cluster, problem, 2);
    note("p3d_advise");
    REFUSE2(ADVISE, problem, walk);
    TRY3(p3d_single_changes_find, problem, &estimate, single);
    TRY2(p3d_single_change_apply, single, problem);
    REFUSE4(p3d_pareto_front, 2, 1, values, front);
    REFUSE2(p3d_sweep_run, &sweep_options, &swept);
    REFUSE3(p3d_sweep_find_limit, &sweep_options, P3D_FEWEST_GPUS, limit);
    TRY1(p3d_sweep_free, &swept);
    free(limit);
    free(ranking);
    free(single);
    free(walk);
    free(changes);
    free(checked);
}

static void of_assignments(void **state)
{
    const p3d_assign_job nobody = {.name = "nobody"}; /* so that it fails */
    const p3d_assign_options options = {
            .jobs = &nobody, .n_jobs = 1, .n_pools = 1};
    p3d_assignment out = {.rows = NULL};

    (void)state;
    REFUSE2(p3d_assign, &options, &out);
    TRY1(p3d_assignment_free, &out);
    IN_EACH_MODE(p3d_faster_probability_frac,
            (void)p3d_faster_probability_frac(P3D_N_APART, 2.0));
    IN_EACH_MODE(p3d_faster_pairs, (void)p3d_faster_pairs(P3D_N_APART));
    IN_EACH_MODE(p3d_assign_objective_word, p3d_assign_objective_word(-1));
    IN_EACH_MODE(p3d_assign_verdict_word, p3d_assign_verdict_word(-1));
}

#define POOLS_SEARCH(problem, out, err) \
    p3d_pools_search(problem, NULL, out, err)
#define POOLS_SEARCH_ALIKE(problem, out, err) \
    p3d_pools_search_alike(problem, NULL, out, err)

static void of_pools(void **state)
{
    static const char file[] = "{\"schema\": 1, \"pools\": [\"8xA800\", "
                               "\"8xH100\"]}";
    p3d_pools_problem *const asked = calloc(1, sizeof(*asked));
    p3d_pools_result *const result = calloc(1, sizeof(*result));
    p3d_training training = {.progresses = false};
    p3d_pools_network network;

    (void)state;
    assert_true(asked != NULL && result != NULL);
    REFUSE2(p3d_pools_find, "8xA800+8xH100", &asked->pools);
    REFUSE3(p3d_pools_parse, words, file, &asked->pools);
    TRY1(p3d_are_pools, words);
    TRY3(p3d_pools_link, &asked->pools, 0, 1);
    TRY2(p3d_pools_estimate, asked, &result->plan);
    REFUSE3(p3d_pools_network_of, asked, &result->plan, &network);
    REFUSE3(p3d_pools_training, asked, &result->plan, &training);
    note("p3d_pools_search");
    REFUSE2(POOLS_SEARCH, asked, result);
    note("p3d_pools_search_alike");
    REFUSE2(POOLS_SEARCH_ALIKE, asked, result);
    free(result);
    free(asked);
}

static void of_recommendations(void **state)
{
    const p3d_recommend_options how = {.pins = &pins, .search = {.n_top = 1}};
    const p3d_recommend_options pinned_by_zeros = {
            .pins = zeros, .search = {.n_top = 1}};
    const p3d_framework *const fw = problem->job.framework;
    const p3d_model *const model = &problem->model;
    p3d_recommendation r = {.verdict = P3D_VERDICT_DOES_NOT_FIT};
    p3d_verification v = {.n_plans = 0};
    p3d_own_score scores[P3D_MAX_OWN_RUNS];
    const p3d_own_run run = {.n_params = 1};

    (void)state;
    REFUSE4(p3d_recommend, problem, &how, found, &r);
    CALL(p3d_recommend(problem, &pinned_by_zeros, found, &r, &err));
    r.limit_s = 1;
    REFUSE4(p3d_verify_recommended, problem, &how, &r, &v);
    CALL(p3d_verify_recommended(problem, &pinned_by_zeros, &r, &v, &err));
    TRY5(p3d_recommendation_agrees, problem, &r, n_bytes, &v, &v);
    TRY3(p3d_recommended_before, problem, &estimate, &estimate);
    TRY2(p3d_plan_departures, problem, &plan);
    TRY1(p3d_departure_words, 1);
    TRY1(p3d_departure_bit, 1);
    TRY3(p3d_fit_probability_frac, fw, model, 0.5);
    TRY3(p3d_sure_taken_frac, fw, model, 0.5);
    TRY2(p3d_fit_evidence_of, fw, model);
    TRY1(p3d_sure_bytes, problem);
    TRY2(p3d_peak_probability_frac, problem, (int64_t)1 << 30);
    TRY2(p3d_anchor_of, &problem->cluster.calibration.runs, &run);
    TRY1(p3d_anchor_step_factor, &problem->job.anchor);
    TRY2(p3d_own_runs_judge, &problem->cluster.calibration.runs, scores);
    TRY1(p3d_estimate_verdict, &estimate);
    TRY1(p3d_verdict_words, P3D_VERDICT_FITS);
    TRY1(p3d_verdict_name, P3D_VERDICT_FITS);
    TRY1(p3d_objective_name, P3D_OBJECTIVE_FASTEST);
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
    p3d_alternative *const choice = malloc(sizeof(*choice));
    p3d_sensitivity *const judged = malloc(sizeof(*judged));
    const p3d_sensitivity_options options = {.n_draws = P3D_LEAST_DRAWS};
    const p3d_decision decision = {.word = "tp"};
    const p3d_deadline_question question = {
            .bound_s = no_bound, .train = no_training};
    p3d_deadline_answer in_time;

    (void)state;
    assert_true(decisions != NULL && choice != NULL && judged != NULL);
    REFUSE3(p3d_alternative_search, problem, &pins, choice);
    note("p3d_decisions_price");
    REFUSE3(PRICE, problem, &estimate, decisions);
    TRY4(p3d_decision_print, &decision, 1, text, n_text);
    TRY5(p3d_decisions_differ, &plan, &plan, "tp", text, n_text);
    REFUSE4(p3d_judge, problem, &plan, &options, judged);
    REFUSE5(JUDGE, problem, &plan, &estimate, 1, judged);
    TRY2(p3d_deadline_scan, &question, &in_time);
    free(judged);
    free(choice);
    free(decisions);
}

static void of_fits_between_nodes(void **state)
{
    const p3d_measured_kernel kernels[P3D_LEAST_MEASURED] = {{.time_s = 1}};
    const p3d_measured_kernels from = {
            &problem->cluster.gpu, kernels, P3D_LEAST_MEASURED};
    p3d_cluster fitted = problem->cluster;
    p3d_fit_quality quality;

    (void)state;
    REFUSE3(p3d_fit_network, &from, &fitted, &quality);
    TRY2(p3d_network_point_s, &fitted, &kernels[0]);
}

static void of_traces(void **state)
{
    const p3d_trace trace = {.n_steps = 1};
    const p3d_trace_options o = {problem, &estimate, &request, &trace, 0.1, 0};
    p3d_traced_ranks ranks;
    p3d_traced_step step;
    p3d_recomputed again;

    (void)state;
    REFUSE2(p3d_trace_compare, &o, &step);
    REFUSE2(p3d_traces_compare, (&(p3d_ranks_options){&plan, &trace, 1, 0}),
            &ranks);
    TRY1(p3d_traced_ranks_free, &(p3d_traced_ranks){.n_traces = 0});
    TRY3(p3d_estimate_recomputed, problem, &plan, &again);
}

static void of_fits(void **state)
{
    const p3d_cluster *const at = &problem->cluster;
    const p3d_measured_kernel kernels[P3D_LEAST_MEASURED] = {{.time_s = 1}};
    const p3d_measured_kernels from = {&at->gpu, kernels, P3D_LEAST_MEASURED};
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
    const p3d_calibrate_options o = {&at->gpu, &at->calibration, &measured, 1};
    const p3d_compare_options c = {problem, &estimate, &request, &measured, 1};
    const p3d_validate_options asked = {.problem = problem,
            .estimate = &estimate,
            .files = &measured,
            .n_files = 1,
            .tolerance_frac = 0.1};
    p3d_validated *const validated = malloc(sizeof(*validated));
    p3d_benches benches;

    (void)state;
    REFUSE2(p3d_calibrate, &o, &made);
    REFUSE2(p3d_calibrate_some, &o, &made);
    REFUSE4(p3d_fit_gemm, &from, 1, &gemm, &quality);
    REFUSE4(p3d_fit_attention, &from, 1.0, &attention, &quality);
    REFUSE4(p3d_fit_collective, &from, 0u, &collective, &quality);
    REFUSE3(p3d_fit_pass, &from, &pass, &quality);
    REFUSE2(p3d_compare, &c, &compared);
    TRY1(p3d_covered_frac, &compared);
    TRY3(p3d_is_off, &compared, 0, 1.0);
    REFUSE3(p3d_score_residuals, &residual, 1, &score);
    REFUSE3(p3d_score_set, &run, 1, &set_score);
    REFUSE3(p3d_score_ranks, &set, 1, &rank_score);
    TRY1(p3d_operations_of, problem);
    REFUSE3(p3d_training_find, problem, &estimate, &training);
    REFUSE4(p3d_training_at, problem, &estimate, 1.0, &training);
    REFUSE2(p3d_backtest_run, &runs, &tried);
    TRY1(p3d_backtest_free, &tried);
    REFUSE2(p3d_validate_run, &asked, validated);
    TRY4(p3d_benches_list, problem, &request, true, &benches);
    free(validated);
    note("p3d_evidence_find");
    REFUSE2(find_evidence, problem, &plan);
    assert_false(p3d_evidence_find(NULL, problem, &plan, NULL, &err));
    TRY1(p3d_evidence_free, NULL);
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
    assert_int_equal(p3d_command(0, NULL, NULL, NULL), 0);
    note("p3d_command_listen");
    assert_int_equal(p3d_command_listen(1, NULL, NULL, NULL, NULL), 2);
    assert_int_equal(p3d_command_listen(1, argv, NULL, NULL, NULL), 0);
    assert_int_equal(p3d_command_listen(
                             1, argv, &(p3d_listener){NULL, NULL}, NULL, NULL),
            0);
    p3d_command_free(NULL);
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
            cmocka_unit_test(of_fine_tuning),
            cmocka_unit_test(of_files),
            cmocka_unit_test(of_models_jobs_and_plans),
            cmocka_unit_test(of_workloads_and_estimates),
            cmocka_unit_test(of_searches),
            cmocka_unit_test(of_assignments),
            cmocka_unit_test(of_pools),
            cmocka_unit_test(of_recommendations),
            cmocka_unit_test(of_choices),
            cmocka_unit_test(of_fits),
            cmocka_unit_test(of_traces),
            cmocka_unit_test(of_fits_between_nodes),
            cmocka_unit_test(of_commands),
            cmocka_unit_test(no_function_is_left_out),
            cmocka_unit_test(residuals_of_no_source_are_refused),
            cmocka_unit_test(a_decision_that_is_none_has_no_words),
    };

    return cmocka_run_group_tests(tests, fill, empty);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sweep.c - sweeps called from C: rows, front, deadline, refusals. */
#include "problem.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/sweep.h"
#include "plan3d/threads.h"

static const int64_t counts[] = {2, 4};
static p3d_model model;
static p3d_sweep_cluster clusters[2];
static p3d_sweep_options options;
static p3d_sweep found;
static p3d_error err;

static int begin(void **state)
{
    (void)state;
    err = (p3d_error){.code = P3D_OK};
    found = (p3d_sweep){.rows = NULL};
    memset(clusters, 0, sizeof(clusters));
    assert_true(p3d_model_find("gpt2", &model, &err));
    assert_true(p3d_cluster_find("2xA100", &clusters[0].cluster, &err));
    assert_true(p3d_cluster_find("2xH100", &clusters[1].cluster, &err));
    p3d_copy(clusters[0].word, P3D_SWEEP_WORD, "A100");
    p3d_copy(clusters[1].word, P3D_SWEEP_WORD, "2xH100");
    clusters[0].counts = counts;
    clusters[0].n_counts = 2;
    clusters[1].sized = true;
    options = (p3d_sweep_options){.model = &model,
            .clusters = clusters,
            .n_clusters = 2,
            .job = {.global_batch = 64}};
    return 0;
}

static int end(void **state)
{
    (void)state;
    p3d_sweep_free(&found);
    return 0;
}

/* What there is to choose from for the default job on a cluster. */
static p3d_recommendation search(const p3d_cluster *cluster)
{
    p3d_problem *const problem = calloc(1, sizeof(*problem));
    p3d_search_result *const result = malloc(sizeof(*result));
    const p3d_recommend_options how = {
            .search = {.n_top = 1}, .within_frac = options.within_frac};
    p3d_recommendation recommendation;

    assert_true(problem != NULL && result != NULL);
    problem->model = model;
    problem->cluster = *cluster;
    problem->job = options.job;
    p3d_job_default(&problem->job, &model, cluster);
    assert_true(p3d_recommend(problem, &how, result, &recommendation, &err));
    assert_int_equal(result->n_top, 1);
    free(result);
    free(problem);
    return recommendation;
}

static void check_choice(
        const p3d_sweep_choice *choice, const p3d_estimate *expected)
{
    char plan[P3D_PLAN_WORDS];

    p3d_plan_print(&expected->plan, plan, sizeof(plan));
    assert_string_equal(choice->plan, plan);
    assert_true(choice->step_s == p3d_time_step_s(&expected->time));
    assert_int_equal(choice->margin_bytes, p3d_estimate_margin_bytes(expected));
    assert_true(choice->fit_probability_frac > 0 &&
                choice->fit_probability_frac <= 1);
}

static void a_row_has_the_best_plan_of_its_cluster(void **state)
{
    static const char *const words[] = {"2xA100", "4xA100", "2xH100"};

    (void)state;
    assert_true(p3d_sweep_run(&options, &found, &err));
    assert_int_equal(found.n_rows, 3);
    assert_int_equal(found.n_asked, 3);
    assert_int_equal(found.n_fit, 3);
    assert_true(found.fits && found.complete);
    for (int i = 0; i < 3; i++) {
        const p3d_sweep_row *const row = &found.rows[i];
        p3d_cluster cluster = clusters[i / 2].cluster;
        char plan[P3D_PLAN_WORDS];
        p3d_recommendation best;

        assert_string_equal(row->cluster, words[i]);
        assert_true(p3d_cluster_resize(&cluster, row->n_gpus, &err));
        best = search(&cluster);
        p3d_plan_print(&best.recommended.plan, plan, sizeof(plan));
        assert_string_equal(row->plan, plan);
        assert_true(row->step_s == p3d_time_step_s(&best.recommended.time));
        check_choice(&row->fastest, &best.fastest);
        check_choice(&row->roomiest, &best.roomiest);
        assert_true(row->roomiest.margin_bytes >= row->margin_bytes);
        assert_null(row->refusal);
    }
}

/* The rate is that of the step at either end, days and steps go together. */
static void a_row_has_the_range_of_its_step(void **state)
{
    (void)state;
    options.job.n_tokens = 1e12;
    clusters[0].usd_per_gpu_h = clusters[1].usd_per_gpu_h = 2;
    assert_true(p3d_sweep_run(&options, &found, &err));
    for (int i = 0; i < found.n_rows; i++) {
        const p3d_sweep_row *const row = &found.rows[i];
        const double tokens = row->tokens_per_s * row->step_s;

        assert_true(row->low.step_s < row->step_s);
        assert_true(row->step_s < row->high.step_s);
        CHECK_REL(row->low.tokens_per_s, tokens / row->high.step_s, 1e-12);
        CHECK_REL(row->high.tokens_per_s, tokens / row->low.step_s, 1e-12);
        CHECK_REL(row->high.training_s / row->training_s,
                row->high.step_s / row->step_s, 0.02);
        CHECK_REL(row->low.training_usd / row->training_usd,
                row->low.training_s / row->training_s, 1e-9);
        assert_true(row->low.training_kwh < row->training_kwh);
        assert_true(row->training_kwh < row->high.training_kwh);
    }
}

static void what_is_given_twice_is_searched_once(void **state)
{
    static const int64_t batches[] = {64, 128, 64};
    static const char *const frameworks[] = {"fsdp2", "torchtitan"};

    (void)state;
    clusters[1] = clusters[0];
    options.batches = batches;
    options.n_batches = 3;
    options.frameworks = frameworks;
    options.n_frameworks = 2;
    assert_true(p3d_sweep_run(&options, &found, &err));
    assert_int_equal(found.n_rows, 4);
    assert_int_equal(found.rows[0].global_batch, 64);
    assert_int_equal(found.rows[1].n_gpus, 4);
    assert_int_equal(found.rows[2].global_batch, 128);
}

static void only_the_front_is_left(void **state)
{
    (void)state;
    options.only_front = true;
    assert_true(p3d_sweep_run(&options, &found, &err));
    assert_int_equal(found.n_found, 3);
    assert_int_equal(found.n_rows, found.n_front);
    for (int i = 0; i < found.n_rows; i++)
        assert_true(found.rows[i].on_front);
}

static bool stop_at_the_second(
        void *context, int64_t i, int64_t n, const char *cluster)
{
    char *const last = context;

    assert_int_equal(n, 3);
    assert_true(p3d_copy(last, P3D_SWEEP_WORD, cluster));
    return i < 2;
}

static void it_ends_when_somebody_asks(void **state)
{
    char last[P3D_SWEEP_WORD] = "";

    (void)state;
    options.next = stop_at_the_second;
    options.context = last;
    assert_true(p3d_sweep_run(&options, &found, &err));
    assert_string_equal(last, "4xA100");
    assert_int_equal(found.n_rows, 1);
    assert_false(found.complete);
}

static void a_deadline_names_the_smallest(void **state)
{
    (void)state;
    options.n_clusters = 1;
    options.job.n_tokens = 1e9;
    assert_true(p3d_sweep_run(&options, &found, &err));
    assert_int_equal(found.n_rows, 2);
    options.deadline_s =
            (found.rows[0].training_s + found.rows[1].training_s) / 2;
    p3d_sweep_free(&found);
    assert_true(p3d_sweep_run(&options, &found, &err));
    assert_true(found.fits);
    assert_ptr_equal(found.smallest, &found.rows[0]);
    assert_int_equal(found.smallest->n_gpus, 4);
    assert_null(found.closest);
    assert_int_equal(found.n_scans, 1);
    assert_int_equal(found.scans[0].n_counts, 2);
    assert_true(found.scans[0].met);
}

static void what_is_wrong_is_said(void **state)
{
    static const char *const unknown[] = {"deepspead"};

    (void)state;
    options.frameworks = unknown;
    options.n_frameworks = 1;
    assert_false(p3d_sweep_run(&options, &found, &err));
    test_check_error(&err, P3D_USAGE, "unknown framework 'deepspead'");
    assert_null(found.rows);
    err = (p3d_error){.code = P3D_OK};
    options.n_frameworks = 0;
    options.n_clusters = 0;
    assert_false(p3d_sweep_run(&options, &found, &err));
    test_check_error(&err, P3D_USAGE, "p3d_sweep_run() was called");
    err = (p3d_error){.code = P3D_OK};
    options.n_clusters = 1;
    options.deadline_s = 1; /* of a training without tokens */
    assert_false(p3d_sweep_run(&options, &found, &err));
    test_check_error(&err, P3D_USAGE, "p3d_sweep_run() was called");
}

static bool refuse(void *context, const p3d_sweep_point *point,
        p3d_problem *problem, p3d_error *error)
{
    (void)context;
    (void)problem;
    return p3d_fail(error, P3D_DATA, "no %s", point->cluster->word);
}

static void the_best_framework_is_named(void **state)
{
    static const char *const any[] = {P3D_ANY_FRAMEWORK};

    (void)state;
    options.frameworks = any;
    options.n_frameworks = 1;
    options.n_clusters = 1;
    assert_true(p3d_sweep_run(&options, &found, &err));
    assert_int_equal(found.n_rows, 2);
    assert_true(found.rows[0].any_framework && found.rows[0].fits);
    assert_non_null(p3d_framework_find(found.rows[0].framework));
}

static void no_legal_row_is_an_error(void **state)
{
    (void)state;
    options.complete = refuse;
    assert_false(p3d_sweep_run(&options, &found, &err));
    test_check_error(&err, P3D_DATA, "2xA100: no A100");
}

/* A row's numbers; words that it points to are its own. */
static void check_same(const p3d_sweep *a, const p3d_sweep *b)
{
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_scans, b->n_scans);
    for (int i = 0; i < a->n_rows; i++) {
        const p3d_sweep_row *const x = &a->rows[i], *const y = &b->rows[i];

        assert_string_equal(x->cluster, y->cluster);
        assert_string_equal(x->plan_words, y->plan_words);
        assert_string_equal(x->refusal_words, y->refusal_words);
        assert_memory_equal(&x->step_s, &y->step_s, sizeof(x->step_s));
        assert_int_equal(x->n_plans, y->n_plans);
        assert_int_equal(x->on_front, y->on_front);
        assert_int_equal(x->role == NULL, y->role == NULL);
    }
    for (int i = 0; i < a->n_scans; i++) {
        assert_int_equal(a->scans[i].n_searched, b->scans[i].n_searched);
        assert_int_equal(a->scans[i].n_skipped, b->scans[i].n_skipped);
    }
}

/* With and without a deadline. */
static void any_number_of_threads_finds_the_same(void **state)
{
    static const int n_threads[] = {2, 3, 7};
    static const int64_t batches[] = {32, 64};
    static const double deadlines_s[] = {0, 3 * 86400};

    (void)state;
    options.batches = batches;
    options.n_batches = 2;
    options.job.n_tokens = 1e11;
    options.max_gpus = 64;
    for (int k = 0; k < P3D_COUNT_OF(deadlines_s); k++) {
        p3d_sweep alone;

        options.deadline_s = deadlines_s[k];
        clusters[0].n_counts = k == 0 ? 2 : 0;
        assert_true(p3d_sweep_run(&options, &alone, &err));
        for (int i = 0; i < P3D_COUNT_OF(n_threads); i++) {
            p3d_use_threads(n_threads[i]);
            assert_true(p3d_sweep_run(&options, &found, &err));
            check_same(&alone, &found);
            p3d_sweep_free(&found);
        }
        p3d_use_threads(1);
        p3d_sweep_free(&alone);
    }
}

/* What a row is chosen for holds for the numbers in the row. */
static void the_cheapest_row_costs_no_more_than_the_smallest(void **state)
{
    (void)state;
    assert_true(p3d_model_find("llama-2-7b", &model, &err));
    assert_true(p3d_cluster_find("8xH100", &clusters[0].cluster, &err));
    p3d_copy(clusters[0].word, P3D_SWEEP_WORD, "H100");
    clusters[0].n_counts = 0;
    clusters[0].usd_per_gpu_h = 2;
    options.n_clusters = 1;
    options.within_frac = P3D_WITHIN_FRAC;
    options.job = (p3d_job){.n_tokens = 1e12};
    options.deadline_s = 60 * 86400;
    options.max_gpus = 64;
    assert_true(p3d_sweep_run(&options, &found, &err));
    assert_non_null(found.smallest);
    assert_non_null(found.cheapest);
    assert_true(found.cheapest->training_usd <= found.smallest->training_usd);
    assert_true(found.smallest->training_s <= options.deadline_s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
            TEST(a_row_has_the_best_plan_of_its_cluster),
            TEST(a_row_has_the_range_of_its_step),
            TEST(what_is_given_twice_is_searched_once),
            TEST(only_the_front_is_left),
            TEST(it_ends_when_somebody_asks),
            TEST(a_deadline_names_the_smallest),
            TEST(any_number_of_threads_finds_the_same),
            TEST(the_cheapest_row_costs_no_more_than_the_smallest),
            TEST(what_is_wrong_is_said),
            TEST(the_best_framework_is_named),
            TEST(no_legal_row_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_evidence.c - the measured runs nearest to a job: distances by hand on
 * made-up tables, their order, wrong tables, and the table of the project. */
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plan3d/evidence.h"
#include "plan3d/workload.h"

#define HEADER                                                        \
    "id,source,year,framework,profile,gpu,architecture,n_gpus,"       \
    "network_bytes_per_s_per_gpu,model,parameters,active_parameters," \
    "n_experts,adapter_rank,seq_len,dtype,plan,measured_step_s,"      \
    "predicted_step_s,"                                               \
    "measured_tokens_per_s_per_gpu,predicted_tokens_per_s_per_gpu,ref\n"
#define MEASURED ",2,2.5,100,80,here\n"

/* A run as the job below, but for what is given. */
#define RUN(id, profile, gpu, n, net, size, experts, seq, dtype, plan) \
    id ",s,2024,F," profile "," gpu "," n "," net ",M," size "," size  \
       "," experts ",," seq "," dtype ",\"" plan "\"" MEASURED
#define A100 "A100-SXM4-80GB,sm80"
#define PLAN "tp=4,pp=2,dp=2,mbs=1"
#define SAME "124439808"
#define NET  "25000000000"
#define ALIKE(id) \
    RUN(id, "megatron-core", A100, "16", NET, SAME, "", "1024", "bf16", PLAN)

static p3d_problem problem;
static p3d_plan plan;
static p3d_evidence found;
static p3d_error err;

/* GPT-2 on two nodes of 8 A100; 8 adapters of 25 GB/s a node. */
static int begin(void **state)
{
    (void)state;
    found = (p3d_evidence){.n = 0};
    err = (p3d_error){.code = P3D_OK};
    problem = problem_of("gpt2", "16xA100", "megatron-core", 1024, 64);
    problem.job.dtype = P3D_BF16;
    plan = problem_plan(&problem, PLAN);
    return 0;
}

static int end(void **state)
{
    (void)state;
    p3d_evidence_free(&found);
    p3d_evidence_free(&found);
    return 0;
}

static bool find_in(const char *table)
{
    char path[] = "/tmp/plan3d-evidence-XXXXXX";
    const int fd = mkstemp(path);
    bool ok;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, table, strlen(table)), (ssize_t)strlen(table));
    close(fd);
    ok = p3d_evidence_find(path, &problem, &plan, &found, &err);
    unlink(path);
    return ok;
}

static void the_made_up_run_is_of_this_job(void **state)
{
    (void)state;
    assert_int_equal(p3d_active_params(&problem.model), 124439808);
    assert_string_equal(problem.cluster.gpu.name, "A100-SXM4-80GB");
    assert_true(problem.cluster.fabric.nic_bytes_per_s_one_way *
                        problem.cluster.node.nics_per_node ==
                8 * 25e9);
}

static void an_equal_run_is_at_no_distance(void **state)
{
    const p3d_near_run *const near = &found.nearest[0];

    (void)state;
    assert_true(find_in(HEADER ALIKE("a")));
    assert_int_equal(found.n, 1);
    assert_int_equal(found.n_near, 1);
    assert_int_equal(found.n_runs, 1);
    assert_true(near->near);
    assert_true(near->distance_steps == 0);
    assert_string_equal(near->run.id, "a");
    assert_string_equal(near->run.ref, "here");
    assert_string_equal(near->run.plan, PLAN);
    assert_true(near->run.measured_step_s == 2);
    assert_true(near->run.predicted_tokens_per_s_per_gpu == 80);
    assert_int_equal(near->run.n_experts, 0);
}

/* One part at a time, by hand. */
static const struct {
    const char *run;
    size_t part;
    double steps;
} parts[] = {
#define PART(part, steps, run)                                        \
    {                                                                 \
        HEADER run, offsetof(p3d_distance_parts, part##_steps), steps \
    }
        PART(model_size, 1,
                RUN("a", "megatron-core", A100, "16", NET, "62219904", "",
                        "1024", "bf16", PLAN)),
        PART(experts, 3,
                RUN("a", "megatron-core", A100, "16", NET, SAME, "8", "1024",
                        "bf16", PLAN)),
        PART(trained, 3,
                "a,s,2024,F,megatron-core," A100 ",16," NET ",M," SAME "," SAME
                ",,16,1024,bf16,\"" PLAN "\"" MEASURED),
        PART(gpu, 1,
                RUN("a", "megatron-core", "A800-SXM4-80GB,sm80", "16", NET,
                        SAME, "", "1024", "bf16", PLAN)),
        PART(gpu, 3,
                RUN("a", "megatron-core", "H100-SXM5-80GB,sm90", "16", NET,
                        SAME, "", "1024", "bf16", PLAN)),
        PART(precision, 1,
                RUN("a", "megatron-core", A100, "16", NET, SAME, "", "1024",
                        "fp8", PLAN)),
        PART(precision, 0,
                RUN("a", "megatron-core", A100, "16", NET, SAME, "", "1024",
                        "fp16", PLAN)),
        PART(framework, 1,
                RUN("a", "megatron-2023", A100, "16", NET, SAME, "", "1024",
                        "bf16", PLAN)),
        PART(framework, 2,
                RUN("a", "fsdp2", A100, "16", NET, SAME, "", "1024", "bf16",
                        PLAN)),
        PART(network, 2,
                RUN("a", "megatron-core", A100, "16", "6250000000", SAME, "",
                        "1024", "bf16", PLAN)),
        PART(network, 1,
                RUN("a", "megatron-core", A100, "16", "", SAME, "", "1024",
                        "bf16", PLAN)),
        PART(n_gpus, 3,
                RUN("a", "megatron-core", A100, "128", NET, SAME, "", "1024",
                        "bf16", PLAN)),
        PART(seq_len, 1,
                RUN("a", "megatron-core", A100, "16", NET, SAME, "", "2048",
                        "bf16", PLAN)),
        PART(plan, 1,
                RUN("a", "megatron-core", A100, "16", NET, SAME, "", "1024",
                        "bf16", "tp=2,pp=4,dp=2,mbs=1")),
        PART(plan, 2,
                RUN("a", "megatron-core", A100, "16", NET, SAME, "", "1024",
                        "bf16", "tp=2,pp=4,dp=2,mbs=1,recompute=full")),
        PART(plan, 0,
                RUN("a", "megatron-core", A100, "16", NET, SAME, "", "1024",
                        "bf16", "tp=4,pp=2,dp=2,mbs=2,zero=2")),
#undef PART
};

static void each_part_is_as_documented(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const p3d_near_run *const near = &found.nearest[0];
        double part;

        if (!find_in(parts[i].run))
            fail_msg("case %zu: %s", i, err.text);
        memcpy(&part, (const char *)&near->parts + parts[i].part, sizeof(part));
        CHECK_REL(part, parts[i].steps, 1e-12);
        CHECK_REL(near->distance_steps, parts[i].steps, 1e-12);
        assert_int_equal(near->near, parts[i].steps <= 2);
        p3d_evidence_free(&found);
    }
}

/* Five steps in all are near, six are not, and three in one part are not. */
static void near_has_a_limit(void **state)
{
    static const char table[] =
            HEADER RUN("far-in-all", "fsdp2", A100, "64", NET, SAME, "", "4096",
                    "bf16", PLAN) RUN("far-in-one", "megatron-core", A100,
                    "128", NET, SAME, "", "1024", "bf16", PLAN) RUN("five",
                    "fsdp2", A100, "64", NET, SAME, "", "2048", "bf16", PLAN);

    (void)state;
    assert_true(find_in(table));
    assert_int_equal(found.n, 3);
    assert_int_equal(found.n_near, 1);
    assert_string_equal(found.nearest[0].run.id, "five");
    assert_true(found.nearest[0].distance_steps == P3D_NEAR_STEPS);
    assert_string_equal(found.nearest[1].run.id, "far-in-one");
    assert_string_equal(found.nearest[2].run.id, "far-in-all");
    assert_true(found.nearest[2].distance_steps == 6);
}

/* At one distance the weightier part decides, then the name. */
static void equally_near_runs_are_in_order(void **state)
{
    static const char table[] = HEADER RUN("seq", "megatron-core", A100, "16",
            NET, SAME, "", "2048", "bf16", PLAN) RUN("size", "megatron-core",
            A100, "16", NET, "62219904", "", "1024", "bf16", PLAN) ALIKE("b")
            ALIKE("a") RUN("gpu", "megatron-core", "A800-SXM4-80GB,sm80", "16",
                    NET, SAME, "", "1024", "bf16", PLAN);
    static const char *const order[] = {"a", "b", "seq", "gpu", "size"};

    (void)state;
    assert_true(find_in(table));
    assert_int_equal(found.n, 5);
    assert_int_equal(found.n_near, 5);
    for (int i = 0; i < 5; i++)
        assert_string_equal(found.nearest[i].run.id, order[i]);
}

static void an_empty_table_has_nothing_near(void **state)
{
    (void)state;
    assert_true(find_in(HEADER));
    assert_int_equal(found.n, 0);
    assert_int_equal(found.n_near, 0);
    assert_int_equal(found.n_runs, 0);
}

static void wrong_tables_are_refused_at_their_place(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } cases[] = {
            {"id,source\n", 1, 1, "no column 'year'"},
            {HEADER RUN("a", "megatron-core", A100, "x", NET, SAME, "", "1024",
                     "bf16", PLAN),
                    2, 46, "column n_gpus: 'x' is not a whole number"},
            {HEADER ALIKE("a") RUN("b", "megatron-core", A100, "", NET, SAME,
                     "", "1024", "bf16", PLAN),
                    3, 46, "column n_gpus: a number above 0 is missing"},
            {HEADER RUN("a", "megatron-bore", A100, "16", NET, SAME, "", "1024",
                     "bf16", PLAN),
                    2, 12, "column profile: no framework 'megatron-bore'"},
            {HEADER RUN("a", "megatron-core", A100, "16", NET, SAME, "", "1024",
                     "bf15", PLAN),
                    2, 90, "column dtype: no data type 'bf15'"},
            {HEADER RUN("a", "megatron-core", A100, "16", NET, SAME, "", "1024",
                     "bf16", "tp=zero"),
                    2, 95, "column plan: "},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        err = (p3d_error){.code = P3D_OK};
        assert_false(find_in(cases[i].text));
        test_check_error(&err, P3D_DATA, cases[i].words);
        assert_int_equal(err.line, cases[i].line);
        assert_int_equal(err.column, cases[i].column);
        assert_null(found.storage);
    }
}

/* What a published run itself asks for finds it first. */
static void a_published_run_is_the_nearest_to_itself(void **state)
{
    const p3d_near_run *const near = &found.nearest[0];

    (void)state;
    problem = problem_of("llama-2-70b", "64xA100", "deepspeed", 4096, 64);
    plan = problem_plan(&problem, "tp=1,pp=1,zero=3,mbs=1");
    assert_true(p3d_evidence_find(NULL, &problem, &plan, &found, &err));
    assert_true(found.n_runs > 300);
    assert_int_equal(found.n, P3D_MAX_EVIDENCE);
    assert_true(found.n_near >= 1);
    assert_true(near->parts.model_size_steps < 0.1);
    assert_true(near->parts.gpu_steps <= 1);
    for (int i = 1; i < found.n; i++) {
        const p3d_near_run *const last = &found.nearest[i - 1];

        assert_true(found.nearest[i].near <= last->near);
        assert_true(found.nearest[i].near != last->near ||
                    found.nearest[i].distance_steps >= last->distance_steps);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
            TEST(the_made_up_run_is_of_this_job),
            TEST(an_equal_run_is_at_no_distance),
            TEST(each_part_is_as_documented),
            TEST(near_has_a_limit),
            TEST(equally_near_runs_are_in_order),
            TEST(an_empty_table_has_nothing_near),
            TEST(wrong_tables_are_refused_at_their_place),
            TEST(a_published_run_is_the_nearest_to_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

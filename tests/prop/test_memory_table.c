/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_memory_table.c - the table of a rank's memory adds up to its terms. */
#include "random_plan.h"

#include <math.h>

static const char *const frameworks[] = {"generic", "megatron-core",
        "megatron-local", "megatron-kwai", "megatron-zero-bubble", "deepspeed",
        "deepspeed-hf", "fsdp1", "fsdp2", "fsdp2-hf", "fsdp2-2024", "torchtune",
        "nanotron", "nanotron-2024"};
enum {
    N_FRAMEWORKS = sizeof(frameworks) / sizeof(*frameworks),
    N_PLANS = 120 /* of each model and framework */
};

static bool legal(const p3d_problem *problem, const p3d_plan *plan)
{
    return p3d_plan_legal(
            &problem->model, &problem->cluster, &problem->job, plan, NULL);
}

/** Everything of a job that moves its memory. */
static void change_job(random_source *r, p3d_job *job)
{
    job->dtype = (p3d_dtype)random_below(r, P3D_N_DTYPES);
    job->optimizer = (p3d_optimizer)random_below(r, P3D_N_OPTIMIZERS);
    job->attention = random_below(r, 4) == 0 ? P3D_EAGER : P3D_FLASH;
    job->dropout = random_below(r, 3) == 0;
    job->flash_copies_output = random_below(r, 2) == 0;
    job->eager = random_below(r, 2) == 0;
    job->allocator = (p3d_allocator)random_below(r, P3D_N_ALLOCATORS);
    job->loss = (p3d_loss)random_below(r, P3D_N_LOSSES);
    job->master_dtype = (p3d_state_dtype)random_below(r, P3D_N_STATE_DTYPES);
    job->n_mtp_layers = random_below(r, 4) == 0 ? 1 + random_below(r, 2) : 0;
    job->deferred_logits = random_below(r, 4) == 0 ? random_below(r, 30) : 0;
    job->optimizer_in_backward = random_below(r, 8) == 0;
    job->separate_gradients = random_below(r, 2) == 0;
}

/** Recompute modules, groups of layers or the first few of them; offload. */
static p3d_plan change_plan(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    static const p3d_schedule orders[] = {
            P3D_ZB_H1, P3D_ZB_H2, P3D_ZB_V, P3D_DUALPIPE_V};
    const p3d_framework *fw = problem->job.framework;
    const p3d_plan before = plan;

    if (plan.recompute == P3D_RECOMPUTE_SELECTIVE && random_below(r, 4) != 0)
        plan.recompute_modules =
                (unsigned)random_below(r, 1 << P3D_N_MODULES) & fw->modules;
    if (plan.recompute == P3D_RECOMPUTE_FULL && random_below(r, 2) == 0) {
        plan.recompute_layers = 0;
        plan.recompute_group = 1 + random_below(r, 5);
    }
    if (fw->activation_offload && random_below(r, 2) == 0)
        plan.activation_offload_frac = (1 + random_below(r, 8)) / 8.0;
    if (plan.offload != P3D_OFFLOAD_NONE)
        plan.offload_frac = random_below(r, 4) / 4.0;
    if (!legal(problem, &plan))
        plan = before;
    if (plan.pp > 1 && random_below(r, 3) == 0) {
        p3d_plan other = plan;

        other.schedule = orders[random_below(r, 4)];
        other.vp = p3d_schedule_chunks(other.schedule);
        plan = legal(problem, &other) ? other : plan;
    }
    return plan;
}

static const int64_t *term_of(const p3d_memory *memory, int term)
{
    const int64_t *const terms[P3D_N_MEMORY_TERMS] = {
#define AS_POINTER(field, words) &memory->field##_bytes,
            P3D_MEMORY_TERMS(AS_POINTER)
#undef AS_POINTER
    };

    return terms[term];
}

static bool has_text(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/** A line says what, why and from where, and a tensor's bytes are its size
 *  times how many there are (a share of one, where it is offloaded). */
static void check_line(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_memory_item *line)
{
    CHECK_PLAN(problem, plan, line->term >= 0);
    CHECK_PLAN(problem, plan, line->term < P3D_N_MEMORY_TERMS);
    CHECK_PLAN(problem, plan, has_text(line->name));
    CHECK_PLAN(problem, plan, has_text(line->why));
    CHECK_PLAN(problem, plan, has_text(line->source));
    CHECK_PLAN(problem, plan, line->bytes > 0);
    CHECK_PLAN(problem, plan, line->n_tensors >= 0);
    if (line->width > 0) {
        const double one = (double)line->rows * (double)line->width *
                           line->bytes_per_element;
        const double n = (double)line->bytes / one;

        CHECK_PLAN(problem, plan,
                fabs(n - (double)line->n_tensors) <= 0.5 + 1e-6 * n);
    }
}

static void check_stage(
        const p3d_problem *problem, const p3d_plan *plan, int stage)
{
    static p3d_memory_item lines[P3D_MAX_MEMORY_ITEMS];
    const p3d_stage want = problem_stage(problem, plan, stage);
    const int n = p3d_estimate_items(problem, plan, stage, lines);
    double sum[P3D_N_MEMORY_TERMS] = {0};
    int count[P3D_N_MEMORY_TERMS] = {0};

    CHECK_PLAN(problem, plan, 0 < n && n <= P3D_MAX_MEMORY_ITEMS);
    for (int i = 0; i < n; i++) {
        check_line(problem, plan, &lines[i]);
        sum[lines[i].term] += (double)lines[i].bytes;
        count[lines[i].term]++;
    }
    for (int term = 0; term < P3D_N_MEMORY_TERMS; term++) {
        const double bytes = (double)*term_of(&want.memory, term);

        if (fabs(sum[term] - bytes) > count[term] + 1 + 1e-9 * bytes)
            print_error("term %d of stage %d: lines %.0f, term %.0f, %s\n",
                    term, stage, sum[term], bytes, p3d_pass_name(want.pass));
        CHECK_PLAN(problem, plan,
                fabs(sum[term] - bytes) <= count[term] + 1 + 1e-9 * bytes);
    }
}

static bool seen_pass[P3D_N_PASSES];
static int seen_modules, seen_groups, seen_offload, seen_experts, seen_pipeline;

static void note(const p3d_problem *problem, const p3d_plan *plan)
{
    seen_pass[problem_stage(problem, plan, 0).pass] = true;
    seen_modules += plan->recompute_modules != 0;
    seen_groups += plan->recompute_group > 1;
    seen_offload += plan->activation_offload_frac > 0;
    seen_experts += plan->ep > 1;
    seen_pipeline += plan->pp > 1;
}

static void the_lines_of_a_term_add_up_to_it(void **state)
{
    random_source r = {21};

    (void)state;
    for (int f = 0; f < N_FRAMEWORKS; f++) {
        for (int i = 0; i < N_RANDOM_PROBLEMS; i++) {
            p3d_problem problem = random_problem(i, frameworks[f]);

            for (int j = 0; j < N_PLANS; j++) {
                p3d_plan plan;

                change_job(&r, &problem.job);
                if (!p3d_job_runs(&problem.model, &problem.cluster,
                            &problem.job, NULL))
                    continue;
                plan = change_plan(&r, &problem, random_plan(&r, &problem));
                note(&problem, &plan);
                for (int s = 0; s < plan.pp; s++)
                    check_stage(&problem, &plan, s);
            }
        }
    }
    /* What was asked of chance did come. */
    for (int pass = 0; pass < P3D_N_PASSES; pass++)
        assert_true(seen_pass[pass]);
    assert_true(seen_modules >= 100 && seen_groups >= 100);
    assert_true(seen_offload >= 100 && seen_experts >= 100);
    assert_true(seen_pipeline >= 1000);
}

/* The estimate takes the worst of the stages. */
static void the_tight_stage_is_the_largest(void **state)
{
    random_source r = {22};

    (void)state;
    for (int i = 0; i < N_RANDOM_PROBLEMS; i++) {
        p3d_problem problem = random_problem(i, "generic");

        for (int j = 0; j < 200; j++) {
            const p3d_plan plan =
                    change_plan(&r, &problem, random_plan(&r, &problem));
            int64_t most = 0;
            p3d_estimate e;

            CHECK_PLAN(&problem, &plan, random_try(&problem, &plan, &e));
            for (int s = 0; s < plan.pp; s++) {
                const p3d_stage stage = problem_stage(&problem, &plan, s);
                const int64_t bytes = p3d_memory_device_bytes(&stage.memory);

                most = bytes > most ? bytes : most;
            }
            CHECK_PLAN(&problem, &plan,
                    p3d_memory_device_bytes(&e.memory) == most);
        }
    }
}

/* In a V the second chunk's micro-batches grow from rank to rank. With experts
 * in the last 14 of 32 layers, two on each of 16 stages, ranks 1 to 6 of 8 have
 * two dense layers and two with experts, and the last has dense ones alone: the
 * seventh needs the most. */
static void a_later_rank_of_a_v_may_need_more(void **state)
{
    static const char *const words[] = {"pp=8,vp=2,schedule=zb-v,zero=1",
            "pp=8,vp=2,schedule=dualpipe-v,zero=1"};
    p3d_problem problem =
            problem_of("mixtral-8x7b", "64xH100", "generic", 4096, 512);

    (void)state;
    problem.model.ffn = 1024;
    for (int i = 0; i < 18; i++)
        problem.model.layer_kind[i] = 0;
    for (int i = 0; i < 2; i++) {
        const p3d_plan plan = problem_plan(&problem, words[i]);
        const p3d_estimate e = problem_estimate(&problem, words[i]);
        const p3d_memory seventh = problem_stage(&problem, &plan, 6).memory;

        assert_int_equal(e.tight_stage, 6);
        assert_int_equal(p3d_memory_device_bytes(&e.memory),
                p3d_memory_device_bytes(&seventh));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_lines_of_a_term_add_up_to_it),
            cmocka_unit_test(the_tight_stage_is_the_largest),
            cmocka_unit_test(a_later_rank_of_a_v_may_need_more),
    };

    return cmocka_run_group_tests_name("memory table", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_memory_items.c - the table of what is alive on a rank adds up to its
 * memory, on random legal plans with everything that a plan can say. */
#include "random_plan.h"

#include <math.h>

enum { N_PLANS = 40 };

static const char *const frameworks[] = {"megatron-core", "megatron-kwai",
        "deepspeed", "deepspeed-hf", "fsdp2", "fsdp2-hf", "fsdp2-2024",
        "torchtune", "nanotron-2024", "generic"};
enum { N_FRAMEWORKS = sizeof(frameworks) / sizeof(*frameworks) };

/** The plan with one of the finer things said, where that is legal. */
static p3d_plan said_more(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    const p3d_plan before = plan;

    switch (random_below(r, 8)) {
    case 0:
        plan.activation_offload_frac = (1 + random_below(r, 4)) / 4.0;
        break;
    case 1: plan.offload_frac = 0.5; break;
    case 2: plan.shard = plan.dp > 1 ? plan.dp / 2 : 0; break;
    case 3:
        plan.group = plan.schedule == P3D_INTERLEAVED ? plan.pp + 1 : 0;
        break;
    case 4:
        plan.recompute = P3D_RECOMPUTE_FULL;
        plan.recompute_layers = 0;
        plan.recompute_group = 2 + random_below(r, 3);
        break;
    case 5:
        plan.recompute = P3D_RECOMPUTE_SELECTIVE;
        plan.recompute_layers = 0;
        plan.recompute_modules = 1u << random_below(r, P3D_N_MODULES) |
                                 P3D_MODULE_CORE_ATTENTION;
        break;
    case 6: plan.first_layers = plan.vp == 1 ? 1 : 0; break;
    default: break;
    }
    return p3d_plan_legal(&problem->model, &problem->cluster, &problem->job,
                   &plan, NULL)
                   ? plan
                   : before;
}

/** The job with one of the finer things asked. */
static void ask_more(random_source *r, p3d_job *job)
{
    switch (random_below(r, 8)) {
    case 0:
        job->optimizer = (p3d_optimizer)random_below(r, P3D_N_OPTIMIZERS);
        break;
    case 1: job->attention = P3D_EAGER; break;
    case 2: job->eager = true; break;
    case 3: job->n_mtp_layers = 1; break;
    case 4: job->optimizer_in_backward = true; break;
    case 5: job->deferred_logits = 2; break;
    case 6: job->dtype = P3D_FP8; break;
    default: break;
    }
}

static int64_t term_bytes(const p3d_memory *m, int term)
{
    const int64_t bytes[P3D_N_MEMORY_TERMS] = {
#define AS_BYTES(field, words) m->field##_bytes,
            P3D_MEMORY_TERMS(AS_BYTES)
#undef AS_BYTES
    };

    return bytes[term];
}

/* A byte of rounding for each line. */
static void check_sums(const p3d_problem *problem, const p3d_plan *plan)
{
    static p3d_memory_item items[P3D_MAX_MEMORY_ITEMS];

    for (int rank = 0; rank < plan->pp; rank++) {
        const p3d_stage s = problem_stage(problem, plan, rank);
        const int n = p3d_estimate_items(problem, plan, rank, items);
        double sum[P3D_N_MEMORY_TERMS] = {0};

        for (int i = 0; i < n; i++) {
            CHECK_PLAN(problem, plan, items[i].bytes > 0);
            assert_non_null(items[i].name);
            assert_non_null(items[i].why);
            assert_non_null(items[i].source);
            sum[items[i].term] += (double)items[i].bytes;
        }
        for (int term = 0; term < P3D_N_MEMORY_TERMS; term++) {
            const double want = (double)term_bytes(&s.memory, term);

            if (fabs(sum[term] - want) > n + 1e-9 * want)
                print_error("rank %d, term %d: lines %.0f, memory %.0f\n", rank,
                        term, sum[term], want);
            CHECK_PLAN(
                    problem, plan, fabs(sum[term] - want) <= n + 1e-9 * want);
        }
    }
}

static void the_lines_of_a_term_add_up_to_it(void **state)
{
    random_source r = {21};

    (void)state;
    for (int i = 0; i < N_RANDOM_PROBLEMS; i++) {
        for (int f = 0; f < N_FRAMEWORKS; f++) {
            for (int j = 0; j < N_PLANS; j++) {
                p3d_problem problem = random_problem(i, frameworks[f]);
                p3d_plan plan;

                if (!random_find(&r, &problem, &plan))
                    break; /* too large for this framework */
                ask_more(&r, &problem.job);
                plan = said_more(&r, &problem, plan);
                if (p3d_plan_legal(&problem.model, &problem.cluster,
                            &problem.job, &plan, NULL))
                    check_sums(&problem, &plan);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_lines_of_a_term_add_up_to_it),
    };

    return cmocka_run_group_tests_name("items of memory", tests, NULL, NULL);
}

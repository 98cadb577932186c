/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_checkpoint.c - bytes of a checkpoint, by hand and as published. */
#include "problem.h"

#include "cost/cost.h"

static double bytes_per_param(const p3d_problem *problem)
{
    return cost_checkpoint_bytes(problem) /
           (double)p3d_total_params(&problem->model);
}

/* bf16 weights 2, fp32 masters 4, two fp32 moments 8. The padding of the
 * vocabulary is written too. */
static void bf16_with_adam_is_14_bytes_per_parameter(void **state)
{
    const p3d_problem p =
            problem_of("llama-3-70b", "64xH100", "megatron-core", 0, 0);

    (void)state;
    CHECK_REL(bytes_per_param(&p), 14, 0.001);
}

static void experts_are_written_once(void **state)
{
    const p3d_problem p =
            problem_of("deepseek-v3", "2048xH800", "megatron-core", 0, 0);

    (void)state;
    CHECK_REL(bytes_per_param(&p), 14, 0.001);
}

/* 2.3 TB (binary) for 176 billion parameters:
 * bigscience-workshop/bigscience@9e64edec train/tr11-176B-ml/README.md. */
static void bloom_is_as_published(void **state)
{
    const p3d_problem p =
            problem_of("bloom-176b", "384xA100", "megatron-core", 0, 0);

    (void)state;
    CHECK_REL(cost_checkpoint_bytes(&p), 2.3 * 1099511627776.0, 0.03);
}

/* Weights alone are 2, with fp32 momentum 4 more and masters 4. */
static void the_optimizer_and_its_types_count(void **state)
{
    p3d_problem p = problem_of("llama-3-70b", "64xH100", "megatron-core", 0, 0);

    (void)state;
    p.job.optimizer = P3D_SGD;
    CHECK_REL(bytes_per_param(&p), 10, 0.001);
    p.job.optimizer = P3D_ADAM;
    p.job.moment_dtype = P3D_STATE_IN_16;
    CHECK_REL(bytes_per_param(&p), 10, 0.001);
}

/* FSDP2 keeps and writes fp32 weights: 4 and two moments of 4. */
static void fp32_weights_are_written_once(void **state)
{
    const p3d_problem p = problem_of("llama-3-8b", "8xH100", "fsdp2", 0, 0);

    (void)state;
    CHECK_REL(bytes_per_param(&p), 12, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(bf16_with_adam_is_14_bytes_per_parameter),
            cmocka_unit_test(experts_are_written_once),
            cmocka_unit_test(bloom_is_as_published),
            cmocka_unit_test(the_optimizer_and_its_types_count),
            cmocka_unit_test(fp32_weights_are_written_once),
    };

    return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}

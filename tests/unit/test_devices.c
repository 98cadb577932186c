/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_devices.c - what an answer calls the devices of a cluster. */
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "report/text/layout.h"

/* TPUs and NPUs are called so in sentences, and nothing else is changed: words
 * of a command, names and paths. */
static void devices_have_the_noun_of_their_maker(void **state)
{
    static const struct {
        const char *noun, *text, *becomes;
    } rows[] = {
            {"TPU", "4 GPUs, 540 GB/s per GPU.", "4 TPUs, 540 GB/s per TPU."},
            {"TPU", "step s   /GPU", "step s   /TPU"},
            {"NPU", "a GPU's 64 GiB (GPU)", "a NPU's 64 GiB (NPU)"},
            {"HPU", "48 GPUs\nplan3d fit 8B GPU", "48 HPUs\nplan3d fit 8B GPU"},
            {"TPU", "my-GPU, GPU.json, a/GPU/b, GPUDirect, nGPU, GPU_0, GPUS",
                    "my-GPU, GPU.json, a/GPU/b, GPUDirect, nGPU, GPU_0, GPUS"},
            {"GPU", "a GPU", "a GPU"},
            {"TPU", "", ""},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        char text[128];

        snprintf(text, sizeof(text), "%s", rows[i].text);
        report_name_devices(rows[i].noun, text);
        assert_string_equal(text, rows[i].becomes);
    }
}

static void a_device_has_one_noun(void **state)
{
    static const struct {
        const char *cluster, *noun;
    } rows[] = {{"8xH100", "GPU"}, {"8xMI300X", "GPU"}, {"8xTPU-v5p", "TPU"},
            {"8xAscend-910B2", "NPU"}, {"8xGaudi2", "HPU"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_cluster cluster;
        p3d_error err = {0};

        problem_check(p3d_cluster_find(rows[i].cluster, &cluster, &err), &err);
        assert_string_equal(p3d_gpu_noun(&cluster.gpu), rows[i].noun);
    }
}

static void pools_that_agree_share_a_noun(void **state)
{
    static const struct {
        const char *pools, *noun;
    } rows[] = {{"8xAscend-910B2+8xAscend-910B3", "NPU"},
            {"8xH100+8xA800", "GPU"}, {"8xH100+8xAscend-910B2", "GPU"},
            {"8xAscend-910B2+8xH100", "GPU"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_pools *const pools = calloc(1, sizeof(*pools));
        p3d_error err = {0};

        assert_non_null(pools);
        problem_check(p3d_pools_find(rows[i].pools, pools, &err), &err);
        assert_string_equal(report_pools_noun(pools), rows[i].noun);
        free(pools);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(devices_have_the_noun_of_their_maker),
            cmocka_unit_test(a_device_has_one_noun),
            cmocka_unit_test(pools_that_agree_share_a_noun),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

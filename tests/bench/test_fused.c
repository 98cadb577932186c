/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fused.c - cuDNN recognizes the graphs of attention, asked about devices
 * that are not here.
 *
 * Without a driver it stops where it would load the compiled kernel; every
 * earlier refusal (of a tensor, an operation, the pattern) is another one. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/device/fused_graph.h"

/* A device as cuDNN 9 describes it; of these numbers it reads the first few. */
#define DEVICE(version, n_sms, shared)                                     \
    "{\"deviceName\":\"a GPU\",\"cudaDeviceId\":0,\"deviceVer\":" #version \
    ",\"multiProcessorCount\":" #n_sms ",\"driverVer\":13000,"             \
    "\"maxSharedMemoryPerBlockOptin\":" #shared                            \
    ",\"totalGlobalMem\":85000000000,"                                     \
    "\"maxGridSize\":[2147483647,65535,65535],"                            \
    "\"maxBlockSize\":[1024,1024,64],\"regsPerBlock\":65536,"              \
    "\"warpSize\":32,\"maxSharedMemoryPerBlock\":49152,"                   \
    "\"reservedSharedMemoryPerBlock\":1024,\"maxRegistersPerSM\":65536,"   \
    "\"maxCtasPerSM\":32,\"maxThreadsPerBlock\":1024,"                     \
    "\"maxThreadsPerSM\":2048,\"pciDeviceId\":0,\"isTccDriver\":0,"        \
    "\"supportCoopLaunch\":1,\"smClockRateKHz\":1980000,"                  \
    "\"memClockRateKHz\":2619000,\"l2CacheSize\":52428800,"                \
    "\"version\":1,\"deviceId\":0}"

static const char *const devices[] = {DEVICE(800, 108, 166912),
        DEVICE(900, 132, 232448), DEVICE(1000, 148, 232448)};

static bench_dnn dnn;

/* Of the leak sanitizer, where it is: cuDNN loses the 72,704 bytes of a C++
 * runtime each time that it looks for a driver in vain. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* True when only the driver is missing, or nothing is. */
static bool recognized(
        const bench_fused_spec *spec, const char *device, char *why, size_t n)
{
    bench_graph *const graph = malloc(sizeof(*graph));
    p3d_error err = {0};
    bool ok;

    assert_non_null(graph);
    if (__lsan_disable != NULL)
        __lsan_disable();
    ok = bench_fused_build(&dnn, spec, (bench_fused_device){.json = device},
                 graph, &err) ||
         strstr(err.text, "libcuda") != NULL ||
         strstr(err.text, "cuLibraryLoadData") != NULL;
    if (__lsan_enable != NULL)
        __lsan_enable();
    snprintf(why, n, "%s", err.text);
    bench_graph_free(graph);
    free(graph);
    return ok;
}

static void every_pass_is_recognized(void **state)
{
    static const int kv_heads[] = {8, 32};
    char why[P3D_ERROR_TEXT];

    (void)state;
    for (int i = 0; i < 3 * 2 * 2 * 2; i++) {
        const bench_fused_spec spec = {.type = CUDNN_DATA_BFLOAT16,
                .backward = (i >> 2 & 1) != 0,
                .causal = (i & 1) != 0,
                .batch = 2,
                .heads = 32,
                .kv_heads = kv_heads[i >> 1 & 1],
                .seq_q = 2048,
                .seq_kv = 2048,
                .qk_dim = 128,
                .v_dim = 128};

        if (!recognized(&spec, devices[i >> 3], why, sizeof(why)))
            fail_msg("case %d: %s", i, why);
    }
}

/* A head that no fused kernel takes is refused for what it is: the test above
 * would notice. */
static void what_is_no_attention_is_refused(void **state)
{
    const bench_fused_spec spec = {.type = CUDNN_DATA_BFLOAT16,
            .batch = 2,
            .heads = 32,
            .kv_heads = 5, /* does not divide the heads */
            .seq_q = 2048,
            .seq_kv = 2048,
            .qk_dim = 128,
            .v_dim = 128};
    char why[P3D_ERROR_TEXT];

    (void)state;
    assert_false(recognized(&spec, devices[1], why, sizeof(why)));
    assert_true(strlen(why) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_pass_is_recognized),
            cmocka_unit_test(what_is_no_attention_is_refused),
    };
    p3d_error err = {0};
    int failed;

    if (!bench_dnn_open(&dnn, &err)) {
        print_message("[  SKIPPED ] 2 test(s): %s\n", err.text);
        return 77;
    }
    failed = cmocka_run_group_tests_name("fused", tests, NULL, NULL);
    bench_dnn_close(&dnn);
    return failed;
}

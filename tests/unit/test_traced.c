/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_traced.c - what a profiler saw of a training: kinds, steps, what is
 * exposed, rows of measurements; and where a step differs from the estimate. */
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cost/cost.h"
#include "plan3d/calibrate.h"
#include "plan3d/trace.h"

#define TRACE "tests/data/traces/two.json.gz"
#define NSYS  "tests/data/traces/two.sqlite" /* of the same run */
#define MODEL "tests/data/traces/two.json"

static p3d_error err;

static bool read_text(const char *text, p3d_trace *out)
{
    char path[] = "/tmp/plan3d-traced-XXXXXX";
    const int fd = mkstemp(path);
    bool ok;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    err = (p3d_error){.code = P3D_OK};
    ok = p3d_trace_open(path, out, &err);
    unlink(path);
    return ok;
}

#define EVENT(cat, name, thread, at, us, args)                  \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name        \
    "\",\"pid\":1,\"tid\":" thread ",\"ts\":" at ",\"dur\":" us \
    ",\"args\":{" args "}}"
#define STEP(n, at, us) \
    EVENT("user_annotation", "ProfilerStep#" n, "1", at, us, "")
#define LAUNCH(n, at)                                       \
    EVENT("cuda_runtime", "cudaLaunchKernel", "1", at, "1", \
            "\"correlation\":" n)
#define KERNEL(name, n, at, us) \
    EVENT("kernel", name, "7", at, us, "\"device\":0,\"correlation\":" n)

/* Two steps: a product with a reduction partly beside it, and a pause; then
 * the same a little later. */
static const char steps[] = "{\"traceEvents\":[" STEP("1", "0", "100") "," STEP(
        "2", "100", "100") "," LAUNCH("1",
        "10") "," KERNEL("sm90_xmma_gemm_bf16", "1", "20", "30") "," LAUNCH("2",
        "12") "," KERNEL("ncclDevKernel_AllReduce_Sum", "2", "40",
        "30") "," LAUNCH("3", "110") "," KERNEL("sm90_xmma_gemm", "3", "120",
        "30") "," LAUNCH("4", "112") "," KERNEL("ncclDevKernel_AllReduce_Sum",
        "4", "140", "30") ","
                          "{\"ph\":\"i\",\"name\":\"a mark\",\"ts\":5}]}";

static void check_us(double seconds, double us)
{
    if (fabs(seconds - 1e-6 * us) > 1e-12)
        fail_msg("%g us, not %g us", 1e6 * seconds, us);
}

static void a_step_is_what_runs_and_what_waits(void **state)
{
    p3d_trace t;

    (void)state;
    assert_true(read_text(steps, &t));
    assert_true(t.named_steps);
    assert_int_equal(t.n_steps, 2);
    check_us(t.step_s, 100);
    check_us(t.shortest_s, 100);
    check_us(t.longest_s, 100);
    check_us(t.kinds[P3D_TRACED_GEMM].exposed_s, 30);
    check_us(t.kinds[P3D_TRACED_ALL_REDUCE].busy_s, 30);
    check_us(t.kinds[P3D_TRACED_ALL_REDUCE].exposed_s, 20);
    check_us(t.idle_s, 50);
    assert_true(fabs(t.n_gaps - 1) < 1e-9);
    check_us(t.longest_gap_s, 50);
    assert_int_equal(t.n_kernels, 4);
    assert_int_equal(t.rank, -1);
    p3d_trace_free(&t);
}

/* A rank of a pipeline, us: receives of 100 and 70 where the fastest transfer
 * takes 20 (130 of waiting, 60 of moving), a pause of 100 before a kernel that
 * had been launched, one of 50 before one that had not, and 100 to the next
 * step. */
static const char stage[] = "{\"traceEvents\":[" STEP("1", "0", "990") "," STEP(
        "2", "990", "90") "," LAUNCH("1",
        "5") "," KERNEL("ncclDevKernel_SendRecv", "1", "10",
        "100") "," LAUNCH("2", "6") "," KERNEL("sm90_xmma_gemm", "2", "110",
        "200") "," LAUNCH("3", "7") "," KERNEL("ncclDevKernel_SendRecv", "3",
        "310", "20") "," LAUNCH("4", "8") "," KERNEL("ncclDevKernel_SendRecv",
        "4", "330", "70") "," LAUNCH("5", "9") "," KERNEL("sm90_xmma_gemm", "5",
        "400", "200") "," LAUNCH("6", "550") "," KERNEL("sm90_xmma_gemm", "6",
        "700", "100") "," LAUNCH("7", "845") "," KERNEL("adam", "7", "850",
        "60") "," LAUNCH("8", "1005") "," KERNEL("sm90_xmma_gemm", "8", "1010",
        "70") "]}";

static void waiting_is_told_from_moving_and_from_the_host(void **state)
{
    p3d_trace t;

    (void)state;
    assert_true(read_text(stage, &t));
    assert_int_equal(t.n_steps, 2);
    check_us(2 * t.kinds[P3D_TRACED_SEND_RECV].exposed_s, 190);
    check_us(2 * t.waiting_s, 130);
    check_us(2 * t.stalled_s, 100);
    check_us(2 * t.idle_s, 100 + 50 + 100 + 10);
    p3d_trace_free(&t);
}

/* Each size has a fastest transfer of its own, and what runs beside a wait is
 * no wait. */
static void transfers_are_compared_with_those_of_their_size(void **state)
{
#define SENT(n, at, us, elements)                                       \
    EVENT("kernel", "ncclDevKernel_SendRecv", "20", at, us,             \
            "\"device\":0,\"correlation\":" n                           \
            ",\"Collective name\":\"recv\",\"In msg nelems\":" elements \
            ",\"Out msg nelems\":" elements                             \
            ",\"dtype\":\"BFloat16\",\"Group size\":2")
    p3d_trace t;

    (void)state;
    assert_true(read_text(
            "[" SENT("1", "0", "10", "1000") "," SENT("2", "10", "40",
                    "9000") "," SENT("3", "50", "30", "1000") "," KERNEL("gemm",
                    "4", "55", "5") "," SENT("5", "80", "60", "9000") "]",
            &t));
    check_us(t.kinds[P3D_TRACED_SEND_RECV].exposed_s, 135);
    check_us(t.waiting_s, 15 + 20);
    check_us(t.stalled_s, 0);
    p3d_trace_free(&t);
}

static void without_steps_all_is_one(void **state)
{
    p3d_trace t;

    (void)state;
    assert_true(read_text("[" KERNEL("a", "1", "5", "10") "," KERNEL(
                                  "flash_fwd_kernel", "2", "25", "10") "]",
            &t));
    assert_false(t.named_steps);
    assert_int_equal(t.n_steps, 1);
    check_us(t.step_s, 30);
    check_us(t.kinds[P3D_TRACED_PASS].exposed_s, 10);
    check_us(t.kinds[P3D_TRACED_ATTENTION].exposed_s, 10);
    check_us(t.idle_s, 10);
    p3d_trace_free(&t);
}

static void kernels_are_told_by_their_names(void **state)
{
    static const struct {
        const char *name;
        int kind;
    } rows[] = {
            {"nvjet_hsh_128x256_64x4_TNT", P3D_TRACED_GEMM},
            {"Cijk_Ailk_Bljk_BBS_BH", P3D_TRACED_GEMM},
            {"void cutlass::Kernel2<cutlass_80_wmma>", P3D_TRACED_GEMM},
            {"void flash::flash_fwd_kernel<cutlass::half_t>",
                    P3D_TRACED_ATTENTION},
            {"cudnn_generated_fort_native_sdpa_sm90", P3D_TRACED_ATTENTION},
            {"fmha_cutlassF_bf16_aligned", P3D_TRACED_ATTENTION},
            {"multi_tensor_apply_kernel<FusedAdam>", P3D_TRACED_OPTIMIZER},
            {"ncclDevKernel_AllGather_RING_LL", P3D_TRACED_ALL_GATHER},
            {"ncclKernel_ReduceScatter_RING_LL_Sum_half",
                    P3D_TRACED_REDUCE_SCATTER},
            {"ncclDevKernel_SendRecv", P3D_TRACED_SEND_RECV},
            {"ncclDevKernel_Broadcast_RING_LL", P3D_TRACED_BROADCAST},
            {"deep_ep::intranode::dispatch", P3D_TRACED_ALL_TO_ALL},
            {"Memcpy HtoD (Pinned -> Device)", P3D_TRACED_COPY},
            {"Memcpy DtoD (Device -> Device)", P3D_TRACED_PASS},
            {"triton_poi_fused_add_0", P3D_TRACED_PASS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[512];
        p3d_trace t;

        snprintf(text, sizeof(text), "[" KERNEL("%s", "1", "5", "10") "]",
                rows[i].name);
        assert_true(read_text(text, &t));
        if (t.kinds[rows[i].kind].n_kernels < 1)
            fail_msg("%s", rows[i].name);
        p3d_trace_free(&t);
    }
}

/* A product is that of the host's operator during which it was launched, also
 * where the profiler's numbers tie it to another one. */
#define PRODUCT(name, at, dims, strides)                                 \
    EVENT("cpu_op", name, "1", at, "5",                                  \
            "\"Input Dims\":" dims ",\"Input type\":[\"c10::BFloat16\"," \
            "\"c10::BFloat16\",\"c10::BFloat16\"],\"Input Strides\":" strides)

static void products_have_their_shapes(void **state)
{
    static const char text[] = "[" PRODUCT("aten::mm", "0", "[[8,32],[32,16]]",
            "[[32,1],[1,32]]") "," LAUNCH("1", "2") "," KERNEL("gemm", "1",
            "20", "10") "," PRODUCT("aten::addmm", "10",
            "[[16],[8,32],[32,16],[],[]]",
            "[[1],[1,8],[16,1],[],[]]") "," LAUNCH("2", "11") "," KERNEL("gemm",
            "2", "40", "10") "," LAUNCH("3", "12") "," KERNEL("splitKreduce",
            "3", "50", "5") "," PRODUCT("aten::bmm", "20",
            "[[4,8,32],[4,32,16]]", "[[256,32,1],[512,16,1]]") "," LAUNCH("4",
            "21") "," KERNEL("gemm", "4", "60", "10") "," LAUNCH("5",
            "30") "," KERNEL("gemm", "5", "80", "10") "]";
    p3d_trace t;
    const p3d_gemm_row *rows;

    (void)state;
    assert_true(read_text(text, &t));
    assert_int_equal(t.measured.gemm.n, 3);
    assert_int_equal(t.n_shaped, 4);
    rows = t.measured.gemm.items;
    assert_int_equal(rows[0].layout, P3D_LAYOUT_FORWARD);
    assert_int_equal(rows[0].dtype, P3D_NUMBER_BF16);
    assert_true(rows[0].m == 8 && rows[0].n == 16 && rows[0].k == 32);
    assert_true(rows[0].sustained && rows[0].timing.n_samples == 1);
    check_us(rows[0].timing.median_s, 10);
    assert_int_equal(rows[1].layout, P3D_LAYOUT_DGRAD);
    assert_int_equal(rows[1].how, P3D_GEMM_BATCHED);
    assert_int_equal(rows[1].count, 4);
    assert_int_equal(rows[2].layout, P3D_LAYOUT_WGRAD);
    check_us(rows[2].timing.median_s, 15); /* with what adds its parts */
    p3d_trace_free(&t);
}

/* cuDNN's attention: grouped heads forward, and backward in two kernels; with
 * dropout, a bias or causality that is not recorded it is another one. */
#define CORE(name, at, dims, values)                                           \
    EVENT("cpu_op", "aten::_scaled_dot_product_cudnn_attention" name, "1", at, \
            "5",                                                               \
            "\"Input Dims\":[" dims "],\"Input type\":["                       \
            "\"c10::BFloat16\",\"c10::BFloat16\"],\"Concrete Inputs\":"        \
            "[" values "]")
#define HEADS "[2,32,4096,128],[2,8,4096,128],[2,8,4096,128]"
#define SAID(dropout, causal) \
    "\"\",\"\",\"\",\"\",\"True\",\"" dropout "\",\"" causal "\",\"False\""
#define SAID_BACKWARD                                                  \
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"4096\"," \
    "\"4096\",\"0.\",\"True\""

static void attention_has_its_shape(void **state)
{
    static const char text[] = "[" CORE("", "0", HEADS ",[],[],[],[],[]",
            SAID("0.", "True")) "," LAUNCH("1", "2") "," KERNEL("sdpa_fprop",
            "1", "20", "10") "," CORE("", "10", HEADS ",[],[],[],[],[]",
            SAID("0.1", "True")) "," LAUNCH("2", "12") "," KERNEL("sdpa_fprop",
            "2", "40", "11") "," CORE("", "20", HEADS ",[1,1,4096,4096],[]",
            SAID("0.", "False")) "," LAUNCH("3", "22") "," KERNEL("sdpa_fprop",
            "3", "60", "12") "," CORE("", "30", HEADS ",[],[],[],[],[]",
            "") "," LAUNCH("4", "32") "," KERNEL("sdpa_fprop", "4", "80",
            "13") "," CORE("_backward", "40",
            "[2,32,4096,128]," HEADS ",[],[],[],[],[],[],[],[],[],[],[]",
            SAID_BACKWARD) "," LAUNCH("5", "42") "," LAUNCH("6",
            "43") "," KERNEL("sdpa_bprop", "5", "100",
            "20") "," KERNEL("sum_dq", "6", "120", "4") "]";
    p3d_trace t;
    const p3d_attention_row *rows;

    (void)state;
    assert_true(read_text(text, &t));
    assert_int_equal(t.measured.attention.n, 2);
    rows = t.measured.attention.items;
    assert_false(rows[0].backward);
    assert_true(rows[0].causal && rows[0].code == P3D_CODE_CUDNN);
    assert_int_equal(rows[0].dtype, P3D_NUMBER_BF16);
    assert_true(rows[0].batch == 2 && rows[0].heads == 32 &&
                rows[0].kv_heads == 8 && rows[0].seq_q == 4096 &&
                rows[0].seq_kv == 4096 && rows[0].qk_dim == 128 &&
                rows[0].v_dim == 128);
    assert_int_equal(rows[0].timing.n_samples, 1);
    check_us(rows[0].timing.median_s, 10);
    assert_true(rows[1].backward && rows[1].causal);
    check_us(rows[1].timing.median_s, 24); /* both kernels */
    p3d_trace_free(&t);
}

#define DEVICES "{\"deviceProperties\":[{\"name\":\"NVIDIA X\"},{},{},{}],"
#define REDUCED(at, us, ranks)                                            \
    EVENT("kernel", "ncclDevKernel_Generic", "9", at, us,                 \
            "\"device\":0,\"Collective name\":\"reduce_scatter_tensor\"," \
            "\"In msg nelems\":1000,\"Out msg nelems\":125,"              \
            "\"dtype\":\"BFloat16\",\"Group size\":8,"                    \
            "\"Process Group Ranks\":\"" ranks "\"")

static void collectives_have_their_bytes(void **state)
{
    p3d_trace t;
    const p3d_collective_row *rows;

    (void)state;
    assert_true(read_text(DEVICES
            "\"traceEvents\":[" REDUCED(
                    "0", "90", "[0, 1, 2, 3, 4, 5, 6, 7]") "," REDUCED("100",
                    "70", "[0, 1, 2, 3, 4, 5, 6, 7]") "," REDUCED("200", "80",
                    "[0, 1, ..., 7]") "]}",
            &t));
    assert_int_equal(t.measured.collective.n, 1);
    rows = t.measured.collective.items;
    assert_int_equal(rows[0].op, P3D_OP_REDUCE_SCATTER);
    assert_int_equal(rows[0].bytes, 2000);
    assert_int_equal(rows[0].n_ranks, 8);
    assert_int_equal(rows[0].n_nodes, 2);
    assert_int_equal(rows[0].timing.n_samples, 2);
    check_us(rows[0].timing.median_s, 70); /* nobody was waited for */
    assert_true(t.kinds[P3D_TRACED_REDUCE_SCATTER].n_kernels > 2.9);
    p3d_trace_free(&t);
}

static void what_is_no_trace_is_refused(void **state)
{
    p3d_trace t = {.n_steps = 77};

    (void)state;
    assert_false(read_text("{\"traceEvents\":[]}", &t));
    test_check_error(&err, P3D_DATA, "no kernel of a GPU is in the trace");
    assert_false(read_text("{\"traceEvents\":[{\"ph\":\"X\"", &t));
    test_check_error(&err, P3D_DATA, "cut short");
    assert_false(read_text("\x1f\x8b\x08\xff", &t));
    test_check_error(&err, P3D_DATA, "cut short");
    assert_false(read_text("\x1f\x8b\x08\xff\x01\x01\x01\x01\x01\x01", &t));
    test_check_error(&err, P3D_DATA, "damaged");
    assert_int_equal(t.n_steps, 77);
}

/* One run in both formats: what ran, when and for how long is the same. The
 * second process of the report is left out, though its numbers are the same. */
static void nsight_systems_says_the_same(void **state)
{
    p3d_trace a, b;

    (void)state;
    assert_true(p3d_trace_open(TRACE, &a, &err));
    assert_true(p3d_trace_open(NSYS, &b, &err));
    assert_true(a.named_steps && b.named_steps);
    assert_int_equal(b.n_steps, 2);
    CHECK_REL(b.step_s, a.step_s, 1e-7);
    CHECK_REL(b.shortest_s, a.shortest_s, 1e-7);
    CHECK_REL(b.idle_s, a.idle_s, 1e-6);
    CHECK_REL(b.n_gaps, a.n_gaps, 1e-9);
    for (int i = 0; i < P3D_N_TRACED; i++) {
        CHECK_REL(b.kinds[i].n_kernels, a.kinds[i].n_kernels, 1e-9);
        CHECK_REL(b.kinds[i].busy_s, a.kinds[i].busy_s, 1e-6);
        CHECK_REL(b.kinds[i].exposed_s, a.kinds[i].exposed_s, 1e-6);
    }
    assert_true(b.n_kernels == a.n_kernels && b.n_elsewhere == b.n_kernels);
    assert_int_equal(b.n_graphs, 2);
    assert_int_equal(b.n_unnamed, 0);
    assert_string_equal(b.measured.machine.name, a.measured.machine.name);
    assert_true(
            b.measured.machine.memory_bytes == a.measured.machine.memory_bytes);
    assert_int_equal(b.measured.machine.compute_capability, 90);
    p3d_trace_free(&a);
    p3d_trace_free(&b);
}

static void what_is_no_export_is_refused(void **state)
{
    p3d_trace t = {.n_steps = 77};

    (void)state;
    err = (p3d_error){.code = P3D_OK};
    assert_false(p3d_trace_open("tests/data/sqlite/tables.db", &t, &err));
    test_check_error(&err, P3D_DATA, "no kernel of a GPU is in this export");
    assert_int_equal(t.n_steps, 77);
}

static p3d_problem problem;
static p3d_estimate estimate;
static p3d_request request;
static p3d_trace trace;

static int begin(void **state)
{
    (void)state;
    err = (p3d_error){.code = P3D_OK};
    problem = problem_of(MODEL, "8xH100", "megatron-core", 2048, 16);
    estimate = problem_estimate(&problem, "tp=1,dp=8,zero=1");
    assert_true(p3d_request_build(&problem, &estimate, &request, &err));
    assert_true(p3d_trace_open(TRACE, &trace, &err));
    return 0;
}

static int end(void **state)
{
    (void)state;
    p3d_request_free(&request);
    p3d_trace_free(&trace);
    return 0;
}

/* The trace was made with slower products and as many kernels as planned. */
static void lines_add_up_and_name_the_cause(void **state)
{
    const p3d_trace_options options = {
            &problem, &estimate, &request, &trace, 0.05, 0};
    p3d_traced_step step;
    double predicted_s = 0, measured_s = 0;
    const p3d_trace_term *gemm;

    (void)state;
    assert_true(p3d_trace_compare(&options, &step, &err));
    for (int i = 0; i < P3D_N_TRACE_TERMS; i++) {
        predicted_s += step.terms[i].predicted_s;
        measured_s += step.terms[i].measured_s;
    }
    assert_true(fabs(predicted_s - step.predicted_s) < 1e-12);
    assert_true(fabs(measured_s - step.measured_s) < 1e-9);
    assert_true(fabs(predicted_s - p3d_time_step_s(&estimate.time)) < 1e-12);
    gemm = &step.terms[P3D_TRACE_TERM_GEMM];
    assert_true(fabs(gemm->n_planned - gemm->n_measured) < 1e-6);
    assert_non_null(strstr(gemm->cause, "times as long as planned"));
    assert_string_equal(step.terms[P3D_TRACE_TERM_ATTENTION].cause, "");
    assert_false(step.holds);
    assert_int_equal(step.notes.n, 0);
}

/* What runs again is predicted where its kernels are measured, and the column
 * still adds up to the step. */
static void recomputation_stands_in_the_lines_of_its_kinds(void **state)
{
    const p3d_trace_options options = {
            &problem, &estimate, &request, &trace, 0.1, 0};
    p3d_traced_step before, step;
    double predicted_s = 0, again_s = 0;

    (void)state;
    assert_true(p3d_trace_compare(&options, &before, &err));
    estimate = problem_estimate(&problem, "tp=1,dp=8,zero=1,recompute=full");
    assert_true(p3d_trace_compare(&options, &step, &err));
    for (int i = 0; i < P3D_N_TRACE_TERMS; i++) {
        predicted_s += step.terms[i].predicted_s;
        again_s += step.terms[i].recomputed_s;
    }
    for (int i = P3D_TRACE_TERM_GEMM; i <= P3D_TRACE_TERM_PASS; i++)
        CHECK_REL(step.terms[i].predicted_s - step.terms[i].recomputed_s,
                before.terms[i].predicted_s, 1e-9);
    CHECK_REL(predicted_s, p3d_time_step_s(&estimate.time), 1e-9);
    CHECK_REL(again_s, estimate.time.recompute_s, 1e-9);
    /* Two micro-batches of two layers, with four products each. */
    CHECK_REL(step.terms[P3D_TRACE_TERM_GEMM].n_planned,
            before.terms[P3D_TRACE_TERM_GEMM].n_planned + 16, 1e-9);
    CHECK_REL(step.terms[P3D_TRACE_TERM_ATTENTION].n_planned,
            before.terms[P3D_TRACE_TERM_ATTENTION].n_planned + 4, 1e-9);
}

/* A trace of two steps that names none is half of itself. */
static void steps_without_names_are_counted(void **state)
{
    p3d_trace_options options = {&problem, &estimate, &request, &trace, 0.1, 2};
    p3d_traced_step named, step;

    (void)state;
    options.n_steps = 0;
    assert_true(p3d_trace_compare(&options, &named, &err));
    options.n_steps = 2;
    assert_false(p3d_trace_compare(&options, &step, &err));
    test_check_error(&err, P3D_DATA, "the trace names its 2 steps");
    trace.named_steps = false;
    trace.n_steps = 1;
    assert_true(p3d_trace_compare(&options, &step, &err));
    assert_int_equal(step.n_steps, 2);
    CHECK_REL(step.measured_s, named.measured_s / 2, 1e-12);
    for (int i = 0; i < P3D_N_TRACE_TERMS; i++) {
        CHECK_REL(
                step.terms[i].measured_s, named.terms[i].measured_s / 2, 1e-12);
        CHECK_REL(
                step.terms[i].n_measured, named.terms[i].n_measured / 2, 1e-12);
    }
    assert_int_equal(step.notes.n, 0);
}

/* With stages a receive that waits is the bubble; experts' exchange may be the
 * same kernel. */
static void receives_that_wait_are_the_bubble(void **state)
{
    const p3d_trace_options options = {
            &problem, &estimate, &request, &trace, 0.1, 0};
    const p3d_trace_kind receives = {"", 4, 0.005, 0.004};
    p3d_traced_step step;

    (void)state;
    trace.kinds[P3D_TRACED_SEND_RECV] = receives;
    trace.n_unnamed = 8;
    trace.waiting_s = 0.003;
    trace.stalled_s = 0.002;
    trace.idle_s = 0.0025;
    assert_true(p3d_trace_compare(&options, &step, &err));
    CHECK_REL(step.terms[P3D_TRACE_TERM_BUBBLE].measured_s + 1, 1, 1e-12);
    CHECK_REL(step.terms[P3D_TRACE_TERM_TRANSFER].measured_s + 1, 1, 1e-12);
    CHECK_REL(step.terms[P3D_TRACE_TERM_IDLE].measured_s, 0.0025, 1e-12);
    estimate = problem_estimate(&problem, "tp=1,pp=2,dp=4,zero=1");
    assert_true(p3d_trace_compare(&options, &step, &err));
    CHECK_REL(step.terms[P3D_TRACE_TERM_BUBBLE].measured_s, 0.005, 1e-12);
    CHECK_REL(step.terms[P3D_TRACE_TERM_TRANSFER].measured_s, 0.001, 1e-12);
    CHECK_REL(step.terms[P3D_TRACE_TERM_IDLE].measured_s, 0.0005, 1e-12);
    CHECK_REL(step.terms[P3D_TRACE_TERM_BUBBLE].predicted_s,
            estimate.time.pp_bubble_s, 1e-12);
    CHECK_REL(step.terms[P3D_TRACE_TERM_TRANSFER].predicted_s,
            estimate.time.pp_comm_s, 1e-12);
    assert_int_equal(step.notes.n, 0);
    estimate = problem_estimate(&problem, "tp=1,pp=2,cp=2,dp=2,zero=1");
    assert_true(p3d_trace_compare(&options, &step, &err));
    assert_int_equal(step.notes.n, 1);
    assert_non_null(strstr(step.notes.at[0], "are the same kernels"));
}

static void another_batch_is_told_by_its_kernels(void **state)
{
    const p3d_trace_options options = {
            &problem, &estimate, &request, &trace, 0.1, 0};
    p3d_traced_step step;

    (void)state;
    p3d_request_free(&request);
    problem = problem_of(MODEL, "8xH100", "megatron-core", 2048, 64);
    estimate = problem_estimate(&problem, "tp=1,dp=8,zero=1");
    assert_true(p3d_request_build(&problem, &estimate, &request, &err));
    assert_true(p3d_trace_compare(&options, &step, &err));
    assert_non_null(strstr(step.terms[P3D_TRACE_TERM_GEMM].cause,
            "54 kernels a step, 216 planned"));
}

static void a_trace_of_another_gpu_is_refused(void **state)
{
    const p3d_trace_options options = {
            &problem, &estimate, &request, &trace, 0.1, 0};
    p3d_traced_step step;

    (void)state;
    problem = problem_of(MODEL, "8xA100", "megatron-core", 2048, 16);
    assert_false(p3d_trace_compare(&options, &step, &err));
    test_check_error(&err, P3D_DATA, "the cluster has A100-SXM4-80GB");
}

/* Products of a training are under the power limit already: the constants that
 * are fitted to them are not slowed down by it again. */
static void constants_are_fitted_to_a_trace(void **state)
{
    const p3d_gpu *const gpu = &problem.cluster.gpu;
    static p3d_calibrated made;

    (void)state;
    assert_true(p3d_calibrate(
            &(p3d_calibrate_options){
                    gpu, &problem.cluster.calibration, &trace.measured, 1},
            &made, &err));
    assert_true(made.forms[P3D_FORM_GEMM].fitted);
    assert_int_equal(made.forms[P3D_FORM_GEMM].n_points, 15);
    assert_true(made.forms[P3D_FORM_GEMM].new_error_frac < 0.02);
    assert_true(made.constants.gemm.sustained_frac >= 1);
}

/* Rows as of trainings on H100, whose kernels take the predicted time: the fit
 * finds that time again, with the power limit in it once. */
static void attention_is_fitted_under_the_power_limit(void **state)
{
    static const int lengths[] = {
            1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384};
    const p3d_gpu *const gpu = &problem.cluster.gpu;
    static p3d_calibrated made;
    p3d_attention_row rows[9];
    p3d_measurements m = {.schema = 1, .attention = {rows, 9}};
    p3d_cluster fitted = problem.cluster;
    p3d_op op = {.kind = P3D_OP_ATTENTION,
            .phase = P3D_FORWARD,
            .kernel = P3D_CUDNN,
            .count = 1,
            .batch = 1,
            .heads = 32,
            .kv_heads = 8,
            .qk_dim = 128,
            .v_dim = 128};

    (void)state;
    m.machine = trace.measured.machine;
    assert_true(problem.cluster.calibration.attention[P3D_CUDNN].sustained);
    for (int i = 0; i < 9; i++) {
        op.seq_q = op.seq_kv = lengths[i];
        rows[i] = (p3d_attention_row){.code = P3D_CODE_CUDNN,
                .dtype = P3D_NUMBER_BF16,
                .causal = true,
                .sustained = true,
                .batch = 1,
                .heads = 32,
                .kv_heads = 8,
                .seq_q = op.seq_q,
                .seq_kv = op.seq_kv,
                .qk_dim = 128,
                .v_dim = 128,
                .timing = {.n_samples = 9,
                        .median_s = 0.8 * cost_attention_s(&problem.cluster,
                                                  P3D_BF16, &op)}};
    }
    assert_true(p3d_calibrate(
            &(p3d_calibrate_options){gpu, &problem.cluster.calibration, &m, 1},
            &made, &err));
    assert_true(made.forms[P3D_FORM_ATTENTION].fitted);
    fitted.calibration = made.constants;
    CHECK_REL(cost_attention_s(&fitted, P3D_BF16, &op), rows[8].timing.median_s,
            0.02);
}

/* What opens measurements opens a trace. */
static void a_trace_is_a_file_of_measurements(void **state)
{
    p3d_measurements m;

    (void)state;
    assert_true(p3d_measurements_open(TRACE, &m, &err));
    assert_int_equal(m.gemm.n, trace.measured.gemm.n);
    assert_string_equal(m.machine.name, "NVIDIA H100 80GB HBM3");
    p3d_measurements_free(&m);
}

#define WITH_TRACE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_step_is_what_runs_and_what_waits),
            cmocka_unit_test(waiting_is_told_from_moving_and_from_the_host),
            cmocka_unit_test(transfers_are_compared_with_those_of_their_size),
            cmocka_unit_test(without_steps_all_is_one),
            cmocka_unit_test(kernels_are_told_by_their_names),
            cmocka_unit_test(products_have_their_shapes),
            cmocka_unit_test(attention_has_its_shape),
            cmocka_unit_test(collectives_have_their_bytes),
            cmocka_unit_test(what_is_no_trace_is_refused),
            cmocka_unit_test(nsight_systems_says_the_same),
            cmocka_unit_test(what_is_no_export_is_refused),
            WITH_TRACE(lines_add_up_and_name_the_cause),
            WITH_TRACE(recomputation_stands_in_the_lines_of_its_kinds),
            WITH_TRACE(steps_without_names_are_counted),
            WITH_TRACE(receives_that_wait_are_the_bubble),
            WITH_TRACE(another_batch_is_told_by_its_kernels),
            WITH_TRACE(a_trace_of_another_gpu_is_refused),
            WITH_TRACE(constants_are_fitted_to_a_trace),
            WITH_TRACE(attention_is_fitted_under_the_power_limit),
            WITH_TRACE(a_trace_is_a_file_of_measurements),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

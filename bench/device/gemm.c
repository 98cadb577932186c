/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gemm.c - a product by cuBLASLt: buffers, choice of a kernel, runs. */
#include "bench/device/gemm.h"

#include <string.h>

#include "base/util.h"
#include "bench/host/shapes.h"

enum { MOST_SETS = 64 };

/* Of every product's matrices, as of what frameworks allocate: cuBLASLt chooses
 * kernels by it. */
enum { ALIGNMENT = 256 };

/* Buffers that the runs use in turn are so many times the cache, and take so
 * much of the free memory at most. */
static const double CACHE_FACTOR = 3;
static const double MEMORY_FRAC = 0.8;

static cudaDataType_t factor_type(int number)
{
    switch (number) {
    case P3D_NUMBER_BF16: return CUDA_R_16BF;
    case P3D_NUMBER_FP16: return CUDA_R_16F;
    case P3D_NUMBER_FP8: return CUDA_R_8F_E4M3;
    default: break;
    }
    return CUDA_R_32F;
}

static cudaDataType_t result_type(const bench_gemm_spec *spec)
{
    if (bench_result_bytes((p3d_number)spec->dtype, spec->accumulate) == 4)
        return CUDA_R_32F;
    return spec->dtype == P3D_NUMBER_FP16 ? CUDA_R_16F : CUDA_R_16BF;
}

/* Of the buffers that one run uses. */
static double bytes_of_set(const bench_gemm_spec *spec)
{
    const double m = (double)spec->m;
    const double n = (double)spec->n;
    const double k = (double)spec->k;
    const int factor = bench_factor_bytes((p3d_number)spec->dtype);
    const int result =
            bench_result_bytes((p3d_number)spec->dtype, spec->accumulate);

    return (double)spec->count *
           (factor * k * (m + n) + result * m * n + 3.0 * ALIGNMENT);
}

static int64_t align(int64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Products of a batch lie back to back in one tensor, those of a loop are
 * tensors of their own, as are the sets. */
static void place(
        const bench_gemm_spec *s, int64_t bytes, int64_t *product, int64_t *set)
{
    *product = s->how == P3D_GEMM_BATCHED ? bytes : align(bytes);
    *set = align(s->count * *product);
}

const char *bench_gemm_refusal(
        const bench_device *device, const bench_gemm_spec *spec)
{
    if (spec->dtype != P3D_NUMBER_FP8)
        return NULL;
    if (device->compute_capability < 89)
        return "fp8 needs sm_89 or newer";
    /* cuBLAS documentation, cublasLtMatmul: fp8 needs 16-byte alignment. */
    if (spec->m % 16 != 0 || spec->n % 16 != 0 || spec->k % 16 != 0)
        return "fp8 products have sides in multiples of 16";
    return NULL;
}

/* Column-major, as BLAS has it, the row-major C[m,n] = A B is C' = B' A': the
 * first operand is B, and a matrix stored [rows, columns] has columns rows. */
static bool make_shapes(bench_gemm *g, p3d_error *err)
{
    const bench_gemm_spec *const s = &g->spec;
    const bool a_by_k = g->stored == P3D_LAYOUT_WGRAD;   /* A stored [k, m] */
    const bool b_by_n = g->stored == P3D_LAYOUT_FORWARD; /* B stored [n, k] */
    const uint64_t m = (uint64_t)s->m, n = (uint64_t)s->n, k = (uint64_t)s->k;
    const cudaDataType_t type = factor_type(s->dtype);

    return bench_blas(
                   cublasLtMatrixLayoutCreate(&g->b_shape, type, b_by_n ? k : n,
                           b_by_n ? n : k, (int64_t)(b_by_n ? k : n)),
                   "product", err) &&
           bench_blas(
                   cublasLtMatrixLayoutCreate(&g->a_shape, type, a_by_k ? m : k,
                           a_by_k ? k : m, (int64_t)(a_by_k ? m : k)),
                   "product", err) &&
           bench_blas(cublasLtMatrixLayoutCreate(
                              &g->c_shape, result_type(s), n, m, (int64_t)n),
                   "product", err);
}

static bool set_batch(cublasLtMatrixLayout_t shape, int64_t count,
        int64_t stride, p3d_error *err)
{
    const int32_t n = (int32_t)count;

    return bench_blas(
                   cublasLtMatrixLayoutSetAttribute(shape,
                           CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &n, sizeof(n)),
                   "batch", err) &&
           bench_blas(cublasLtMatrixLayoutSetAttribute(shape,
                              CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                              &stride, sizeof(stride)),
                   "batch", err);
}

static bool make_batch(bench_gemm *g, p3d_error *err)
{
    const bench_gemm_spec *const s = &g->spec;

    return s->how != P3D_GEMM_BATCHED ||
           (set_batch(g->a_shape, s->count, s->m * s->k, err) &&
                   set_batch(g->b_shape, s->count, s->k * s->n, err) &&
                   set_batch(g->c_shape, s->count, s->m * s->n, err));
}

static bool set_op(bench_gemm *g, cublasLtMatmulDescAttributes_t which,
        const void *value, size_t n, p3d_error *err)
{
    return bench_blas(cublasLtMatmulDescSetAttribute(g->op, which, value, n),
            "product", err);
}

/* One scale per tensor; sums of the forward product may be less exact, those
 * of gradients not. Source: TransformerEngine@d0067d0d transformer_engine/
 * pytorch (use_split_accumulator). */
static bool make_fp8(bench_gemm *g, p3d_error *err)
{
    const float one = 1;
    const int8_t fast = g->spec.layout == P3D_LAYOUT_FORWARD;

    return bench_device_allocate(
                   (void **)&g->scale, sizeof(one), "scale", err) &&
           bench_cuda(cudaMemcpy(g->scale, &one, sizeof(one),
                              cudaMemcpyHostToDevice),
                   "scale", err) &&
           set_op(g, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &g->scale,
                   sizeof(g->scale), err) &&
           set_op(g, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &g->scale,
                   sizeof(g->scale), err) &&
           set_op(g, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof(fast), err);
}

static bool make_op(bench_gemm *g, p3d_error *err)
{
    const cublasComputeType_t compute = g->spec.dtype == P3D_NUMBER_TF32
                                                ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                : CUBLAS_COMPUTE_32F;
    const cublasOperation_t first =
            g->stored == P3D_LAYOUT_FORWARD ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t second =
            g->stored == P3D_LAYOUT_WGRAD ? CUBLAS_OP_T : CUBLAS_OP_N;

    return bench_blas(cublasLtMatmulDescCreate(&g->op, compute, CUDA_R_32F),
                   "product", err) &&
           set_op(g, CUBLASLT_MATMUL_DESC_TRANSA, &first, sizeof(first), err) &&
           set_op(g, CUBLASLT_MATMUL_DESC_TRANSB, &second, sizeof(second),
                   err) &&
           (g->spec.dtype != P3D_NUMBER_FP8 || make_fp8(g, err));
}

static bool wish_alignments(cublasLtMatmulPreference_t wish, p3d_error *err)
{
    static const cublasLtMatmulPreferenceAttributes_t which[] = {
            CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
            CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
            CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
            CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES};
    const uint32_t bytes = ALIGNMENT;

    for (int i = 0; i < P3D_COUNT_OF(which); i++)
        if (!bench_blas(cublasLtMatmulPreferenceSetAttribute(
                                wish, which[i], &bytes, sizeof(bytes)),
                    "product", err))
            return false;
    return true;
}

/* That there is no kernel is no fault of the device: such products are left
 * out. */
static bool propose(
        bench_gemm *g, cublasLtMatmulPreference_t wish, p3d_error *err)
{
    int n = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
            g->device->blas, g->op, g->b_shape, g->a_shape, g->c_shape,
            g->c_shape, wish, 1, &g->algorithm, &n);

    if (status == CUBLAS_STATUS_NOT_SUPPORTED ||
            (status == CUBLAS_STATUS_SUCCESS && n == 0))
        return p3d_fail(err, P3D_DATA,
                "cuBLASLt has no kernel for a product in %s",
                p3d_number_words[g->spec.dtype]);
    return bench_blas(status, "choosing a kernel", err);
}

static bool choose_algorithm(bench_gemm *g, p3d_error *err)
{
    const size_t workspace = BENCH_WORKSPACE_BYTES;
    cublasLtMatmulPreference_t wish = NULL;
    bool ok = bench_blas(cublasLtMatmulPreferenceCreate(&wish), "product", err);

    ok = ok &&
         bench_blas(cublasLtMatmulPreferenceSetAttribute(wish,
                            CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                            &workspace, sizeof(workspace)),
                 "product", err) &&
         wish_alignments(wish, err) && propose(g, wish, err);
    if (wish != NULL)
        cublasLtMatmulPreferenceDestroy(wish);
    return ok;
}

/* As many sets as outgrow the cache, and fit. */
static bool count_sets(bench_gemm *g, p3d_error *err)
{
    const double set = bytes_of_set(&g->spec);
    const double wanted = CACHE_FACTOR * (double)g->device->l2_bytes;
    int64_t free_bytes = 0;
    int n = 1 + (int)(wanted / set < MOST_SETS ? wanted / set : MOST_SETS);

    if (!bench_device_free_bytes(&free_bytes, err))
        return false;
    while (n > 1 && n * set > MEMORY_FRAC * (double)free_bytes)
        n--;
    g->n_sets = n;
    return set <= MEMORY_FRAC * (double)free_bytes ||
           p3d_fail(err, P3D_DATA,
                   "a product of %lld x %lld x %lld needs %.2f GiB, of %.2f "
                   "GiB that are free",
                   (long long)g->spec.m, (long long)g->spec.n,
                   (long long)g->spec.k, set / 1073741824.0,
                   (double)free_bytes / 1073741824.0);
}

static bool make_buffers(bench_gemm *g, p3d_error *err)
{
    const bench_gemm_spec *const s = &g->spec;
    const int factor = bench_factor_bytes((p3d_number)s->dtype);
    const int result = bench_result_bytes((p3d_number)s->dtype, s->accumulate);
    const int64_t n = g->n_sets;
    cudaStream_t const stream = g->device->stream;

    place(s, factor * s->m * s->k, &g->a_bytes, &g->a_set);
    place(s, factor * s->k * s->n, &g->b_bytes, &g->b_set);
    place(s, result * s->m * s->n, &g->c_bytes, &g->c_set);
    return bench_device_allocate(
                   (void **)&g->a, n * g->a_set, "factors", err) &&
           bench_device_allocate(
                   (void **)&g->b, n * g->b_set, "factors", err) &&
           bench_device_allocate(
                   (void **)&g->c, n * g->c_set, "results", err) &&
           bench_cuda(
                   bench_fill(g->a, s->dtype, n * g->a_set / factor, 1, stream),
                   "filling", err) &&
           bench_cuda(bench_fill(g->b, s->dtype, n * g->b_set / factor,
                              (uint64_t)1 << 40, stream),
                   "filling", err) &&
           bench_cuda(cudaMemsetAsync(g->c, 0, (size_t)(n * g->c_set), stream),
                   "filling", err);
}

bool bench_gemm_open(const bench_device *device, const bench_gemm_spec *spec,
        bench_gemm *out, p3d_error *err)
{
    *out = (bench_gemm){.spec = *spec,
            .device = device,
            .stored = spec->dtype == P3D_NUMBER_FP8 ? P3D_LAYOUT_FORWARD
                                                    : spec->layout};
    return count_sets(out, err) && make_op(out, err) && make_shapes(out, err) &&
           make_batch(out, err) && choose_algorithm(out, err) &&
           make_buffers(out, err);
}

void bench_gemm_close(bench_gemm *gemm)
{
    if (gemm->a_shape != NULL)
        cublasLtMatrixLayoutDestroy(gemm->a_shape);
    if (gemm->b_shape != NULL)
        cublasLtMatrixLayoutDestroy(gemm->b_shape);
    if (gemm->c_shape != NULL)
        cublasLtMatrixLayoutDestroy(gemm->c_shape);
    if (gemm->op != NULL)
        cublasLtMatmulDescDestroy(gemm->op);
    cudaFree(gemm->scale);
    cudaFree(gemm->a);
    cudaFree(gemm->b);
    cudaFree(gemm->c);
    *gemm = (bench_gemm){0};
}

/* Product i of a set. */
static bool run_one(bench_gemm *g, int64_t set, int64_t i, cudaStream_t stream,
        p3d_error *err)
{
    const float alpha = 1;
    const float beta = g->spec.accumulate ? 1 : 0;
    char *const c = g->c + set * g->c_set + i * g->c_bytes;

    return bench_blas(
            cublasLtMatmul(g->device->blas, g->op, &alpha,
                    g->b + set * g->b_set + i * g->b_bytes, g->b_shape,
                    g->a + set * g->a_set + i * g->a_bytes, g->a_shape, &beta,
                    c, g->c_shape, c, g->c_shape, &g->algorithm.algo,
                    g->device->workspace, BENCH_WORKSPACE_BYTES, stream),
            "product", err);
}

bool bench_gemm_run(void *gemm, int64_t i, cudaStream_t stream, p3d_error *err)
{
    bench_gemm *const g = gemm;
    const int64_t set = i % g->n_sets;

    if (g->spec.how != P3D_GEMM_LOOP)
        return run_one(g, set, 0, stream, err);
    for (int64_t j = 0; j < g->spec.count; j++)
        if (!run_one(g, set, j, stream, err))
            return false;
    return true;
}

/* Largest error that rounding explains, over the root of the sum of (a b)^2,
 * which is about the size of an entry: half a unit of the last place of a bf16
 * result up to 4 times that size is 1/128; tf32 keeps 10 bits of the factors;
 * fp8 sums of thousands of terms lose 2 % on Hopper (arXiv:2412.19437 section
 * 3.3.2). A wrong product is off by about 1. */
static double tolerance(const bench_gemm_spec *spec)
{
    if (spec->dtype == P3D_NUMBER_FP8)
        return 1.0 / 8;
    if (spec->dtype == P3D_NUMBER_TF32)
        return 1.0 / 64;
    return result_type(spec) == CUDA_R_32F ? 1.0 / 256 : 1.0 / 64;
}

enum { N_CHECKED = 64 };

static bool compare(
        bench_gemm *g, double *device_errors, double *errors, p3d_error *err)
{
    const int64_t last = g->spec.count - 1;
    char *const c = g->c + last * g->c_bytes;
    const bench_product product = {.a = g->a + last * g->a_bytes,
            .b = g->b + last * g->b_bytes,
            .c = c,
            .dtype = g->spec.dtype,
            .result_bytes = bench_result_bytes(
                    (p3d_number)g->spec.dtype, g->spec.accumulate),
            .layout = g->stored,
            .m = g->spec.m,
            .n = g->spec.n,
            .k = g->spec.k};
    cudaStream_t const stream = g->device->stream;

    return bench_cuda(cudaMemsetAsync(c, 0, (size_t)g->c_bytes, stream),
                   "checking", err) &&
           bench_gemm_run(g, 0, stream, err) &&
           bench_cuda(bench_check(&product, N_CHECKED, device_errors, stream),
                   "checking", err) &&
           bench_cuda(cudaMemcpyAsync(errors, device_errors,
                              N_CHECKED * sizeof(*errors),
                              cudaMemcpyDeviceToHost, stream),
                   "checking", err) &&
           bench_cuda(cudaStreamSynchronize(stream), "checking", err);
}

bool bench_gemm_check(bench_gemm *gemm, p3d_gemm_row *row, p3d_error *err)
{
    double errors[N_CHECKED];
    double *device_errors = NULL;
    double most = 0;
    bool ok = bench_device_allocate(
                      (void **)&device_errors, sizeof(errors), "check", err) &&
              compare(gemm, device_errors, errors, err);

    cudaFree(device_errors);
    for (int i = 0; i < N_CHECKED && ok; i++)
        most = errors[i] > most || errors[i] != errors[i] ? errors[i] : most;
    if (ok && !(most <= tolerance(&gemm->spec)))
        ok = p3d_fail(err, P3D_DEVICE,
                "a product of %lld x %lld x %lld in %s is wrong by %g of its "
                "size; the device or the library is broken",
                (long long)gemm->spec.m, (long long)gemm->spec.n,
                (long long)gemm->spec.k, p3d_number_words[gemm->spec.dtype],
                most);
    row->n_checked = N_CHECKED;
    row->error_frac = most;
    return ok;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_cublas.c - cuBLASLt: column-major matrices,
 * C = alpha op(A) op(B) + beta C, in place. */
#include <cublasLt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "plan3d/measurements.h"
#include "tests/bench/fake/fake.h"

/* The library's types are arrays of words, which hold these. */
typedef struct layout {
    int type;
    int batch;
    int64_t rows, columns, ld, stride;
} layout;

typedef struct operation {
    int32_t trans_a, trans_b;
} operation;

_Static_assert(sizeof(layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "room");
_Static_assert(sizeof(operation) <= sizeof(cublasLtMatmulDescOpaque_t), "room");

static layout layout_of(cublasLtMatrixLayout_t from)
{
    layout l;

    memcpy(&l, from, sizeof(l));
    return l;
}

static int dtype_of(int type)
{
    switch (type) {
    case CUDA_R_16BF: return P3D_NUMBER_BF16;
    case CUDA_R_16F: return P3D_NUMBER_FP16;
    case CUDA_R_8F_E4M3: return P3D_NUMBER_FP8;
    default: break;
    }
    return P3D_NUMBER_FP32;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *out)
{
    *out = malloc(1);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

size_t cublasLtGetVersion(void)
{
    return 130002;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *out,
        cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld)
{
    const layout l = {.type = (int)type,
            .batch = 1,
            .rows = (int64_t)rows,
            .columns = (int64_t)columns,
            .ld = ld};

    if (ld < l.rows)
        return CUBLAS_STATUS_INVALID_VALUE;
    *out = calloc(1, sizeof(**out));
    memcpy(*out, &l, sizeof(l));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l)
{
    free(l);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t of,
        cublasLtMatrixLayoutAttribute_t which, const void *value, size_t n)
{
    layout l = layout_of(of);

    if (which == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)
        memcpy(&l.batch, value, n);
    else
        memcpy(&l.stride, value, n);
    memcpy(of, &l, sizeof(l));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *out,
        cublasComputeType_t compute, cudaDataType_t scale)
{
    (void)compute;
    (void)scale;
    *out = calloc(1, sizeof(**out));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc)
{
    free(desc);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t of,
        cublasLtMatmulDescAttributes_t which, const void *value, size_t n)
{
    operation o;

    memcpy(&o, of, sizeof(o));
    if (which == CUBLASLT_MATMUL_DESC_TRANSA)
        memcpy(&o.trans_a, value, n);
    else if (which == CUBLASLT_MATMUL_DESC_TRANSB)
        memcpy(&o.trans_b, value, n);
    memcpy(of, &o, sizeof(o));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *out)
{
    const uint32_t bytes = 256; /* the library's default */

    *out = calloc(1, sizeof(**out));
    memcpy(*out, &bytes, sizeof(bytes));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t wish)
{
    free(wish);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
        cublasLtMatmulPreference_t wish,
        cublasLtMatmulPreferenceAttributes_t which, const void *value, size_t n)
{
    /* The four alignments are held to be one. */
    if (which != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
        memcpy(wish, value, n);
    return CUBLAS_STATUS_SUCCESS;
}

/* The sides of the product agree, and fp8 is "TN" as the library wants it. */
static bool agrees(
        const operation *o, const layout *a, const layout *b, const layout *c)
{
    const bool ta = o->trans_a == CUBLAS_OP_T, tb = o->trans_b == CUBLAS_OP_T;
    const int64_t m = ta ? a->columns : a->rows;
    const int64_t k = ta ? a->rows : a->columns;

    if (a->type == CUDA_R_8F_E4M3 && (!ta || tb))
        return false;
    return m == c->rows && k == (tb ? b->columns : b->rows) &&
           (tb ? b->rows : b->columns) == c->columns && a->batch == b->batch &&
           a->batch == c->batch;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
        cublasLtMatmulDesc_t op, cublasLtMatrixLayout_t a,
        cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
        cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t wish, int wanted,
        cublasLtMatmulHeuristicResult_t results[], int *n)
{
    const layout la = layout_of(a), lb = layout_of(b), lc = layout_of(c);
    operation o;

    (void)handle;
    (void)d;
    memcpy(&o, op, sizeof(o));
    memset(results, 0, (size_t)wanted * sizeof(*results));
    memcpy(&results->algo, wish, sizeof(uint32_t)); /* what it may rely on */
    *n = 1;
    /* Shapes are known by the columns of the result; device 0 is all. */
    if (fake_setting("FAKE_NO_KERNEL_FOR") == lc.rows &&
            (fake_setting("FAKE_NO_KERNEL_ON") == 0 ||
                    fake_setting("FAKE_NO_KERNEL_ON") == fake_device))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return agrees(&o, &la, &lb, &lc) ? CUBLAS_STATUS_SUCCESS
                                     : CUBLAS_STATUS_NOT_SUPPORTED;
}

static fake_matrix matrix_of(
        const void *data, const layout *l, bool transposed, int batch)
{
    const int dtype = dtype_of(l->type);

    return (fake_matrix){.data = (char *)(uintptr_t)data +
                                 batch * l->stride * fake_bytes(dtype),
            .dtype = dtype,
            .transposed = transposed,
            .rows = l->rows,
            .columns = l->columns,
            .ld = l->ld};
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t op,
        const void *alpha, const void *a, cublasLtMatrixLayout_t a_shape,
        const void *b, cublasLtMatrixLayout_t b_shape, const void *beta,
        const void *c, cublasLtMatrixLayout_t c_shape, void *d,
        cublasLtMatrixLayout_t d_shape, const cublasLtMatmulAlgo_t *algorithm,
        void *workspace, size_t workspace_bytes, cudaStream_t stream)
{
    const layout la = layout_of(a_shape), lb = layout_of(b_shape);
    const layout lc = layout_of(c_shape);
    const float scale = *(const float *)alpha, keep = *(const float *)beta;
    operation o;
    uint32_t alignment;

    (void)handle, (void)d_shape, (void)workspace;
    (void)workspace_bytes, (void)stream;
    memcpy(&alignment, algorithm, sizeof(alignment));
    if (((uintptr_t)a | (uintptr_t)b | (uintptr_t)c) % alignment != 0 || c != d)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (fake_setting("FAKE_BROKEN_FOR") == lc.rows || !fake_queue())
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (fake_setting("FAKE_KILLED_FOR") == lc.rows)
        raise(SIGKILL);
    if (fake_setting("FAKE_SLOW_DEVICE") == fake_device)
        fake_sleep(fake_setting("FAKE_SLOW_MS"));
    memcpy(&o, op, sizeof(o));
    for (int i = 0; i < la.batch; i++) {
        const fake_matrix from[] = {
                matrix_of(a, &la, o.trans_a == CUBLAS_OP_T, i),
                matrix_of(b, &lb, o.trans_b == CUBLAS_OP_T, i)};
        const fake_matrix to = matrix_of(d, &lc, false, i);

        fake_multiply(from, scale, keep, &to);
    }
    return CUBLAS_STATUS_SUCCESS;
}

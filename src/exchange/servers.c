/* SPDX-License-Identifier: GPL-3.0-or-later */
/* servers.c - the table of programs that serve models.
 *
 * Names and defaults: vllm@00193b82 vllm/config/parallel.py, vllm/config/
 * cache.py (gpu_memory_utilization 0.92 of all memory); TensorRT-LLM 0.18.2
 * trtllm-serve (kv_cache_free_gpu_memory_fraction 0.9 of what the weights
 * leave); text-generation-inference@db931fcf launcher/src/main.rs:603-612, 812,
 * 1374. */
#include "exchange/serving.h"
#include "exchange/target_rows.h"

static const char *const types[P3D_N_DTYPES] = {[P3D_FP32] = "float32",
        [P3D_FP16] = "float16",
        [P3D_BF16] = "bfloat16",
        [P3D_FP8] = "bfloat16"};

static bool has_experts(const p3d_launch *launch)
{
    return launch->model.n_experts > 0 && launch->plan.tp > 1;
}

static bool is_shared_out(const p3d_launch *launch)
{
    return launch->plan.tp > 1;
}

static bool is_fp8(const p3d_launch *launch)
{
    return launch->job.dtype == P3D_FP8;
}

/* clang-format off */
static const p3d_option vllm[] = {
    INT("tensor-parallel-size", plan.tp, 1),
    INT_SHY("pipeline-parallel-size", plan.pp, 1),
    INT_SHY("data-parallel-size", plan.dp, 1),
    FIXED_WHEN("enable-expert-parallel", NULL, has_experts),
    WORD("dtype", job.dtype, types),
    FIXED_WHEN("quantization", "fp8", is_fp8),
    FIXED("gpu-memory-utilization", "0.92"),
    INT("max-model-len", job.seq_len, 1),
};

static const p3d_option tensorrt[] = {
    INT("tp_size", plan.tp, 1),
    INT_SHY("pp_size", plan.pp, 1),
    INT_WHEN("ep_size", plan.ep, 1, has_experts),
    INT("max_seq_len", job.seq_len, 1),
    FIXED("kv_cache_free_gpu_memory_fraction", "0.9"),
};

static const p3d_option tgi[] = {
    RAW("model-id", "\"$MODEL\""),
    FIXED_WHEN("sharded", "true", is_shared_out),
    INT_WHEN("num-shard", plan.tp, 1, is_shared_out),
    WORD("dtype", job.dtype, types),
    INT("max-total-tokens", job.seq_len, 1),
    FIXED("cuda-memory-fraction", "1.0"),
};
/* clang-format on */

static const p3d_server servers[] = {
        {.name = "vllm",
                .title = "vLLM",
                .versions = "vllm-project/vllm@00193b82",
                .program = "vllm serve \"$MODEL\"",
                .pipeline = true,
                .replicas = true,
                .memory_frac = 0.92,
                .options = vllm,
                .n_options = P3D_COUNT_OF(vllm)},
        {.name = "tensorrt-llm",
                .title = "TensorRT-LLM",
                .versions = "NVIDIA/TensorRT-LLM v0.18.2",
                .program = "trtllm-serve \"$MODEL\"",
                .pipeline = true,
                .memory_frac = 0.9,
                .frac_after_weights = true,
                .options = tensorrt,
                .n_options = P3D_COUNT_OF(tensorrt)},
        {.name = "tgi",
                .title = "text-generation-inference",
                .versions = "huggingface/text-generation-inference@db931fcf",
                .program = "text-generation-launcher",
                .memory_frac = 1,
                .options = tgi,
                .n_options = P3D_COUNT_OF(tgi)},
};

const p3d_server *p3d_server_at(int i)
{
    return P3D_HAS(servers, i) ? &servers[i] : NULL;
}

const p3d_server *p3d_server_find(const char *name)
{
    for (int i = 0; i < P3D_COUNT_OF(servers); i++) {
        if (p3d_same_word(servers[i].name, name))
            return &servers[i];
    }
    return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h - what is to be trained, and with which software. */
#ifndef PLAN3D_JOB_H
#define PLAN3D_JOB_H

#include <stdint.h>

#include "plan3d/adapters.h"
#include "plan3d/api.h"
#include "plan3d/block_sparse.h"
#include "plan3d/calibration.h"
#include "plan3d/cluster.h"
#include "plan3d/companion.h"
#include "plan3d/compression.h"
#include "plan3d/fit_probability.h"
#include "plan3d/framework.h"
#include "plan3d/lengths.h"
#include "plan3d/model.h"

P3D_API_BEGIN

/** Most sequences of a step. */
enum { P3D_MAX_BATCH = 1000000000 };

/** How context-parallel ranks exchange what attention needs. */
typedef enum p3d_cp_comm {
    P3D_CP_RING,       /* keys and values go round, beside the attention */
    P3D_CP_ALL_TO_ALL, /* heads against tokens, before and after it (Ulysses) */
    P3D_N_CP_COMMS
} p3d_cp_comm;

/** How the tokens of a mixture reach their experts, and come back. */
typedef enum p3d_dispatcher {
    P3D_DISPATCH_ALL_TO_ALL, /* a row for each expert of a token, by NCCL */
    P3D_DISPATCH_ALL_GATHER, /* every token to every rank, by NCCL */
    P3D_DISPATCH_2DH,        /* as all-to-all, in two steps: inside the nodes,
                                then between GPUs of the same place in them */
    P3D_DISPATCH_DEEPEP,     /* a token once to each rank that has an expert of
                                its, over each network link once */
    P3D_DISPATCH_HYBRIDEP,   /* the same by other kernels */
    P3D_N_DISPATCHERS
} p3d_dispatcher;

/** Word for a dispatcher ("alltoall"). */
const char *p3d_dispatcher_name(p3d_dispatcher dispatcher);

/** Word for an attention kernel ("flash2"). */
const char *p3d_attention_name(p3d_attention attention);

/** What is launched as CUDA graphs, without the host. */
typedef enum p3d_graphs {
    P3D_GRAPHS_NONE,
    P3D_GRAPHS_LAYERS, /* layers, but for routed experts and their exchange */
    P3D_GRAPHS_STEP,   /* all of a step */
    P3D_N_GRAPHS
} p3d_graphs;

/** Word for the i-th ("none", "layers", "step"); NULL past the last. */
const char *p3d_graphs_word(int i);

/** Whether something is done; usual = as the framework does by default. */
typedef enum p3d_overlap {
    P3D_OVERLAP_USUAL,
    P3D_OVERLAP_ON,
    P3D_OVERLAP_OFF,
    P3D_N_OVERLAPS
} p3d_overlap;

/** Word for the i-th ("usual", "on", "off"); NULL past the last. */
const char *p3d_overlap_word(int i);

typedef enum p3d_optimizer {
    P3D_ADAM, /* and AdamW */
    P3D_SGD,  /* with momentum */
    P3D_ADAM_8BIT,
    P3D_ADAFACTOR,
    P3D_LION,
    P3D_MUON,
    P3D_N_OPTIMIZERS
} p3d_optimizer;

/** What an optimizer keeps beside weights and gradients. */
typedef struct p3d_optimizer_facts {
    const char *name;
    const char *title;
    int moments;         /* of the matrices of layers, per parameter */
    double moment_bytes; /* of each of them */
    bool factored;       /* matrices: one number per row and column instead */
    int other_moments;   /* of embeddings, output matrix, norms and biases */
    double other_moment_bytes;
    const char *source;
} p3d_optimizer_facts;

const p3d_optimizer_facts *p3d_optimizer_of(p3d_optimizer optimizer);

/** Number format of a state; usual = that of the framework. */
typedef enum p3d_state_dtype {
    P3D_STATE_USUAL,
    P3D_STATE_IN_FP32,
    P3D_STATE_IN_16, /* bf16 or fp16 */
    P3D_STATE_IN_8,
    P3D_STATE_NONE, /* master weights: the weights themselves are updated */
    P3D_N_STATE_DTYPES
} p3d_state_dtype;

/** How a training is run: failures, checkpoints, power and money. 0 = what
 *  p3d_operations_of() takes instead, or not asked. */
typedef struct p3d_operations {
    double gpu_mtbf_s; /* between failures that stop the job, of one GPU with
                          its share of all else */
    double restart_s;  /* from a failure until the checkpoint can be read */
    double storage_bytes_per_s; /* of the whole job, writing and reading */
    bool async_save;            /* checkpoints are written beside the steps */
    double repair_s;   /* until a broken node is back; 0 = another is there */
    bool fixed_spares; /* n_spare_nodes was said */
    int n_spare_nodes; /* paid for, and waiting */
    double preempted_every_s; /* mean time between the times that the whole
                                 cluster is taken away; 0 = it never is */
    double away_s;            /* then: until it is back, in the mean */
    double notice_s;          /* of it, before */
    double pue;               /* power of the site over that of its computers */
    double usd_per_kwh;       /* energy; 0 = not asked, as below */
    double usd_per_gpu;       /* a GPU bought, with its share of all else */
    double amortize_s;        /* time in which that is paid back */
} p3d_operations;

/** How PyTorch's allocator takes memory from the device: segments of a fixed
 *  size, or ones that grow (PYTORCH_CUDA_ALLOC_CONF=
 *  expandable_segments:True). */
typedef enum p3d_allocator {
    P3D_ALLOCATOR_USUAL, /* as the framework's own script asks for */
    P3D_ALLOCATOR_FIXED,
    P3D_ALLOCATOR_EXPANDABLE,
    P3D_N_ALLOCATORS
} p3d_allocator;

/** How the operands of products in fp8 are scaled. */
typedef enum p3d_fp8_recipe {
    P3D_FP8_USUAL,     /* the first that the framework has */
    P3D_FP8_DELAYED,   /* a scale a tensor, from steps before */
    P3D_FP8_CURRENT,   /* a scale a tensor, found first */
    P3D_FP8_BLOCKWISE, /* a scale for 128 values, of weights for 128 x 128 */
    P3D_FP8_ROWWISE,   /* a scale for each row of the operand */
    P3D_FP8_MXFP8,     /* a scale of one byte for 32 values */
    P3D_N_FP8_RECIPES
} p3d_fp8_recipe;

/** Word for a recipe ("delayed"); "" of the usual one and past the last. */
const char *p3d_fp8_recipe_name(p3d_fp8_recipe recipe);

/** Operands of products in fewer than 16 bits. */
typedef struct p3d_precision {
    const char *title;
    p3d_fp8_recipe recipe;     /* usual = none: not in fp8 */
    double data_bytes;         /* of a value */
    double scale_bytes;        /* of the scales, per value and layout */
    double weight_scale_bytes; /* the same of weights */
    bool finds_largest;    /* a pass over all values before they can be cast */
    bool by_row;           /* the scales of the two layouts differ */
    bool by_tensor;        /* from sm100 on, one layout does for all products */
    bool norm_casts;       /* Transformer Engine's norms write cast values */
    bool norm_finds;       /* ... or find the largest one */
    bool gathers_wide;     /* ZeRO-1 gathers 16 bits, which are cast then */
    double sm90_rate_frac; /* of products on Hopper, of those by tensor */
    const char *source;
} p3d_precision;

/** A job's unit_params where no module is wrapped: more than a model has. */
#define P3D_UNIT_WHOLE 1000000000000000

/** Everything about a training job that is not the plan. */
typedef struct p3d_job {
    int seq_len;          /* tokens per sequence */
    int64_t global_batch; /* sequences per step */
    double n_tokens;      /* of the whole training; 0 = not asked */
    p3d_dtype dtype;
    p3d_optimizer optimizer;
    p3d_attention attention;
    bool fixed_attention; /* it was said: no framework's default replaces it */
    p3d_cp_comm cp_comm;
    bool fixed_cp_comm; /* it was said: no plan of a search mixes the two */
    p3d_dispatcher dispatcher;
    bool fixed_dispatcher; /* it was said, likewise */
    p3d_graphs graphs;
    bool dropout;             /* hidden and attention dropout masks are kept */
    bool flash_copies_output; /* the fused kernel's output is kept twice when a
                                 micro-batch has several sequences */
    bool eager;               /* not compiled, where the framework would */
    p3d_allocator allocator;
    bool loads_all_kernels; /* at the start, as CUDA did before 11.7 */
    bool whole_at_start;    /* the weights are whole on every GPU before they
                                 are shared out, in their data type */
    p3d_loss loss;          /* usual = that of the framework */
    p3d_state_dtype gradient_dtype; /* that gradients are added up in */
    p3d_state_dtype master_dtype;   /* of the weights that are updated */
    p3d_state_dtype moment_dtype;   /* of the optimizer's moments */
    p3d_state_dtype reduce_dtype;   /* of gradients on the wire; usual = that
                                       of the framework, or 16 bit where they
                                       are added up in that */
    p3d_compression compression;    /* of what data-parallel ranks send */
    p3d_block_sparse sparse;        /* what all layers see, whatever the model's
                                       file says; none = as that says */
    p3d_overlap dp_overlap; /* data-parallel communication beside the passes */
    int64_t unit_params;    /* the fewest of a unit that FSDP1 gathers at once
                            (min_num_params); 0 = each layer is one;
                            P3D_UNIT_WHOLE = the model is one (no wrapping) */
    double expert_load;  /* tokens of the busiest rank's experts over the mean,
                            or the capacity factor; 0 = 1 */
    int n_mtp_layers;    /* multi-token prediction blocks that are trained */
    int deferred_logits; /* micro-batches whose gradient of the output matrix
                            is put off */
    bool optimizer_in_backward; /* no gradient outlives its update */
    bool separate_gradients;    /* added by a kernel of their own where the
                                framework would do it in the product */
    bool separate_experts; /* a product for each expert, not a grouped one */
    bool fp8_copies; /* an fp8 job keeps 16-bit weights, and copies of them
                              in fp8, where the framework has fp8 ones alone */
    p3d_fp8_recipe fp8_recipe;
    p3d_adapters adapters;   /* beside frozen weights */
    unsigned frozen;         /* P3D_PART_ without gradients, where there are no
                              adapters */
    p3d_companion companion; /* a frozen model beside the trained one */
    p3d_lengths lengths;     /* of the texts in its sequences */
    int n_images;     /* of a sequence, or clips of sound, where the model
                              has a tower; 0 = one */
    bool no_images;   /* none at all */
    int image_tokens; /* that one becomes; 0 = as the model's file says */
    p3d_overlap tower_recompute; /* of the tower's layers; usual = as the
                                    framework's programs do */
    bool fp8_one_layout; /* products by tensor take a weight and its transpose
                              from the same bytes (from sm100 on) */
    bool asynchronous;   /* schedules may update weights late */
    bool expert_overlap; /* tokens travel to experts and back beside the
                              computation of another micro-batch */
    bool tp_overlap;     /* tensor-parallel communication in pieces beside
                                the products */
    bool partition_activations; /* tensor-parallel ranks share out the inputs
                                   that full recomputation keeps */
    bool launch_blocking;       /* kernels are launched one at a time
                             (CUDA_LAUNCH_BLOCKING=1) */
    double added_host_frac; /* of the shorter of launches and device time, that
                               adds to the longer */
    bool fixed_added_host;  /* it was said: no framework's replaces it */
    int64_t gc_interval;    /* steps from one collection of Python's garbage to
                               the next; 0 = none while a step is timed */
    int64_t cublas_bytes;   /* workspace of a handle; 0 = the library's usual */
    const p3d_framework *framework;
    int max_idle_nodes;    /* that a plan may leave without work */
    int64_t reserve_bytes; /* kept free on each GPU; 0 = nothing */
    bool fixed_reserve;    /* it was said, likewise: no plan has to be surer */
    double sure_frac;      /* probability of fitting that is asked for */
    int64_t sure_reserve_bytes; /* kept free on each GPU for that */
    double usd_per_gpu_h;       /* 0 = not asked */
    p3d_operations operations;
    p3d_anchor anchor; /* what the user's own runs say of this job */
} p3d_job;

/**
 * Sensible values for what a person did not say: sequences as long as the
 * model was trained with or, where that is not known, was made for (at most
 * 4096, or 8192 where the model allows 8192 or more); as many tokens per step
 * as it was trained with, else about 4 Mi (or 1,024 per GPU if that is more)
 * in a number of sequences that the GPU count divides well, bf16 (fp16 where
 * the GPU has no bf16), Adam, the framework's attention kernel on the GPU,
 * its dispatcher of experts where GPU and network have it, megatron-core;
 * whether the fused kernel keeps its output twice, and the GPU
 * has grouped products of experts; and a reserve as large as the typical error
 * of the memory estimate, so that a plan that fits still does when the estimate
 * is a little low.
 *
 * Price, failures and preemptions are those of the cluster's terms.
 *
 * Fields of *job that are not zero are kept; fp32 is zero, so a job of that
 * type sets it afterwards.
 */
void p3d_job_default(
        p3d_job *job, const p3d_model *model, const p3d_cluster *cluster);

/** Give a completed job another framework, with what follows from it: the
 *  attention kernel, whether it keeps its output twice, the dispatcher of
 *  experts, and the reserve. */
void p3d_job_use(p3d_job *job, const p3d_framework *framework,
        const p3d_model *model, const p3d_cluster *cluster);

/** Whether the job's framework keeps its states in the data types asked for.
 *  @return false with P3D_DATA */
P3D_CHECK bool p3d_job_check_states(const p3d_job *job, p3d_error *err);

/** The attention kernel alone, of a job whose data type and framework are
 *  known: the framework's usual one where the GPU runs it, else the next best
 *  that both have. One that was said by name is kept. */
void p3d_job_default_attention(
        p3d_job *job, const p3d_model *model, const p3d_gpu *gpu);

/** The default number of sequences per step alone. */
int64_t p3d_job_default_batch(const p3d_model *model, int seq_len, int n_gpus);

/** What its layers keep beside their inputs: compiled or not, or with Liger's
 *  kernels, which the loss of that name is one of. */
const p3d_kept *p3d_job_kept(const p3d_job *job);

/** Parts of a model, P3D_PART_, that the job does not train: with adapters all
 *  but those trained beside. */
unsigned p3d_job_frozen(const p3d_job *job, const p3d_model *model);

/** How the products with weights of a completed job take their operands; NULL
 *  where they take them in its own 16 or 32 bits. */
const p3d_precision *p3d_precision_of(const p3d_job *job);

/** True where the framework keeps no weights in fp32 unless it is told to:
 *  16-bit ones, and moments like them. */
bool p3d_job_is_usually_16(const p3d_job *job);

/** The job's implementation of the cross entropy, or its framework's. */
p3d_loss p3d_job_loss(const p3d_job *job);

/** Typical error of the estimated peak, as a fraction of it: the framework's,
 *  twice that with experts, whose load is never even. */
double p3d_memory_error_frac(
        const p3d_framework *framework, const p3d_model *model);

P3D_API_END

#endif

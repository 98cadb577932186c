/* SPDX-License-Identifier: GPL-3.0-or-later */
/* framework.h - what a training framework does with memory and time. */
#ifndef PLAN3D_FRAMEWORK_H
#define PLAN3D_FRAMEWORK_H

#include <stdbool.h>

#include "plan3d/api.h"
#include "plan3d/calibration.h"
#include "plan3d/cluster.h"

P3D_API_BEGIN

/** Bytes per parameter of one kind of state: the part that every rank holds,
 *  and the part that is divided among the data-parallel ranks. */
typedef struct p3d_state_bytes {
    double replicated;
    double sharded;
} p3d_state_bytes;

/** States of one data type and ZeRO stage, bytes per parameter. The moments of
 *  the optimizer lie beside: sharded from ZeRO 1 on. */
typedef struct p3d_states {
    p3d_state_bytes weights;
    p3d_state_bytes gradients;
    p3d_state_bytes master; /* weights in fp32 */
    p3d_state_bytes step;   /* copies of the gradients while the optimizer runs,
                               when no activations are alive */
    const char *source;
} p3d_states;

/** Data types with states of their own. */
typedef enum p3d_state_kind {
    P3D_STATE_FP32,
    P3D_STATE_FP16,
    P3D_STATE_BF16,
    P3D_STATE_WIDE_GRADIENTS, /* added up in fp32: bf16 with pp > 1, or asked */
    P3D_STATE_PURE_16,        /* weights and moments in 16 bit, no master */
    P3D_N_STATE_KINDS
} p3d_state_kind;

/** Passes over memory of one layer, bytes per element, forward and backward
 *  (time-model: residual stream, MLP width, attention width). */
typedef struct p3d_pass_bytes {
    double residual[2];
    double mlp[2];
    double attention[2]; /* of the queries' width */
    double keys[2];      /* of the keys' width, where it is not the queries' */
    int n_kernels[2];
    bool single; /* PyTorch's operations, each a kernel of its own */
} p3d_pass_bytes;

/** The softmax of unfused attention: per score, forward and backward. */
typedef struct p3d_softmax {
    double bytes[2];
    int n_kernels[2];
    bool keeps_fp32; /* a probability in fp32, beside that of the job's type */
} p3d_softmax;

/** Implementation of the cross entropy: how much of the logits is alive. */
typedef enum p3d_loss {
    P3D_LOSS_USUAL,          /* the framework's own */
    P3D_LOSS_VOCAB_PARALLEL, /* Megatron's, fp32 in place of a 16-bit copy */
    P3D_LOSS_VOCAB_PARALLEL_COPY, /* Megatron's until 2024, not in place */
    P3D_LOSS_SHARDED_IN_PLACE,    /* nanotron's */
    P3D_LOSS_EAGER_KEPT, /* PyTorch's, with the logits in the model's output */
    P3D_LOSS_NATIVE_FUSED,  /* Megatron's fused one */
    P3D_LOSS_TE_FUSED,      /* Transformer Engine's fused one */
    P3D_LOSS_EAGER,         /* PyTorch's, on fp32 logits */
    P3D_LOSS_COMPILED,      /* PyTorch's, compiled */
    P3D_LOSS_SHARDED_EAGER, /* PyTorch's loss-parallel, not compiled */
    P3D_LOSS_CHUNKED,       /* compiled, tokens in chunks */
    P3D_LOSS_LIGER, /* with the output matrix, a chunk of tokens at a time */
    P3D_LOSS_FLASH, /* flash-attention's fused one, on 16-bit logits */
    P3D_LOSS_FLASH_WIDE, /* the same in place, on logits in fp32 */
    P3D_N_LOSSES
} p3d_loss;

/** Word for a loss ("vocab-parallel"). */
const char *p3d_loss_name(p3d_loss loss);

/** One copy of the logits that is alive at the peak of a loss: in a 16-bit run,
 *  and in one in fp32 (0: the logits themselves). */
typedef struct p3d_loss_copy {
    const char *name;
    double bytes_per_logit[2];
    const char *source;
} p3d_loss_copy;

/** Passes of a loss over the logits, forward and backward. */
typedef struct p3d_loss_pass {
    double bytes_per_logit[2];
    int n_kernels[2];
} p3d_loss_pass;

/** Those of a run in this type (fp8 and fp4: logits in 16 bit). */
const p3d_loss_pass *p3d_loss_passes(p3d_loss loss, p3d_dtype dtype);

/** Bytes per logit of a copy in a run of this type; 0: it has none. */
double p3d_loss_copy_bytes(const p3d_loss_copy *copy, p3d_dtype dtype);

/** True where only the logits of a chunk of tokens exist at once: as many
 *  chunks as the vocabulary is wider than the model. */
bool p3d_loss_is_chunked(p3d_loss loss);

/** Bytes per logit of memory that its gradients cannot use again. */
double p3d_loss_hole_bytes(p3d_loss loss, p3d_dtype dtype);

/** The copies that an implementation of the loss holds at its peak. */
const p3d_loss_copy *p3d_loss_copies(p3d_loss loss, int *n);

/** Units of a layer that can be recomputed alone; a bit set, in the order of
 *  p3d_module_name(). */
enum {
    P3D_MODULE_CORE_ATTENTION = 1 << 0,
    P3D_MODULE_LATENT_UP = 1 << 1, /* up-projections of latent attention */
    P3D_MODULE_NORMS = 1 << 2,
    P3D_MODULE_MLP = 1 << 3, /* of dense layers */
    P3D_MODULE_MLP_ACTIVATION = 1 << 4,
    P3D_MODULE_MOE = 1 << 5,
    P3D_MODULE_MOE_ACTIVATION = 1 << 6,
    P3D_MODULE_SHARED_EXPERTS = 1 << 7,
    P3D_MODULE_PER_OP = 1 << 8, /* all but what torchtitan's policy keeps */
    P3D_N_MODULES = 9
};

/** Word for the i-th module, as Megatron-LM's --recompute-modules and
 *  torchtitan name them ("core_attn", "mlp", "op"); NULL past the last. */
const char *p3d_module_name(int i);

/** What a layer keeps by how its operations are fused. */
typedef struct p3d_kept {
    int gated_tensors;       /* of the MLP width, kept by a gated MLP: gate, up,
                                product; 4 where SwiGLU is not fused */
    double norm_extra_bytes; /* per element, kept by a norm beside its 16-bit
                                input, where it is made of single operations */
    double layer_norm_extra_bytes; /* the same of a LayerNorm, which is one
                                kernel: autocast keeps fp32 in its place */
    bool last_product; /* recomputation by operation: the output of the MLP too,
                          which a compiler leaves out */
    bool in_place;     /* gated MLPs: gradients of gate and up-projection are
                          written over them */
} p3d_kept;

/** What a framework's options cannot say of what it could run; a bit set. */
enum {
    P3D_LACKS_LAYER_COUNTS = 1 << 0, /* recomputation of some of the layers */
    P3D_LACKS_PIPELINE_LAYER_COUNTS = 1 << 1, /* the same, with pp > 1 */
    P3D_LACKS_LAYER_GROUPS = 1 << 2,  /* of several layers from one input */
    P3D_LACKS_SELECTIVE = 1 << 3,     /* of modules */
    P3D_LACKS_EXPERT_TENSOR = 1 << 4, /* split experts, with ep > 1 */
    P3D_LACKS_HEAD_GROUPS = 1 << 5,   /* of cp that exchange heads, by a plan */
    P3D_LACKS_ZERO_3_EXPERTS = 1 << 6,
    P3D_LACKS_CONTEXT_SHARDS = 1 << 7, /* sharing by a part of a cp group */
    P3D_LACKS_LONE_SHARDS = 1 << 8,   /* sharing by the ranks of one cp group */
    P3D_LACKS_UNEVEN_CHUNKS = 1 << 9, /* in numbers that no round-up gives */
    P3D_LACKS_FP8 = 1 << 10,
    P3D_LACKS_ODD_GROUPS = 1 << 11, /* of layers, that do not divide those of a
                                       chunk */
    P3D_LACKS_MICRO_BATCH_GROUPS = 1 << 12, /* of another size than pp */
    P3D_LACKS_CHUNK_ENDS = 1 << 13,   /* numbers of layers for the first and the
                                       last of several chunks of a rank */
    P3D_LACKS_WHOLE_STREAM = 1 << 14, /* tp without sequence parallelism */
    P3D_LACKS_MIXED_EXPERTS = 1 << 15, /* but over tp, and over ep in dp */
    P3D_LACKS_WHOLE_AXES = 1 << 16,    /* weights that cp or ep do not share */
    P3D_LACKS_COPIES =
            1 << 17, /* replicas that share nothing: zero=0, dp > 1 */
    P3D_LACKS_OTHER_OFFLOAD = 1 << 18, /* of activations, but of all inputs of
                                          layers, and these recomputed */
    P3D_LACKS_FLAG = 1 << 19 /* the first of P3D_PLAN_FLAGS (plan.h); the others
                                follow */
};

/** What a row of the table is good for. */
typedef enum p3d_framework_standing {
    P3D_FRAMEWORK_CURRENT,
    P3D_FRAMEWORK_PAST,    /* of old releases: for runs of their time */
    P3D_FRAMEWORK_PROFILE, /* of no framework: typical costs, and all that some
                              framework can run */
    P3D_N_FRAMEWORK_STANDINGS
} p3d_framework_standing;

/** Word for the i-th ("current", "past", "profile"); NULL past the last. */
const char *p3d_framework_standing_word(int i);

/** What a framework's own kernels are written for. */
typedef enum p3d_devices {
    P3D_ON_ANY,  /* PyTorch's operations: CUDA, ROCm, Ascend, Gaudi */
    P3D_ON_CUDA, /* and ROCm */
    P3D_ON_ASCEND,
    P3D_ON_GAUDI,
    P3D_ON_TPU /* where PyTorch's operations are not at home */
} p3d_devices;

typedef struct p3d_framework {
    const char *name;
    const char *title;
    const char *versions; /* that the facts were read from */
    const char *costs_of; /* name of the framework whose costs stand in for
                             those of a launcher; NULL = its own */
    p3d_framework_standing standing;
    /* What it can run. */
    unsigned zero_stages;          /* bit z: ZeRO stage z */
    unsigned zero_stages_pipeline; /* bit z: also with pp > 1 */
    int usual_zero[2]; /* stage of a plan that says none: pp = 1, pp > 1 */
    bool tensor_parallel;
    bool pipeline;
    unsigned schedules; /* bit s: pipeline schedule s */
    bool context_parallel;
    bool expert_parallel;
    unsigned dispatchers; /* bit d: of tokens to experts */
    int usual_dispatcher; /* that of its recipes, where GPU and network have it;
                             else, as where it is 0, an all-to-all */
    bool grouped_experts; /* one kernel for the products of all */
    bool graphs;          /* CUDA graphs */
    bool expert_overlap;  /* of their transport with computation */
    bool kv_replication;  /* tp may exceed the key/value heads */
    unsigned offload_zero_stages; /* bit z: optimizer offload with stage z */
    bool parameter_offload;       /* with ZeRO-3 */
    bool offloads_whole;  /* weights, gradients and states alone together: the
                            fp32 weights are what the optimizer updates */
    bool uneven_stages;   /* embedding and loss may count as layers */
    bool layer_map;       /* stages of any size, with vp = 1 */
    bool splits_by_cost;  /* a stage ends where its share of the work of
                                     layers and head is passed */
    bool splits_by_items; /* embedding, layers, final norm and head are shared
                             out evenly, the first stages take the odd ones */
    bool wraps;           /* modules into units of a least size, or none
                                   (FSDP1) */
    bool partition_activations; /* tensor-parallel ranks can share out the
                                   inputs of recomputed layers */
    bool typed_layers;          /* numbers of layers for the ends can be said*/
    bool pp_before_dp;   /* ranks of a pipeline may be nearer than replicas */
    unsigned lacks;      /* P3D_LACKS_ */
    unsigned compresses; /* P3D_COMPRESS_ */
    bool block_sparse;   /* has DeepSpeed's kernels over blocks */
    bool activation_offload;
    bool offload_unsearched; /* of activations: where a plan or a pin has it,
                                the search leaves it out */
    bool nvme;               /* offload to NVMe */
    unsigned hybrid_stages;  /* bit z: ZeRO stage z may share the states by a
                               part of the replicas */
    unsigned offload_ratio_stages; /* bit z: a part of the optimizer's states
                                      may be offloaded with ZeRO stage z */
    /* What it keeps and moves. */
    p3d_states states[P3D_N_STATE_KINDS][4];
    bool wide_gradients; /* can add them up in fp32, beside 16-bit ones */
    bool typed_states;   /* gradients and optimizer states in a data type of
                          the user's choice */
    double later_gradient_bytes; /* sharded gradients more, with ZeRO 2 and
                                    several micro-batches */
    double bucket_bytes;  /* buffers of gradients on their way to be reduced */
    int bucket_zero;      /* from this ZeRO stage on */
    bool frees_gradients; /* after the step: none before the backward */
    double bucket_copy_bytes;    /* of the replicated gradients of autocast, a
                                 parameter: buckets, where ranks reduce them */
    bool reduces_pipelines_once; /* a pipeline adds up the gradients of its
                                    micro-batches whole, whatever the ZeRO
                                    stage, and reduces them after the last */
    bool keeps_last_layer; /* ZeRO 3: it and the embedding stay gathered from
                               forward to backward; the head always does */
    bool keeps_towers;     /* layers of encoders are not recomputed unless that
                              is asked for */
    bool stream_pools;     /* communication in streams of its own, each with
                               its pool; segments can grow */
    double offload_chunks; /* of activations, on the device as a whole while
                               the rest is offloaded */
    double step_bucket;    /* parameters whose gradients are flattened to be
                               reduced, and weights to be gathered, at once */
    double reduced_bytes;  /* of a parameter of that bucket: its flat copies;
                               0 = those of a 16-bit gradient, fp32 where it is
                               added up in fp32 */
    bool step_in_own_segments;   /* the optimizer's copies are larger than any
                                  segment that activations leave */
    bool holds_gathered_weights; /* ZeRO 3: until their backward, where they
                                    are not recomputed */
    bool pads_buckets;           /* of gradients and weights, with ZeRO 1 */
    bool offload_keeps_master; /* fp32 shards of the weights stay on the device
                                  when the optimizer is offloaded */
    double offload_gradient_bytes; /* sharded gradients that stay on the device
                                      while the optimizer is offloaded */
    double offload_link_bytes; /* per parameter and step that the host updates:
                                  gradients down and weights up; 0 = both in
                                  the job's data type */
    double offload_host_bytes; /* the same through the host's memory; 0 = 30 */
    bool adds_in_product;      /* gradients of weights to fp32 sums, without a
                                kernel of its own */
    double wgrad_pass_bytes;   /* per parameter and micro-batch: gradients added
                                by a kernel of their own; 0 = in the GEMM */
    double gather_pass_bytes;  /* per parameter and gather: flatten and cast */
    double optimizer_pass_bytes; /* per owned parameter and step */
    double gradient_passes;      /* over the gradients that are reduced, a step:
                               zeroed, scaled, checked; in reads and writes */
    double metric_pass_bytes;    /* per logit and micro-batch: metrics that are
                                 computed beside the loss */
    p3d_loss usual_loss;
    int vocab_multiple;  /* times tp */
    bool gathers_logits; /* of the whole vocabulary, on every tensor-parallel
                            rank, before the loss */
    double logits_hole_bytes; /* per logit that it gathers: segments that lie
                                 between them and stay split; in their place,
                                 others are taken as given back when memory
                                 runs short; 0 = not known, typical holes */
    int held_logits; /* micro-batches whose 16-bit logits stay in buffers of
                            the pipeline, the one at hand among them */
    bool autocasts;  /* PyTorch's autocast of fp32 weights */
    bool expands_keys_values;     /* to as many heads as the queries */
    double head_norm_extra_bytes; /* as those of kept, of the final norm; of a
                                     LayerNorm those of kept */
    bool copies_keys_values;      /* packed for the attention kernel, beside the
                                  output of their projection */
    bool copies_output;   /* of attention, for the output projection, when
                                  a micro-batch has several sequences */
    p3d_kept kept;        /* as usual */
    p3d_kept kept_eager;  /* not compiled, where `compiles` */
    p3d_kept kept_liger;  /* with Liger's kernels, where it can have them */
    bool compiles;        /* torch.compile on the layers, as usual */
    bool pure_16;         /* weights and moments in 16 bit, as usual */
    bool swaps_reference; /* a program on it has the reference in the host's
                             memory until its pass */
    bool keeps_gathered_input; /* sequence-parallel linears keep their whole
                                  input instead of gathering it again */
    bool opens_groups;         /* communicators beside those of the axes: of all
                                  ranks, of a replica, to each neighbour */
    bool transformer_engine;   /* its workspaces and dummy gradients */
    bool fuses_collectives;    /* of tensor parallelism with products (MC2) */
    bool one_program;          /* a compiler plans all memory of a step: no
                                  caching allocator, nothing of libraries */
    bool replays_needed;       /* full recomputation leaves out what no backward
                                  pass needs: a layer's last product */
    bool fuses_yarn;           /* positions of latent attention in one kernel
                                  where they are YaRN's, not others */
    p3d_devices devices;       /* that it runs on */
    unsigned fp8_recipes; /* bit r: p3d_fp8_recipe r, the lowest is usual; 0 =
                             delayed scaling, by the Transformer Engine of its
                             day */
    bool nvfp4;
    int pipeline_tensors;    /* of the boundary's size, kept per micro-batch in
                                  flight beside the activations */
    bool partitions_outputs; /* with tensor parallelism alone, a rank keeps its
                                share of the output instead of them */
    int n_cublas_workspaces; /* handles of GEMMs in a process */
    unsigned modules;        /* that it can recompute alone */
    unsigned unsearched_modules; /* the same: where a plan or a pin has them,
                                    the search leaves them out */
    unsigned usual_modules; /* of selective recomputation when none are named */
    unsigned always_modules; /* recomputed in each layer: the search proposes no
                                less where nobody asks for it */
    unsigned delayed_keeps;  /* modules that fp8 by delayed scaling does not
                                recompute alone */
    bool offloads_delayed;   /* fp8 weights beside an optimizer on the host by
                                delayed scaling alone */
    unsigned sharded_optimizers; /* bit o: p3d_optimizer o, with ZeRO 2 and 3;
                                    0 = all */
    p3d_attention attention[2];  /* usual kernel: before sm90, from it on */
    unsigned kernels;     /* bit k: attention kernel k that it can call */
    int sdpa_cudnn_since; /* year from which PyTorch's attention, which it
                             calls, is cuDNN's on sm90 and sm10x; 0 = it calls
                             another */
    unsigned overlap_dp;  /* bit z: data-parallel communication beside passes,
                            with ZeRO stage z */
    unsigned overlap_dp_asked;     /* the same where a job asks for it */
    bool overlap_dp_no_pipeline;   /* asking has no effect with pp > 1 */
    double reduce_bucket;          /* gradients that travel at once, all of a
                                    bucket before any; 0 = all of a rank's */
    double reduce_bucket_per_rank; /* at least so many for each replica */
    bool shares_by_layer;          /* ZeRO 3: a layer is gathered and reduced at
                                    once */
    bool async_tensor_parallel[2]; /* in backward, beside products; without and
                                      with sequence parallelism */
    bool reduces_gate_apart; /* both products into a gated MLP all-reduce the
                                gradient of their input, each for itself */
    bool scatters_boundary; /* each tensor-parallel rank sends its share of what
                                a pipeline passes on */
    bool waits_for_chunks;  /* interleaved: the next pass begins when what one
                               sent is there */
    double reduce_bytes;    /* per gradient on the wire; 0 = 4 */
    bool reduces_whole;     /* ZeRO 1: gradients are all-reduced, by all
                                replicas, not scattered */
    bool gathers_after_step; /* weights, beside nothing */
    bool adds_copies_once;   /* ZeRO 3 by a part of the replicas: gradients over
                              the parts once a step */
    bool overlaps_copies;    /* that runs beside the backward pass */
    p3d_pass_bytes pass_eager; /* not compiled, where `compiles` */
    p3d_pass_bytes pass_liger; /* with Liger's kernels, if it can have them */
    p3d_softmax softmax[2]; /* of unfused attention, of a 16-bit run and of one
                               in fp32, through fp32 copies that it keeps; of
                               zeros: a fused kernel on scores as they are */
    p3d_softmax softmax_apart; /* of a 16-bit run where the fused kernel does
                                  not take the scores; zeros: it takes all */
    int softmax_most_keys;     /* that the fused kernel takes */
    p3d_pass_bytes pass[2]; /* GPT-like layers; LLaMA-like, with gated MLPs */
    double host_s_per_kernel;
    double added_host_frac;   /* of the shorter of launches and device time in a
                               pass, that adds to the longer */
    double host_s_per_module; /* of a linear or attention module's first kernel,
                                 forward and backward; 0 = as a kernel */
    double memory_error_frac; /* of this framework's peaks, typical */
} p3d_framework;

/** The table of frameworks; n receives its length. */
const p3d_framework *p3d_frameworks(int *n);

/** Find one by name ("megatron-core", "deepspeed", "fsdp2", "generic") or
 *  alias; NULL when there is none. */
const p3d_framework *p3d_framework_find(const char *name);

/** The framework whose rules and bytes it takes: itself, or the one it is like.
 *  @return NULL where it is NULL */
const char *p3d_framework_costs_name(const p3d_framework *framework);

/** The k-th alias of a framework ("mcore"); NULL past the last. */
const char *p3d_framework_alias(const p3d_framework *framework, int k);

enum { P3D_MAX_FRAMEWORKS = 32 };

/** Some frameworks, in the order of the table. */
typedef struct p3d_framework_list {
    int n;
    const p3d_framework *at[P3D_MAX_FRAMEWORKS];
} p3d_framework_list;

struct p3d_gpu;

/** Those that a new run would choose from. @param gpu  that they run on; NULL =
 *  any */
p3d_framework_list p3d_frameworks_current(const struct p3d_gpu *gpu);

P3D_API_END

#endif

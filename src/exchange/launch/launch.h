/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h - a training launch between the planner's structs and the options
 * of frameworks: what both exporters and importers go through. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_LAUNCH_H
#define PLAN3D_EXCHANGE_LAUNCH_LAUNCH_H

#include "base/text.h"
#include "exchange/read/settings.h"
#include "plan3d/estimate.h"

enum { P3D_LAYOUT = 8192 };

/** Which layers full recomputation takes: groups of some from one input, or the
 *  first ones of a stage. */
typedef enum p3d_recompute_method {
    P3D_METHOD_NONE,
    P3D_METHOD_UNIFORM,
    P3D_METHOD_BLOCK,
    P3D_N_METHODS
} p3d_recompute_method;

/** What files say in place of the fields of model, job and plan; each target
 *  fills and reads the part that it has. */
typedef struct p3d_launch_said {
    int n_found[2]; /* options of each table that files have */
    /* The world and the batch. */
    int n_gpus, n_nodes, gpus_per_node; /* 0 = not said */
    int64_t n_micro_batches;            /* of a replica and step */
    int64_t micro_tokens;               /* of a replica's micro-batch */
    int64_t step_tokens;
    int64_t replica_batch; /* sequences per step */
    int pipeline_batch;    /* sequences of a pipeline's micro-batch */
    /* Which replicas share states, and how far. */
    int shard;     /* replicas of dp alone that share; 0 = the rest */
    int replicate; /* groups of those */
    int instances; /* the same, with cp among the replicas */
    bool distributed_optimizer, fsdp;
    int sharding;     /* ZeRO stage of FSDP */
    bool reshard;     /* weights after the forward pass */
    int distribution; /* 0 = FSDP */
    /* Recomputation and offload. */
    int granularity; /* p3d_recompute */
    int method;      /* p3d_recompute_method */
    int method_layers;
    char modules[P3D_LAYOUT];
    bool recompute;             /* all layers; Megatron-LM: its usual modules */
    bool offload;               /* of the optimizer */
    int device, weights_device; /* none, cpu, nvme */
    double offload_frac;        /* of the optimizer's states; 1 = all */
    /* Stages. */
    int layers_per_stage;
    int stage_layers;          /* per virtual stage; 0 = not said */
    int first_less, last_less; /* layers that the ends have fewer */
    char layout[P3D_LAYOUT];   /* Megatron-LM's, of layers; "" = even */
    /* The model. */
    bool grouped_query, bias, qkv_bias, untied, latent;
    int position; /* 0 learned, 1 rotary */
    double attention_dropout, hidden_dropout;
    char moe_layers[P3D_LAYOUT]; /* pattern of expert layers; "" = all */
    int expert_every;            /* layers from one with experts to the next */
    bool expert_tp;              /* experts are split over tp */
    /* The job. */
    bool fp16, bf16, fp32;
    int fp8;       /* 0 = none; its formats are alike here */
    bool grads_16; /* gradients are added up in 16 bit */
    int dispatcher, flex_backend;
    bool deepep;
    int fusion; /* of the loss: 0 none, 1 of any kind */
    int fusion_kind;
    bool flash;    /* fused attention */
    bool compiled; /* torch.compile */
    bool no_graphs;
    int sequence_mode; /* 0 = none */
} p3d_launch_said;

typedef struct p3d_launch {
    p3d_model model;
    p3d_job job;
    p3d_plan plan;
    int n_gpus, n_nodes, gpus_per_node;
    int sm; /* of the GPU; 0 = not NVIDIA's */
    p3d_launch_said said;
} p3d_launch;

/** How an option is written and read. */
typedef enum p3d_option_kind {
    P3D_OPTION_HEAD,   /* no option: `name` is a heading */
    P3D_OPTION_FIXED,  /* always `text`, or a flag when that is NULL */
    P3D_OPTION_FLAG,   /* bool: there when true */
    P3D_OPTION_UNFLAG, /* bool: there when false */
    P3D_OPTION_MEANS,  /* int: there when it is `value` */
    P3D_OPTION_BOOL,   /* bool: true or false */
    P3D_OPTION_INT,    /* int >= `value` */
    P3D_OPTION_COUNT,  /* int64_t >= `value` */
    P3D_OPTION_REAL,
    P3D_OPTION_WORD, /* int: a word of `words` */
    P3D_OPTION_CHARS /* char[P3D_LAYOUT] */
} p3d_option_kind;

/** One option of a framework: its name, and the field that it is. */
typedef struct p3d_option {
    const char *name;
    p3d_option_kind kind;
    size_t offset; /* into p3d_launch */
    int value;
    const char *text;
    const char *const *words; /* by value; NULL = cannot be said */
    int n_words;
    bool raw; /* Python: a word without quotes; of a heading: a statement that
                 the options up to the next heading are under */
    bool shy; /* left out where it is the default */
    bool (*when)(const p3d_launch *); /* NULL = always */
    const char *logged; /* name in a dump of arguments, where it differs */
    bool logged_not;    /* and the opposite there */
} p3d_option;

/* When options are written. */
bool exchange_never(const p3d_launch *launch); /* read only */
bool exchange_has_experts(const p3d_launch *launch);
bool exchange_is_latent(const p3d_launch *launch);
bool exchange_is_not_latent(const p3d_launch *launch);
bool exchange_has_groups(const p3d_launch *launch);
bool exchange_offloads(const p3d_launch *launch);
bool exchange_has_pipeline(const p3d_launch *launch);
bool exchange_has_chunks(const p3d_launch *launch);
/** Chunks whose number no layout says; a layout goes with no other option. */
bool exchange_has_plain_chunks(const p3d_launch *launch);
bool exchange_splits_experts(const p3d_launch *launch);
bool exchange_uses_flex(const p3d_launch *launch); /* Megatron's */
bool exchange_uses_fsdp(const p3d_launch *launch); /* Megatron's */

/** Offset of a member of p3d_launch, with its type checked. */
#define P3D_LAUNCH_AT(member, T)                                               \
    (offsetof(p3d_launch, member) +                                            \
            0 * sizeof(char[_Generic(((p3d_launch *)0)->member, T : 1, default \
                                     : -1)]))
/** The same for an enumeration, which is as wide as an int. */
#define P3D_LAUNCH_ENUM(member)                                              \
    (offsetof(p3d_launch, member) +                                          \
            0 * sizeof(char[sizeof(((p3d_launch *)0)->member) == sizeof(int) \
                                    ? 1                                      \
                                    : -1]))

/** The value of an option as text without quotes.
 *  @return false where the option is not to be written */
bool exchange_option_print(const p3d_option *option, const p3d_launch *launch,
        const p3d_launch *defaults, p3d_text *out);

/** True where the option has a value to be quoted, in files that quote. */
bool exchange_option_quoted(const p3d_option *option);

/**
 * Read an option's value into a launch.
 *
 * @param value  NULL = a flag
 * @return false with P3D_DATA: the option and what to write
 */
P3D_CHECK bool exchange_option_parse(const p3d_option *option,
        const char *value, p3d_launch *launch, p3d_error *err);

#endif

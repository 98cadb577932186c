/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - frameworks that launches are written for and read from: a launch
 * between the planner's structs and their options, and a table of options each,
 * for both ways. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_TARGET_H
#define PLAN3D_EXCHANGE_LAUNCH_TARGET_H

#include "base/text.h"
#include "plan3d/estimate.h"
#include "plan3d/pools.h"
#include "json/field.h"

enum {
    EXCHANGE_LAYOUT = 8192,
    EXCHANGE_N_AXES = 5,
    EXCHANGE_ALPHA_OF_RANK = 2 /* of adapters, as LLaMA-Factory has it */
};

/** Which layers full recomputation takes: groups of some from one input, or the
 *  first ones of a stage. */
typedef enum exchange_method {
    EXCHANGE_METHOD_NONE,
    EXCHANGE_METHOD_UNIFORM,
    EXCHANGE_METHOD_BLOCK,
    EXCHANGE_N_METHODS
} exchange_method;

/** What files say in place of the fields of model, job and plan; each target
 *  fills and reads the part that it has. */
typedef struct exchange_said {
    int n_found[2]; /* options of each table that files have */
    /* The world and the batch. */
    int n_gpus, n_nodes, gpus_per_node; /* 0 = not said */
    int64_t n_micro_batches;            /* of a replica and step */
    int64_t micro_tokens;               /* of a replica's micro-batch */
    int64_t step_tokens;
    int64_t replica_batch; /* sequences per step */
    int64_t prompts;       /* of a step, with as many answers each */
    int answers;
    int prompt_tokens, answer_tokens; /* together a sequence */
    int pipeline_batch; /* sequences of a pipeline's micro-batch */
    int64_t n_flushes;  /* times a step that a pipeline runs empty; 0 = 1 */
    /* Which replicas share states, and how far. */
    int shard;             /* replicas of dp alone that share; 0 = the rest */
    int replicate;         /* groups of those */
    int instances;         /* the same, with cp among the replicas */
    int64_t rotary_base;   /* of a model's, what is whole; 0 = not said */
    bool stretches_rotary; /* positions as Llama 3.1 does, */
    double stretch;        /* so many times; 0 = not said */
    int beta_fast, beta_slow; /* of YaRN, what is whole; 0 = not said */
    int rotary_kind;          /* 0 plain, 1 YaRN: of latent attention */
    int rotary_divisor;       /* of positions; 0 = none */
    bool distributed_optimizer, fsdp;
    bool overlaps_dp;    /* gradients are reduced beside the passes, */
    bool gathers_beside; /* and weights are gathered */
    int sharding;        /* ZeRO stage of FSDP */
    bool reshard;        /* weights after the forward pass */
    int distribution;    /* 0 = FSDP */
    /* Recomputation and offload. */
    int granularity; /* p3d_recompute */
    int method;      /* exchange_method */
    int method_layers;
    char modules[EXCHANGE_LAYOUT];
    bool recompute;  /* all layers; Megatron-LM: its usual modules */
    bool keeps_all;  /* no layer is recomputed */
    int every_layer; /* one of so many layers is recomputed; 0 = not said */
    bool offload;    /* of the optimizer */
    int device, weights_device; /* none, cpu, nvme */
    double offload_frac;        /* of the optimizer's states; 1 = all */
    int offload_layers;         /* whose activations are offloaded */
    bool offloads_activations;  /* of all layers */
    /* Context parallelism. */
    int cp_exchange; /* p3d_cp_comm; one more = both */
    char cp_sizes[EXCHANGE_LAYOUT];
    /* Stages. */
    int layers_per_stage;
    int rounds_stages;         /* to a multiple of pp: 0 never, 1 up, 2 down */
    int stage_layers;          /* per virtual stage; 0 = not said */
    int first_less, last_less; /* layers that the ends have fewer */
    bool counts_embedding, counts_loss; /* as a layer each */
    char layout[EXCHANGE_LAYOUT]; /* Megatron-LM's, of layers; "" = even */
    /* FlagScale's parts of a pipeline, one after the other, with blanks
     * between: tp cp ep dp pp of each, layers of each stage, GPUs of each. */
    bool has_meshes;
    char meshes[EXCHANGE_LAYOUT];
    char mesh_layers[EXCHANGE_LAYOUT];
    char mesh_types[EXCHANGE_LAYOUT];
    char devices[EXCHANGE_LAYOUT]; /* of a node: "0,1,2,3" */
    /* The model. */
    bool grouped_query, bias, qkv_bias, untied, latent;
    int position; /* 0 learned, 1 rotary, 2 YaRN */
    /* What holds the load of experts even: one or more words, and weights. */
    char balance[EXCHANGE_LAYOUT];
    char balance_weights[EXCHANGE_LAYOUT];
    double attention_dropout, hidden_dropout;
    char tokenizer[EXCHANGE_LAYOUT];
    char tokenizer_file[EXCHANGE_LAYOUT];
    char merges[EXCHANGE_LAYOUT];     /* of pairs of bytes; "" = none */
    char component[EXCHANGE_LAYOUT];  /* function that builds the model */
    char checkpoint[EXCHANGE_LAYOUT]; /* how its checkpoint names tensors */
    char moe_layers[EXCHANGE_LAYOUT]; /* pattern of expert layers; "" = all */
    int expert_every; /* layers from one with experts to the next */
    int dense_layers; /* the first ones, without experts */
    bool expert_tp;   /* experts are split over tp */
    /* The job. */
    bool fp16, bf16;
    bool pure;                        /* weights and states are in 16 bit */
    int fp8;                          /* 0 = none; its formats are alike here */
    int fp8_recipe;                   /* p3d_fp8_recipe */
    int fp4;                          /* 0 = none, 1 = nvfp4 */
    bool fp4_weights;                 /* as fp8_weights */
    char converters[EXCHANGE_LAYOUT]; /* of linears to fp8; "" = none */
    int precision;    /* of a recipe that names all of these in one word */
    bool fp8_weights; /* kept and gathered in fp8 */
    int wire_type;    /* of gradients: 0 not said, fp32, fp16, bf16 */
    int one_bit;      /* 1-bit Adam */
    bool grads_16;    /* gradients are added up in 16 bit */
    int dispatcher, flex_backend;
    bool deepep;
    int fusion; /* of the loss: 0 none, 1 of any kind */
    int fusion_kind;
    bool liger;           /* kernels of Liger, its loss among them */
    bool liger_layers;    /* those of layers alone */
    bool compiles_layers; /* torch.compile, in place of transformers' */
    bool flash;           /* fused attention */
    bool compiled;        /* torch.compile */
    bool no_graphs;
    /* Adapters. */
    char adapted[EXCHANGE_LAYOUT];       /* modules that have them, "all" */
    char adapted_names[EXCHANGE_LAYOUT]; /* a pattern of their names */
    char whole_modules[EXCHANGE_LAYOUT]; /* that are trained in full beside */
    int adapter_alpha;                   /* their product counts alpha / rank */
    bool swaps_reference;                /* from the host's memory, and back */
    int n_outputs;                       /* of a head of numbers; 0 = words */
    bool freezes_tower;                  /* that sees or hears */
    bool freezes_projector;              /* behind it */
    int sequence_mode;                   /* 0 = none */
    bool regathers; /* nanotron: inputs of linears are gathered again */
    /* MaxText: axes of the mesh, between slices and within one, from data to
     * tensor; -1 = what is left. Words of its tables. */
    int slices[EXCHANGE_N_AXES], chips[EXCHANGE_N_AXES];
    int block, attention_type, shared_experts;
    double device_batch; /* sequences of a micro-batch for each device */
} exchange_said;

/** Hosts of one type, where there are several types. */
typedef struct exchange_hosts {
    char type[48]; /* a word */
    int n_gpus;    /* that are used */
    int gpus_per_node;
} exchange_hosts;

typedef struct exchange_launch {
    p3d_model model;
    p3d_job job;
    p3d_plan plan;
    int n_gpus, n_nodes, gpus_per_node;
    int gpus_per_slice; /* that NVLink, or ICI of TPUs, joins */
    int sm;             /* of the GPU; 0 = not NVIDIA's */
    bool hosts_listed;  /* the plan is for hosts in an order that was said */
    int n_types;
    exchange_hosts types[P3D_MAX_POOLS];
    exchange_said said;
} exchange_launch;

/** How an option is written and read. */
typedef enum exchange_kind {
    EXCHANGE_HEAD,  /* no option: `name` is a heading */
    EXCHANGE_FIXED, /* always `text`, or a flag when that is NULL */
    EXCHANGE_FLAG,  /* there when the member is `value` */
    EXCHANGE_VALUE  /* the member's own */
} exchange_kind;

/** One option of a framework: its name, and the member that it is. What a
 *  number may be is in the tables of model, job and plan (spec/given.h), from 0
 *  on in none. */
typedef struct exchange_option {
    json_field field; /* a member of exchange_launch under the option's name;
                         words by value, NULL = cannot be said */
    exchange_kind kind;
    int n_words;
    int value; /* of a number: the least where it is not the member's; below 0
                  stands for the framework's own choice */
    const char *text; /* of a heading of Python, not NULL: a statement with
                         nothing under it */
    bool raw; /* Python: a word without quotes; of a heading: a statement that
                 the options up to the next heading are under */
    bool shy; /* left out where it is the default */
    bool (*when)(const exchange_launch *); /* NULL = always */
    const char *logged; /* name in a dump of arguments, where it differs */
    bool logged_not;    /* and the opposite there */
} exchange_option;

/** How the options of a table stand in a file. */
typedef enum exchange_form {
    EXCHANGE_ARGUMENTS, /* --name value, in the launch script */
    EXCHANGE_OVERRIDES, /* name=value of Hydra, likewise */
    EXCHANGE_JSON,      /* nested objects by the dots of the names */
    EXCHANGE_YAML,
    EXCHANGE_SECTIONS, /* YAML of what are arguments elsewhere: "_" for "-", a
                          list of words, under the sections that the headings
                          have as `text` */
    EXCHANGE_FIELDS,   /* Python: config.name = value */
    EXCHANGE_CALLS     /* Python: a heading "x = Class", then its arguments */
} exchange_form;

/** Options that stand together. */
typedef struct exchange_table {
    exchange_form form;
    const char *file;           /* NULL for arguments */
    const char *before, *after; /* lines around them; NULL = none */
    const exchange_option *options;
    int n_options;
    const char *const *without; /* names of those that this target has not, and
                                   never writes; ends in NULL, NULL = none */
} exchange_table;

/** What starts the processes on a node. */
typedef enum exchange_runner {
    EXCHANGE_RUN_TORCH,      /* torchrun, a process a GPU */
    EXCHANGE_RUN_ACCELERATE, /* accelerate launch */
    EXCHANGE_RUN_NODE,       /* one process a node */
    EXCHANGE_RUN_HOST, /* one process a host of a TPU slice, which finds the
                          others by itself */
    EXCHANGE_RUN_RAY,  /* one process; Ray starts the others */
    EXCHANGE_RUN_SSH   /* one process, which starts the others by ssh, on the
                        hosts of a list */
} exchange_runner;

/** A program in Python that runs a user's script in its own way. */
typedef struct exchange_wrapper {
    const char *file;
    const char *text;    /* behind the lines of every file's head */
    const char *program; /* in place of the target's */
    bool (*when)(const exchange_launch *);
} exchange_wrapper;

/** A framework as files know it. */
typedef struct exchange_target {
    const char *name;
    const char *title;
    const char *versions;  /* that the names of the options were read from */
    const char *framework; /* profile of its costs and rules */
    bool nearest;     /* the profile is that of the framework most like it */
    const char *also; /* profile of another framework that it runs too, for
                         which no files are written; NULL = none */
    exchange_table tables[2];
    int n_tables;
    const char *reads_as; /* the target whose names those of its files become;
                             its own where the front end alone knows them; NULL
                             = its options do */
    const char *front;    /* and the front end (exchange/read/front.h) that
                             gives them; NULL = none */
    const char *const *unmodelled; /* options that change what runs, in a way
                                      that no plan says; ends in NULL */
    const char *const *names;      /* all options of its program, those that no
                                    plan has a part of, too; likewise; NULL =
                                    not known */
    const char *const *harmless; /* options whose names look like a part of the
                                    plan and which have none; likewise */
    exchange_runner runner;
    const char *program; /* of the launch script, as a shell reads it */
    const exchange_wrapper *wrapper; /* NULL = none */
    bool next_tokens;   /* it trains each token of a text on those before it,
                            and gives the model nothing else */
    bool own_allocator; /* no PYTORCH_CUDA_ALLOC_CONF may be set for it */
    /** Take from the profile what this framework has not; NULL = nothing. */
    void (*narrow)(p3d_framework *framework);
    /** Take what its present version has no more: such files are read, and
     *  not written; NULL = nothing. */
    void (*retire)(p3d_framework *framework);
    /** What holds where files say nothing. */
    void (*defaults)(exchange_launch *launch);
    /** Refuse models and plans that the options cannot say; NULL = none. */
    bool (*can_say)(const exchange_launch *launch, p3d_refusal *refusal);
    /** Fill launch->said from model, job and plan. */
    void (*say)(exchange_launch *launch);
    /** Make a model of what was read, whose sizes are within
     *  spec/sizes.h; NULL where the options say none.
     *  @return false with P3D_DATA */
    bool (*settle_model)(exchange_launch *launch, p3d_error *err);
    /** The way back from launch->said; n_gpus, model and framework are set.
     *  NULL where the files are read as those of another target.
     *  @return false with P3D_DATA: what contradicts itself */
    bool (*settle)(exchange_launch *launch, p3d_error *err);
    /** Whose sources' folder it runs in; NULL = any. */
    const char *folder;
    /** Lines on what is lost or left to the user, those of every launch first;
     *  NULL = none. */
    const char *notes;
    void (*note)(const exchange_launch *launch, p3d_text *lines);
    /** Lines of the launch script that set variables; the same. */
    const char *variables;
    void (*environment)(const exchange_launch *launch, p3d_text *lines);
} exchange_target;

/** The i-th in the order of the help; NULL past the last. */
const exchange_target *exchange_target_at(int i);

/** Find one by its name. @return NULL with P3D_USAGE and did-you-mean */
const exchange_target *exchange_target_find(const char *name, p3d_error *err);

/** The profile of a target's framework, less what the target has not; its
 *  name is the target's where the profile is only the nearest. */
p3d_framework exchange_target_framework(const exchange_target *target);

/** The same less what its present version has no more: for launches that are
 *  written. */
p3d_framework exchange_target_framework_now(const exchange_target *target);

/** The launch of a plan, ready to be written. */
exchange_launch exchange_launch_of(const exchange_target *target,
        const p3d_problem *problem, const p3d_plan *plan);

/** The launch of a plan on pools whose replicas are all alike, by FlagScale:
 *  a part of the pipeline for each stage. */
exchange_launch exchange_launch_of_pools(
        const p3d_pools_problem *problem, const p3d_pools_plan *plan);

/** Refuse what the target's files cannot say: X1 a model, X2 a job, X3 a
 *  plan. @return true when they can */
bool exchange_target_can_say(const exchange_target *target,
        const exchange_launch *launch, p3d_refusal *refusal);

/** Whether data-parallel communication is to run beside the passes. */
bool exchange_says_overlap(const exchange_launch *launch);

/** Set whether data-parallel communication runs beside the passes, from what
 *  the files say of it: usual where the framework does so by itself, or where
 *  it has no effect on the stage of ZeRO. */
void exchange_settle_overlap(exchange_launch *launch, bool is_said);

/** Replicas that are left over by the sizes of a plan.
 *  @return false with P3D_DATA where the sizes do not divide the GPUs */
P3D_CHECK bool exchange_settle_replicas(
        exchange_launch *launch, p3d_error *err);

/** The same where plan.dp is what the files say of them; 0 = nothing.
 *  @return false with P3D_DATA where it is another number */
P3D_CHECK bool exchange_settle_said_replicas(
        exchange_launch *launch, p3d_error *err);

/** Sequences per step, of the plan's micro-batch and replicas and of
 *  said.n_micro_batches. */
int64_t exchange_said_batch(const exchange_launch *launch);

/** Experts as the rest of a layer, recomputation of all layers or none, and
 *  the batch as exchange_said_batch() has it. */
void exchange_settle_usual(exchange_launch *launch);

/** Sizes where files say nothing: one of each, but for the replicas. */
p3d_plan exchange_unsaid_plan(void);

/** Say which replicas share the states: groups of dp alone, in said.shard and
 *  said.replicate; and the way back. */
void exchange_say_shard(exchange_launch *launch);
P3D_CHECK bool exchange_settle_shard(exchange_launch *launch, p3d_error *err);

/** Refuse (X3) a number of micro-batches in a row of the plan's own. */
bool exchange_can_say_group(
        const exchange_launch *launch, p3d_refusal *refusal);

/** The data type of said.fp16 and its like. @return false with P3D_DATA */
P3D_CHECK bool exchange_settle_dtype(exchange_launch *launch, p3d_error *err);

/** Write a reason. @return false */
bool exchange_target_refuse(p3d_refusal *refusal, const char *rule,
        const char *fmt, ...) P3D_PRINTF(3, 4);

/** Words of EXCHANGE_OF_TRAINERS, by p3d_reference. */
extern const char *const exchange_references[P3D_N_REFERENCES];

/** Likewise, by p3d_optimizer. */
extern const char *const exchange_optimizers[P3D_N_OPTIMIZERS];

/* When options are written. */
bool exchange_never(const exchange_launch *launch); /* read only */
bool exchange_has_experts(const exchange_launch *launch);
bool exchange_offloads(const exchange_launch *launch);
bool exchange_has_pipeline(const exchange_launch *launch);
bool exchange_has_chunks(const exchange_launch *launch);
bool exchange_has_one_chunk(const exchange_launch *launch);
bool exchange_splits_experts(const exchange_launch *launch);
bool exchange_has_liger(const exchange_launch *launch);

/** True for an option whose value is of a kind. */
bool exchange_is(const exchange_option *option, json_kind kind);

/** The word for what a launch has where an option with words is; NULL = cannot
 *  be said. */
const char *exchange_word(
        const exchange_option *option, const exchange_launch *launch);

/** The value of an option as text without quotes.
 *  @return false where the option is not to be written */
bool exchange_option_print(const exchange_option *option,
        const exchange_launch *launch, const exchange_launch *defaults,
        p3d_text *out);

/**
 * Read an option's value into a launch.
 *
 * @param value  NULL = a flag
 * @return false with P3D_DATA: the option and what to write
 */
P3D_CHECK bool exchange_option_parse(const exchange_option *option,
        const char *value, exchange_launch *launch, p3d_error *err);

/** True for an option of a table that its target has. */
bool exchange_table_has(
        const exchange_table *table, const exchange_option *option);

/** Append the options of a table, each in its form. */
void exchange_form_write(const exchange_table *table,
        const exchange_launch *launch, const exchange_launch *defaults,
        p3d_text *out);

/** `variables` where the user writes the script: its name, and where it finds
 *  the plan's file. */
#define EXCHANGE_OWN_SCRIPT             \
    "export TRAIN=${TRAIN:-train.py}\n" \
    "export PYTHONPATH=$HERE:${PYTHONPATH:-}\n"

extern const exchange_target exchange_to_megatron;
extern const exchange_target exchange_to_bridge;
extern const exchange_target exchange_to_deepspeed;
extern const exchange_target exchange_to_accelerate;
extern const exchange_target exchange_to_torchtitan;
extern const exchange_target exchange_to_nanotron;
extern const exchange_target exchange_to_colossalai;
extern const exchange_target exchange_to_lightning;
extern const exchange_target exchange_to_lightning_ddp;
extern const exchange_target exchange_to_jax;
extern const exchange_target exchange_to_hf_deepspeed;
extern const exchange_target exchange_to_hf_fsdp;
extern const exchange_target exchange_to_llama_factory;
extern const exchange_target exchange_to_axolotl;
extern const exchange_target exchange_to_ms_swift;
extern const exchange_target exchange_to_ms_swift_megatron;
extern const exchange_target exchange_to_torchtune;
extern const exchange_target exchange_to_verl;
extern const exchange_target exchange_to_flagscale;
extern const exchange_target exchange_to_mindspeed;
extern const exchange_target exchange_to_maxtext;

/** Append each line of a text behind "# ", so that no name in it ends the
 *  comment. */
void exchange_comment_write(const char *lines, p3d_text *out);

#endif

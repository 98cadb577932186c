/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.h - programs that run on one of the targets and have names and defaults
 * of their own: their options become those of the target, by tables. */
#ifndef PLAN3D_EXCHANGE_READ_FRONT_H
#define PLAN3D_EXCHANGE_READ_FRONT_H

#include "base/text.h"
#include "exchange/launch/target.h"
#include "exchange/read/read.h"

enum { EXCHANGE_FRONT_MARKS = 4, EXCHANGE_FRONT_NEEDS = 4 };

/** One option of a front end. */
typedef struct exchange_rename {
    const char *from;  /* case, "-" and "_" are alike */
    const char *is;    /* the row is of this value alone; a flag is "true"; NULL
                          = of any */
    const char *to;    /* name of the target; NULL = it has no part in a plan */
    const char *value; /* NULL = as it is */
    bool implies;      /* `from` stays, and `to` is set where nothing says it */
} exchange_rename;

/** A setting of front ends on transformers: numbers that the head has in place
 *  of words, as AutoModelForSequenceClassification's. */
#define EXCHANGE_OUTPUTS "outputs_of_the_head"

/** Words for preference training: LLaMA-Factory's hparams/finetuning_args.py,
 *  ms-swift's arguments/rlhf_args.py, axolotl's utils/schemas/enums.py,
 *  programs
 *  of TRL and alignment-handbook. Those without a reference cost as one whose
 *  answers are written down. */
#define EXCHANGE_PREFERENCES                                                   \
    {"pref_loss", "orpo", EXCHANGE_PREFERENCE, "pairs", true},                 \
            {"pref_loss", "simpo", EXCHANGE_PREFERENCE, "pairs", true},        \
            {"stage", "dpo", EXCHANGE_PREFERENCE, "self", true},               \
            {"stage", "kto", EXCHANGE_PREFERENCE, "kto", true},                \
            {"num_labels", NULL, EXCHANGE_OUTPUTS, NULL, false},               \
            {"stage", "rm", EXCHANGE_PREFERENCE, "pairs", true},               \
            {"rlhf_type", "rm", EXCHANGE_OUTPUTS, "1", true},                  \
            {"rlhf_type", "rm", EXCHANGE_PREFERENCE, "pairs", true},           \
            {"reward_model", "true", EXCHANGE_OUTPUTS, "1", true},             \
            {"reward_model", "true", EXCHANGE_PREFERENCE, "pairs", false},     \
            {"task_type", "seq_cls", EXCHANGE_OUTPUTS, "1", true},             \
            {"rlhf_type", "kto", EXCHANGE_PREFERENCE, "kto", true},            \
            {"rl", "kto", EXCHANGE_PREFERENCE, "kto", true},                   \
            {"preference_pairs", "kto.py", EXCHANGE_PREFERENCE, "kto", true},  \
            {"rlhf_type", "dpo", EXCHANGE_PREFERENCE, "self", true},           \
            {"rlhf_type", "orpo", EXCHANGE_PREFERENCE, "pairs", true},         \
            {"rlhf_type", "simpo", EXCHANGE_PREFERENCE, "pairs", true},        \
            {"rlhf_type", "cpo", EXCHANGE_PREFERENCE, "pairs", true},          \
            {"rl", "dpo", EXCHANGE_PREFERENCE, "self", true},                  \
            {"rl", "ipo", EXCHANGE_PREFERENCE, "self", true},                  \
            {"rl", "orpo", EXCHANGE_PREFERENCE, "pairs", true},                \
            {"rl", "simpo", EXCHANGE_PREFERENCE, "pairs", true},               \
            {"preference_pairs", "dpo.py", EXCHANGE_PREFERENCE, "self", true}, \
            {"preference_pairs", "dpo_tune.py", EXCHANGE_PREFERENCE, "self",   \
                    true},                                                     \
            {"preference_pairs", "dpo_tune_cache.py", EXCHANGE_PREFERENCE,     \
                    "precomputed", true},                                      \
            {"preference_pairs", "run_dpo.py", EXCHANGE_PREFERENCE, "self",    \
                    true},                                                     \
            {"preference_pairs", "orpo.py", EXCHANGE_PREFERENCE, "pairs",      \
                    true},                                                     \
    {                                                                          \
        "preference_pairs", "run_orpo.py", EXCHANGE_PREFERENCE, "pairs", true  \
    }

/** Words of transformers (training_args.py, OptimizerNames) for optimizers; a
 *  paged one is counted on the GPU. */
#define EXCHANGE_OPTIMIZERS_AS(name)                                          \
    {name, "muon", EXCHANGE_OPTIMIZER, "muon", false},                        \
            {name, "adamw_bnb_8bit", EXCHANGE_OPTIMIZER, "adam-8bit", false}, \
            {name, "adamw_8bit", EXCHANGE_OPTIMIZER, "adam-8bit", false},     \
            {name, "adamw_torch_8bit", EXCHANGE_OPTIMIZER, "adam-8bit",       \
                    false},                                                   \
            {name, "paged_adamw_8bit", EXCHANGE_OPTIMIZER, "adam-8bit",       \
                    false},                                                   \
            {name, "paged_adamw_32bit", EXCHANGE_OPTIMIZER, "adam", false},   \
            {name, "adafactor", EXCHANGE_OPTIMIZER, "adafactor", false},      \
    {                                                                         \
        name, "lion_32bit", EXCHANGE_OPTIMIZER, "lion", false                 \
    }
#define EXCHANGE_OPTIMIZERS \
    EXCHANGE_OPTIMIZERS_AS("optim"), EXCHANGE_OPTIMIZERS_AS("optimizer")

/** Words for activations that wait in the host's memory: axolotl@067b021c
 *  src/axolotl/utils/schemas/config.py (activation_offloading), TRL's
 *  SFTConfig, LLaMA-Factory@ff6d4d12 src/llamafactory/hparams/model_args.py
 *  (use_unsloth_gc), unsloth's checkpoints. */
#define EXCHANGE_ACTIVATIONS_AWAY                                              \
    {"activation_offloading", "false", NULL, NULL, false},                     \
            {"activation_offloading", "null", NULL, NULL, false},              \
            {"activation_offloading", "disk", "activations_on_disk", "true",   \
                    false},                                                    \
            {"activation_offloading", NULL, "offloads_activations", "true",    \
                    false},                                                    \
            {"use_unsloth_gc", "true", "offloads_activations", "true", false}, \
            {"unsloth_offload", "true", "offloads_activations", "true",        \
                    false},                                                    \
            {"gradient_checkpointing", "offload", "offloads_activations",      \
                    "true", true},                                             \
            {"gradient_checkpointing", "unsloth", "offloads_activations",      \
                    "true", true},                                             \
            {"gradient_checkpointing", "offload", "gradient_checkpointing",    \
                    "true", false},                                            \
    {                                                                          \
        "gradient_checkpointing", "unsloth", "gradient_checkpointing", "true", \
                false                                                          \
    }

/** What a front end sets where the files do not. */
typedef struct exchange_preset {
    const char *name;
    const char *value;
} exchange_preset;

/** Of programs that shard as FSDP does, in full: parameters in fp32 that are
 *  gathered in bf16, a checkpoint a layer, fused attention. */
enum { EXCHANGE_N_SHARDED_PRESETS = 8 };
extern const exchange_preset
        exchange_sharded_presets[EXCHANGE_N_SHARDED_PRESETS];

/** What follows from several options. */
typedef enum exchange_deriving {
    EXCHANGE_SUM,
    EXCHANGE_LESS, /* the first less the second, in its place; before the part
                      of the cluster is taken */
    EXCHANGE_PRODUCT,
    EXCHANGE_RATIO, /* of the first two, at least 1 */
    EXCHANGE_STEP,  /* a product with the number of replicas */
    EXCHANGE_FIT,   /* the ratio of the first two, or what is nearest to it that
                       divides the third by the number of replicas */
    EXCHANGE_SHARE, /* the first by the second and the number of replicas; none
                       where these do not divide it */
    EXCHANGE_UP     /* the first, rounded up to a multiple of the second */
} exchange_deriving;

/** An option that is set where nothing says it, or where `when` holds. */
typedef struct exchange_derived {
    const char *name;
    exchange_deriving how;
    const char *of[3]; /* "name", "name=number where nothing says it", "@node"
                          and "@all" for the GPUs of one and of all */
    const char *when;  /* marks; NULL = always */
} exchange_derived;

/** A setting of front ends on transformers: the optimizer by plan3d's word. */
#define EXCHANGE_OPTIMIZER "optimizer_kind"

/** Likewise: training on pairs, with a reference
 *  ("self"), what it gave ("precomputed") or none ("pairs"), batches of which
 *  count pairs; or
 *  KTO's on single answers ("kto"). */
#define EXCHANGE_PREFERENCE "preference"

/** Likewise: training on answers that are generated, as ms-swift does. */
#define EXCHANGE_GRPO "grpo_training"

/** Likewise: Liger's kernels of the layers, beside another loss. */
#define EXCHANGE_LIGER_LAYERS "liger_layers"

/** Likewise: torch.compile makes the kernels of the layers. */
#define EXCHANGE_COMPILES_LAYERS "compiles_layers"

/** Likewise: flash-attention's kernel of the loss. */
#define EXCHANGE_FLASH_LOSS "flash_loss"

/** Likewise: norms of queries and keys over all heads. */
#define EXCHANGE_WIDE_NORMS "wide_norms_of_queries_and_keys"

/** Likewise: gradients are in 16 bit where GPUs add them up. */
#define EXCHANGE_REDUCED_16 "reduced_in_16_bit"

/** Likewise: weights, gradients and moments are
 *  in 16 bit. */
#define EXCHANGE_WEIGHTS_16 "weights_in_16_bit"

/** Likewise: all of these are in fp32, on torchtitan. */
#define EXCHANGE_WEIGHTS_32 "weights_in_32_bit"

/** What the files must say, under one of the names ("a|b"). */
typedef struct exchange_need {
    const char *names;
    const char *what; /* is missing */
    const char *set;  /* what --set gives it by: "bf16=true"; "--seq N" = that
                         option, where the target has a length by itself */
} exchange_need;

/** What a line of a front end is about. */
typedef enum exchange_remark_kind {
    EXCHANGE_SCOPE,       /* the answer is of this part of what runs */
    EXCHANGE_LACKS,       /* the answer lacks this */
    EXCHANGE_LACKS_OF_ALL /* likewise where all weights are trained */
} exchange_remark_kind;

/** Names of settings that are such lines begin with the mark of the kind. */
#define EXCHANGE_REMARKS "~&%"

/** A line on the answer, where all of its marks hold. */
typedef struct exchange_remark {
    exchange_remark_kind kind;
    const char *marks[3]; /* as those of the front end; "@one" = the cluster is
                             one GPU */
    const char *line;
} exchange_remark;

/** How much of each GPU something takes that stays there beside the step. */
typedef enum exchange_resident_kind {
    EXCHANGE_STATES,  /* fp32 weights and Adam's moments, shared by all GPUs */
    EXCHANGE_TRAINED, /* 16-bit weights and fp32 gradients as the plan shares
                         out layers; fp32 weights and moments by all GPUs */
    EXCHANGE_SHARDS,  /* 16-bit weights, shared by all GPUs */
    EXCHANGE_WEIGHTS, /* the same, as the plan shares out layers alone */
    EXCHANGE_PORTION  /* a part of the GPU's memory */
} exchange_resident_kind;

/** What a line says that the answer lacks, where it is known how much it takes:
 *  so much of each GPU is left to it. */
typedef struct exchange_resident {
    const char *line; /* as of the remark */
    const char *mark; /* must hold, too; NULL = nothing */
    exchange_resident_kind kind;
    const char *names; /* options, by "|": of the model, which is the trained
                          one where none is said; of the part of a GPU */
    const char *usual; /* part where none is said; NULL = not known */
} exchange_resident;

/** A front end. */
typedef struct exchange_front {
    const char *title;
    const char *versions; /* that names and defaults were read from; NULL = its
                             target's */
    const char *target;   /* NULL = names alone, whatever it runs on */
    const char *profile;  /* framework of its costs; NULL = the target's */
    /** Each must be among the settings: "name", "name=value", "part." for all
     *  that begin so, several by "|", "!" before what must not be there. */
    const char *marks[EXCHANGE_FRONT_MARKS];
    const char *prefix; /* taken off the names, several by "|"; NULL = none */
    const char *others; /* "part.", several by "|": of something else than the
                           step; NULL = none */
    const char *part;   /* mark under which the step has a part of the cluster,
                           nnodes x nproc-per-node, and others the rest; NULL =
                           all of it */
    bool guesses;       /* what its names mean is guessed, and said so */
    bool hands_on;      /* it takes all options of its target, by their names */
    bool has_lists;     /* which are arguments of several words there */
    const exchange_rename *renames;
    int n_renames;
    const exchange_preset *presets;
    int n_presets;
    const exchange_derived *derived;
    int n_derived;
    exchange_need needs[EXCHANGE_FRONT_NEEDS];
    const char *beside; /* what usually says what is missing; NULL = a file */
    const char *model;  /* options with the model's name, by "|" */
    const exchange_remark *remarks;
    int n_remarks;
    const exchange_resident *residents;
    int n_residents;
} exchange_front;

/** The i-th of them; NULL past the last. */
const exchange_front *exchange_front_at(int i);

/** Some of them. */
typedef struct exchange_front_table {
    const exchange_front *at;
    int n;
} exchange_front_table;

/** The tables, in the order in which they are tried: kernels, what data-
 *  parallel ranks send less, scripts that wrap a model by PyTorch's classes,
 *  classes of Python, programs that train on answers, under Ray and of TRL,
 *  those of the past, those that write DeepSpeed's configuration themselves,
 *  the Trainer with accelerate's FSDP, those that generate and train, those
 *  with a file of a recipe, those of laboratories, most others, those on
 *  PyTorch's own parallelism, what nobody knows. */
extern const exchange_front_table exchange_fronts_of_kernels,
        exchange_fronts_that_send, exchange_fronts_of_wrappers,
        exchange_fronts_in_code, exchange_fronts_under_ray,
        exchange_fronts_of_the_past, exchange_fronts_on_deepspeed,
        exchange_fronts_on_accelerate, exchange_fronts_of_rl,
        exchange_fronts_of_nemo_rl, exchange_fronts_of_recipes,
        exchange_fronts_of_labs, exchange_fronts_of_rows,
        exchange_fronts_on_torch, exchange_fronts_of_their_own;

/**
 * Give the settings of a front end the names of its target.
 *
 * @param settings  filled: what they lack of its needs
 * @param out       the front end, or NULL for a framework itself
 * @return false with P3D_DATA (too many) or P3D_SYSTEM
 */
P3D_CHECK bool exchange_front_apply(exchange_settings *settings,
        const exchange_front **out, p3d_error *err);

/** Length of what the front end has before a name; 0 = nothing. */
size_t exchange_prefix_length(const exchange_front *front, const char *name);

/** True for the name of an option of a front end. */
bool exchange_front_knows(const char *name);

/**
 * Name of the model that the settings have, as files of models are named:
 * "Qwen/Qwen3-8B-Base" is "Qwen3-8B".
 *
 * @param said  the setting; NULL = none has one
 */
void exchange_front_model(const exchange_front *front,
        const exchange_settings *settings, const exchange_setting **said,
        p3d_text *name);

/** Add a setting of no file that says what was guessed: "?NAME = VALUE", and
 *  what it was taken for. */
P3D_CHECK bool exchange_add_guess(exchange_settings *settings,
        const exchange_setting *of, const char *taken_for, p3d_error *err);

/** True for lines of settings that a front end's preset made. */
bool exchange_is_preset(const exchange_setting *setting);

/** The GPU may not have the attention kernel that a front end takes by itself:
 *  it falls back to another one. @param front  NULL = none */
void exchange_front_attention(const exchange_front *front,
        exchange_launch *launch, const p3d_gpu *gpu);

/**
 * Add the size of the vocabulary where the files have a tokenizer that is known
 * and no size.
 *
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool exchange_vocabulary_add(
        exchange_settings *settings, p3d_error *err);

#endif

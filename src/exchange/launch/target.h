/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - frameworks that launches are written for and read from: one
 * table of options each, for both ways. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_TARGET_H
#define PLAN3D_EXCHANGE_LAUNCH_TARGET_H

#include "exchange/launch/launch.h"

/** How the options of a table stand in a file. */
typedef enum p3d_form {
    P3D_FORM_ARGUMENTS, /* --name value, in the launch script */
    P3D_FORM_JSON,      /* nested objects by the dots of the names */
    P3D_FORM_YAML,
    P3D_FORM_FIELDS, /* Python: config.name = value */
    P3D_FORM_CALLS   /* Python: a heading "x = Class", then its arguments */
} p3d_form;

/** Options that stand together. */
typedef struct p3d_option_table {
    p3d_form form;
    const char *file;           /* NULL for arguments */
    const char *before, *after; /* lines around them; NULL = none */
    const p3d_option *options;
    int n_options;
} p3d_option_table;

/** What starts the processes on a node. */
typedef enum p3d_runner {
    P3D_RUN_TORCH,      /* torchrun, a process a GPU */
    P3D_RUN_ACCELERATE, /* accelerate launch */
    P3D_RUN_NODE        /* one process a node */
} p3d_runner;

/** Parts of a job that files can say beside the usual; a bit set. */
enum {
    P3D_SAYS_FP16 = 1 << 0,
    P3D_SAYS_FP32 = 1 << 1,
    P3D_SAYS_FP8 = 1 << 2,
    P3D_SAYS_DROPOUT = 1 << 3,
    P3D_SAYS_CP_ALL_TO_ALL = 1 << 4,
    P3D_SAYS_DISPATCHER = 1 << 5,
    P3D_SAYS_GRAPHS = 1 << 6,
    P3D_SAYS_MTP = 1 << 7,
    P3D_SAYS_TP_OVERLAP = 1 << 8,
    P3D_SAYS_EXPERT_OVERLAP = 1 << 9,
    P3D_SAYS_EAGER = 1 << 10,
    P3D_SAYS_GRADIENTS = 1 << 11, /* data type they are added up in */
    P3D_SAYS_OPTIMIZERS = 1 << 12,
    P3D_SAYS_EAGER_ATTENTION = 1 << 13
};

/** A framework as files know it. */
typedef struct p3d_target {
    const char *name;
    const char *title;
    const char *versions;  /* that the names of the options were read from */
    const char *framework; /* profile of its costs and rules */
    bool nearest;     /* the profile is that of the framework most like it */
    const char *also; /* profile of another framework that it runs too, for
                         which no files are written; NULL = none */
    unsigned says;    /* P3D_SAYS_ */
    p3d_option_table tables[2];
    int n_tables;
    const char *const *unmodelled; /* options that change what runs, in a way
                                      that no plan says; ends in NULL */
    p3d_runner runner;
    const char *program; /* of the launch script, as a shell reads it */
    /** Take from the profile what this framework has not; NULL = nothing. */
    void (*narrow)(p3d_framework *framework);
    /** Take what its present version has no more: such files are read, and
     *  not written; NULL = nothing. */
    void (*retire)(p3d_framework *framework);
    /** What holds where files say nothing. */
    void (*defaults)(p3d_launch *launch);
    /** Refuse models and plans that the options cannot say; NULL = none. */
    bool (*can_say)(const p3d_launch *launch, p3d_refusal *refusal);
    /** Fill launch->said from model, job and plan. */
    void (*say)(p3d_launch *launch);
    /** Make a model of what was read, whose sizes are within
     *  spec/model_sizes.h; NULL where the options say none.
     *  @return false with P3D_DATA */
    bool (*settle_model)(p3d_launch *launch, p3d_error *err);
    /** The way back from launch->said; n_gpus, model and framework are set.
     *  @return false with P3D_DATA: what contradicts itself */
    bool (*settle)(p3d_launch *launch, p3d_error *err);
    /** Lines on what is lost or left to the user; NULL = none. */
    void (*note)(const p3d_launch *launch, p3d_text *lines);
    /** Variables that the launch script exports, as lines; NULL = none. */
    void (*environment)(const p3d_launch *launch, p3d_text *lines);
} p3d_target;

/** The i-th in the order of the help; NULL past the last. */
const p3d_target *exchange_target_at(int i);

/** Find one by its name. @return NULL with P3D_USAGE and did-you-mean */
const p3d_target *exchange_target_find(const char *name, p3d_error *err);

/** The profile of a target's framework, less what the target has not; its
 *  name is the target's where the profile is only the nearest. */
p3d_framework exchange_target_framework(const p3d_target *target);

/** The same less what its present version has no more: for launches that are
 *  written. */
p3d_framework exchange_target_framework_now(const p3d_target *target);

/** The launch of a plan, ready to be written. */
p3d_launch exchange_launch_of(const p3d_target *target,
        const p3d_problem *problem, const p3d_plan *plan);

/** Refuse what the target's files cannot say: X1 a model, X2 a job, X3 a
 *  plan. @return true when they can */
bool exchange_target_can_say(const p3d_target *target, const p3d_launch *launch,
        p3d_refusal *refusal);

/** Replicas that are left over by the sizes of a plan.
 *  @return false with P3D_DATA where the sizes do not divide the GPUs */
P3D_CHECK bool exchange_settle_replicas(p3d_launch *launch, p3d_error *err);

/** The same where plan.dp is what the files say of them; 0 = nothing.
 *  @return false with P3D_DATA where it is another number */
P3D_CHECK bool exchange_settle_said_replicas(
        p3d_launch *launch, p3d_error *err);

/** Sequences per step, of the plan's micro-batch and replicas and of
 *  said.n_micro_batches. */
int64_t exchange_said_batch(const p3d_launch *launch);

/** Of all layers or of none, by said.recompute. */
p3d_recompute exchange_said_recompute(const p3d_launch *launch);

/** Sizes where files say nothing: one of each, but for the replicas. */
p3d_plan exchange_unsaid_plan(void);

/** Leave of PyTorch's FSDP2, as torchtitan has it, what wrappers around it
 *  have: no pipelines or expert parallelism, recomputation of all layers or
 *  none. */
void exchange_narrow_to_shards(p3d_framework *framework);

/** Say which replicas share the states: groups of dp alone, in said.shard and
 *  said.replicate; and the way back. */
void exchange_say_shard(p3d_launch *launch);
P3D_CHECK bool exchange_settle_shard(p3d_launch *launch, p3d_error *err);

/** Refuse (X3) a number of micro-batches in a row of the plan's own. */
bool exchange_can_say_group(const p3d_launch *launch, p3d_refusal *refusal);

/** The data type of said.fp16 and its like. @return false with P3D_DATA */
P3D_CHECK bool exchange_settle_dtype(p3d_launch *launch, p3d_error *err);

/** Write a reason. @return false */
bool exchange_target_refuse(p3d_refusal *refusal, const char *rule,
        const char *fmt, ...) P3D_PRINTF(3, 4);

/** Append the options of a table, each in its form. */
void exchange_form_write(const p3d_option_table *table,
        const p3d_launch *launch, const p3d_launch *defaults, p3d_text *out);

/** The environment of a launch whose script the user writes: its name, and
 *  where it finds the plan's file. */
void exchange_own_script(const p3d_launch *launch, p3d_text *lines);

extern const p3d_target exchange_to_megatron;
extern const p3d_target exchange_to_bridge;
extern const p3d_target exchange_to_deepspeed;
extern const p3d_target exchange_to_accelerate;
extern const p3d_target exchange_to_torchtitan;
extern const p3d_target exchange_to_nanotron;
extern const p3d_target exchange_to_colossalai;
extern const p3d_target exchange_to_lightning;
extern const p3d_target exchange_to_jax;

#endif

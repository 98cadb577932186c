/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_steps.h - steps of an import, a file each: what files do not say and a
 * plan needs (lack.c), what they say of the model (sizes.c), LoRA and its kin
 * (adapters.c), what files say in two ways (contradict.c), what a front end
 * adds (front_lines.c), what it does by itself (widen.c), options of nobody
 * (foreign.c), what launchers and the environment say (world.c). */
#ifndef PLAN3D_EXCHANGE_READ_IMPORT_STEPS_H
#define PLAN3D_EXCHANGE_READ_IMPORT_STEPS_H

#include "exchange/launch/target.h"
#include "exchange/read/doubt.h"
#include "exchange/read/import.h"
#include "exchange/read/read.h"
#include "plan3d/adapters.h"

/**
 * Refuse files that do not say what the answer needs.
 *
 * @param launch  as the options have filled it
 * @return false with P3D_DATA: all that is missing, and what to write
 */
P3D_CHECK bool exchange_check_lacks(const exchange_import_question *question,
        const exchange_settings *settings, const exchange_launch *launch,
        p3d_error *err);

/** The same of a plan that was settled. */
P3D_CHECK bool exchange_check_settled(const exchange_target *target,
        const exchange_launch *launch, p3d_error *err);

/**
 * Read what settings say of adapters, and mark those settings as used.
 *
 * A kind of training that is neither of all weights nor LoRA stays unused.
 *
 * @param out  all 0 where all weights are trained
 * @return false with P3D_DATA: a word that is not known, at its place
 */
P3D_CHECK bool exchange_read_adapters(
        exchange_settings *settings, p3d_adapters *out, p3d_error *err);

/** Add a setting that is in doubt, once: scripts say some options in several
 *  places. */
void exchange_add_doubtful(const exchange_setting *setting,
        const exchange_doubt *doubt, exchange_import *import);

/** True for an option that looks like a part of the plan and is none. */
bool exchange_is_harmless(const exchange_target *target, const char *name);

/** List an option that no table knows: where all options of the program are
 *  known, and no front end has others, one of a fork is in doubt. */
void exchange_list_unknown(const exchange_import_question *question,
        const exchange_setting *setting, exchange_import *out);

/** Find the first option that no program has and that is nearly the name of
 *  one that no file says. @param out  zero; stays so where there is none */
void exchange_find_misspelt(const exchange_import_question *question,
        const exchange_settings *settings, exchange_slip *out);

/** Note what files say of the model and the answer does not have: other sizes
 *  than those of the model that is taken, experts of a token that no file
 *  says. */
void exchange_note_model(const exchange_import_question *question,
        const exchange_settings *settings, exchange_import *import);

/** Parts of a model with a tower, P3D_PART_ bits. */
typedef struct exchange_tower_parts {
    unsigned frozen;
    unsigned by_itself; /* of those, what the program freezes unasked */
    unsigned trained;   /* that the settings say are trained */
} exchange_tower_parts;

/**
 * Parts that settings freeze, or the program by itself; the settings are marked
 * as used.
 *
 * @param program  title of the front end, or of the target
 */
exchange_tower_parts exchange_read_towers(
        exchange_settings *settings, const char *program);

/**
 * Find options that have one meaning and two values, in two files or under two
 * names. transformers' Trainer and accelerate hold DeepSpeed's JSON against
 * their own arguments and stop (transformers integrations/deepspeed.py
 * fill_match, trainer_config_process; accelerate utils/dataclasses.py
 * deepspeed_config_process); so does this. Megatron-DeepSpeed compares nothing:
 * the stage of ZeRO is that of the JSON, and with two batches nobody knows what
 * runs.
 *
 * @param lines  appended: what counts elsewhere, a line each
 * @param notes  appended: options that change nothing, a line each
 * @return false with P3D_DATA: the launch does not run
 */
P3D_CHECK bool exchange_note_contradictions(
        const exchange_import_question *question, exchange_settings *settings,
        p3d_text *lines, p3d_text *notes, p3d_error *err);

/** Take what a program does by itself into the profile of its framework, and
 *  into the plan. */
void exchange_widen(const exchange_target *target, exchange_launch *launch,
        p3d_framework *framework);

/** Take out of a profile the recomputation of some layers, of several from one
 *  input, and of modules, where a front end has no word for it on DeepSpeed or
 *  accelerate: what is searched is what its files can say. What the plan of the
 *  files has stays.
 *  @param front  NULL = none: the profile is the target's */
void exchange_narrow(const exchange_front *front, const exchange_target *target,
        const p3d_plan *plan, p3d_framework *framework);

/** List what a front end adds to an answer: defaults, guesses, what the answer
 *  is of and lacks. The job must be settled. */
void exchange_list_front(const exchange_import_question *question,
        const exchange_settings *settings, exchange_import *out);

/** Mark the sizes of the world as known. Another number than the cluster's is
 *  a line of `contradicted`, what only a run would tell one of `notes`. */
void exchange_note_world(exchange_settings *settings,
        const p3d_cluster *cluster, p3d_text *contradicted, p3d_text *notes);

/** Take what the environment of a script makes of its program. */
void exchange_apply_environment(
        exchange_settings *settings, exchange_launch *launch);

/** Note where the files say another number of replicas than the plan has. */
void exchange_note_replicas(
        const exchange_settings *settings, int dp, p3d_text *contradicted);

#endif

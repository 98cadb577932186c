/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megatron.h - what Megatron-LM, Megatron-Bridge and Megatron-DeepSpeed share:
 * how their options stand for models, plans and layers. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_MEGATRON_H
#define PLAN3D_EXCHANGE_LAUNCH_MEGATRON_H

#include "exchange/launch/target.h"

/** Print the names of modules. @param between  two names, such as " " */
void exchange_modules_print(unsigned modules, const char *between,
        const char *quote, char out[EXCHANGE_LAYOUT]);

/** Read any text with names of modules.
 *  @return false with P3D_DATA at a name that plan3d has no model of */
P3D_CHECK bool exchange_modules_parse(
        const char *text, unsigned *modules, p3d_error *err);

/** Layers of each stage as a layout, "Et*39|t*40|t*39L"; "" where all stages
 *  have the same number. */
void exchange_layout_print(
        const exchange_launch *launch, char out[EXCHANGE_LAYOUT]);

/** Give the plan the words of a layout: none, uneven, or first and last.
 *  @return false with P3D_DATA where there are none */
P3D_CHECK bool exchange_layout_parse(
        const char *layout, exchange_launch *launch, p3d_error *err);

/** The same where options say the layers of ranks: in the plan those of the
 *  first and the last one, in said whether embedding and loss count as one. */
P3D_CHECK bool exchange_split_settle(exchange_launch *launch, p3d_error *err);

/** Which layers are mixtures of experts, "([0]*3+[1]*58)"; "" where all or none
 *  are. */
void exchange_layer_pattern_print(
        const p3d_model *model, char out[EXCHANGE_LAYOUT]);

/** Read it, or a number. @return false with P3D_DATA */
P3D_CHECK bool exchange_layer_pattern_parse(
        const char *pattern, p3d_model *model, p3d_error *err);

/** Fill launch->said of a plan, and the way back. */
void exchange_megatron_say(exchange_launch *launch);
P3D_CHECK bool exchange_megatron_settle_plan(
        exchange_launch *launch, p3d_error *err);

/** The model from what was read. @return false with P3D_DATA */
P3D_CHECK bool exchange_megatron_settle_model(
        exchange_launch *launch, p3d_error *err);

/** Refuse models that Megatron's options do not describe (X1), and plans that
 *  they cannot say (X3). @return true when they do */
bool exchange_megatron_can_say(
        const exchange_launch *launch, p3d_refusal *refusal);

/** What Megatron-LM does when nothing is said. */
void exchange_megatron_defaults(exchange_launch *launch);

/** Export the number of connections to the device that Megatron asks for. */
void exchange_megatron_environment(
        const exchange_launch *launch, p3d_text *lines);

/** Sizes and layers of FlagScale's parts of a pipeline, where they are alike;
 *  nothing where there are none.
 *  @return false with P3D_DATA: they differ, or are not understood */
P3D_CHECK bool exchange_meshes_settle(exchange_launch *launch, p3d_error *err);

/** The arguments of Megatron-LM. */
enum { EXCHANGE_N_MEGATRON_OPTIONS = 140 };
extern const exchange_option
        exchange_megatron_options[EXCHANGE_N_MEGATRON_OPTIONS];

/* Words of the options that Megatron-LM and its relatives have alike. */
extern const char *const exchange_megatron_granularities[P3D_N_RECOMPUTES];
extern const char *const exchange_megatron_methods[EXCHANGE_N_METHODS];
extern const char *const exchange_megatron_strategies[4]; /* by ZeRO stage */
/* A p3d_dispatcher; EXCHANGE_FLEX for all that have a backend. */
enum { EXCHANGE_FLEX = 2 };
extern const char *const exchange_megatron_dispatchers[EXCHANGE_FLEX + 1];
extern const char *const exchange_megatron_backends[P3D_N_DISPATCHERS];
/** How context-parallel ranks exchange: a p3d_cp_comm, or both. */
enum { EXCHANGE_BOTH = P3D_N_CP_COMMS, EXCHANGE_N_EXCHANGES };
extern const char *const exchange_megatron_exchanges[EXCHANGE_N_EXCHANGES];
/** @param as_list  the sizes as Python has them */
void exchange_megatron_say_context(exchange_launch *launch, bool as_list);

/** Options that look like a part of a plan, and change no step; NULL ends
 *  them. MindSpeed-LLM has them, too. */
extern const char *const exchange_megatron_harmless[];
extern const char *const exchange_megatron_names[];

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megatron.h - what Megatron-LM, Megatron-Bridge and Megatron-DeepSpeed share:
 * how their options stand for models, plans and layers. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_MEGATRON_H
#define PLAN3D_EXCHANGE_LAUNCH_MEGATRON_H

#include "exchange/launch/launch.h"

/** Between a list of modules and bits; any text with their names is read.
 *  @param between  two names, such as " "
 *  @return false with P3D_DATA at a name that plan3d has no model of */
void exchange_modules_print(unsigned modules, const char *between,
        const char *quote, char out[P3D_LAYOUT]);
P3D_CHECK bool exchange_modules_parse(
        const char *text, unsigned *modules, p3d_error *err);

/** Layers of each stage as a layout, "Et*39|t*40|t*39L"; "" where all stages
 *  have the same number. */
void exchange_layout_print(const p3d_launch *launch, char out[P3D_LAYOUT]);

/** The plan's words for a layout: none, uneven, or first and last.
 *  @return false with P3D_DATA where there are none */
P3D_CHECK bool exchange_layout_parse(
        const char *layout, p3d_launch *launch, p3d_error *err);

/** Which layers are mixtures of experts, "([0]*3+[1]*58)"; "" where all or
 *  none are; and the way back, also from a number. */
void exchange_layer_pattern_print(const p3d_model *model, char out[P3D_LAYOUT]);
P3D_CHECK bool exchange_layer_pattern_parse(
        const char *pattern, p3d_model *model, p3d_error *err);

/** Fill launch->said of a plan, and the way back. */
void exchange_megatron_say(p3d_launch *launch);
P3D_CHECK bool exchange_megatron_settle_plan(
        p3d_launch *launch, p3d_error *err);

/** The model from what was read. @return false with P3D_DATA */
P3D_CHECK bool exchange_megatron_settle_model(
        p3d_launch *launch, p3d_error *err);

/** Refuse models that Megatron's options do not describe (X1), and plans that
 *  they cannot say (X3). @return true when they do */
bool exchange_megatron_can_say(const p3d_launch *launch, p3d_refusal *refusal);

/** What Megatron-LM does when nothing is said. */
void exchange_megatron_defaults(p3d_launch *launch);

/** Export the number of connections to the device that Megatron asks for. */
void exchange_megatron_environment(const p3d_launch *launch, p3d_text *lines);

/* Words of the options that Megatron-LM and its relatives have alike. */
extern const char *const exchange_megatron_granularities[P3D_N_RECOMPUTES];
extern const char *const exchange_megatron_methods[P3D_N_METHODS];
extern const char *const exchange_megatron_strategies[4]; /* by ZeRO stage */
/* A p3d_dispatcher; P3D_MEGATRON_FLEX for all that have a backend. */
enum { P3D_MEGATRON_FLEX = 2 };
extern const char *const exchange_megatron_dispatchers[P3D_MEGATRON_FLEX + 1];
extern const char *const exchange_megatron_backends[P3D_N_DISPATCHERS];
extern const char *const exchange_megatron_exchanges[P3D_N_CP_COMMS];

#endif

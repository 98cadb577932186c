/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peft.h - adapters of Hugging Face's PEFT in launches: the names of what they
 * stand beside, and a program that puts them around a user's script, which has
 * no options for them. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_PEFT_H
#define PLAN3D_EXCHANGE_LAUNCH_PEFT_H

#include "exchange/launch/target.h"

/** Fill launch->said of a job's adapters, in names of Hugging Face's modules
 *  as LLaMA-Factory lists them. */
void exchange_peft_say(exchange_launch *launch);

/** Refuse (X2) what PEFT's adapters of experts have not.
 *  @return true when there is nothing */
bool exchange_peft_can_say(const exchange_launch *launch, p3d_refusal *refusal);

/** Runs the user's script with adapters around its model. */
extern const exchange_wrapper exchange_peft_wrapper;

/* When options are written. */
bool exchange_trains_all(const exchange_launch *launch);
bool exchange_has_adapters(const exchange_launch *launch);
bool exchange_has_some_targets(const exchange_launch *launch);
bool exchange_has_all_targets(const exchange_launch *launch);
bool exchange_has_adapter_dropout(const exchange_launch *launch);
bool exchange_has_whole_modules(const exchange_launch *launch);

/* clang-format off */
/** Rows of a table (target_rows.h): arguments that the program of
 *  exchange_peft_wrapper reads, in the words of TRL's ModelConfig. */
#define EXCHANGE_PEFT_ARGUMENTS                                                \
    VALUE_WHEN("lora_r", job.adapters.rank, exchange_has_adapters),            \
    VALUE_WHEN("lora_alpha", said.adapter_alpha, exchange_has_adapters),       \
    VALUE_WHEN("lora_dropout", job.adapters.dropout,                           \
        exchange_has_adapter_dropout),                                         \
    FIXED_WHEN("lora_target_modules", "all-linear", exchange_has_all_targets), \
    VALUE_WHEN("lora_target_modules", said.adapted,                            \
        exchange_has_some_targets),                                            \
    VALUE_WHEN("lora_modules_to_save", said.whole_modules,                     \
        exchange_has_whole_modules),                                           \
    FLAG("use_dora", job.adapters.dora)
/* clang-format on */

#endif

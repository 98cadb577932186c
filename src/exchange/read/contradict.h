/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contradict.h - what the files of a launch say in two ways. */
#ifndef PLAN3D_EXCHANGE_READ_CONTRADICT_H
#define PLAN3D_EXCHANGE_READ_CONTRADICT_H

#include "exchange/read/import.h"

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
 * @return false with P3D_DATA: the launch does not run
 */
P3D_CHECK bool exchange_note_contradictions(
        const exchange_import_question *question, exchange_settings *settings,
        p3d_text *lines, p3d_error *err);

#endif

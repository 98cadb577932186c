/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_table.h - how the tables of front ends are written. A front end has its
 * rows; a row gives a name another one, at any value or where it is `is`, or
 * leaves it out. */
#ifndef PLAN3D_EXCHANGE_READ_FRONT_TABLE_H
#define PLAN3D_EXCHANGE_READ_FRONT_TABLE_H

#include "base/util.h"
#include "exchange/read/front.h"

#define RENAMES(rows)   .renames = rows, .n_renames = P3D_COUNT_OF(rows)
#define PRESETS(rows)   .presets = rows, .n_presets = P3D_COUNT_OF(rows)
#define DERIVED(rows)   .derived = rows, .n_derived = P3D_COUNT_OF(rows)
#define REMARKS(rows)   .remarks = rows, .n_remarks = P3D_COUNT_OF(rows)
#define RESIDENTS(rows) .residents = rows, .n_residents = P3D_COUNT_OF(rows)

/* DeepSpeed shares the weights out, those of frozen models, too. */
#define BY_ZERO_3                                                           \
    "zero_optimization.stage=3|deepspeed_config.zero_stage=3|zero_stage=3|" \
    "ds.zero_stage=3|deepspeed_stage=3|deepspeed=zero3|"                    \
    "deepspeed=zero3_offload"

/* clang-format off */
#define AS(name, to)        {name, NULL, to, NULL, false}
#define IS(name, is, to, v) {name, is, to, v, false}
#define DROPPED(name)       {name, NULL, NULL, NULL, false}
#define IDLE(name, is)      {name, is, NULL, NULL, false}
/* clang-format on */

#endif

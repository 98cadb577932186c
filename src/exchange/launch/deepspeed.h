/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deepspeed.h - what targets on DeepSpeed share. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_DEEPSPEED_H
#define PLAN3D_EXCHANGE_LAUNCH_DEEPSPEED_H

#include "exchange/launch/target.h"

/** Where states are: said.device and said.weights_device. */
enum { EXCHANGE_N_DEVICES = 3 };
extern const char *const exchange_deepspeed_devices[EXCHANGE_N_DEVICES];

/** Say overlap_comm; the usual is not said. */
extern const char *const exchange_deepspeed_overlaps[P3D_N_OVERLAPS];

/** Say the type that gradients are added up in; the usual is not said. */
extern const char *const exchange_deepspeed_gradients[P3D_N_STATE_DTYPES];

/** Fill said.device and said.weights_device from the plan. */
void exchange_deepspeed_say_devices(exchange_launch *launch);

/* When options are written. */
bool exchange_deepspeed_to_nvme(const exchange_launch *launch);
bool exchange_deepspeed_offloads_weights(const exchange_launch *launch);
bool exchange_deepspeed_offloads_part(const exchange_launch *launch);

/* clang-format off */
/** Rows of a table (target_rows.h): where states are. */
#define EXCHANGE_DEEPSPEED_OFFLOAD                                             \
    WORD_WHEN("zero_optimization.offload_optimizer.device", said.device,       \
        exchange_deepspeed_devices, exchange_offloads),                        \
    FIXED_WHEN("zero_optimization.offload_optimizer.pin_memory", "true",       \
        exchange_offloads),                                                    \
    VALUE_WHEN("zero_optimization.offload_optimizer.ratio", said.offload_frac, \
        exchange_deepspeed_offloads_part),                                     \
    FIXED_WHEN("zero_optimization.offload_optimizer.nvme_path", "\"/nvme\"",   \
        exchange_deepspeed_to_nvme),                                           \
    WORD_WHEN("zero_optimization.offload_param.device", said.weights_device,   \
        exchange_deepspeed_devices, exchange_deepspeed_offloads_weights),      \
    FIXED_WHEN("zero_optimization.offload_param.pin_memory", "true",           \
        exchange_deepspeed_offloads_weights)
/* clang-format on */

#endif

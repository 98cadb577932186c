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

/** Say what gradients are sent in: said.wire_type; the usual is not said. */
enum { EXCHANGE_N_WIRE_TYPES = 4 };
extern const char *const exchange_deepspeed_wire_types[EXCHANGE_N_WIRE_TYPES];

/** Fill said.wire_type from the job, and the way back; a group of one rank
 *  (hpz=1) is none. */
void exchange_deepspeed_say_wire(exchange_launch *launch);
void exchange_deepspeed_settle_wire(exchange_launch *launch);

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

/** Likewise: what gradients are sent in. */
#define EXCHANGE_DEEPSPEED_WIRE                                                \
    WORD_SHY("communication_data_type", said.wire_type,                        \
        exchange_deepspeed_wire_types)

/** Likewise: what is sent compressed. */
#define EXCHANGE_DEEPSPEED_SENT                                                \
    {VALUE_ROW("zero_optimization.zero_quantized_weights",                     \
        job.compression.weights), .shy = true},                                \
    {VALUE_ROW("zero_optimization.zero_quantized_gradients",                   \
        job.compression.gradients), .shy = true},                              \
    SOME_SHY("zero_optimization.zero_hpz_partition_size",                      \
        job.compression.shares)
/* clang-format on */

#endif

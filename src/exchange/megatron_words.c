/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megatron_words.c - words of the options that Megatron-LM, Megatron-Bridge and
 * Megatron-DeepSpeed have alike. Sources: megatron.c, bridge.c, deepspeed.c. */
#include "exchange/megatron.h"

const char *const p3d_megatron_granularities[P3D_N_RECOMPUTES] = {
        [P3D_RECOMPUTE_SELECTIVE] = "selective", [P3D_RECOMPUTE_FULL] = "full"};

const char *const p3d_megatron_methods[P3D_N_METHODS] = {
        [P3D_METHOD_UNIFORM] = "uniform", [P3D_METHOD_BLOCK] = "block"};

const char *const p3d_megatron_strategies[] = {
        "no_shard", "optim", "optim_grads", "optim_grads_params"};

const char *const p3d_megatron_dispatchers[] = {
        [P3D_DISPATCH_ALL_TO_ALL] = "alltoall",
        [P3D_DISPATCH_ALL_GATHER] = "allgather",
        [P3D_MEGATRON_FLEX] = "flex"};

const char *const p3d_megatron_backends[P3D_N_DISPATCHERS] = {
        [P3D_DISPATCH_DEEPEP] = "deepep", [P3D_DISPATCH_HYBRIDEP] = "hybridep"};

const char *const p3d_megatron_exchanges[P3D_N_CP_COMMS] = {
        [P3D_CP_RING] = "p2p", [P3D_CP_ALL_TO_ALL] = "a2a"};

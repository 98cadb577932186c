/* SPDX-License-Identifier: GPL-3.0-or-later */
/* widen.c - what programs do by themselves that the profiles of their
 * frameworks do not have. */
#include "exchange/read/import_steps.h"

#include <string.h>

#include "plan3d/framework.h"

/* Programs on DeepSpeed or FSDP exchange heads by themselves, over all ranks of
 * a sequence. */
static void take_ulysses(p3d_framework *framework)
{
    framework->context_parallel = true;
    framework->lacks |= P3D_LACKS_HEAD_GROUPS;
}

/* Programs on PyTorch send what the backward pass needs to the host by hooks of
 * their own. Source: pytorch/torchtune@bd2a0fc7 torchtune/training/
 * _activation_offloading.py, which TRL and axolotl have; verl@b178a3cd verl/
 * utils/activation_offload.py. */
static void take_offload(exchange_launch *launch, p3d_framework *framework)
{
    launch->plan.activation_offload_frac = 1;
    framework->activation_offload = framework->offload_unsearched = true;
}

/* Kernels that a program puts in place of those of the layers. */
static void take_kernels(const exchange_said *said, p3d_framework *framework)
{
    const p3d_framework *const compiled = p3d_framework_find("fsdp2");

    if (said->liger_layers && framework->kept_liger.gated_tensors > 0) {
        framework->kept = framework->kept_liger;
        framework->pass[0] = framework->pass[1] = framework->pass_liger;
    } else if (said->compiles_layers && compiled != NULL &&
               !framework->compiles) {
        framework->kept = compiled->kept;
        memcpy(framework->pass, compiled->pass, sizeof(framework->pass));
    }
}

void exchange_widen(const exchange_target *target, exchange_launch *launch,
        p3d_framework *framework)
{
    if (launch->plan.cp > 1 && target == &exchange_to_deepspeed)
        take_ulysses(framework);
    if (target == &exchange_to_nanotron)
        framework->keeps_gathered_input = !launch->said.regathers;
    if (launch->said.offloads_activations)
        take_offload(launch, framework);
    take_kernels(&launch->said, framework);
    if (launch->said.swaps_reference)
        framework->swaps_reference = true;
    if (launch->said.every_layer > 0)
        framework->lacks &= ~(unsigned)P3D_LACKS_LAYER_COUNTS;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* widen.c - what programs do by themselves that the profiles of their
 * frameworks do not have, and what of these no file of theirs can say. */
#include "exchange/read/import_steps.h"

#include <string.h>

#include "base/util.h"
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

/* True where a front end has a word for this value of an option of its target,
 * or for any value (NULL). */
static bool says(
        const exchange_front *front, const char *option, const char *value)
{
    for (int i = 0; i < front->n_renames; i++) {
        const exchange_rename *const row = &front->renames[i];

        if (!row->implies && row->to != NULL &&
                exchange_same_name(row->to, option, true) &&
                (row->value == NULL ||
                        (value != NULL && p3d_same_word(row->value, value))))
            return true;
    }
    return false;
}

void exchange_narrow(const exchange_front *front, const exchange_target *target,
        const p3d_plan *plan, p3d_framework *framework)
{
    const bool some =
            plan->recompute == P3D_RECOMPUTE_FULL && plan->recompute_layers > 0;

    if (front == NULL || front->hands_on ||
            (target != &exchange_to_deepspeed &&
                    target != &exchange_to_accelerate))
        return;
    if (!some && !says(front, "recompute-num-layers", NULL))
        framework->lacks |= P3D_LACKS_LAYER_COUNTS;
    if (plan->recompute_group <= 1 &&
            !says(front, "recompute-num-layers", NULL))
        framework->lacks |= P3D_LACKS_LAYER_GROUPS;
    if (plan->recompute != P3D_RECOMPUTE_SELECTIVE &&
            !says(front, "recompute-granularity", "selective"))
        framework->lacks |= P3D_LACKS_SELECTIVE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* companion.c - which frameworks run a frozen model beside the trained one,
 * and how. */
#include "spec/companion.h"

#include <string.h>

#include "base/util.h"
#include "spec/params.h"

const char *p3d_reference_word(int i)
{
    static const char *const words[P3D_N_REFERENCES] = {
            "none", "self", "precomputed", "pairs", "kto"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/* A reference. huggingface/trl trl/trainer/dpo_trainer.py (compute_ref_log_
 * probs: after the policy's own pass, whose logits are still there;
 * prepare_deepspeed, prepare_fsdp: shared out as the policy is; null_ref_
 * context: with adapters the base is the reference). pytorch/torchtune@01a13413
 * recipes/full_dpo_distributed.py (the same). NVIDIA-NeMo/RL@0f4e4696 nemo_rl/
 * models/policy/megatron_policy_worker.py (use_reference_model: the weights go
 * to the host, those of the reference take their place, and back).
 *
 * A teacher, and bytes of the divergence per logit:
 *
 *     torchtune  19 less the teacher's logits: its probabilities (4), where the
 *                student's are infinite (1), log-probabilities (4), product
 *                (4), the same masked (4)
 *     TRL        both scaled (2, 2), log-probabilities (4, 4), their mean (4),
 *                two divergences (4, 4), the sum of both and a part (4, 4)
 *     ModelOpt   teacher in fp32 (4), its log-probabilities (4), student in
 *                fp32 (4), exponentials (4), log-probabilities (4), divergence
 *                (4)
 *
 * and, in passes, what each of these operations reads and writes.
 *
 * Source: pytorch/torchtune@104b38f0 torchtune/modules/loss/kd_losses.py
 * (ForwardKLLoss); huggingface/trl@03a860c1 trl/trainer/gkd_trainer.py
 * (generalized_jsd_loss, under autocast); NVIDIA/TensorRT-Model-Optimizer@
 * 87f791d6 modelopt/torch/distill/plugins/megatron.py (LogitsKLLoss; the
 * teacher's stage beside the student's, its output sent with the student's, no
 * interleaved pipelines). */
/* clang-format off */
#define TRL                                                                  \
    .reference = true, .teacher = true, .divergence_bytes = 32,              \
    .divergence_pass_bytes = {108, 60}, .n_divergence_kernels = {14, 12},    \
    .source = "huggingface/trl@03a860c1"
static const p3d_companion_facts facts[] = {
    {.framework = "megatron-core", .reference = true, .teacher = true,
        .swaps = true, .chunks = true, .divergence_bytes = 24,
        .divergence_pass_bytes = {92, 46}, .n_divergence_kernels = {14, 8},
        .source = "NVIDIA-NeMo/RL@0f4e4696, TensorRT-Model-Optimizer@87f791d6"},
    {.framework = "deepspeed-hf", TRL},
    {.framework = "ddp", TRL},
    {.framework = "ddp-hf", TRL},
    {.framework = "fsdp1", TRL},
    {.framework = "fsdp2-hf", TRL},
    {.framework = "torchtune", .reference = true, .teacher = true,
        .divergence_bytes = 17, .divergence_pass_bytes = {34, 31},
        .n_divergence_kernels = {5, 3},
        .source = "pytorch/torchtune@104b38f0"},
    {.framework = "generic", .reference = true, .teacher = true,
        .divergence_bytes = 17, .divergence_pass_bytes = {34, 31},
        .n_divergence_kernels = {5, 3},
        .source = "pytorch/torchtune@104b38f0"},
};
/* clang-format on */

const p3d_companion_facts *p3d_companion_facts_of(
        const p3d_framework *framework)
{
    const char *const name = p3d_framework_costs_name(framework);

    for (int i = 0; name != NULL && i < P3D_COUNT_OF(facts); i++) {
        if (strcmp(facts[i].framework, name) == 0)
            return &facts[i];
    }
    return NULL;
}

const char *spec_companion_frameworks(
        bool teacher, char text[SPEC_COMPANION_WORDS])
{
    size_t n = 0;

    text[0] = '\0';
    for (int i = 0; i < P3D_COUNT_OF(facts); i++) {
        if (!(teacher ? facts[i].teacher : facts[i].reference))
            continue;
        p3d_copy(text + n, SPEC_COMPANION_WORDS - n, n > 0 ? ", " : "");
        n = strlen(text);
        p3d_copy(text + n, SPEC_COMPANION_WORDS - n, facts[i].framework);
        n = strlen(text);
    }
    return text;
}

/* The model as it was at the start stays beside the trained one. */
static bool is_kept(const p3d_job *job)
{
    return job->companion.reference == P3D_REFERENCE_SELF ||
           job->companion.reference == P3D_REFERENCE_KTO;
}

const p3d_model *p3d_companion_of(const p3d_job *job, const p3d_model *model)
{
    if (job == NULL)
        return NULL;
    if (job->companion.teacher.n_layers > 0)
        return &job->companion.teacher;
    return is_kept(job) ? model : NULL;
}

/* KTO: the reference on the answer and on one of another prompt, and the
 * trained model on the latter without gradients. Source: huggingface/trl@
 * 03a860c1 trl/trainer/kto_trainer.py (forward, compute_reference_log_probs,
 * KL_logits); hiyouga/LLaMA-Factory@ff6d4d12 src/llamafactory/train/kto/
 * trainer.py (concatenated_forward). */
int p3d_companion_passes(const p3d_job *job)
{
    return job != NULL && job->companion.reference == P3D_REFERENCE_KTO ? 3 : 1;
}

bool p3d_companion_pairs(const p3d_job *job)
{
    return job != NULL &&
           (job->companion.reference == P3D_REFERENCE_SELF ||
                   job->companion.reference == P3D_REFERENCE_PRECOMPUTED ||
                   job->companion.reference == P3D_REFERENCE_PAIRS);
}

bool p3d_companion_is_base(const p3d_job *job)
{
    return job != NULL && job->companion.teacher.n_layers == 0 &&
           is_kept(job) && job->adapters.rank > 0;
}

int spec_least_micro_batch(const p3d_job *job)
{
    return p3d_companion_pairs(job) ? 2 : 1;
}

bool spec_companion_swaps(const p3d_job *job)
{
    const p3d_companion_facts *const does =
            p3d_companion_facts_of(job->framework);

    return job->framework->swaps_reference || (does != NULL && does->swaps);
}

bool spec_companion_is_held(const p3d_job *job)
{
    const p3d_companion_facts *const does =
            p3d_companion_facts_of(job->framework);
    const bool taught = job->companion.teacher.n_layers > 0;

    return taught || (!p3d_companion_is_base(job) && does != NULL &&
                             !spec_companion_swaps(job));
}

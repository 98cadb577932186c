/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legality_companion.c - the rules on a frozen model beside the trained one. */
#include "base/util.h"
#include "spec/companion.h"
#include "spec/given.h"
#include "spec/legality.h"

/* Rows that tables of the same tokenizer are padded by: Qwen2.5 of 3B and of 7B
 * differ by 128. */
enum { MOST_PADDING = 1024 };

/* Logits of both are held against each other. */
static bool check_vocabulary(const spec_question *q, const p3d_model *teacher)
{
    const int more = teacher->vocab - q->model->vocab;

    return (-MOST_PADDING < more && more < MOST_PADDING) ||
           spec_refuse(q,
                   "the teacher %.60s has a vocabulary of %d, %.60s one of %d: "
                   "their logits are not of the same tokens; try a teacher "
                   "with the same tokenizer",
                   teacher->name, teacher->vocab, q->model->name,
                   q->model->vocab);
}

static bool check_teacher(const spec_question *q, const p3d_model *teacher)
{
    if (q->job->companion.reference != P3D_REFERENCE_NONE)
        return spec_refuse(q, "--reference and --teacher are two trainings; "
                              "write one of them");
    if (teacher->learned_positions > 0 && teacher->max_positions > 0 &&
            q->job->seq_len > teacher->max_positions)
        return spec_refuse(q,
                "a sequence of %d tokens, but the teacher has learned %d "
                "positions; try %d tokens",
                q->job->seq_len, teacher->max_positions,
                teacher->max_positions);
    return check_vocabulary(q, teacher);
}

bool spec_rule_companion(const spec_question *q)
{
    const p3d_companion_facts *const facts =
            p3d_companion_facts_of(q->framework);
    const p3d_model *const teacher = &q->job->companion.teacher;
    const bool taught = teacher->n_layers > 0;
    char names[SPEC_COMPANION_WORDS];

    if (q->job->companion.reference == P3D_REFERENCE_NONE && !taught)
        return true;
    if (facts == NULL || !(taught ? facts->teacher : facts->reference))
        return spec_refuse(q, "%s has no %s; these have: %s",
                q->framework->name,
                taught ? "distillation (--teacher)"
                       : "preference training (--reference)",
                spec_companion_frameworks(taught, names));
    if (q->job->n_mtp_layers > 0 && p3d_companion_of(q->job, q->model) != NULL)
        return spec_refuse(q, "a frozen model beside the trained one predicts "
                              "one token at a time; leave out --mtp");
    if (p3d_companion_pairs(q->job) && q->job->global_batch % 2 != 0)
        return spec_refuse(q,
                "a batch of %lld sequences is not of pairs (--reference); try "
                "a batch of %lld",
                (long long)q->job->global_batch,
                (long long)q->job->global_batch + 1);
    return !taught || check_teacher(q, teacher);
}

/* Both of a pair are in one micro-batch. Source: huggingface/trl trl/trainer/
 * dpo_trainer.py (concatenated_forward); NVIDIA-NeMo/RL@0f4e4696 nemo_rl/
 * algorithms/dpo.py. */
static bool check_pairs(const spec_question *q)
{
    return !p3d_companion_pairs(q->job) || q->plan->micro_batch % 2 == 0 ||
           spec_refuse(q,
                   "mbs=%d: both sequences of a pair are in one micro-batch "
                   "(--reference); try mbs=%d",
                   q->plan->micro_batch, q->plan->micro_batch + 1);
}

/* The teacher is divided as the student is. */
static bool check_division(const spec_question *q, const p3d_model *teacher)
{
    const p3d_plan *const p = q->plan;
    const struct {
        const char *what;
        int64_t of;
        int by;
        const char *axis;
    } sizes[] = {
            {"heads", teacher->n_heads, p->tp, "tp"},
            {"heads of a rank", teacher->n_heads / p->tp,
                    spec_head_ranks(q->job, p->cp, p->ulysses), "ulysses"},
            {"key/value heads",
                    q->framework->kv_replication && teacher->n_kv_heads < p->tp
                            ? p->tp
                            : teacher->n_kv_heads,
                    p->tp, "tp"},
            {"MLP channels", teacher->ffn, p->tp, "tp"},
            {"channels of an expert", teacher->expert_ffn, p->etp, "etp"},
            {"experts", teacher->n_experts, p->ep, "ep"},
            {"layers", teacher->n_layers, p->pp, "pp"},
    };

    for (int i = 0; i < P3D_COUNT_OF(sizes); i++) {
        if (sizes[i].of % sizes[i].by != 0)
            return spec_refuse(q,
                    "%s=%d does not divide the %lld %s of the teacher %.60s; "
                    "try %s=%d",
                    sizes[i].axis, sizes[i].by, (long long)sizes[i].of,
                    sizes[i].what, teacher->name, sizes[i].axis,
                    spec_fitting(q, sizes[i].of, sizes[i].by));
    }
    return true;
}

bool spec_rule_companion_plan(const spec_question *q)
{
    const p3d_companion_facts *const facts =
            p3d_companion_facts_of(q->framework);
    const p3d_model *const teacher = &q->job->companion.teacher;
    const p3d_plan *const p = q->plan;

    if (!check_pairs(q))
        return false;
    if (p3d_companion_of(q->job, q->model) != NULL &&
            !p3d_schedule_flushes(p->schedule))
        return spec_refuse(q,
                "schedule=%s runs no frozen model beside the trained one; try "
                "schedule=1f1b",
                p3d_schedule_name(p->schedule));
    if (teacher->n_layers == 0 || facts == NULL)
        return true;
    if (facts->chunks && p->vp > 1)
        return spec_refuse(q,
                "vp=%d: %s has no teacher beside several chunks of a rank; try "
                "vp=1",
                p->vp, q->framework->name);
    return check_division(q, teacher);
}

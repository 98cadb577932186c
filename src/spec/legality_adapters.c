/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legality_adapters.c - the rules on adapters, on weights in 8 and 4 bits, and
 * on frozen parts. */
#include "spec/adapters.h"
#include "spec/legality.h"
#include "spec/tower.h"

/* Parts that the model has. */
static unsigned parts_of(const p3d_model *m)
{
    unsigned parts = P3D_PART_EMBEDDINGS | P3D_PART_ATTENTION | P3D_PART_NORMS |
                     P3D_PART_HEAD;

    if (p3d_has_tower(m))
        parts |= p3d_tower_part(m) | P3D_PART_PROJECTOR;
    if (m->n_experts > 0)
        parts |= P3D_PART_EXPERTS | P3D_PART_ROUTER;
    if (m->ffn > 0 || m->shared_ffn > 0)
        parts |= P3D_PART_MLP;
    return parts;
}

/* Matrices of the model that may have an adapter. */
static unsigned targets_of(const p3d_model *m)
{
    unsigned targets =
            P3D_TARGET_Q | P3D_TARGET_K | P3D_TARGET_V | P3D_TARGET_O;

    if (m->n_experts > 0)
        targets |= P3D_TARGET_EXPERTS;
    if (m->ffn > 0 || m->shared_ffn > 0)
        targets |= P3D_TARGET_UP | P3D_TARGET_DOWN |
                   (m->gated_mlp ? P3D_TARGET_GATE : 0);
    return targets;
}

/* Below a frozen layer nothing would have to be run backward; that is no
 * training that plan3d counts. */
static bool check_frozen(const spec_question *q)
{
    const unsigned frozen = p3d_job_frozen(q->job, q->model);
    const unsigned rest =
            parts_of(q->model) & ~frozen & ~(unsigned)P3D_PART_HEAD;

    return q->job->frozen == 0 || rest != 0 ||
           spec_refuse(q,
                   "--freeze leaves no more than the output matrix to be "
                   "trained; leave out attention or norms");
}

static bool check_base(const spec_question *q, const p3d_adapter_facts *facts)
{
    const p3d_base base = q->job->adapters.base;

    if (base == P3D_BASE_16)
        return true;
    if (facts->zero_stages[base] == 0)
        return spec_refuse(q, "%s has no weights in %s; try base=%s",
                q->framework->name, p3d_base_word((int)base),
                facts->zero_stages[P3D_BASE_NF4] != 0 ? "nf4" : "16bit");
    return q->job->dtype == P3D_BF16 || q->job->dtype == P3D_FP16 ||
           spec_refuse(q,
                   "weights in %s are de-quantized to 16 bit; try --dtype bf16",
                   p3d_base_word((int)base));
}

bool spec_rule_adapters(const spec_question *q)
{
    const p3d_adapters *const a = &q->job->adapters;
    const p3d_adapter_facts *const facts = p3d_adapter_facts_of(q->framework);
    char names[SPEC_ADAPTERS_WORDS];

    if (a->rank == 0 && a->base != P3D_BASE_16)
        return spec_refuse(q,
                "weights in %s are frozen: they need adapters; write --lora "
                "r=16,base=%s",
                p3d_base_word((int)a->base), p3d_base_word((int)a->base));
    if (a->rank == 0)
        return check_frozen(q);
    if (q->job->frozen != 0)
        return spec_refuse(q, "with --lora all weights but the adapters' are "
                              "frozen; leave out --freeze");
    if (facts == NULL)
        return spec_refuse(q, "%s has no LoRA; these have: %s",
                q->framework->name, spec_adapter_frameworks(names));
    if (a->targets != 0 && (a->targets & targets_of(q->model)) == 0)
        return spec_refuse(q,
                "%s has none of the matrices that --lora adapts; "
                "leave out targets=",
                q->model->name);
    return check_base(q, facts);
}

/* A is divided by its rank where the linear is divided by its output. Source:
 * NVIDIA-NeMo/Megatron-Bridge@03619215 src/megatron/bridge/peft/utils.py
 * (ParallelLinearAdapter: a column-parallel linear_in). */
bool spec_rule_adapter_plan(const spec_question *q)
{
    const p3d_adapters *const a = &q->job->adapters;
    const p3d_adapter_facts *const facts = p3d_adapter_facts_of(q->framework);
    const p3d_plan *const p = q->plan;

    if (a->rank == 0 || facts == NULL)
        return true;
    if (facts->gathers_input && a->rank % p->tp != 0)
        return spec_refuse(q,
                "tp=%d does not divide the rank %d of the adapters; try tp=%d",
                p->tp, a->rank, spec_fitting(q, a->rank, p->tp));
    if (facts->undivided && p->tp > 1)
        return spec_refuse(q,
                "tp=%d: %s divides no model with adapters; try "
                "tp=1",
                p->tp, q->framework->name);
    if (a->base != P3D_BASE_16 && p->tp > 1 && !facts->divides_packed)
        return spec_refuse(q,
                "tp=%d: %s does not divide weights in %s; try tp=1", p->tp,
                q->framework->name, p3d_base_word((int)a->base));
    return (facts->zero_stages[a->base] >> p->zero & 1) != 0 ||
           spec_refuse(q,
                   "zero=%d: %s has it for no adapters beside weights "
                   "in %s; try another stage",
                   p->zero, q->framework->name, p3d_base_word((int)a->base));
}

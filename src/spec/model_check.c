/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_check.c - what the sizes of a model may be; derives what a config.json
 * leaves out, and checks the sum. */
#include <stdio.h>

#include "base/util.h"
#include "spec/family.h"
#include "spec/members.h"
#include "spec/model_sizes.h"

bool spec_model_check_limits(const p3d_model *model, p3d_error *err)
{
    for (int i = 0; i < spec_model_members.n; i++) {
        const p3d_member *const member = &spec_model_members.rows[i];
        const double size = spec_member_value(member, model);

        if (size > member->most)
            return p3d_fail(err, P3D_DATA,
                    "the model's %s: %.0f is above %.0f, more than any model "
                    "has",
                    member->words, size, member->most);
    }
    return true;
}

bool spec_model_check_heads(const p3d_model *m, p3d_error *err)
{
    P3D_ASSERT(m->head_dim >= 1);
    if (m->n_kv_heads < 1 || m->n_heads % m->n_kv_heads != 0)
        return p3d_fail(err, P3D_DATA,
                "the model's %d key/value heads do not divide its %d query "
                "heads",
                m->n_kv_heads, m->n_heads);
    return true;
}

/* Fail at the key that holds the quantity at this offset of p3d_draft. */
static bool fail_at(const p3d_reader *reader, size_t offset, const char *text)
{
    const char *const key = spec_key_in_use(reader, offset);
    char pointer[160];

    return json_fail(reader->doc,
            spec_pointer_to(reader, key, pointer, sizeof(pointer)), reader->err,
            "%s", text);
}

/* What follows from the keys when the class leaves it open. */
static bool derive(
        const p3d_reader *reader, const p3d_family *family, p3d_draft *draft)
{
    p3d_model *const model = &draft->model;
    char text[160];

    if (model->ffn == 0)
        model->ffn = 4 * model->hidden;
    if (model->kv_lora_rank > 0) {
        model->head_dim = model->qk_nope_dim + model->qk_rope_dim;
        model->n_kv_heads = model->n_heads;
    }
    if (model->n_kv_heads == 0)
        model->n_kv_heads = model->n_heads;
    if (model->head_dim == 0) {
        if (model->hidden % model->n_heads != 0) {
            snprintf(text, sizeof(text),
                    "%d heads do not divide the hidden size %d; "
                    "write a divisor of it%s",
                    model->n_heads, model->hidden,
                    (family->keys & P3D_KEYS_HEAD_DIM) == 0
                            ? ""
                            : ", or \"head_dim\": and a number");
            return fail_at(reader, offsetof(p3d_draft, model.n_heads), text);
        }
        model->head_dim = model->hidden / model->n_heads;
    }
    return true;
}

/* The widths of the experts; a model whose files say 0 experts is dense. */
static void derive_experts(p3d_draft *draft)
{
    p3d_model *const model = &draft->model;

    if (model->n_experts == 0) {
        model->top_k = model->expert_ffn = model->shared_ffn = 0;
        model->expert_groups = model->routed_groups = 0;
        model->shared_gate = model->router_bias = false;
        model->router_correction = model->expert_bias = false;
        return;
    }
    if (model->expert_ffn == 0)
        model->expert_ffn = model->ffn;
    if (draft->n_shared > 0)
        model->shared_ffn = draft->n_shared * model->expert_ffn;
    if (model->shared_ffn == 0)
        model->shared_gate = false;
}

static bool check_heads(const p3d_reader *reader, const p3d_model *model)
{
    const size_t heads = offsetof(p3d_draft, model.n_heads);
    const size_t kv_heads = offsetof(p3d_draft, model.n_kv_heads);
    const bool written =
            json_get(reader->object, spec_key_in_use(reader, kv_heads)) != NULL;
    char text[256];

    if (model->n_heads % model->n_kv_heads == 0)
        return true;
    snprintf(text, sizeof(text),
            "%d key/value heads%s do not divide %d query heads; "
            "write \"%s\": and a divisor",
            model->n_kv_heads, written ? "" : " (the default of the class)",
            model->n_heads, spec_key_in_use(reader, kv_heads));
    return fail_at(reader, written ? kv_heads : heads, text);
}

static bool check_experts(const p3d_reader *reader, const p3d_model *model)
{
    const size_t top_k = offsetof(p3d_draft, model.top_k);
    const size_t ffn = offsetof(p3d_draft, model.ffn);
    char text[160];

    if (model->n_experts == 0)
        return true;
    if (model->top_k < 1 || model->top_k > model->n_experts) {
        snprintf(text, sizeof(text),
                "a token cannot visit %d of %d experts; write 1 to %d",
                model->top_k, model->n_experts, model->n_experts);
        return fail_at(reader, top_k, text);
    }
    if (model->expert_groups > 1 &&
            (model->n_experts % model->expert_groups != 0 ||
                    model->routed_groups < 1 ||
                    model->routed_groups > model->expert_groups)) {
        snprintf(text, sizeof(text),
                "a token cannot visit %d of %d groups of %d experts; write a "
                "divisor of %d, and \"topk_group\": 1 to that",
                model->routed_groups, model->expert_groups, model->n_experts,
                model->n_experts);
        return fail_at(reader, offsetof(p3d_draft, model.expert_groups), text);
    }
    if (model->expert_ffn > P3D_MAX_EXPERT_FFN) {
        snprintf(text, sizeof(text),
                "experts of width %d are out of range; write 1 to %d",
                model->expert_ffn, P3D_MAX_EXPERT_FFN);
        return fail_at(reader, ffn, text);
    }
    return true;
}

/* What follows from the keys may be larger than what may be written. */
static bool check_limits(const p3d_reader *reader, const p3d_model *model)
{
    p3d_error limit = {0};

    return spec_model_check_limits(model, &limit) ||
           fail_at(reader, offsetof(p3d_draft, model.hidden), limit.text);
}

bool spec_complete_draft(
        const p3d_reader *reader, const p3d_family *family, p3d_draft *draft)
{
    p3d_model *const model = &draft->model;

    if (!derive(reader, family, draft))
        return false;
    if (family->finish != NULL && !family->finish(reader, draft))
        return false;
    derive_experts(draft);
    if ((family->keys & P3D_KEYS_POSITIONS) != 0)
        model->learned_positions =
                model->max_positions + draft->extra_positions;
    return check_heads(reader, model) && check_experts(reader, model) &&
           check_limits(reader, model) &&
           spec_fill_layers(reader, family, draft);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_lines.c - what the answer says of a front end: what it sets by itself,
 * what was guessed, what the answer is of and lacks. */
#include <stdlib.h>
#include <string.h>

#include "exchange/read/import_steps.h"
#include "exchange/read/model_word.h"
#include "plan3d/units.h"
#include "spec/params.h"

/* Bytes of a parameter. */
#define WEIGHT_BYTES   2.0
#define GRADIENT_BYTES 4.0
#define STATE_BYTES    12.0

/* The model of a path or a name; the trained one where it is empty. @return
 * false where nobody knows it */
static bool find_model(
        const char *word, const p3d_model *trained, p3d_model *out)
{
    p3d_text name = {0};
    p3d_error why = {0};
    bool ok = true;

    *out = *trained;
    if (word[0] != '\0') {
        exchange_model_name(word, &name);
        ok = !name.failed && p3d_model_find(p3d_text_get(&name), out, &why);
    }
    p3d_text_free(&name);
    return ok;
}

/* Of the weights of a rank that has a stage of the layers, and shares these
 * out. */
static double share_of_rank(const p3d_model *m, const p3d_plan *plan)
{
    const double experts = (double)p3d_model_count_with(m, P3D_LAYER_MOE) *
                           m->n_experts * (2 + m->gated_mlp) *
                           (double)spec_expert_width(m) * m->expert_ffn;
    const int etp = plan->etp > 0 ? plan->etp : plan->tp;

    return ((double)p3d_total_params(m) - experts) / (plan->tp * plan->pp) +
           experts / (plan->ep * etp * plan->pp);
}

/* Bytes of each GPU that something takes beside the step, by what stands in the
 * value of its line; 0 = not known. */
static int64_t resident_bytes(const exchange_import_question *question,
        const exchange_launch *launch, const char *value)
{
    const char *const said = value + 1;
    const int kind = value[0] - '0';
    const double n_gpus = question->cluster->n_gpus;
    static const double owned[] = {
            [EXCHANGE_TRAINED] = WEIGHT_BYTES + GRADIENT_BYTES,
            [EXCHANGE_WEIGHTS] = WEIGHT_BYTES,
            [EXCHANGE_PORTION] = 0};
    static const double shared[] = {[EXCHANGE_STATES] = STATE_BYTES,
            [EXCHANGE_TRAINED] = STATE_BYTES,
            [EXCHANGE_SHARDS] = WEIGHT_BYTES,
            [EXCHANGE_PORTION] = 0};
    p3d_model *model;
    double bytes = 0;

    if (kind == EXCHANGE_PORTION) {
        const double part = strtod(said, NULL);

        return 0 < part && part < 1
                       ? (int64_t)(part *
                                   (double)question->cluster->gpu.memory_bytes)
                       : 0;
    }
    model = malloc(sizeof(*model));
    if (model != NULL && find_model(said, &launch->model, model))
        bytes = owned[kind] * share_of_rank(model, &launch->plan) +
                shared[kind] * (double)p3d_total_params(model) / n_gpus;
    free(model);
    return (int64_t)bytes;
}

/* What stays on the GPUs leaves less of them for the step. */
static void list_resident(const exchange_import_question *question,
        const exchange_setting *setting, exchange_import *out)
{
    const int64_t bytes =
            setting->value != NULL
                    ? resident_bytes(question, &out->launch, setting->value)
                    : 0;

    if (bytes > 0) {
        p3d_text_add(&out->scope, "%s: %.3g GiB of each are left to it",
                setting->name + 1, (double)bytes / P3D_GIB);
        p3d_text_add(&out->scope, "\n");
    } else {
        p3d_text_add(&out->unmodelled, "%s\n", setting->name + 1);
    }
    out->resident_bytes += bytes;
}

/* @return false for what is no remark of a front end */
static bool list_remark(const exchange_import_question *question,
        const exchange_setting *setting, exchange_import *out)
{
    const char *const mark = strchr(EXCHANGE_REMARKS, setting->name[0]);
    const int kind = mark != NULL ? (int)(mark - EXCHANGE_REMARKS) : -1;

    if (kind < 0)
        return false;
    if (kind == EXCHANGE_SCOPE)
        p3d_text_add(&out->scope, "%s\n", setting->name + 1);
    else if (kind != EXCHANGE_LACKS_OF_ALL ||
             out->launch.job.adapters.rank == 0)
        list_resident(question, setting, out);
    return true;
}

/* What a front end sets by itself, and what it does beside the step. */
static void list_settings(const exchange_import_question *question,
        const exchange_settings *settings, exchange_import *out)
{
    const char *const title = question->front != NULL ? question->front->title
                                                      : question->target->title;

    for (int i = 0; i < settings->n; i++) {
        const exchange_setting *const setting = &settings->at[i];

        if (!exchange_is_preset(setting) || list_remark(question, setting, out))
            continue;
        if (setting->name[0] == '?') {
            p3d_text_add(&out->doubtful, "%.200s (%.150s)\n", setting->name + 1,
                    setting->value);
            continue;
        }
        p3d_text_add(&out->assumed, "%.100s%s%.100s (%s)\n",
                setting->name + (setting->name[0] == '='),
                setting->value != NULL ? " = " : "",
                setting->value != NULL ? setting->value : "", title);
    }
}

/* Weights that GPTQ or AWQ made of 4 bit, with a 16-bit scale and a 4-bit zero
 * for 128 of them, have 4.16 bit each; those of QLoRA have 4.13. Source:
 * arXiv:2210.17323, arXiv:2306.00978 (groups of 128), arXiv:2305.14314. */
static bool take_packed(const exchange_setting *said, exchange_import *out)
{
    p3d_adapters *const adapters = &out->launch.job.adapters;

    if (adapters->rank == 0 || !exchange_is_in_4_bits(said->value))
        return false;
    adapters->base = P3D_BASE_NF4;
    p3d_text_add(&out->assumed,
            "%.100s = %.100s: its weights of 4 bit are counted as QLoRA's\n",
            said->name, said->value);
    return true;
}

/* The name of the model may be that of weights in few bits, which the answer
 * has in 16 where no option says so. */
static void note_quantized(const exchange_import_question *question,
        const exchange_settings *settings, exchange_import *out)
{
    const exchange_setting *said = NULL;
    p3d_text name = {0};

    if (question->front != NULL && question->front->model != NULL &&
            (strstr(question->front->model, "model_name_or_path") != NULL ||
                    strstr(question->front->model, "hf-checkpoint") != NULL))
        exchange_front_model(question->front, settings, &said, &name);
    if (said != NULL && out->launch.job.adapters.base == P3D_BASE_16 &&
            exchange_is_quantized(said->value) && !take_packed(said, out))
        p3d_text_add(&out->doubtful,
                "%.100s = %.100s (weights of few bits: 16 are counted)\n",
                said->name, said->value);
    p3d_text_free(&name);
}

void exchange_list_front(const exchange_import_question *question,
        const exchange_settings *settings, exchange_import *out)
{
    list_settings(question, settings, out);
    note_quantized(question, settings, out);
}

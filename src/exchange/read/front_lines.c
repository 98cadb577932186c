/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_lines.c - what the answer says of a front end: what it sets by itself,
 * what was guessed, what the answer is of and lacks. */
#include <string.h>

#include "exchange/read/import_steps.h"
#include "exchange/read/model_word.h"

/* @return false for what is no remark of a front end */
static bool list_remark(const exchange_setting *setting, exchange_import *out)
{
    const char *const mark = strchr(EXCHANGE_REMARKS, setting->name[0]);
    const int kind = mark != NULL ? (int)(mark - EXCHANGE_REMARKS) : -1;

    if (kind < 0)
        return false;
    if (kind != EXCHANGE_LACKS_OF_ALL || out->launch.job.adapters.rank == 0)
        p3d_text_add(kind == EXCHANGE_SCOPE ? &out->scope : &out->unmodelled,
                "%s\n", setting->name + 1);
    return true;
}

/* What a front end sets by itself, and what it does beside the step. */
static void list_settings(const char *title, const exchange_settings *settings,
        exchange_import *out)
{
    for (int i = 0; i < settings->n; i++) {
        const exchange_setting *const setting = &settings->at[i];

        if (!exchange_is_preset(setting) || list_remark(setting, out))
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

/* The name of the model may be that of weights in 4 bit, which the answer has
 * in 16 where no option says so. */
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
            exchange_is_quantized(said->value))
        p3d_text_add(&out->doubtful,
                "%.100s = %.100s (weights of few bits: 16 are counted)\n",
                said->name, said->value);
    p3d_text_free(&name);
}

void exchange_list_front(const exchange_import_question *question,
        const exchange_settings *settings, exchange_import *out)
{
    list_settings(question->front != NULL ? question->front->title
                                          : question->target->title,
            settings, out);
    note_quantized(question, settings, out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contradict.c - holds the files of a launch against each other. */
#include "exchange/read/import_steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/util.h"
#include "exchange/read/front_steps.h"

/* Two settings of one meaning. */
typedef struct pair {
    const exchange_setting *counts;
    const exchange_setting *other;
} pair;

typedef struct search {
    const exchange_import_question *question;
    exchange_settings *settings;
    p3d_text *lines;
    p3d_text refused; /* what stops the launch */
} search;

static bool is_compared(const exchange_option *option)
{
    return option->kind == EXCHANGE_VALUE ||
           (option->kind == EXCHANGE_FLAG &&
                   exchange_is(option, JSON_KIND_BOOL));
}

static bool is_named(const exchange_setting *setting,
        const exchange_table *table, const exchange_option *option)
{
    return exchange_same_name(setting->name, option->field.key,
            table->form == EXCHANGE_ARGUMENTS);
}

/* Length of the first word of a value; a flag is "true". */
static const char *word_of(const exchange_setting *setting, size_t *n)
{
    const char *const value = setting->value != NULL ? setting->value : "true";

    *n = strcspn(value, " ");
    return value;
}

static bool is_known(const exchange_setting *setting)
{
    static const char *const unsaid[] = {"none", "null", "auto", ""};
    size_t n;
    const char *const value = word_of(setting, &n);

    for (int i = 0; i < P3D_COUNT_OF(unsaid); i++)
        if (p3d_same_word(value, unsaid[i]))
            return false;
    return strpbrk(value, "$`{") == NULL;
}

/* 1 and "1", true and True and 1. */
static bool is_same_value(const exchange_setting *a, const exchange_setting *b)
{
    size_t n_a, n_b;
    const char *const x = word_of(a, &n_a), *const y = word_of(b, &n_b);
    char *end_x, *end_y;
    const double left = strtod(x, &end_x), right = strtod(y, &end_y);

    if (end_x == x + n_a && end_y == y + n_b)
        return left >= right && left <= right;
    if (p3d_same_word(x, "true") || p3d_same_word(y, "true"))
        return strcmp(x, "1") == 0 || strcmp(y, "1") == 0 ||
               p3d_same_word(x, y);
    if (p3d_same_word(x, "false") || p3d_same_word(y, "false"))
        return strcmp(x, "0") == 0 || strcmp(y, "0") == 0 ||
               p3d_same_word(x, y);
    return n_a == n_b && p3d_same_word(x, y);
}

static void add_place(
        const search *s, const exchange_setting *setting, p3d_text *out)
{
    const char *const file = s->question->files != NULL
                                     ? s->question->files[setting->file]
                                     : NULL;

    if (file == NULL)
        p3d_text_add(out, "--set");
    else if (setting->line > 0)
        p3d_text_add(out, "%.80s:%d", p3d_file_name(file), setting->line);
    else
        p3d_text_add(out, "%.80s", p3d_file_name(file));
}

static void add_pair(const search *s, const pair *p, p3d_text *out)
{
    size_t n;
    const char *value = word_of(p->counts, &n);

    p3d_text_add(out, "%.100s = %.*s (", p->counts->name, n < 40 ? (int)n : 40,
            value);
    add_place(s, p->counts, out);
    value = word_of(p->other, &n);
    p3d_text_add(out, "), not %.*s (", n < 40 ? (int)n : 40, value);
    add_place(s, p->other, out);
    p3d_text_add(out, ")");
}

/* Programs on DeepSpeed. */

static bool on_deepspeed(const exchange_import_question *question)
{
    const exchange_front *const front = question->front;

    return question->target == &exchange_to_deepspeed &&
           (front == NULL || front->profile == NULL ||
                   strcmp(front->profile, "deepspeed-hf") == 0);
}

/* The stage that Megatron-DeepSpeed's own argument says is for how weights
 * begin: pretrain_gpt.py:48-50. */
static bool counts_alone(const search *s, const pair *p)
{
    return s->question->front == NULL &&
           (exchange_same_name(p->counts->name, "zero-stage", true) ||
                   exchange_same_name(p->other->name, "zero-stage", true));
}

/* The JSON's stage is the one that is taken. */
static void drop_own_stage(exchange_settings *settings)
{
    for (int i = 0; i < settings->n; i++)
        if (exchange_same_name(settings->at[i].name, "zero-stage", true)) {
            settings->at[i].name[0] = '\0';
            settings->at[i].used = true;
        }
}

static void take(search *s, const pair *p)
{
    const bool is_stage = counts_alone(s, p);

    if (!is_stage && on_deepspeed(s->question)) {
        p3d_text_add(&s->refused, "%s", s->refused.length > 0 ? "; " : "");
        add_pair(s, p, &s->refused);
        return;
    }
    if (is_stage && exchange_same_name(p->counts->name, "zero-stage", true))
        add_pair(s, &(pair){p->other, p->counts}, s->lines);
    else
        add_pair(s, p, s->lines);
    p3d_text_add(s->lines, "\n");
    if (is_stage)
        drop_own_stage(s->settings);
}

/* All that is said of an option, against what counts. */
static void compare(search *s, const exchange_table *table,
        const exchange_option *option, const exchange_setting *counts)
{
    for (int i = 0; i < s->settings->n; i++) {
        const exchange_setting *const other = &s->settings->at[i];
        pair p = {counts, other};

        if (other == counts || other->line == EXCHANGE_PRESET ||
                !is_named(other, table, option) || !is_known(other) ||
                (other->file == counts->file &&
                        strcmp(other->name, counts->name) == 0) ||
                is_same_value(other, counts))
            continue;
        take(s, &p);
        return;
    }
}

/* The setting that is put in last for a member. */
static const exchange_setting *find_counting(
        const search *s, const exchange_option *of)
{
    const exchange_target *const target = s->question->target;
    const exchange_setting *found = NULL;

    for (int t = 0; t < target->n_tables; t++)
        for (int i = 0; i < target->tables[t].n_options; i++) {
            const exchange_option *const option = &target->tables[t].options[i];
            const exchange_setting *const one =
                    is_compared(option) &&
                                    option->field.offset == of->field.offset
                            ? exchange_import_find(
                                      s->settings, &target->tables[t], option)
                            : NULL;

            if (one != NULL)
                found = one;
        }
    return found != NULL && found->line != EXCHANGE_PRESET && is_known(found)
                   ? found
                   : NULL;
}

/* Options that change nothing beside these (or "!" without). */
static const struct {
    const char *option;
    const char *beside;
    const char *why;
} idle[] = {
        /* deepspeed/runtime/activation_checkpointing/checkpointing.py
         * (mp_size), Megatron-DeepSpeed megatron/initialize.py. */
        {"partition-activations", "!tensor-model-parallel-size", "tp=1"},
        {"partition-activations", "tensor-model-parallel-size=1", "tp=1"},
        {"partition-activations", "!recompute-granularity=full",
                "layers are not recomputed in full"},
        {"partition-activations", "!deepspeed-activation-checkpointing=true",
                "without --deepspeed-activation-checkpointing"},
};

/* An option that has no effect is said once, among what the answer rests on,
 * and forgotten: configurations have it whatever the parallelism. */
static void drop_idle(const search *s, p3d_text *notes)
{
    for (int i = 0; i < P3D_COUNT_OF(idle); i++) {
        exchange_setting *const said =
                exchange_settings_find(s->settings, idle[i].option, true);

        if (said == NULL || !exchange_marks_hold(s->settings, idle[i].beside))
            continue;
        if (exchange_is_word(exchange_value_of(said), "true")) {
            p3d_text_add(notes, "%.100s (", said->name);
            add_place(s, said, notes);
            p3d_text_add(notes, ") changes nothing: %s\n", idle[i].why);
        }
        exchange_drop(said);
    }
}

static bool refuse(search *s, p3d_error *err)
{
    const bool ok = s->refused.length == 0;

    if (!ok)
        p3d_fail(err, P3D_DATA,
                "the files contradict each other: %s; write the same in both, "
                "or \"auto\" in DeepSpeed's JSON",
                p3d_text_get(&s->refused));
    p3d_text_free(&s->refused);
    return ok;
}

bool exchange_note_contradictions(const exchange_import_question *question,
        exchange_settings *settings, p3d_text *lines, p3d_text *notes,
        p3d_error *err)
{
    const exchange_target *const target = question->target;
    search s = {question, settings, lines, {0}};

    drop_idle(&s, notes);
    for (int t = 0; t < target->n_tables; t++)
        for (int i = 0; i < target->tables[t].n_options; i++) {
            const exchange_option *const option = &target->tables[t].options[i];
            const exchange_setting *const counts =
                    is_compared(option) ? find_counting(&s, option) : NULL;

            if (counts != NULL)
                compare(&s, &target->tables[t], option, counts);
        }
    return refuse(&s, err);
}

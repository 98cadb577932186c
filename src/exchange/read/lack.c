/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lack.c - gathers what files do not say, and what to write in its place. */
#include "exchange/read/import_steps.h"

#include <stddef.h>
#include <string.h>

#include "base/ascii.h"
#include "exchange/read/model_word.h"

/* What is missing, by how it is given. */
typedef struct lacks {
    p3d_text what; /* "model, precision" */
    p3d_text options;
    p3d_text set; /* for --set */
} lacks;

static void add(p3d_text *list, const char *between, const char *text)
{
    p3d_text_add(list, "%s%s", list->length > 0 ? between : "", text);
}

/* @param option  "--seq N"; NULL where it is for --set */
static void lack(
        lacks *l, const char *what, const char *option, const char *set)
{
    add(&l->what, ", no ", what);
    if (option != NULL)
        add(&l->options, " ", option);
    else
        add(&l->set, ",", set);
}

static const char *micro_batch_option(const exchange_target *target)
{
    const char *name = "micro-batch-size";

    for (int t = 0; t < target->n_tables; t++)
        for (int i = 0; i < target->tables[t].n_options; i++)
            if (target->tables[t].options[i].field.offset ==
                    offsetof(exchange_launch, plan.micro_batch))
                name = target->tables[t].options[i].field.key;
    return name;
}

static void lack_micro_batch(lacks *l, const exchange_target *target)
{
    p3d_text set = {0};

    p3d_text_add(&set, "%s=N", micro_batch_option(target));
    lack(l, "size of a micro-batch", NULL, p3d_text_get(&set));
    p3d_text_free(&set);
}

static void lack_needs(lacks *l, const exchange_import_question *question,
        const exchange_settings *settings)
{
    for (int i = 0; i < EXCHANGE_FRONT_NEEDS; i++)
        if ((settings->lacks >> i & 1) != 0) {
            const exchange_need *const need = &question->front->needs[i];
            const bool is_option = need->set[0] == '-';

            if (is_option && question->job->seq_len > 0)
                continue; /* the one that is an option of its own */
            if (strstr(p3d_text_get(&l->set), need->set) == NULL &&
                    strstr(p3d_text_get(&l->what), need->what) == NULL)
                lack(l, need->what, is_option ? need->set : NULL, need->set);
        }
}

static bool lacks_model(
        const exchange_import_question *question, const exchange_launch *launch)
{
    const p3d_model *const m = &launch->model;

    return question->model == NULL &&
           (question->target->settle_model == NULL ||
                   (m->n_layers == 0 && m->hidden == 0 && m->n_heads == 0));
}

/* It follows from the batch where both that and the micro-batches of a step are
 * said. */
static bool lacks_micro_batch(const lacks *l, const exchange_launch *launch)
{
    return launch->plan.micro_batch < 1 &&
           strstr(p3d_text_get(&l->what), "micro-batch") == NULL &&
           (launch->job.global_batch < 1 || launch->said.n_micro_batches < 1);
}

static void lack_model(lacks *l, const char *unfound)
{
    p3d_text what = {0};

    p3d_text_add(&what, "model");
    if (unfound != NULL)
        p3d_text_add(&what, " that plan3d knows (%s)", unfound);
    lack(l, p3d_text_get(&what), "--model MODEL", NULL);
    p3d_text_free(&what);
}

/* A variable before a path whose last part is a name is a folder. */
static bool names_model(const char *value)
{
    const size_t n = strcspn(value, " ");
    size_t at = n;

    while (at > 0 && value[at - 1] != '/')
        at--;
    return at > 0 && at < n && memchr(value + at, '$', n - at) == NULL;
}

/* A name of a model is all that is wrong. @return false */
static bool fail_model(lacks *l, const char *unfound, p3d_error *err)
{
    const char *const variable = strstr(unfound, " = $");
    const char first = variable != NULL && !names_model(variable + 3)
                               ? variable[strlen(" = $")]
                               : '\0';
    const char *const missing = exchange_missing_part(unfound);

    p3d_text_free(&l->what);
    p3d_text_free(&l->options);
    if (missing != NULL && first == '\0')
        return p3d_fail(err, P3D_DATA,
                "%.140s: that model has %s, which plan3d does not plan; write "
                "--model and the nearest of 'plan3d list models'",
                unfound, missing);
    if (first == '{' || p3d_is_word(first))
        return p3d_fail(err, P3D_DATA,
                "'%.140s' has the model from outside; write --model MODEL, a "
                "name of 'plan3d list models' or a config.json",
                unfound);
    return p3d_fail(err, P3D_DATA,
            "%.140s: plan3d has no model of this name; write --model and its "
            "config.json, or the nearest of 'plan3d list models'",
            unfound);
}

static const char *title_of(const exchange_import_question *question)
{
    return question->front != NULL ? question->front->title
                                   : question->target->title;
}

/* @param slip  an option that may be what is missing
 * @return true where nothing is missing */
static bool is_whole(lacks *l, const exchange_import_question *question,
        const exchange_slip *slip, p3d_error *err)
{
    const exchange_front *const front = question->front;
    const char *const file = front != NULL && front->beside != NULL
                                     ? front->beside
                                     : "file that says that";
    const bool ok = l->what.length == 0;

    if (!ok && slip->name[0] != '\0')
        p3d_fail(err, P3D_DATA,
                "no program has the option '%.80s' (is it %.80s?); without it "
                "the files of %s say no %s",
                slip->name, slip->meant, title_of(question),
                p3d_text_get(&l->what));
    else if (!ok)
        p3d_fail(err, P3D_DATA,
                "the files of %s say no %s; add the %s, or write %s%s%s%s",
                title_of(question), p3d_text_get(&l->what), file,
                p3d_text_get(&l->options),
                l->options.length > 0 && l->set.length > 0 ? " " : "",
                l->set.length > 0 ? "--set " : "", p3d_text_get(&l->set));
    p3d_text_free(&l->what);
    p3d_text_free(&l->options);
    p3d_text_free(&l->set);
    return ok;
}

bool exchange_check_lacks(const exchange_import_question *question,
        const exchange_settings *settings, const exchange_launch *launch,
        p3d_error *err)
{
    lacks l = {.what = {0}};
    exchange_slip slip = {.name = ""};

    if (question->unfollowed != NULL)
        lack(&l, question->unfollowed, NULL, "zero_optimization.stage=N");
    if (lacks_model(question, launch))
        lack_model(&l, question->unfound);
    if (launch->job.seq_len < 1 && question->job->seq_len < 1)
        lack(&l, "length of a sequence", "--seq N", NULL);
    lack_needs(&l, question, settings);
    if (lacks_micro_batch(&l, launch))
        lack_micro_batch(&l, question->target);
    if (question->unfound != NULL && l.set.length == 0 &&
            strcmp(p3d_text_get(&l.options), "--model MODEL") == 0)
        return fail_model(&l, question->unfound, err);
    if (l.what.length > 0)
        exchange_find_misspelt(question, settings, &slip);
    return is_whole(&l, question, &slip, err);
}

bool exchange_check_settled(const exchange_target *target,
        const exchange_launch *launch, p3d_error *err)
{
    const exchange_import_question none = {.target = target};
    lacks l = {.what = {0}};

    if (launch->plan.micro_batch < 1)
        lack_micro_batch(&l, target);
    if (launch->job.seq_len < 1)
        lack(&l, "length of a sequence", "--seq N", NULL);
    if (launch->job.global_batch < 1 ||
            launch->job.global_batch > P3D_MAX_BATCH)
        lack(&l, "batch of 1 to 1e9 sequences", "--batch N", NULL);
    return is_whole(&l, &none, &(exchange_slip){.name = ""}, err);
}

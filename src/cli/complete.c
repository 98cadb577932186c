/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.c - what a word of a command line may become. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/util.h"
#include "cli/rows.h"
#include "exchange/launch/serving.h"
#include "exchange/launch/target.h"
#include "plan3d/catalog.h"
#include "spec/hardware.h"
#include "spec/plan_words.h"

/* The word that is completed: its part that stays, and its part that is the
 * beginning of a candidate. */
typedef struct prompt {
    const char *word;
    const char *part;
    p3d_text *out;
} prompt;

static void offer(prompt *p, const char *candidate, const char *after)
{
    if (strncasecmp(candidate, p->part, strlen(p->part)) == 0)
        p3d_text_add(p->out, "%.*s%s%s\n", (int)(p->part - p->word), p->word,
                candidate, after);
}

static void offer_words(prompt *p, cli_words *word)
{
    const char *candidate = word(0);

    for (int i = 1; candidate != NULL; candidate = word(i++))
        offer(p, candidate, "");
}

/* Names of the files of a folder; without the folder there are none. */
static void offer_folder(prompt *p, p3d_folder folder)
{
    p3d_catalog catalog = {0};

    if (!p3d_catalog_open(folder, &catalog, NULL))
        return;
    for (int i = 0; i < catalog.n_names; i++)
        offer(p, catalog.names[i], "");
    p3d_catalog_free(&catalog);
}

static void offer_models(prompt *p)
{
    offer_folder(p, P3D_MODELS);
}

/* GPUs go by their own names, in capitals. */
static void offer_gpus(prompt *p)
{
    p3d_catalog catalog = {0};
    p3d_gpu gpu = {.name = ""};

    if (!p3d_catalog_open(P3D_GPUS, &catalog, NULL))
        return;
    for (int i = 0; i < catalog.n_names; i++)
        if (p3d_gpu_find(catalog.names[i], &gpu, NULL))
            offer(p, gpu.name, "");
    p3d_catalog_free(&catalog);
}

static void offer_fabrics(prompt *p)
{
    offer_folder(p, P3D_FABRICS);
}

static void offer_calibrations(prompt *p)
{
    offer_folder(p, P3D_CALIBRATIONS);
}

/* What a list with commas goes on with: the part behind the last one. */
static void skip_list(prompt *p)
{
    const char *const comma = strrchr(p->part, ',');

    p->part = comma != NULL ? comma + 1 : p->part;
}

/* "64xA8": a type of GPU behind numbers, each with an x. */
static void offer_clusters(prompt *p)
{
    skip_list(p);
    while (isdigit((unsigned char)*p->part)) {
        const size_t n = strspn(p->part, "0123456789.:");

        if (p->part[n] != 'x')
            return;
        p->part += n + 1;
    }
    offer_gpus(p);
}

static void offer_frameworks(prompt *p)
{
    skip_list(p);
    offer_words(p, cli_framework_word);
}

static const char *target_word(int i)
{
    return exchange_target_at(i) != NULL ? exchange_target_at(i)->name : NULL;
}

static void offer_targets(prompt *p)
{
    offer_words(p, target_word);
}

static const char *server_word(int i)
{
    return exchange_server_at(i) != NULL ? exchange_server_at(i)->name : NULL;
}

/* Serving is written, never read. */
static void offer_exports(prompt *p)
{
    offer_targets(p);
    offer_words(p, server_word);
}

static const char *command_word(int i)
{
    return cli_command_at(i) != NULL ? cli_command_at(i)->name : NULL;
}

static void offer_commands(prompt *p)
{
    offer_words(p, command_word);
}

static void offer_lists(prompt *p)
{
    offer_words(p, report_list_name);
}

static void offer_schemas(prompt *p)
{
    offer_words(p, cli_schema_word);
}

static void offer_topics(prompt *p)
{
    offer_words(p, cli_topic_word);
}

/* The words of plans and pins, with commas between. */
static void offer_plans(prompt *p)
{
    prompt value = *p;

    skip_list(p);
    for (int i = 0; spec_plan_word(i) != NULL; i++) {
        const char *word = spec_plan_word(i);
        const size_t n = strlen(word);

        if (strncmp(p->part, word, n) != 0 || p->part[n] != '=') {
            offer(p, word, spec_plan_word_has_value(i) ? "=" : "");
            continue;
        }
        value.part = p->part + n + 1;
        for (int k = 0; spec_plan_word_value(i, k) != NULL; k++)
            offer(&value, spec_plan_word_value(i, k), "");
    }
}

/* What may stand for a word of a usage line or for the value of an option. */
static const struct {
    const char *command; /* NULL = any */
    const char *word;
    void (*offer)(prompt *p);
} sources[] = {{NULL, "MODEL", offer_models}, {NULL, "CLUSTER", offer_clusters},
        {NULL, "COMMAND", offer_commands}, {"list", "WHAT", offer_lists},
        {"explain", "WHAT", offer_topics}, {"schema", "NAME", offer_schemas},
        {NULL, "model", offer_models}, {NULL, "cluster", offer_clusters},
        {NULL, "framework", offer_frameworks}, {NULL, "fabric", offer_fabrics},
        {NULL, "calibration", offer_calibrations}, {NULL, "gpu", offer_gpus},
        {NULL, "plan", offer_plans}, {NULL, "pin", offer_plans},
        {NULL, "not", offer_plans}, {NULL, "compare", offer_plans},
        {NULL, "with", offer_plans}, {NULL, "to", offer_exports},
        {NULL, "from", offer_targets}};

static void offer_for(const cli_command *command, const char *word, prompt *p)
{
    for (int i = 0; i < P3D_COUNT_OF(sources); i++) {
        if (strcmp(sources[i].word, word) == 0 &&
                (sources[i].command == NULL ||
                        strcmp(sources[i].command, command->name) == 0)) {
            sources[i].offer(p);
            return;
        }
    }
}

static void offer_value(
        const cli_command *command, const cli_option *option, prompt *p)
{
    if (option->kind == CLI_WORD)
        offer_words(p, option->word);
    else
        offer_for(command, option->name, p);
}

static void offer_options(const cli_command *command, prompt *p)
{
    p->part += strspn(p->part, "-");
    for (int i = 0; i < command->table.n_options; i++)
        offer(p, command->table.options[i].name, "");
}

static void offer_positional(const cli_command *command, int place, prompt *p)
{
    const cli_positional *all = command->positionals;
    int i = 0;

    while (i < place && i + 1 < CLI_MAX_POSITIONALS && all[i + 1].word != NULL)
        i++;
    if (all[i].word != NULL && (i == place || all[i].number >= CLI_SOME))
        offer_for(command, all[i].word, p);
}

void cli_complete(int n, const char *const *words, p3d_text *out)
{
    const cli_command *command;
    const cli_option *awaited = NULL;
    prompt p;
    int place = 0;

    if (n == 0)
        return;
    p = (prompt){words[n - 1], words[n - 1], out};
    if (n == 1) {
        offer_commands(&p);
        return;
    }
    command = cli_command_find(words[0], NULL);
    if (command == NULL)
        return;
    for (int i = 1; i < n - 1; i++) {
        const cli_option *option = cli_option_find(command->table, words[i]);
        const bool is_value = awaited != NULL;

        awaited = !is_value && option != NULL &&
                                  cli_option_takes_next(option, words[i])
                          ? option
                          : NULL;
        place += !is_value && option == NULL;
    }
    if (awaited != NULL) {
        offer_value(command, awaited, &p);
    } else if (strncmp(p.word, "--", 2) == 0 && strchr(p.word, '=') != NULL) {
        awaited = cli_option_find(command->table, p.word);
        p.part = strchr(p.word, '=') + 1;
        if (awaited != NULL)
            offer_value(command, awaited, &p);
    } else if (p.word[0] == '-') {
        offer_options(command, &p);
    } else {
        offer_positional(command, place, &p);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_completion.c - plan3d completion: what a word of a command line may
 * become, and the scripts that make shells ask for it. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/util.h"
#include "cli/option_rows.h"
#include "exchange/launch/serving.h"
#include "exchange/launch/target.h"
#include "plan3d/catalog.h"
#include "spec/hardware.h"
#include "spec/plan_words.h"
#include "spec/words.h"

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

static void offer_words(prompt *p, p3d_words *word)
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
    offer_words(p, spec_framework_word);
}

static const char *target_word(int i)
{
    return exchange_target_at(i) != NULL ? exchange_target_at(i)->name : NULL;
}

static const char *server_word(int i)
{
    return exchange_server_at(i) != NULL ? exchange_server_at(i)->name : NULL;
}

/* Serving is written, never read. */
static void offer_exports(prompt *p)
{
    offer_words(p, target_word);
    offer_words(p, server_word);
}

static const char *command_word(int i)
{
    return cli_command_at(i) != NULL ? cli_command_at(i)->name : NULL;
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

/* The parts of a long answer, with commas between. */
static void offer_parts(const char *command, prompt *p)
{
    const unsigned parts = report_parts_of(command);

    skip_list(p);
    for (int i = 0; i < REPORT_N_PARTS; i++)
        if ((parts >> i & 1) != 0)
            offer(p, report_part_word(i), "");
}

/* clang-format off */
#define OFFER_PARTS(command) \
    static void offer_parts_of_##command(prompt *p) \
    { offer_parts(#command, p); }
OFFER_PARTS(fit)
OFFER_PARTS(plan)
OFFER_PARTS(estimate)
#undef OFFER_PARTS
/* clang-format on */

/* What may stand for a word of a usage line or for the value of an option. */
typedef struct source {
    const char *command; /* NULL = any */
    const char *word;
    void (*offer)(prompt *p); /* NULL: */
    p3d_words *words;         /* NULL: */
    p3d_folder folder;
} source;

/* clang-format off */
static const source sources[] = {
    {NULL, "MODEL", .folder = P3D_MODELS},
    {NULL, "CLUSTER", .offer = offer_clusters},
    {NULL, "COMMAND", .words = command_word},
    {NULL, "model", .folder = P3D_MODELS},
    {NULL, "cluster", .offer = offer_clusters},
    {NULL, "framework", .offer = offer_frameworks},
    {NULL, "fabric", .folder = P3D_FABRICS},
    {NULL, "calibration", .folder = P3D_CALIBRATIONS},
    {NULL, "gpu", .offer = offer_gpus},
    {NULL, "plan", .offer = offer_plans},
    {NULL, "pin", .offer = offer_plans},
    {NULL, "not", .offer = offer_plans},
    {NULL, "compare", .offer = offer_plans},
    {NULL, "with", .offer = offer_plans},
    {"fit", "show", .offer = offer_parts_of_fit},
    {"plan", "show", .offer = offer_parts_of_plan},
    {"estimate", "show", .offer = offer_parts_of_estimate},
    {NULL, "to", .offer = offer_exports},
    {NULL, "from", .words = target_word},
};
/* clang-format on */

static void offer_source(const source *s, prompt *p)
{
    if (s->offer != NULL)
        s->offer(p);
    else if (s->words != NULL)
        offer_words(p, s->words);
    else
        offer_folder(p, s->folder);
}

static void offer_for(const cli_command *command, const char *word, prompt *p)
{
    for (int i = 0; i < P3D_COUNT_OF(sources); i++) {
        const source *const s = &sources[i];

        if (strcmp(s->word, word) == 0 &&
                (s->command == NULL ||
                        strcmp(s->command, command->name) == 0)) {
            offer_source(s, p);
            return;
        }
    }
}

static void offer_value(
        const cli_command *command, const json_option *option, prompt *p)
{
    if (option->field.type->kind == JSON_KIND_WORD)
        offer_words(p, option->field.type->word);
    else
        offer_for(command, option->field.key, p);
}

static void offer_options(const cli_command *command, prompt *p)
{
    p->part += strspn(p->part, "-");
    for (int i = 0; i < command->table.n_options; i++)
        offer(p, command->table.options[i].field.key, "");
}

static void offer_positional(const cli_command *command, int place, prompt *p)
{
    const cli_positional *all = command->positionals;
    int i = 0;

    while (i < place && i + 1 < CLI_MAX_POSITIONALS && all[i + 1].word != NULL)
        i++;
    if (all[i].word == NULL || (i != place && all[i].number < CLI_SOME))
        return;
    if (command->last_words != NULL &&
            (i + 1 == CLI_MAX_POSITIONALS || all[i + 1].word == NULL))
        offer_words(p, command->last_words);
    else
        offer_for(command, all[i].word, p);
}

/* Append what the last of these words may become, a line each, from the same
 * tables; nothing where it may be a file. Words go on with more where they end
 * in "=" or "x".
 *
 * @param words  of a command line behind "plan3d"; the last may be "" */
static void complete(int n, const char *const *words, p3d_text *out)
{
    const cli_command *command;
    const json_option *awaited = NULL;
    prompt p;
    int place = 0;

    if (n == 0)
        return;
    p = (prompt){words[n - 1], words[n - 1], out};
    if (n == 1) {
        offer_words(&p, command_word);
        return;
    }
    command = cli_command_find(words[0], NULL);
    if (command == NULL)
        return;
    for (int i = 1; i < n - 1; i++) {
        const json_option *option = json_option_find(command->table, words[i]);
        const bool is_value = awaited != NULL;

        awaited = !is_value && option != NULL &&
                                  json_option_takes_next(option, words[i])
                          ? option
                          : NULL;
        place += !is_value && option == NULL;
    }
    if (awaited != NULL) {
        offer_value(command, awaited, &p);
    } else if (strncmp(p.word, "--", 2) == 0 && strchr(p.word, '=') != NULL) {
        awaited = json_option_find(command->table, p.word);
        p.part = strchr(p.word, '=') + 1;
        if (awaited != NULL)
            offer_value(command, awaited, &p);
    } else if (p.word[0] == '-') {
        offer_options(command, &p);
    } else {
        offer_positional(command, place, &p);
    }
}

static const json_option options[] = {CLI_HELP_ROW};

/* Bash cuts words at = and : too; it replaces only what stands behind them.
 * Where no word may stand, files may, several with commas between. */
static const char bash[] =
        "# bash completion of plan3d\n"
        "_plan3d() {\n"
        "    local line=${COMP_LINE:0:COMP_POINT} words cur keep\n"
        "    read -ra words <<<\"$line\"\n"
        "    [[ $line == *[[:space:]] ]] && words+=('')\n"
        "    cur=${words[${#words[@]} - 1]}\n"
        "    keep=${cur%\"${cur##*[=:]}\"}\n"
        "    mapfile -t COMPREPLY < <(\n"
        "        \"${words[0]}\" completion words -- \"${words[@]:1}\" "
        "2>/dev/null\n"
        "    )\n"
        "    COMPREPLY=(\"${COMPREPLY[@]#\"$keep\"}\")\n"
        "    cur=${cur#\"$keep\"} keep=${cur%\"${cur##*,}\"}\n"
        "    if [[ -n $keep && -z ${COMPREPLY[*]} ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -f -P \"$keep\" -- "
        "\"${cur##*,}\")\n"
        "    fi\n"
        "    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
        "    return 0\n"
        "} 2>/dev/null\n"
        "complete -o default -F _plan3d plan3d\n";

static const char zsh[] = "#compdef plan3d\n"
                          "# zsh completion of plan3d\n"
                          "_plan3d() {\n"
                          "    local -a found\n"
                          "    found=(${(f)\"$(${words[1]} completion words -- "
                          "\"${(@)words[2,CURRENT]}\" 2>/dev/null)\"})\n"
                          "    if (( ${#found} )); then\n"
                          "        compadd -S ' ' -r = -- $found\n"
                          "    else\n"
                          "        compset -P '*,'\n"
                          "        _files\n"
                          "    fi\n"
                          "}\n"
                          "if [ \"$funcstack[1]\" = _plan3d ]; then\n"
                          "    _plan3d \"$@\"\n"
                          "else\n"
                          "    compdef _plan3d plan3d\n"
                          "fi\n";

static const char fish[] =
        "# fish completion of plan3d\n"
        "function __plan3d_words\n"
        "    set -l words (commandline -opc) (commandline -ct)\n"
        "    $words[1] completion words -- $words[2..-1] 2>/dev/null\n"
        "end\n"
        "complete -c plan3d -a '(__plan3d_words)'\n";

static const struct {
    const char *shell;
    const char *script;
} scripts[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    if (strcmp(args->words[0], "words") == 0) {
        complete(args->n_words - 1, args->words + 1, reply->out);
        return true;
    }
    for (int i = 0; i < P3D_COUNT_OF(scripts); i++) {
        if (strcmp(scripts[i].shell, args->words[0]) == 0) {
            p3d_text_add(reply->out, "%s", scripts[i].script);
            return args->n_words == 1 ||
                   p3d_fail(err, P3D_USAGE, "one argument too many: '%.60s'",
                           args->words[1]);
        }
    }
    return p3d_fail(err, P3D_USAGE,
            "no completion for '%.60s'; write bash, zsh or fish",
            args->words[0]);
}

const cli_command cli_completion = {
        .name = "completion",
        .summary = "The script that makes a shell complete commands, options, "
                   "models, GPUs, frameworks and words of plans.",
        .positionals = {{"SHELL", "bash, zsh or fish", CLI_ONCE},
                {"WORD",
                        "behind 'words --' in place of a shell: a command line "
                        "whose last word is completed, as the scripts ask",
                        CLI_ANY}},
        .table = CLI_TABLE(options),
        .examples = {"source <(plan3d completion bash)",
                "plan3d completion fish > "
                "~/.config/fish/completions/plan3d.fish",
                "plan3d completion words -- fit llama-3"},
        .run = run,
};

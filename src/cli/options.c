/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - reads a command line by the table of its options, or as a
 * question in words. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/cluster.h"

/* Where in the arguments the parser is. */
typedef struct reader {
    cli_table table;
    cli_line line;
    int at;
    bool only_words; /* after -- */
    cli_args args;
} reader;

/* "-" is a word: standard input. */
static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0';
}

static bool is_long(const char *argument)
{
    return argument[0] == '-' && argument[1] == '-';
}

static bool fail_unknown(cli_table table, const char *argument, p3d_error *err)
{
    const size_t n = strcspn(argument, "=");
    char name[64];
    p3d_nearest nearest = {.word = name};

    snprintf(name, sizeof(name), "%.*s", n < 60 ? (int)n : 60, argument);
    for (int i = 0; i < table.n_options; i++) {
        char candidate[64];

        snprintf(candidate, sizeof(candidate), "--%s", table.options[i].name);
        p3d_nearest_offer(&nearest, candidate);
    }
    return p3d_fail(err, P3D_USAGE, "unknown option '%s'%s", name,
            p3d_did_you_mean(&nearest, ""));
}

/* The value after "=" or in the next argument; NULL for a flag. */
static bool take_value(reader *r, const cli_option *option,
        const char *argument, const char **value, p3d_error *err)
{
    const char *const equals = strchr(argument, '=');

    if (option->kind == CLI_FLAG) {
        if (equals != NULL) {
            return p3d_fail(err, P3D_USAGE, "option '--%s' takes no value",
                    option->name);
        }
        return true;
    }
    if (equals != NULL)
        *value = equals + 1;
    else if (r->at < r->line.argc && !is_long(r->line.argv[r->at]))
        *value = r->line.argv[r->at++];
    if (*value == NULL || (*value)[0] == '\0') {
        return p3d_fail(err, P3D_USAGE, "option '--%s' needs a value: --%s %s",
                option->name, option->name, option->value);
    }
    return true;
}

static bool read_option(reader *r, const char *argument, p3d_error *err)
{
    const cli_option *option = cli_option_find(r->table, argument);
    cli_args *args = &r->args;
    const char *value = NULL;

    if (option == NULL)
        return fail_unknown(r->table, argument, err);
    for (int i = 0; i < args->n_given; i++) {
        if (args->given[i].option == option) {
            return p3d_fail(err, P3D_USAGE, "option '--%s' is given twice",
                    option->name);
        }
    }
    if (!take_value(r, option, argument, &value, err))
        return false;
    if (!cli_option_set(option, value, args, err))
        return false;
    P3D_ASSERT(args->n_given < CLI_MAX_GIVEN);
    args->given[args->n_given++] = (cli_given){option, value};
    return true;
}

static bool read_argument(reader *r, p3d_error *err)
{
    const char *argument = r->line.argv[r->at++];

    if (!r->only_words && strcmp(argument, "--") == 0) {
        r->only_words = true;
        return true;
    }
    if (!r->only_words && is_option(argument))
        return read_option(r, argument, err);
    if (r->args.n_words == CLI_MAX_WORDS) {
        return p3d_fail(
                err, P3D_USAGE, "more than %d arguments", CLI_MAX_WORDS);
    }
    r->args.words[r->args.n_words++] = argument;
    return true;
}

bool cli_args_parse(
        cli_table table, cli_line line, cli_args *out, p3d_error *err)
{
    reader r = {.table = table, .line = line};

    while (r.at < line.argc)
        if (r.at == line.skip)
            r.at++;
        else if (!read_argument(&r, err))
            return false;
    *out = r.args;
    return true;
}

bool cli_is_given(const cli_args *args, const char *name)
{
    for (int i = 0; i < args->n_given; i++)
        if (strcmp(args->given[i].option->name, name) == 0)
            return true;
    return false;
}

report_format cli_format(const cli_args *args)
{
    if (args->json)
        return REPORT_JSON;
    return args->format > 0 ? (report_format)(args->format - 1) : REPORT_TEXT;
}

enum { MAX_TOKENS = 32 };

static const char digits[] = "0123456789";

static const char *const verbs[] = {"will", "does", "can", "would"};
static const char *const fits[] = {
        "fit", "fits", "train", "trains", "trained", "run", "runs"};
static const char *const places[] = {
        "on", "in", "onto", "into", "across", "over", "using"};
static const char *const model_fillers[] = {
        "a", "an", "the", "my", "our", "i", "we", "you", "be", "model"};
static const char *const cluster_fillers[] = {"the", "my", "our", "of", "gpu",
        "gpus", "node", "nodes", "card", "cards", "each", "x", "*"};

static const struct {
    const char *word;
    const char *count;
} counts[] = {
        {"a", "1"},
        {"an", "1"},
        {"one", "1"},
        {"two", "2"},
        {"four", "4"},
        {"eight", "8"},
        {"sixteen", "16"},
};

typedef struct tokens {
    char text[CLI_SENTENCE];
    int n;
    char *token[MAX_TOKENS];
} tokens;

#define IS_ONE_OF(token, words) is_one_of(token, words, P3D_COUNT_OF(words))

static bool is_one_of(const char *token, const char *const *words, int n)
{
    for (int i = 0; i < n; i++)
        if (p3d_same_word(token, words[i]))
            return true;
    return false;
}

bool cli_sentence_begins(const char *argument)
{
    const size_t n = strcspn(argument, " ");
    char first[16];

    snprintf(first, sizeof(first), "%.*s", n < 15 ? (int)n : 15, argument);
    return IS_ONE_OF(first, verbs);
}

/* One text from all the words. */
static bool join(int n_words, const char *const *words, char *text, size_t n)
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < n_words; i++) {
        const int added = snprintf(text + used, n - used, "%s ", words[i]);

        if (added < 0 || (size_t)added >= n - used)
            return false;
        used += (size_t)added;
    }
    return true;
}

/* Cut the text into tokens, without the punctuation after them. */
static bool split(tokens *t)
{
    char *at = t->text + strspn(t->text, " \t");

    while (*at != '\0') {
        char *const end = at + strcspn(at, " \t");
        char *const next = end + strspn(end, " \t");
        char *last = end;

        while (last > at && strchr("?!.,;", last[-1]) != NULL)
            last--;
        *last = '\0';
        if (last > at) {
            if (t->n == MAX_TOKENS)
                return false;
            t->token[t->n++] = at;
        }
        at = next;
    }
    return true;
}

static void append(char *to, const char *between, const char *token)
{
    const size_t used = strlen(to);

    snprintf(to + used, CLI_SENTENCE - used, "%s%s", used > 0 ? between : "",
            token);
}

/* "16,384" and "8x": a count without its separators; false for a name. */
static bool read_count(const char *token, char *out)
{
    size_t n = 0;

    for (int i = 0; i < P3D_COUNT_OF(counts); i++) {
        if (p3d_same_word(token, counts[i].word)) {
            snprintf(out, CLI_SENTENCE, "%s", counts[i].count);
            return true;
        }
    }
    for (const char *c = token; *c != '\0'; c++) {
        const bool is_times = (*c == 'x' || *c == 'X') && c > token;

        if (strchr(digits, *c) == NULL && *c != ',' && !is_times)
            return false;
        if (*c != ',' && !(is_times && c[1] == '\0'))
            out[n++] = *c;
    }
    out[n] = '\0';
    return n > 0;
}

/* "8xH100s" -> "8xH100", but "8xL40S" stays: both are known, as two GPUs. */
static void make_singular(char *token)
{
    const size_t n = strlen(token);
    const char *const gpu = token + strspn(token, "0123456789xX");
    p3d_gpu plural;
    p3d_gpu singular;
    char s;
    bool known;

    if (n < 2 || *gpu == '\0' || strchr("sS", token[n - 1]) == NULL)
        return;
    s = token[n - 1];
    known = p3d_gpu_find(gpu, &plural, NULL);
    token[n - 1] = '\0';
    if (!p3d_gpu_find(gpu, &singular, NULL) ||
            (known && strcmp(plural.name, singular.name) != 0))
        token[n - 1] = s;
}

static void read_cluster(const tokens *t, int from, char *cluster)
{
    bool named = false; /* the type has begun: the rest belongs to it */

    for (int i = from; i < t->n; i++) {
        char count[CLI_SENTENCE];

        if (IS_ONE_OF(t->token[i], cluster_fillers))
            continue;
        if (!named && read_count(t->token[i], count)) {
            append(cluster, "x", count);
            continue;
        }
        make_singular(t->token[i]);
        append(cluster, named ? "-" : "x", t->token[i]);
        named = true;
    }
}

bool cli_sentence_read(int n_words, const char *const *words, cli_sentence *out,
        p3d_error *err)
{
    cli_sentence got = {"", ""};
    tokens t = {.n = 0};
    bool asked = false;
    int i = 1;

    if (!join(n_words, words, t.text, sizeof(t.text)) || !split(&t))
        return p3d_fail(err, P3D_USAGE,
                "the question is too long; write plan3d fit MODEL "
                "CLUSTER");
    for (; i < t.n && !IS_ONE_OF(t.token[i], places); i++)
        if (IS_ONE_OF(t.token[i], fits))
            asked = true;
        else if (!IS_ONE_OF(t.token[i], model_fillers))
            append(got.model, "-", t.token[i]);
    read_cluster(&t, i + 1, got.cluster);
    if (!asked || got.model[0] == '\0' || got.cluster[0] == '\0') {
        return p3d_fail(err, P3D_USAGE,
                "question not understood; ask 'will 70B fit on 64 A800s?'");
    }
    *out = got;
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_python.c - assignments and arguments in Python whose values are
 * literals: "cfg.parallelism.tp = 8", "Plugin(tp_size=8)". Nothing is run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/text.h"
#include "base/util.h"
#include "exchange/read/python_values.h"
#include "exchange/read/read.h"

enum { MAX_DEPTH = 64, MAX_NAME = 256 };

/* Classes whose arguments are fields of a part of a configuration. */
static const struct {
    const char *class;
    const char *part;
} parts[] = {{"ParallelismConfig", "parallelism"},
        {"TrainingConfig", "training"}, {"CompileConfig", "compile"}};

typedef struct reader {
    const char *at;
    int line;
    int depth;
    char call[MAX_DEPTH][MAX_NAME]; /* class of each open bracket; "" = none */
    char name[MAX_NAME];            /* the last name that was read */
    char target[MAX_NAME];          /* of the assignment that is being read */
    char argument[MAX_NAME];        /* "--name" that a parser is given */
    const char *row;                /* where the line begins */
    exchange_python_names *names;
} reader;

static bool in_name(char c)
{
    return p3d_is_word(c) || c == '.';
}

static void skip_string(reader *r)
{
    const char quote = *r->at;
    const bool is_long = r->at[1] == quote && r->at[2] == quote;

    r->at += is_long ? 3 : 1;
    while (*r->at != '\0') {
        if (*r->at == '\\' && r->at[1] != '\0') {
            r->line += r->at[1] == '\n';
            r->at += 2;
        } else if (*r->at == quote &&
                   (!is_long || (r->at[1] == quote && r->at[2] == quote))) {
            r->at += is_long ? 3 : 1;
            return;
        } else if (*r->at == '\n' && !is_long) {
            return;
        } else {
            r->line += *r->at == '\n';
            r->at++;
        }
    }
}

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
        r->at++;
}

/* The value of an assignment up to the comma, bracket or line that ends it. */
static void read_value(reader *r, p3d_text *out)
{
    const char *const from = r->at;
    int depth = 0;

    while (*r->at != '\0' && *r->at != '#') {
        if (*r->at == '"' || *r->at == '\'') {
            skip_string(r);
            continue;
        }
        if (strchr("([{", *r->at) != NULL)
            depth++;
        else if (strchr(")]}", *r->at) != NULL && depth-- == 0)
            break;
        else if (depth == 0 && (*r->at == ',' || *r->at == '\n'))
            break;
        r->line += *r->at == '\n';
        r->at++;
    }
    while (r->at > from && p3d_is_space(r->at[-1]) && r->at[-1] != '\n')
        r->at--;
    p3d_text_append(out, from, (size_t)(r->at - from));
}

/* A string that stands in brackets of its own, over several lines. */
static void unwrap(p3d_text *value)
{
    const char *const from =
            value->data + 1 + strspn(value->data + 1, " \t\r\n");
    const size_t n = *from == '"' ? strcspn(from + 1, "\"\n") + 2 : 0;

    if (value->data[0] != '(' || n < 2 || from[n - 1] != '"' ||
            strchr(from + n, '"') != NULL || strchr(from + n, ',') != NULL)
        return;
    memmove(value->data, from, n);
    value->data[n] = '\0';
    value->length = n;
}

/* A string without its quotes; anything else as it is. */
static void unquote(p3d_text *value)
{
    char *const text = value->data;
    const size_t n = value->length;

    if (n < 2 || (text[0] != '"' && text[0] != '\'') || text[n - 1] != text[0])
        return;
    memmove(text, text + 1, n - 2);
    text[n - 2] = '\0';
    value->length = n - 2;
}

/* True for a call with arguments, which are read one by one. */
static bool is_call(const char *value)
{
    size_t n = 0;

    while (in_name(value[n]))
        n++;
    return n > 0 && value[n] == '(' && value[n + 1] != ')';
}

/* "cfg = NAME(cfg)", or that a call alone: what a function changes of the
 * configuration that it is given. @return length of the call; 0 = none */
static size_t handing_on(const char *at)
{
    static const char *const given[] = {"(cfg)", "(config)"};
    size_t n = 0;

    while (in_name(at[n]) && at[n] != '.')
        n++;
    for (int i = 0; n > 0 && i < P3D_COUNT_OF(given); i++)
        if (strncmp(at + n, given[i], strlen(given[i])) == 0)
            return n + strlen(given[i]);
    return 0;
}

static bool add_handing_on(
        const reader *r, const char *at, exchange_settings *out, p3d_error *err)
{
    const size_t n = handing_on(at);
    char call[MAX_NAME + 16];

    if (n == 0 || n >= sizeof(call) || strcmp(r->name, "def") == 0)
        return true;
    memcpy(call, at, n);
    call[n] = '\0';
    return exchange_settings_add(out, "cfg", call, r->line, err);
}

static const char *prefix_of(const reader *r)
{
    const char *const class = r->depth > 0 ? r->call[r->depth - 1] : "";

    for (int i = 0; i < P3D_COUNT_OF(parts); i++) {
        if (strcmp(parts[i].class, class) == 0)
            return parts[i].part;
    }
    return class;
}

/* What a name stands for from here on; of a parser's argument its default,
 * under the argument's name. */
static void keep_name(reader *r, bool is_global, const char *value)
{
    const bool is_argument = r->depth > 0;
    const char *const name = is_argument ? r->argument : r->name;
    exchange_python_name one = {
            .is_global = is_global || is_argument, .is_argument = is_argument};

    if (is_argument && (strcmp(prefix_of(r), "add_argument") != 0 ||
                               strcmp(r->name, "default") != 0 ||
                               strcmp(value, "None") == 0))
        return;
    if (p3d_copy(one.name, sizeof(one.name), name) &&
            p3d_copy(one.value, sizeof(one.value), value))
        exchange_python_keep(r->names, &one);
}

/* The answer rests on what nobody says: an argument may be given. */
static bool add_default(const p3d_text *value, const char *name,
        exchange_settings *out, p3d_error *err)
{
    p3d_text assumed = {0}, words = {0};
    bool ok;

    p3d_text_add(&assumed, "=%.100s", name);
    p3d_text_add(
            &words, "%.100s, the default of its argument", p3d_text_get(value));
    ok = exchange_settings_add(out, p3d_text_get(&assumed),
            p3d_text_get(&words), EXCHANGE_PRESET, err);
    if (ok)
        out->at[out->n - 1].used = true;
    p3d_text_free(&assumed);
    p3d_text_free(&words);
    return ok;
}

/* An assignment whose value was read. */
static bool take_value(reader *r, int line, p3d_text *value,
        exchange_settings *out, p3d_error *err)
{
    const char *const prefix = prefix_of(r);
    const bool is_global = r->depth == 0 && *r->row != ' ' && *r->row != '\t';
    char name[2 * MAX_NAME + 2];
    bool is_default;

    unwrap(value);
    is_default = exchange_python_value(r->names, value);
    keep_name(r, is_global, p3d_text_get(value));
    unquote(value);
    snprintf(name, sizeof(name), "%s%s%s", prefix, prefix[0] != '\0' ? "." : "",
            r->name);
    return exchange_settings_add(out, name, p3d_text_get(value), line, err) &&
           (!is_default || add_default(value, name, out, err));
}

static bool add_assignment(reader *r, exchange_settings *out, p3d_error *err)
{
    const int line = r->line;
    p3d_text value = {0};
    bool ok = true;

    skip_blanks(r);
    if (is_call(r->at)) {
        (void)p3d_copy(r->target, sizeof(r->target), r->name);
        return true;
    }
    read_value(r, &value);
    if (value.length > 0)
        ok = take_value(r, line, &value, out, err);
    p3d_text_free(&value);
    return ok;
}

/* What is called by position: the flavor of a model of torchtitan, one of
 * Hugging Face in Megatron-Bridge. @return its setting, or NULL */
static const char *setting_of_call(const char *name)
{
    static const char *const calls[][2] = {{"model_registry", "model.flavor"},
            {"from_hf_pretrained", EXCHANGE_LOADED_MODEL},
            {"get_mixed_precision_config", "cfg.mixed_precision"}};
    const char *const dot = strrchr(name, '.');

    for (int i = 0; i < P3D_COUNT_OF(calls); i++)
        if (strcmp(dot != NULL ? dot + 1 : name, calls[i][0]) == 0)
            return calls[i][1];
    return NULL;
}

/* The first argument of a call where it is a string, or a name of one.
 * @return false where it is none */
static bool first_string(const reader *r, char *word)
{
    const char *at = r->at + 1;
    p3d_text value = {0};
    size_t n = 0;
    bool ok;

    at += strspn(at, " \t\r\n");
    if (*at == '"' || *at == '\'') {
        const size_t length = strcspn(at + 1, "\"'\n");

        n = at[1 + length] == *at ? length + 2 : 0; /* 0: it does not end */
    } else {
        while (in_name(at[n]))
            n++;
    }
    p3d_text_append(&value, at, n);
    if (n > 0 && at[n] != '=')
        (void)exchange_python_value(r->names, &value);
    ok = value.length > 2 && (value.data[0] == '"' || value.data[0] == '\'');
    if (ok) {
        unquote(&value);
        ok = p3d_copy(word, MAX_NAME, p3d_text_get(&value));
    }
    p3d_text_free(&value);
    return ok;
}

/* The argument that a parser is given: "--batch-size" is batch_size. */
static void take_argument(reader *r)
{
    char word[MAX_NAME];

    r->argument[0] = '\0';
    if (!first_string(r, word))
        return;
    (void)p3d_copy(r->argument, sizeof(r->argument), word + strspn(word, "-"));
    for (char *at = r->argument; *at != '\0'; at++)
        if (*at == '-')
            *at = '_';
}

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), length = strlen(end);

    return n >= length && strcmp(name + n - length, end) == 0;
}

/* transformers' classes that a model is loaded by, of which some have a head
 * of their own.
 * @return what its name is a setting of; NULL for others */
static const char *setting_of_class(const char *name)
{
    static const char *const heads[] = {"SequenceClassification.",
            "TokenClassification.", "QuestionAnswering.", "MaskedLM.",
            "Seq2SeqLM.", "ValueHead."};
    static const char *const models[] = {"AutoModel.", "ForCausalLM.",
            "LanguageModel.", "FastModel.", "FastVisionModel.",
            "ForConditionalGeneration.", "ImageTextToText.", "Vision2Seq."};

    if (!ends_with(name, ".from_pretrained"))
        return NULL;
    for (int i = 0; i < P3D_COUNT_OF(heads); i++)
        if (strstr(name, heads[i]) != NULL)
            return EXCHANGE_OTHER_MODEL;
    for (int i = 0; i < P3D_COUNT_OF(models); i++)
        if (strstr(name, models[i]) != NULL)
            return "model_name_or_path";
    return NULL;
}

/* OLMo-core: the function of a class that makes the model, and what a class is
 * given without a name. */
static bool take_olmo(reader *r, exchange_settings *out, p3d_error *err)
{
    static const char maker[] = "TransformerConfig.";
    static const char recomputation[] =
            "TransformerActivationCheckpointingConfig";
    const char *const at = r->at + 1 + strspn(r->at + 1, " \t\r\n");
    p3d_text word = {0};
    size_t n = 0;
    bool ok = true;

    if (strncmp(r->name, maker, sizeof(maker) - 1) == 0)
        return exchange_settings_add(out, "olmo_core.model",
                r->name + sizeof(maker) - 1, r->line, err);
    if (strcmp(r->name, recomputation) != 0)
        return true;
    while (in_name(at[n]))
        n++;
    p3d_text_append(&word, at, n);
    if (n > 0 && at[n] != '=')
        ok = exchange_settings_add(out,
                "TransformerActivationCheckpointingConfig.mode",
                p3d_text_get(&word), r->line, err);
    p3d_text_free(&word);
    return ok;
}

/* A second model that is loaded, if it is another one, is beside the first. */
static const char *setting_beside(
        const exchange_settings *out, const char *setting, const char *value)
{
    const exchange_setting *const had =
            setting != NULL ? exchange_settings_find(out, setting, true) : NULL;

    return had == NULL || had->value == NULL || strcmp(had->value, value) == 0
                   ? setting
                   : "ref_model.from_pretrained";
}

static bool take_call(reader *r, exchange_settings *out, p3d_error *err)
{
    const char *const setting = setting_of_call(r->name);
    const char *const model = setting_of_class(r->name);
    char word[MAX_NAME];

    if (ends_with(r->name, "add_argument"))
        take_argument(r);
    if (!take_olmo(r, out, err))
        return false;
    if ((setting == NULL && model == NULL) || !first_string(r, word))
        return true;
    return exchange_settings_add(out,
            setting != NULL ? setting : setting_beside(out, model, word), word,
            r->line, err);
}

/* An opening bracket: of a call, when a name stands before it. */
static void open_bracket(reader *r)
{
    char *const call = r->depth < MAX_DEPTH ? r->call[r->depth] : NULL;
    const char *const dot = strrchr(r->name, '.');

    if (call != NULL)
        (void)p3d_copy(call, MAX_NAME,
                *r->at != '('                  ? ""
                : strcmp(r->name, "dict") == 0 ? r->target
                : dot != NULL                  ? dot + 1
                                               : r->name);
    r->depth += r->depth < MAX_DEPTH;
    r->name[0] = '\0';
    r->at++;
}

static void read_name(reader *r)
{
    size_t n = 0;

    while (in_name(r->at[n]))
        n++;
    r->name[0] = '\0';
    if (n < MAX_NAME) {
        memcpy(r->name, r->at, n);
        r->name[n] = '\0';
    }
    r->at += n;
    skip_blanks(r);
}

/* A name that others have the value of is no option itself. */
static void use_names(const reader *r, exchange_settings *out)
{
    for (int i = 0; i < r->names->n; i++)
        if (r->names->at[i].is_taken && !r->names->at[i].is_argument)
            exchange_settings_use(out, r->names->at[i].name, false);
}

/* A sign that is no part of a name, a string, or an assignment. */
static void read_sign(reader *r)
{
    r->depth -= strchr(")]}", *r->at) != NULL && r->depth > 0;
    r->line += *r->at == '\n';
    r->row = *r->at == '\n' ? r->at + 1 : r->row;
    r->name[0] = '\0';
    r->at += r->at[0] == '=' && r->at[1] == '=' ? 2 : 1;
}

static bool read_word(reader *r, exchange_settings *out, p3d_error *err)
{
    if (r->at == r->row && strncmp(r->at, "def ", 4) == 0) {
        use_names(r, out);
        exchange_python_leave(r->names);
    }
    if (strncmp(r->at, "if get_world_size()", 19) == 0 &&
            !exchange_settings_add(
                    out, EXCHANGE_BRANCH, "get_world_size()", r->line, err))
        return false;
    if (!add_handing_on(r, r->at, out, err))
        return false;
    read_name(r);
    return true;
}

static bool read_all(reader *r, exchange_settings *out, p3d_error *err)
{
    bool ok = true;

    while (ok && *r->at != '\0') {
        if (*r->at == '#') {
            r->at += strcspn(r->at, "\n");
        } else if (*r->at == '"' || *r->at == '\'') {
            skip_string(r);
        } else if (in_name(*r->at)) {
            ok = read_word(r, out, err);
        } else if (strchr("([{", *r->at) != NULL) {
            ok = *r->at != '(' || take_call(r, out, err);
            open_bracket(r);
        } else if (*r->at == '=' && r->at[1] != '=' && r->name[0] != '\0') {
            r->at++;
            ok = add_assignment(r, out, err);
            r->name[0] = '\0';
        } else {
            read_sign(r);
        }
    }
    return ok;
}

bool exchange_read_python(
        const char *text, exchange_settings *out, p3d_error *err)
{
    reader r = {.at = text, .row = text, .line = 1};
    bool ok;

    r.names = calloc(1, sizeof(*r.names)); /* too large for a stack */
    if (r.names == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    r.names->n_gpus = out->n_nodes * out->gpus_per_node;
    r.names->gpus_per_node = out->gpus_per_node;
    ok = read_all(&r, out, err);
    use_names(&r, out);
    free(r.names);
    return ok;
}

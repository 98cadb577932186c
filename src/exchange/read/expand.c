/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand.c - variables of a shell script: simple arithmetic and the usual forms
 * of "$" are followed, everything else stays as it is written. */
#include "exchange/read/expand.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/util.h"

/* Of a value, so that none can grow for ever. */
enum { MAX_VALUE = 1 << 16, MAX_OUTSIDE = 128 };

/* FNV-1a. */
static uint32_t hash(const char *name, size_t n)
{
    uint32_t h = 2166136261U;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619U;
    return h;
}

/* The slot of a name, or the free one where it belongs: half of the slots are
 * always free. */
static int slot_of(
        const exchange_shell_variables *variables, const char *name, size_t n)
{
    uint32_t slot = hash(name, n) % EXCHANGE_SHELL_SLOTS;

    while (variables->slots[slot] != 0) {
        const p3d_text *const other =
                &variables->at[variables->slots[slot] - 1].name;

        if (other->length == n && memcmp(p3d_text_get(other), name, n) == 0)
            break;
        slot = (slot + 1) % EXCHANGE_SHELL_SLOTS;
    }
    return (int)slot;
}

static exchange_shell_variable *find_slot(
        const exchange_shell_variables *variables, const char *name, size_t n)
{
    const int i = variables->slots[slot_of(variables, name, n)];

    return i > 0 ? &variables->at[i - 1] : NULL;
}

static exchange_shell_variable *find(
        const exchange_shell_variables *variables, const char *name, size_t n)
{
    exchange_shell_variable *const found = find_slot(variables, name, n);

    return found != NULL && !found->is_gone ? found : NULL;
}

static exchange_shell_variable *add(
        exchange_shell_variables *variables, const char *name, size_t n)
{
    exchange_shell_variable *const at =
            p3d_grow(variables->at, variables->n, sizeof(*at));
    exchange_shell_variable variable = {.name = {.data = NULL}};

    if (at == NULL)
        return NULL;
    variables->at = at;
    p3d_text_append(&variable.name, name, n);
    if (variable.name.failed)
        return NULL;
    at[variables->n] = variable;
    variables->slots[slot_of(variables, name, n)] = (short)++variables->n;
    return &at[variables->n - 1];
}

const exchange_shell_variable *exchange_shell_find(
        const exchange_shell_variables *variables, const char *name, size_t n)
{
    return find(variables, name, n);
}

bool exchange_shell_set(exchange_shell_variables *variables, const char *name,
        size_t n, const char *value, bool append)
{
    exchange_shell_variable *variable = find_slot(variables, name, n);

    if (variable == NULL && variables->n == EXCHANGE_SHELL_VARIABLES)
        return true;
    if (variable == NULL)
        variable = add(variables, name, n);
    else if (append && !variable->is_gone)
        p3d_text_append(&variable->value, " ", 1);
    else
        p3d_text_cut(&variable->value, 0);
    if (variable == NULL)
        return false;
    variable->is_gone = false;
    variable->is_outside = false;
    variable->n = 0;
    p3d_text_append(&variable->value, value, strlen(value));
    if (variable->value.length > MAX_VALUE) {
        p3d_text_free(&variable->value);
        p3d_text_append(&variable->value, "$", 1); /* nobody knows it */
    }
    return !variable->value.failed;
}

void exchange_shell_keep_settings(exchange_shell_variables *variables,
        const char *name, size_t n, int first, int n_settings)
{
    exchange_shell_variable *const variable = find(variables, name, n);

    if (variable == NULL)
        return;
    variable->first = first;
    variable->n = n_settings;
}

void exchange_shell_forget(
        exchange_shell_variables *variables, const char *name, size_t n)
{
    exchange_shell_variable *const variable = find_slot(variables, name, n);

    if (variable != NULL)
        variable->is_gone = true;
}

bool exchange_shell_is_given(const char *name)
{
    static const char *const names[] = {"SLURM", "OMPI_", "PMI", "RANK",
            "LOCAL_RANK", "WORLD_SIZE", "MASTER_", "NODE_RANK", "HOME", "USER",
            "PWD", "PATH", "HOSTNAME", "CUDA_", "LD_", "RANDOM", "BASH"};

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Others that a shell or a terminal sets for itself. */
static bool is_of_shell(const char *name)
{
    static const char *const names[] = {"SHELL", "SHLVL", "TERM", "LANG", "LC_",
            "TMPDIR", "EDITOR", "PAGER", "COLUMNS", "LINES", "OLDPWD", "HOST",
            "LOGNAME", "DISPLAY", "SSH_", "XDG_", "_"};

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

const char *exchange_shell_outside(
        const exchange_shell_variables *variables, const char *name, size_t n)
{
    char word[MAX_OUTSIDE];

    if (variables->environment == NULL || n == 0 || n >= sizeof(word) ||
            p3d_is_digit(name[0]))
        return NULL;
    memcpy(word, name, n);
    word[n] = '\0';
    return exchange_shell_is_given(word) || is_of_shell(word)
                   ? NULL
                   : variables->environment(word);
}

/* A variable of the script, or of the environment where the script has none. */
static exchange_shell_variable *look_up(
        exchange_shell_variables *variables, const char *name, size_t n)
{
    exchange_shell_variable *const own = find(variables, name, n);
    const char *const value =
            own == NULL ? exchange_shell_outside(variables, name, n) : NULL;
    exchange_shell_variable *found;

    if (own != NULL && variables->is_idle)
        own->is_put_idly = true;
    else if (own != NULL)
        own->is_put = true;
    if (value == NULL || !exchange_shell_set(variables, name, n, value, false))
        return own;
    found = find(variables, name, n);
    if (found != NULL)
        found->is_outside = true;
    return found;
}

bool exchange_shell_too_long(const exchange_shell_variables *variables)
{
    return variables->n_expanded > EXCHANGE_SHELL_EXPANDED;
}

/* Append a value, as long as all of them together are not too long. */
static void shell_put(exchange_shell_variables *variables,
        const p3d_text *value, p3d_text *out)
{
    variables->n_expanded += value->length;
    if (!exchange_shell_too_long(variables))
        p3d_text_append(out, p3d_text_get(value), value->length);
}

void exchange_shell_free(exchange_shell_variables *variables)
{
    for (int i = 0; i < variables->n; i++) {
        p3d_text_free(&variables->at[i].name);
        p3d_text_free(&variables->at[i].value);
    }
    free(variables->at);
    *variables = (exchange_shell_variables){.at = NULL};
}

enum { MAX_DEPTH = 32, MAX_DIGITS = 32 };

/* Arithmetic: whole numbers, + - * / % and parentheses. */
typedef struct sum {
    exchange_shell_variables *variables;
    const char *at;
    int depth;
    bool wrong;
} sum;

static int64_t read_sum(sum *s);

static void skip(sum *s)
{
    while (p3d_is_space(*s->at))
        s->at++;
}

static size_t name_length(const char *at)
{
    size_t n = 0;

    if (p3d_is_digit(at[0]))
        return 0;
    while (p3d_is_word(at[n]))
        n++;
    return n;
}

/* Of a variable, or of an argument of the script: "1". */
static size_t variable_length(const char *at, bool in_braces)
{
    const size_t n = strspn(at, "0123456789");

    return n == 0 ? name_length(at) : in_braces ? n : 1;
}

static int64_t read_digits(sum *s)
{
    int64_t value = 0;

    if (!p3d_is_digit(*s->at))
        s->wrong = true;
    for (; p3d_is_digit(*s->at); s->at++)
        value = p3d_add(p3d_mul(value, 10), *s->at - '0');
    return value;
}

/* A variable's value must be a plain number. */
static int64_t read_variable(sum *s, size_t n)
{
    const exchange_shell_variable *const variable =
            look_up(s->variables, s->at, n);
    sum inner = {.at = ""};
    int64_t number;

    if (variable != NULL && variable->value.length < MAX_DIGITS)
        inner.at = p3d_text_get(&variable->value);
    s->at += n;
    number = read_digits(&inner);
    s->wrong = s->wrong || inner.wrong || *inner.at != '\0';
    return number;
}

/* Place behind the bracket that closes the one at a place; the end of the
 * text where there is none. */
static const char *closing(const char *at, char open, char close)
{
    int depth = 0;

    for (; *at != '\0'; at++) {
        depth += *at == open;
        depth -= *at == close;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* "$(nvidia-smi -L | wc -l)" */
static int64_t read_count(sum *s)
{
    const char *const end = closing(s->at + 1, '(', ')');
    const int count =
            exchange_shell_count(s->variables, s->at, (size_t)(end - s->at));

    s->wrong = s->wrong || count == 0;
    s->at = end;
    return count;
}

static int64_t read_factor(sum *s)
{
    int64_t value;
    bool braces;
    size_t n;

    skip(s);
    if (s->at[0] == '$' && s->at[1] == '(')
        return read_count(s);
    if (*s->at == '(' && s->depth < MAX_DEPTH) {
        s->depth++;
        s->at++;
        value = read_sum(s);
        s->depth--;
        skip(s);
        s->wrong = s->wrong || *s->at != ')';
        s->at += *s->at == ')';
        return value;
    }
    s->at += *s->at == '$';
    braces = *s->at == '{';
    s->at += braces;
    n = name_length(s->at);
    value = n > 0 ? read_variable(s, n) : read_digits(s);
    s->wrong = s->wrong || (braces && *s->at != '}');
    s->at += braces && *s->at == '}';
    return value;
}

static int64_t read_product(sum *s)
{
    int64_t value = read_factor(s);

    for (;;) {
        char sign;
        int64_t next;

        skip(s);
        sign = *s->at;
        if (s->wrong || sign == '\0' || strchr("*/%", sign) == NULL)
            return value;
        s->at++;
        next = read_factor(s);
        if (sign == '*')
            value = p3d_mul(value < 0 ? 0 : value, next < 0 ? 0 : next);
        else if (next <= 0)
            s->wrong = true;
        else
            value = sign == '/' ? value / next : value % next;
    }
}

static int64_t read_sum(sum *s)
{
    int64_t value = read_product(s);

    for (;;) {
        char sign;
        int64_t next;

        skip(s);
        sign = *s->at;
        if (s->wrong || (sign != '+' && sign != '-'))
            return value;
        s->at++;
        next = read_product(s);
        if (sign == '+')
            value = p3d_add(value < 0 ? 0 : value, next < 0 ? 0 : next);
        else
            value -= next;
        s->wrong = s->wrong || value < 0;
    }
}

static const char *as_written(const char *from, const char *to, p3d_text *out)
{
    p3d_text_append(out, from, (size_t)(to - from));
    return to;
}

static const char *expand_arithmetic(
        exchange_shell_variables *variables, const char *at, p3d_text *out)
{
    const char *const end = closing(at + 1, '(', ')');
    sum s = {.variables = variables, .at = at + 3};
    const int64_t value = read_sum(&s);

    skip(&s);
    if (s.wrong || strncmp(s.at, "))", 2) != 0 || s.at + 2 != end)
        return as_written(at, end, out);
    p3d_text_add(out, "%lld", (long long)value);
    return end;
}

/* "$(expr 16 / $N)", "`expr 16 / $N`": a sum by another program; a command that
 * counts what the cluster has. */
static const char *expand_command(exchange_shell_variables *variables,
        const char *at, const char *end, p3d_text *out)
{
    static const char expr[] = "expr ";
    const char *const begin = at + 1 + (*at == '$');
    sum s = {.variables = variables, .at = begin + sizeof(expr) - 1};
    const int count = exchange_shell_count(variables, at, (size_t)(end - at));
    int64_t value;

    if (count > 0) {
        p3d_text_add(out, "%d", count);
        return end;
    }
    if (strncmp(begin, expr, sizeof(expr) - 1) != 0)
        return as_written(at, end, out);
    value = read_sum(&s);
    skip(&s);
    if (s.wrong || s.at + 1 != end)
        return as_written(at, end, out);
    p3d_text_add(out, "%lld", (long long)value);
    return end;
}

static const char *expand_braces(
        exchange_shell_variables *variables, const char *at, p3d_text *out);

/* The word of "${NAME:-word}", up to `end`: it may have such words itself. */
static void expand_default(exchange_shell_variables *variables,
        const char *word, const char *end, p3d_text *out)
{
    variables->depth++;
    while (word < end) {
        if (*word == '$' && word[1] == '{' && variables->depth <= MAX_DEPTH)
            word = expand_braces(variables, word, out);
        else if (*word == '$' && name_length(word + 1) > 0)
            word = exchange_shell_expand(variables, word, out);
        else if (*word == '`' || (*word == '$' && word[1] == '('))
            word = exchange_shell_expand(variables, word, out);
        else if (*word == '"' || *word == '\'')
            word++;
        else
            p3d_text_append(out, word++, 1);
    }
    variables->depth--;
}

/* What stands behind the name in "${NAME:-word}". */
typedef struct brace_form {
    const char *sign;
    bool if_set; /* the word is for a variable that is set; a value otherwise */
    bool sets;   /* the word becomes the variable's value */
} brace_form;

static const brace_form *form_of(const char *rest)
{
    static const brace_form forms[] = {{":-", false, false},
            {":=", false, true}, {":+", true, false}, {"-", false, false},
            {"=", false, true}, {"+", true, false}};

    for (int i = 0; i < P3D_COUNT_OF(forms); i++)
        if (strncmp(rest, forms[i].sign, strlen(forms[i].sign)) == 0)
            return &forms[i];
    return NULL;
}

/* The word of a form. One that is set is the variable's value from
 * there on, in a branch that runs. */
static void expand_word(exchange_shell_variables *variables, const char *at,
        const brace_form *form, p3d_text *out)
{
    const size_t n = variable_length(at + 2, true);
    const char *const end = closing(at + 1, '{', '}');
    p3d_text word = {0};

    expand_default(variables, at + 2 + n + strlen(form->sign), end - 1, &word);
    p3d_text_add(out, "%s", p3d_text_get(&word));
    if (form->sets && !variables->is_idle &&
            !exchange_shell_set(
                    variables, at + 2, n, p3d_text_get(&word), false))
        out->failed = true;
    out->failed = out->failed || word.failed;
    p3d_text_free(&word);
}

/* "${NAME,,}" in small letters, "${NAME^^}" in capitals.
 * @return whether the form is one of them */
static bool put_letters(const char *rest,
        const exchange_shell_variable *variable, p3d_text *out)
{
    const bool is_small = strncmp(rest, ",,}", 3) == 0;

    if (variable == NULL || (!is_small && strncmp(rest, "^^}", 3) != 0))
        return false;
    for (const char *at = p3d_text_get(&variable->value); *at != '\0'; at++) {
        const char as_capital =
                (char)('a' <= *at && *at <= 'z' ? *at - 'a' + 'A' : *at);
        const char one = is_small ? p3d_lower(*at) : as_capital;

        p3d_text_append(out, &one, 1);
    }
    return true;
}

/* ${NAME}, ${NAME:-word}, ${NAME[@]} */
static const char *expand_braces(
        exchange_shell_variables *variables, const char *at, p3d_text *out)
{
    const char *const end = closing(at + 1, '{', '}');
    const size_t n = variable_length(at + 2, true);
    const char *const rest = at + 2 + n;
    const brace_form *const form = form_of(rest);
    exchange_shell_variable *const own = find(variables, at + 2, n);
    const bool was_put = own != NULL && own->is_put;
    const exchange_shell_variable *const variable =
            look_up(variables, at + 2, n);
    const bool is_set = variable != NULL && variable->value.length > 0;

    if (n == 0 || end[-1] != '}')
        return as_written(at, end, out);
    if (form != NULL && form->if_set == is_set)
        expand_word(variables, at, form, out);
    else if (variable != NULL &&
             (rest + 1 == end || strchr(":-[=", *rest) != NULL) &&
             (form == NULL || !form->if_set))
        shell_put(variables, &variable->value, out);
    else if (form == NULL && !put_letters(rest, variable, out)) {
        if (own != NULL) /* "${NAME//a/b}" is not its value */
            own->is_put = was_put;
        return as_written(at, end, out);
    }
    return end;
}

const char *exchange_shell_expand(
        exchange_shell_variables *variables, const char *at, p3d_text *out)
{
    const size_t n = variable_length(at + 1, false);
    const exchange_shell_variable *variable;

    if (*at == '`') {
        const char *const end = strchr(at + 1, '`');

        return expand_command(
                variables, at, end != NULL ? end + 1 : at + strlen(at), out);
    }
    if (strncmp(at, "$((", 3) == 0)
        return expand_arithmetic(variables, at, out);
    if (at[1] == '(')
        return expand_command(variables, at, closing(at + 1, '(', ')'), out);
    if (at[1] == '{')
        return expand_braces(variables, at, out);
    variable = look_up(variables, at + 1, n);
    if (n == 0 || variable == NULL)
        return as_written(at,
                at + 1 + n +
                        (n == 0 && at[1] != '\0' &&
                                strchr("@*#?!$", at[1]) != NULL),
                out);
    shell_put(variables, &variable->value, out);
    return at + 1 + n;
}

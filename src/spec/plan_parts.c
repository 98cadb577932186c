/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_parts.c - the words of a plan that have parts: what is recomputed, and
 * what is offloaded. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "spec/given.h"
#include "spec/plan_words.h"

/* Cut a text at a character. @return what follows it, or NULL */
static char *cut(char *text, char at)
{
    char *const found = strchr(text, at);

    if (found == NULL)
        return NULL;
    *found = '\0';
    return found + 1;
}

/* The words that may stand somewhere, and the end of a message when none of
 * them is near. */
typedef struct part_words {
    const char *const *names;
    int n;
    const char *otherwise;
} part_words;

static bool fail_choice(
        const char *text, const char *value, part_words words, p3d_error *err)
{
    p3d_nearest nearest = {.word = value};

    for (int i = 0; i < words.n; i++)
        p3d_nearest_offer(&nearest, words.names[i]);
    return p3d_fail(err, P3D_DATA, "'%s': unknown value '%s'%s", text, value,
            p3d_did_you_mean(&nearest, words.otherwise));
}

/* What is said of more than the choice. */
static void say(spec_said *said, spec_plan_key key, double value)
{
    said->said[key] = true;
    said->value[key] = value;
}

int64_t spec_digits(const char *text)
{
    int64_t n = 0;

    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
        return -1;
    for (; *text != '\0'; text++)
        n = p3d_add(p3d_mul(n, 10), *text - '0');
    return n;
}

static bool read_layers(const char *text, const char *value, spec_plan_key key,
        spec_said *said, p3d_error *err)
{
    const bool all =
            key == P3D_KEY_recompute_layers && p3d_same_word(value, "all");
    const int64_t n = all ? SPEC_ALL_LAYERS : spec_digits(value);

    if (n < 0)
        return p3d_fail(err, P3D_DATA,
                "'%s': '%s' is not a whole number; write recompute=%s", text,
                value, key == P3D_KEY_recompute_group ? "uniform:2" : "full:4");
    if (n < 1 || n > P3D_MAX_LAYERS)
        return p3d_fail(err, P3D_DATA,
                "'%s': %s is out of range; write a number from 1 to %d", text,
                value, P3D_MAX_LAYERS);
    say(said, key, (double)n);
    return true;
}

static bool read_module(
        const char *text, const char *value, unsigned *out, p3d_error *err)
{
    const char *names[P3D_N_MODULES];

    for (int i = 0; i < P3D_N_MODULES; i++) {
        names[i] = p3d_module_name(i);
        if (p3d_same_word(names[i], value)) {
            *out |= 1u << i;
            return true;
        }
    }
    return fail_choice(text, value,
            (part_words){names, P3D_N_MODULES,
                    "; write core_attn, mla_up_proj, layernorm, mlp, mlp_act, "
                    "moe, moe_act, shared_experts or op"},
            err);
}

static bool read_modules(
        const char *text, char *value, spec_said *said, p3d_error *err)
{
    unsigned modules = 0;

    while (value != NULL) {
        char *const rest = cut(value, '+');

        if (!read_module(text, value, &modules, err))
            return false;
        value = rest;
    }
    say(said, P3D_KEY_recompute_modules, modules);
    return true;
}

bool spec_read_recompute(
        const char *text, char *value, spec_said *said, p3d_error *err)
{
    static const char *const names[] = {"none", "selective", "full", "uniform"};
    char *const part = cut(value, ':');
    int choice = -1;

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        choice = p3d_same_word(names[i], value) ? i : choice;
    if (choice < 0)
        return fail_choice(text, value,
                (part_words){names, P3D_COUNT_OF(names),
                        "; write none, selective, full or uniform:2"},
                err);
    if (choice == P3D_N_RECOMPUTES) {
        said->value[P3D_KEY_recompute] = P3D_RECOMPUTE_FULL;
        return read_layers(text, part == NULL ? "" : part,
                P3D_KEY_recompute_group, said, err);
    }
    said->value[P3D_KEY_recompute] = choice;
    if (part == NULL)
        return true;
    if (choice == P3D_RECOMPUTE_SELECTIVE)
        return read_modules(text, part, said, err);
    if (choice == P3D_RECOMPUTE_FULL)
        return read_layers(text, part, P3D_KEY_recompute_layers, said, err);
    return p3d_fail(err, P3D_DATA,
            "'%s': only full takes a number of layers; write recompute=full:4",
            text);
}

static bool read_frac(
        const char *text, const char *value, double *out, p3d_error *err)
{
    p3d_error cause = {0};

    if (value == NULL) {
        *out = 1;
        return true;
    }
    if (!p3d_parse_number(value, 0, 1, out, &cause) || !(*out > 0))
        return p3d_fail(err, P3D_DATA,
                "'%s': '%s' is no share between 0 and 1; write "
                "offload=optimizer:0.5",
                text, value);
    return true;
}

enum { OPTIMIZER, PARAMETERS, ACTIVATIONS, NOTHING, N_PARTS };

static bool read_offload_part(const char *text, char *value, bool seen[N_PARTS],
        spec_said *said, p3d_error *err)
{
    static const char *const names[N_PARTS] = {
            "optimizer", "parameters", "activations", "none"};
    char *const frac = cut(value, ':');
    int part = -1;

    for (int i = 0; i < N_PARTS; i++)
        part = p3d_same_word(names[i], value) ? i : part;
    if (part < 0)
        return fail_choice(text, value,
                (part_words){names, N_PARTS,
                        "; write none, optimizer, optimizer+parameters or "
                        "activations"},
                err);
    seen[part] = true;
    if (part == OPTIMIZER)
        return frac == NULL ||
               read_frac(text, frac, &said->value[P3D_KEY_offload_frac], err);
    if (part == ACTIVATIONS)
        return read_frac(
                text, frac, &said->value[P3D_KEY_activation_offload_frac], err);
    if (frac != NULL)
        return p3d_fail(err, P3D_DATA,
                "'%s': only the optimizer and activations are offloaded in "
                "part; write offload=optimizer:0.5",
                text);
    return true;
}

bool spec_read_offload(
        const char *text, char *value, spec_said *said, p3d_error *err)
{
    char *const where = cut(value, '@');
    bool seen[N_PARTS] = {false};

    if (where != NULL && !p3d_same_word(where, "nvme"))
        return p3d_fail(err, P3D_DATA,
                "'%s': unknown place '%s'; write offload=optimizer@nvme", text,
                where);
    for (char *part = value; part != NULL;) {
        char *const rest = cut(part, '+');

        if (!read_offload_part(text, part, seen, said, err))
            return false;
        part = rest;
    }
    if (seen[PARAMETERS] && !seen[OPTIMIZER])
        return p3d_fail(err, P3D_DATA,
                "'%s': parameters are offloaded with the optimizer; write "
                "offload=optimizer+parameters",
                text);
    if ((seen[NOTHING] && (seen[OPTIMIZER] || seen[ACTIVATIONS])) ||
            (where != NULL && !seen[OPTIMIZER]))
        return p3d_fail(err, P3D_DATA,
                "'%s' contradicts itself; write offload=optimizer@nvme or "
                "offload=none",
                text);
    say(said, P3D_KEY_offload_nvme, where != NULL);
    said->said[P3D_KEY_offload_frac] = true;
    said->said[P3D_KEY_activation_offload_frac] = true;
    said->value[P3D_KEY_offload] = seen[PARAMETERS]
                                           ? P3D_OFFLOAD_OPTIMIZER_PARAMETERS
                                   : seen[OPTIMIZER] ? P3D_OFFLOAD_OPTIMIZER
                                                     : P3D_OFFLOAD_NONE;
    return true;
}

/* Append to a part; what does not fit is cut, which no value reaches. */
static void add(char out[P3D_PLAN_PART], const char *text)
{
    const size_t used = strlen(out);

    (void)snprintf(out + used, P3D_PLAN_PART - used, "%s", text);
}

static void add_number(char out[P3D_PLAN_PART], const char *before, double x)
{
    char text[48];

    (void)snprintf(text, sizeof(text), "%s%.6g", before, x);
    add(out, text);
}

const char *p3d_print_recompute(const p3d_plan *plan, char out[P3D_PLAN_PART])
{
    if (!spec_plan_words_given(plan) || out == NULL)
        return "";

    const char *between = ":";

    out[0] = '\0';
    if (plan->recompute_group > 1) {
        add_number(out, "uniform:", plan->recompute_group);
        return out;
    }
    add(out, p3d_recompute_name(plan->recompute));
    if (plan->recompute == P3D_RECOMPUTE_FULL && plan->recompute_layers > 0)
        add_number(out, ":", plan->recompute_layers);
    for (int i = 0; i < P3D_N_MODULES; i++) {
        if ((plan->recompute_modules >> i & 1) == 0)
            continue;
        add(out, between);
        add(out, p3d_module_name(i));
        between = "+";
    }
    return out;
}

const char *p3d_print_offload(const p3d_plan *plan, char out[P3D_PLAN_PART])
{
    if (!spec_plan_words_given(plan) || out == NULL)
        return "";
    out[0] = '\0';
    if (plan->offload != P3D_OFFLOAD_NONE) {
        add(out, "optimizer");
        if (plan->offload_frac > 0)
            add_number(out, ":", plan->offload_frac);
        if (plan->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS)
            add(out, "+parameters");
    }
    if (plan->activation_offload_frac > 0) {
        add(out, out[0] != '\0' ? "+activations" : "activations");
        if (plan->activation_offload_frac < 1)
            add_number(out, ":", plan->activation_offload_frac);
    }
    if (out[0] == '\0')
        add(out, "none");
    if (plan->offload_nvme)
        add(out, "@nvme");
    return out;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_variables.c - the variables of a shell script, by name. */
#include "exchange/read/shell_variables.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rows.h"

/* Of a value, so that none can grow for ever. */
enum { MAX_VALUE = 1 << 16 };

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
        const p3d_shell_variables *variables, const char *name, size_t n)
{
    uint32_t slot = hash(name, n) % P3D_SHELL_SLOTS;

    while (variables->slots[slot] != 0) {
        const p3d_text *const other =
                &variables->at[variables->slots[slot] - 1].name;

        if (other->length == n && memcmp(p3d_text_get(other), name, n) == 0)
            break;
        slot = (slot + 1) % P3D_SHELL_SLOTS;
    }
    return (int)slot;
}

static p3d_shell_variable *find(
        const p3d_shell_variables *variables, const char *name, size_t n)
{
    const int i = variables->slots[slot_of(variables, name, n)];

    return i > 0 ? &variables->at[i - 1] : NULL;
}

static p3d_shell_variable *add(
        p3d_shell_variables *variables, const char *name, size_t n)
{
    p3d_shell_variable *const at =
            p3d_grow(variables->at, variables->n, sizeof(*at));
    p3d_shell_variable variable = {.name = {.data = NULL}};

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

bool p3d_shell_set(p3d_shell_variables *variables, const char *name, size_t n,
        const char *value, bool append)
{
    p3d_shell_variable *variable = find(variables, name, n);

    if (variable == NULL && variables->n == P3D_SHELL_VARIABLES)
        return true;
    if (variable == NULL)
        variable = add(variables, name, n);
    else if (append)
        p3d_text_append(&variable->value, " ", 1);
    else
        p3d_text_cut(&variable->value, 0);
    if (variable == NULL)
        return false;
    p3d_text_append(&variable->value, value, strlen(value));
    if (variable->value.length > MAX_VALUE) {
        p3d_text_free(&variable->value);
        p3d_text_append(&variable->value, "$", 1); /* nobody knows it */
    }
    return !variable->value.failed;
}

const p3d_text *p3d_shell_get(
        const p3d_shell_variables *variables, const char *name, size_t n)
{
    const p3d_shell_variable *const variable = find(variables, name, n);

    return variable != NULL ? &variable->value : NULL;
}

void p3d_shell_put(
        p3d_shell_variables *variables, const p3d_text *value, p3d_text *out)
{
    variables->n_expanded += value->length;
    if (!p3d_shell_too_long(variables))
        p3d_text_append(out, p3d_text_get(value), value->length);
}

bool p3d_shell_too_long(const p3d_shell_variables *variables)
{
    return variables->n_expanded > P3D_SHELL_EXPANDED;
}

void p3d_shell_free(p3d_shell_variables *variables)
{
    for (int i = 0; i < variables->n; i++) {
        p3d_text_free(&variables->at[i].name);
        p3d_text_free(&variables->at[i].value);
    }
    free(variables->at);
    *variables = (p3d_shell_variables){.at = NULL};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* framework_names.c - frameworks by name, alias and standing. */
#include <stddef.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/cluster.h"
#include "plan3d/framework.h"
#include "spec/abilities.h"

/* clang-format off */
/* Other words for the rows of the table. */
static const struct {
    const char *alias;
    const char *name;
} aliases[] = {
    {"megatron", "megatron-core"}, {"megatron-lm", "megatron-core"},
    {"mcore", "megatron-core"},    {"nemo", "megatron-core"},
    {"torchtitan", "fsdp2"},       {"fsdp", "fsdp2"},
    {"megatron-legacy", "megatron-local"}, {"hf", "deepspeed-hf"},
    {"transformers", "deepspeed-hf"},
};
/* clang-format on */

const char *p3d_framework_alias(const p3d_framework *framework, int k)
{
    if (framework == NULL || framework->name == NULL || k < 0)
        return NULL;
    for (int i = 0; i < P3D_COUNT_OF(aliases); i++) {
        if (strcmp(aliases[i].name, framework->name) == 0 && k-- == 0)
            return aliases[i].alias;
    }
    return NULL;
}

const char *p3d_framework_standing_word(int i)
{
    static const char *const words[P3D_N_FRAMEWORK_STANDINGS] = {
            "current", "past", "profile"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

p3d_framework_list p3d_frameworks_current(const p3d_gpu *gpu)
{
    p3d_framework_list list = {.n = 0};
    int n;
    const p3d_framework *const all = p3d_frameworks(&n);

    for (int i = 0; i < n; i++)
        if (all[i].standing == P3D_FRAMEWORK_CURRENT &&
                (gpu == NULL || spec_framework_runs_on(&all[i], gpu)))
            list.at[list.n++] = &all[i];
    return list;
}

const p3d_framework *p3d_framework_find(const char *name)
{
    int n;
    const p3d_framework *const all = p3d_frameworks(&n);

    if (name == NULL)
        return NULL;
    for (int i = 0; i < P3D_COUNT_OF(aliases); i++) {
        if (p3d_same_word(aliases[i].alias, name))
            name = aliases[i].name;
    }
    for (int i = 0; i < n; i++) {
        if (p3d_same_word(all[i].name, name))
            return &all[i];
    }
    return NULL;
}

const char *p3d_framework_costs_name(const p3d_framework *framework)
{
    return framework == NULL             ? NULL
           : framework->costs_of != NULL ? framework->costs_of
                                         : framework->name;
}

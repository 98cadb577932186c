/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_words.c - a plan, and its values, written in words. */
#include "spec/plan_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/given.h"

typedef struct cursor {
    char *buffer;
    size_t n;
    size_t used; /* without the NUL; may exceed n */
} cursor;

P3D_PRINTF(2, 3) static void put(cursor *to, const char *fmt, ...)
{
    const size_t room = to->used < to->n ? to->n - to->used : 0;
    va_list args;
    int length;

    va_start(args, fmt);
    length =
            vsnprintf(room > 0 ? to->buffer + to->used : NULL, room, fmt, args);
    va_end(args);
    P3D_ASSERT(length >= 0);
    to->used += (size_t)length;
}

/* True for values that a plan's text leaves out. */
static bool goes_without_saying(const p3d_plan *plan, spec_plan_key key)
{
    switch ((int)key) {
    case P3D_KEY_tp:
    case P3D_KEY_pp:
    case P3D_KEY_dp:
    case P3D_KEY_micro_batch:
    case P3D_KEY_zero: return false;
    case P3D_KEY_sequence_parallel:
        return plan->tp == 1 && !plan->sequence_parallel;
    case P3D_KEY_offload:
        return plan->offload == P3D_OFFLOAD_NONE &&
               plan->activation_offload_frac <= 0;
    }
    return spec_plan_get(plan, key) == spec_plan_usual(plan, key);
}

const char *spec_plan_number_words(
        spec_plan_key key, int value, char out[P3D_PLAN_PART])
{
    const char *const name = spec_plan_value_name(key, value);

    if (name != NULL)
        return name;
    if (spec_plan_fields[key].kind == SPEC_FIELD_FLAG)
        return spec_switch_words[value != 0];
    snprintf(out, P3D_PLAN_PART, "%d", value);
    return out;
}

const char *spec_plan_value_words(
        const p3d_plan *plan, spec_plan_key key, char out[P3D_PLAN_PART])
{
    if (key == P3D_KEY_recompute)
        return p3d_print_recompute(plan, out);
    if (key == P3D_KEY_offload)
        return p3d_print_offload(plan, out);
    return spec_plan_number_words(key, (int)spec_plan_get(plan, key), out);
}

static void put_value(cursor *to, const p3d_plan *plan, spec_plan_key key)
{
    const spec_plan_field *const field = &spec_plan_fields[key];
    const int flag = spec_flag_of(key);
    const char *const comma = to->used > 0 ? "," : "";
    char part[P3D_PLAN_PART];

    if (field->kind == SPEC_FIELD_FLAG)
        put(to, "%s%s", comma,
                flag < 0 || spec_plan_get(plan, key) != 0
                        ? field->word
                        : spec_flags[flag].off);
    else
        put(to, "%s%s=%s", comma, field->word,
                spec_plan_value_words(plan, key, part));
}

const char *p3d_plan_print(const p3d_plan *plan, char *buffer, size_t n)
{
    if (!spec_plan_words_given(plan) || buffer == NULL || n == 0)
        return "";

    cursor to = {.buffer = buffer, .n = n};

    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        const spec_plan_key key = (spec_plan_key)i;

        if (spec_plan_fields[i].word != NULL && !goes_without_saying(plan, key))
            put_value(&to, plan, key);
    }
    return buffer;
}

const char *spec_print_chunks(const p3d_plan *plan, char out[P3D_PLAN_PART])
{
    static const spec_plan_key keys[] = {P3D_KEY_first_layers,
            P3D_KEY_last_layers, P3D_KEY_short_chunk, P3D_KEY_tail};
    cursor to = {.buffer = out, .n = P3D_PLAN_PART};

    out[0] = '\0';
    for (int i = 0; i < P3D_COUNT_OF(keys); i++) {
        if (!goes_without_saying(plan, keys[i]))
            put_value(&to, plan, keys[i]);
    }
    return out;
}

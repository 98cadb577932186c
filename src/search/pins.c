/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pins.c - values of a plan that a person fixes before a search. */
#include "base/util.h"
#include "plan3d/search.h"
#include "spec/given.h"
#include "spec/plan_words.h"

p3d_pins p3d_pins_free(void)
{
    p3d_pins pins = {.lenient = false};

    for (int i = 0; i < P3D_N_PLAN_KEYS; i++)
        p3d_pins_set(&pins, (p3d_plan_key)i, p3d_plan_fields[i].free);
    return pins;
}

bool p3d_pins_are_free(const p3d_pins *pins)
{
    if (!p3d_pins_given(pins))
        return false;
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        if (p3d_pins_get(pins, (p3d_plan_key)i) != p3d_plan_fields[i].free)
            return false;
    }
    return true;
}

bool p3d_pins_parse(const char *words, p3d_pins *out, p3d_error *err)
{
    if (words == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_pins pins = p3d_pins_free();
    p3d_said said;

    if (!p3d_said_read(words, &said, err))
        return false;
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        if (said.said[i])
            p3d_pins_set(&pins, (p3d_plan_key)i, said.value[i]);
    }
    pins.lenient = true;
    *out = pins;
    return true;
}

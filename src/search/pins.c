/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pins.c - values of a plan that a person fixes before a search. */
#include <stddef.h>

#include "base/util.h"
#include "plan3d/search.h"
#include "spec/given.h"
#include "spec/members.h"
#include "spec/plan_words.h"

/* Where each word's value goes. */
static const struct {
    p3d_plan_key key;
    size_t offset;
} pin_table[] = {
        {P3D_KEY_TP, offsetof(p3d_pins, tp)},
        {P3D_KEY_PP, offsetof(p3d_pins, pp)},
        {P3D_KEY_DP, offsetof(p3d_pins, dp)},
        {P3D_KEY_CP, offsetof(p3d_pins, cp)},
        {P3D_KEY_EP, offsetof(p3d_pins, ep)},
        {P3D_KEY_ETP, offsetof(p3d_pins, etp)},
        {P3D_KEY_VP, offsetof(p3d_pins, vp)},
        {P3D_KEY_MICRO_BATCH, offsetof(p3d_pins, micro_batch)},
        {P3D_KEY_ZERO, offsetof(p3d_pins, zero)},
        {P3D_KEY_SHARD, offsetof(p3d_pins, shard)},
        {P3D_KEY_SEQUENCE_PARALLEL, offsetof(p3d_pins, sequence_parallel)},
        {P3D_KEY_SCHEDULE, offsetof(p3d_pins, schedule)},
        {P3D_KEY_ORDER, offsetof(p3d_pins, order)},
        {P3D_KEY_FIRST_LAYERS, offsetof(p3d_pins, first_layers)},
        {P3D_KEY_LAST_LAYERS, offsetof(p3d_pins, last_layers)},
        {P3D_KEY_UNEVEN, offsetof(p3d_pins, uneven)},
        {P3D_KEY_RECOMPUTE, offsetof(p3d_pins, recompute)},
        {P3D_KEY_OFFLOAD, offsetof(p3d_pins, offload)},
};

p3d_pins p3d_pins_free(void)
{
    return (p3d_pins){.zero = -1,
            .sequence_parallel = -1,
            .schedule = -1,
            .order = -1,
            .uneven = -1,
            .recompute = -1,
            .offload = -1,
            .offload_nvme = -1,
            .activation_offload_frac = -1};
}

bool p3d_pins_are_free(const p3d_pins *pins)
{
    const p3d_pins none = p3d_pins_free();

    if (!p3d_pins_given(pins))
        return false;
    for (int i = 0; i < p3d_pins_members.n; i++) {
        const p3d_member *const row = &p3d_pins_members.rows[i];

        if (p3d_member_value(row, pins) != p3d_member_value(row, &none))
            return false;
    }
    return true;
}

/* Words of a plan that a search does not choose. */
static bool check_free(const p3d_said *said, p3d_error *err)
{
    if (said->said[P3D_KEY_GROUP])
        return p3d_fail(err, P3D_DATA,
                "'group' cannot be fixed in a search, which runs pp "
                "micro-batches in a row; estimate the one plan instead");
    return true;
}

/* What is said of recomputation and offload beside the choice: a kind of
 * offload alone leaves open how much of the states goes. */
static void pin_parts(const p3d_said *said, p3d_pins *pins)
{
    pins->recompute_layers = said->recompute_layers;
    pins->recompute_group = said->recompute_group;
    pins->recompute_modules = said->recompute_modules;
    if (!said->said[P3D_KEY_OFFLOAD])
        return;
    pins->offload_frac = said->offload_frac;
    pins->offload_nvme = said->offload_nvme;
    pins->activation_offload_frac = said->activation_offload_frac;
}

bool p3d_pins_parse(const char *words, p3d_pins *out, p3d_error *err)
{
    if (words == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_pins pins = p3d_pins_free();
    p3d_said said;

    if (!p3d_said_read(words, &said, err) || !check_free(&said, err))
        return false;
    for (int i = 0; i < P3D_COUNT_OF(pin_table); i++) {
        int *const pin = (int *)(void *)((char *)&pins + pin_table[i].offset);

        if (said.said[pin_table[i].key])
            *pin = said.value[pin_table[i].key];
    }
    pin_parts(&said, &pins);
    pins.lenient = true;
    *out = pins;
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pins.c - values of a plan that a person fixes before a search. */
#include <stddef.h>

#include "base/util.h"
#include "plan3d/search.h"
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
        {P3D_KEY_RECOMPUTE, offsetof(p3d_pins, recompute)},
        {P3D_KEY_OFFLOAD, offsetof(p3d_pins, offload)},
};

p3d_pins p3d_pins_free(void)
{
    return (p3d_pins){.zero = -1, .recompute = -1, .offload = -1};
}

/* Words of a plan that the search settles itself. "sp" alone passes: it is
 * what the search does, and printed plans have it. */
static bool check_free(const p3d_said *said, p3d_error *err)
{
    static const struct {
        p3d_plan_key key;
        const char *word;
    } own[] = {{P3D_KEY_SHARD, "shard"}, {P3D_KEY_GROUP, "group"},
            {P3D_KEY_FIRST_LAYERS, "first"}, {P3D_KEY_LAST_LAYERS, "last"},
            {P3D_KEY_UNEVEN, "uneven"}};

    if (said->said[P3D_KEY_SEQUENCE_PARALLEL] &&
            said->value[P3D_KEY_SEQUENCE_PARALLEL] == 0)
        return p3d_fail(err, P3D_DATA,
                "'nosp' cannot be fixed: a search has sequence parallelism on "
                "where tp > 1; estimate the one plan instead");
    if (said->said[P3D_KEY_SCHEDULE])
        return p3d_fail(err, P3D_DATA,
                "'schedule' cannot be fixed; write vp=1 for 1f1b or vp=2 for "
                "interleaved");
    for (int i = 0; i < P3D_COUNT_OF(own); i++) {
        if (said->said[own[i].key])
            return p3d_fail(err, P3D_DATA,
                    "'%s' cannot be fixed in a search; estimate the one plan "
                    "instead",
                    own[i].word);
    }
    if (said->recompute_group > 0 || said->recompute_modules != 0)
        return p3d_fail(err, P3D_DATA,
                "a search recomputes what the framework usually does; write "
                "recompute=selective or full, or estimate the one plan");
    if (said->offload_frac > 0 || said->offload_nvme ||
            said->activation_offload_frac > 0)
        return p3d_fail(err, P3D_DATA,
                "a search offloads all states to host memory or none; write "
                "offload=optimizer, or estimate the one plan");
    if (said->recompute_layers > 0)
        return p3d_fail(err, P3D_DATA,
                "'recompute=full:%d': the search finds the number of layers; "
                "write recompute=full",
                said->recompute_layers);
    return true;
}

bool p3d_pins_parse(const char *words, p3d_pins *out, p3d_error *err)
{
    p3d_pins pins = p3d_pins_free();
    p3d_said said;

    if (!p3d_said_read(words, &said, err) || !check_free(&said, err))
        return false;
    for (int i = 0; i < P3D_COUNT_OF(pin_table); i++) {
        int *const pin = (int *)(void *)((char *)&pins + pin_table[i].offset);

        if (said.said[pin_table[i].key])
            *pin = said.value[pin_table[i].key];
    }
    *out = pins;
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_fields.c - the values of a plan: their names, their access by key, and
 * the flags among them. */
#include "spec/plan_words.h"

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/given.h"

/* clang-format off */
const spec_plan_field spec_plan_fields[P3D_N_PLAN_KEYS] = {
#define AS_ROW(type, pin, member, word, kind, least, most, free, doc) \
    {word, SPEC_FIELD_##kind, least, most, free},
    P3D_PLAN_FIELDS(AS_ROW)
#undef AS_ROW
};
/* clang-format on */

const char *const spec_switch_words[2] = {"off", "on"};

static const char *const recompute_names[] = {
        [P3D_RECOMPUTE_NONE] = "none",
        [P3D_RECOMPUTE_SELECTIVE] = "selective",
        [P3D_RECOMPUTE_FULL] = "full",
};

static const char *const schedule_names[] = {
#define AS_WORD(name, word, chunks, a, b, splits, late, searched) word,
        P3D_SCHEDULES(AS_WORD)
#undef AS_WORD
};

static const char *const offload_names[] = {
        [P3D_OFFLOAD_NONE] = "none",
        [P3D_OFFLOAD_OPTIMIZER] = "optimizer",
        [P3D_OFFLOAD_OPTIMIZER_PARAMETERS] = "optimizer+parameters",
};

static const char *const tail_names[] = {
        [P3D_TAIL_LAYERS] = "layers",
        [P3D_TAIL_HEAD] = "head",
        [P3D_TAIL_MTP_HEAD] = "mtp-head",
};

static const char *const order_names[] = {
        [P3D_ORDER_DP_PP] = "tp-cp-ep-dp-pp",
        [P3D_ORDER_PP_DP] = "tp-cp-ep-pp-dp",
};

const char *spec_plan_value_name(spec_plan_key key, int i)
{
#define NAMES(member)      \
    case P3D_KEY_##member: \
        return P3D_HAS(member##_names, i) ? member##_names[i] : NULL;
    switch ((int)key) {
        NAMES(recompute)
        NAMES(schedule)
        NAMES(offload)
        NAMES(tail)
        NAMES(order)
    }
#undef NAMES
    return NULL;
}

static const char *name_of(spec_plan_key key, int i)
{
    const char *const name = spec_plan_value_name(key, i);

    return name != NULL ? name : "";
}

const char *p3d_recompute_name(p3d_recompute recompute)
{
    return name_of(P3D_KEY_recompute, (int)recompute);
}

const char *p3d_schedule_name(p3d_schedule schedule)
{
    return name_of(P3D_KEY_schedule, (int)schedule);
}

const char *p3d_offload_name(p3d_offload offload)
{
    return name_of(P3D_KEY_offload, (int)offload);
}

const char *p3d_tail_name(p3d_tail tail)
{
    return name_of(P3D_KEY_tail, (int)tail);
}

const char *p3d_order_name(p3d_order order)
{
    return name_of(P3D_KEY_order, (int)order);
}

double spec_plan_get(const p3d_plan *plan, spec_plan_key key)
{
    switch ((int)key) {
#define AS_GET(type, pin, member, word, kind, least, most, free, doc) \
    case P3D_KEY_##member: return (double)plan->member;
        P3D_PLAN_FIELDS(AS_GET)
#undef AS_GET
    }
    return 0;
}

void spec_plan_set(p3d_plan *plan, spec_plan_key key, double value)
{
    switch ((int)key) {
#define AS_SET(type, pin, member, word, kind, least, most, free, doc) \
    case P3D_KEY_##member: plan->member = (type)value; break;
        P3D_PLAN_FIELDS(AS_SET)
#undef AS_SET
    }
}

int spec_plan_compare(const p3d_plan *a, const p3d_plan *b)
{
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        const double va = spec_plan_get(a, (spec_plan_key)i);
        const double vb = spec_plan_get(b, (spec_plan_key)i);

        if (va != vb)
            return va < vb ? -1 : 1;
    }
    return 0;
}

double spec_pins_get(const p3d_pins *pins, spec_plan_key key)
{
    switch ((int)key) {
#define AS_PIN_GET(type, pin, member, word, kind, least, most, free, doc) \
    case P3D_KEY_##member: return (double)pins->member;
        P3D_PLAN_FIELDS(AS_PIN_GET)
#undef AS_PIN_GET
    }
    return 0;
}

void spec_pins_set(p3d_pins *pins, spec_plan_key key, double value)
{
    switch ((int)key) {
#define AS_PIN_SET(type, pin, member, word, kind, least, most, free, doc) \
    case P3D_KEY_##member: pins->member = (pin)value; break;
        P3D_PLAN_FIELDS(AS_PIN_SET)
#undef AS_PIN_SET
    }
}

/* clang-format off */
const spec_flag spec_flags[P3D_N_FLAGS] = {
#define AS_FLAG(member, off, title, needs, usual) \
    {P3D_KEY_##member, off, title, #needs},
    P3D_PLAN_FLAGS(AS_FLAG)
#undef AS_FLAG
};
/* clang-format on */

bool spec_flag_may(const p3d_plan *plan, int i)
{
    switch (i) {
#define AS_NEEDS(member, off, title, needs, usual) \
    case P3D_FLAG_##member: return plan->needs;
        P3D_PLAN_FLAGS(AS_NEEDS)
#undef AS_NEEDS
    }
    return false;
}

bool spec_flag_usual(const p3d_plan *plan, int i)
{
    static const bool is_usual[] = {
#define AS_USUAL(member, off, title, needs, usual) usual,
            P3D_PLAN_FLAGS(AS_USUAL)
#undef AS_USUAL
    };

    return is_usual[i] && spec_flag_may(plan, i);
}

void spec_flag_follow(p3d_plan *plan, int i)
{
    spec_plan_set(plan, spec_flags[i].key, spec_flag_usual(plan, i));
}

int spec_flag_of(spec_plan_key key)
{
    int i = P3D_N_FLAGS - 1;

    while (i >= 0 && spec_flags[i].key != key)
        i--;
    return i;
}

double spec_plan_usual(const p3d_plan *plan, spec_plan_key key)
{
    const int flag = spec_flag_of(key);

    if (key == P3D_KEY_etp)
        return plan->ep > 1 ? 1 : plan->tp;
    if (flag >= 0)
        return spec_flag_usual(plan, flag);
    if (key == P3D_KEY_schedule)
        return plan->vp > 1 ? P3D_INTERLEAVED : P3D_1F1B;
    return spec_plan_fields[key].least;
}

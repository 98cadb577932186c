/* SPDX-License-Identifier: GPL-3.0-or-later */
/* departures.c - what a plan has that its framework does not do by itself. */
#include "plan3d/departures.h"

#include "base/util.h"
#include "spec/departures.h"
#include "spec/given.h"

static bool is_power_of_two(unsigned n)
{
    return (n & (n - 1)) == 0;
}

unsigned spec_departures(const p3d_problem *p, const p3d_plan *plan)
{
    unsigned set = 0;

#define AS_BIT(name, words, because, has) \
    set |= (has) ? P3D_DEPARTS_##name : 0u;
    P3D_DEPARTURES(AS_BIT)
#undef AS_BIT
    return set;
}

unsigned p3d_plan_departures(const p3d_problem *problem, const p3d_plan *plan)
{
    return spec_problem_given(problem) && spec_plan_given(plan)
                   ? spec_departures(problem, plan)
                   : 0;
}

const char *p3d_departure_words(int i)
{
    static const char *const words[] = {
#define AS_WORDS(name, words, because, has) words,
            P3D_DEPARTURES(AS_WORDS)
#undef AS_WORDS
    };

    return P3D_HAS(words, i) ? words[i] : NULL;
}

unsigned p3d_departure_bit(int i)
{
    return i >= 0 && i < P3D_N_DEPARTURES ? 1u << (P3D_N_DEPARTURES - 1 - i)
                                          : 0;
}

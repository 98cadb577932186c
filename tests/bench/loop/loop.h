/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.h - bf16 in loops that a compiler makes vectors of. */
#ifndef PLAN3D_TEST_LOOP_H
#define PLAN3D_TEST_LOOP_H

#include <stdint.h>
#include <string.h>

static inline float loop_wide(uint16_t bits)
{
    const uint32_t all = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &all, sizeof(value));
    return value;
}

/** To the nearest, ties to even. */
static inline uint16_t loop_bf16(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

#endif

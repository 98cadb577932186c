/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compression.h - fewer bytes between data-parallel ranks, in words. */
#ifndef PLAN3D_SPEC_COMPRESSION_H
#define PLAN3D_SPEC_COMPRESSION_H

#include "plan3d/compression.h"
#include "plan3d/error.h"

enum { SPEC_COMPRESSION_WORDS = 80 };

/** Read the words of --compress: "qwz,qgz,hpz=8", "onebit", "powersgd=4",
 *  "int8".
 *  @return false with P3D_USAGE */
P3D_CHECK bool spec_compression_read(
        const char *text, p3d_compression *out, p3d_error *err);

/** The words that mean it; "" = none. */
const char *spec_compression_print(
        const p3d_compression *compression, char text[SPEC_COMPRESSION_WORDS]);

/** What of P3D_COMPRESS_ it needs a framework to have. */
unsigned spec_compression_needs(const p3d_compression *compression);

/** The ZeRO stage that it goes with; -1 = any. */
int spec_compression_zero(const p3d_compression *compression);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sha256.h - the digest by which a browser knows a style or script. */
#ifndef PLAN3D_BASE_SHA256_H
#define PLAN3D_BASE_SHA256_H

#include <stddef.h>

enum { P3D_SHA256_TEXT = 45 }; /* of its 32 bytes in base64, with the NUL */

/** SHA-256 of n bytes, in base64.
 *
 * Source: NIST FIPS 180-4, sections 4.1.2, 4.2.2, 5.1.1, 6.2; RFC 4648.
 * Tested: tests/unit/test_sha256.c */
void p3d_sha256(const char *data, size_t n, char out[P3D_SHA256_TEXT]);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.c - a target as libFuzzer calls it; TARGET is its name. */
#include "fuzz/fuzz.h"

#define JOIN(a, b)     a##b
#define FUNCTION(name) JOIN(fuzz_, name)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    (void)FUNCTION(TARGET)(data, n);
    return 0;
}

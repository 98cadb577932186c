/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h - what is fuzzed: one function a target, for libFuzzer (entry.c) and
 * for the tests, which replay the inputs in the folder of its name. */
#ifndef PLAN3D_TEST_FUZZ_H
#define PLAN3D_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "plan3d/error.h"

/* clang-format off */
#define FUZZ_TARGETS(X) \
    X(json) \
    X(hf_config) \
    X(units) \
    X(plan) \
    X(cluster) \
    X(measurements) \
    X(measured_log) \
    X(topology) \
    X(traced) \
    X(page) \
    X(csv) \
    X(corpus) \
    X(command) \
    X(shell) \
    X(log) \
    X(launch_json) \
    X(yaml) \
    X(toml) \
    X(python)
/* clang-format on */

/** Give any bytes to a reader. Stops the program where a promise is broken.
 *  @return true when they were accepted */
typedef bool fuzz_target(const uint8_t *data, size_t n);

#define FUZZ_AS_TARGET(name) fuzz_target fuzz_##name;
FUZZ_TARGETS(FUZZ_AS_TARGET)
#undef FUZZ_AS_TARGET

/** A copy that ends in NUL; free() it. */
char *fuzz_text(const uint8_t *data, size_t n);

/** A file with these bytes, the same one each time. @return its path */
const char *fuzz_file(const uint8_t *data, size_t n);

/** A refusal has a code and one line of text; a success has neither. */
void fuzz_check_error(bool ok, const p3d_error *err);

/** A launch in a file with this ending, settled by the target that it is. */
bool fuzz_launch(const char *path, const uint8_t *data, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.h - how every function of plan3d says that it failed, and why. */
#ifndef PLAN3D_ERROR_H
#define PLAN3D_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "plan3d/api.h"

P3D_API_BEGIN

#if defined(__GNUC__)
#    define P3D_CHECK        __attribute__((warn_unused_result))
#    define P3D_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#    define P3D_CHECK
#    define P3D_PRINTF(f, a)
#endif

/* clang-format off */
/** Every way a command can end: name, exit status, meaning. */
#define P3D_CODES(X) \
    X(P3D_OK,     0, "done, or the answer is yes") \
    X(P3D_NO,     1, "done, and the answer is no") \
    X(P3D_USAGE,  2, "wrong usage of the command line") \
    X(P3D_DATA,   3, "wrong input data") \
    X(P3D_SYSTEM, 4, "the system refused: file, memory or output") \
    X(P3D_DEVICE, 5, "no usable device") \
    X(P3D_INTERRUPTED, 130, "interrupted; what was found so far is printed")
/* clang-format on */

typedef enum p3d_code {
#define P3D_AS_ENUM(name, status, meaning) name = status,
    P3D_CODES(P3D_AS_ENUM)
#undef P3D_AS_ENUM
} p3d_code;

enum {
    P3D_ERROR_TEXT = 512,
    P3D_ERROR_LINE = 1024 /* enough for p3d_print_error() */
};

/** Exit status of a program that ends with this code. */
int p3d_exit_status(p3d_code code);

/**
 * The first cause of a failure. Zero is "no error".
 *
 * Printed by p3d_print_error() as `file:line:column: pointer: text`.
 */
typedef struct p3d_error {
    p3d_code code;
    int line;   /* 1-based; 0 = unknown */
    int column; /* 1-based, in bytes; 0 = unknown */
    char file[256];
    char pointer[160]; /* JSON Pointer of the culprit, "" = none */
    char text[P3D_ERROR_TEXT];
} p3d_error;

/** Print an error on one line, less the parts that are not known.
 *  @return buffer */
const char *p3d_print_error(char *buffer, size_t n, const p3d_error *err);

/**
 * Record a failure.
 *
 * @param err   may be NULL; an error that is already recorded is kept, because
 *              the first cause is the one to show
 * @param code  what kind of failure
 * @param fmt   what is wrong first, lower case, no full stop, the culprit in
 *              quotes, what to write instead last
 */
void p3d_record(p3d_error *err, p3d_code code, const char *fmt, ...)
        P3D_PRINTF(3, 4);

/** @return false, for a caller's compiler to see */
static inline bool p3d_false(void)
{
    return false;
}

/** p3d_record(), as `return p3d_fail(...)` of a function that failed: false. */
#define p3d_fail(...) (p3d_record(__VA_ARGS__), p3d_false())

P3D_API_END

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api.h - what holds for every function that these headers declare.
 *
 * A NULL pointer, a struct that nothing was read into (all zeros), an
 * enumeration without such a value and a number out of range are refused, never
 * a crash: as arguments, and in a p3d_problem with its model, cluster and job,
 * a p3d_plan and p3d_pins. A function that takes a p3d_error returns false with
 * P3D_USAGE, names itself and leaves *out as it was. Any other does nothing,
 * and returns 0, false, "" or a struct of zeros. A p3d_error itself may always
 * be NULL, another pointer where its header says so.
 *
 * The numbers of a job have the ranges of the command line's options (a batch:
 * 1 to 1e9 sequences; `plan3d plan --help`), those of a model the ranges of its
 * file. 0 is allowed where it means "not said".
 *
 * These remain the caller's mistakes, which nothing looks for: memory that was
 * released, arrays shorter than their n, a p3d_error that does not begin as
 * zeros, fields of any other filled struct, a calibration or a framework set to
 * what plan3d never writes there, and a plan that breaks a rule where the
 * header asks for a legal one. */
#ifndef PLAN3D_API_H
#define PLAN3D_API_H

#ifdef __cplusplus
#    define P3D_LINKAGE_BEGIN extern "C" {
#    define P3D_LINKAGE_END   }
#else
#    define P3D_LINKAGE_BEGIN
#    define P3D_LINKAGE_END
#endif

/** What is declared between the two is a part of the library. */
#if defined(__GNUC__)
#    define P3D_API_BEGIN \
        _Pragma("GCC visibility push(default)") P3D_LINKAGE_BEGIN
#    define P3D_API_END P3D_LINKAGE_END _Pragma("GCC visibility pop")
#else
#    define P3D_API_BEGIN P3D_LINKAGE_BEGIN
#    define P3D_API_END   P3D_LINKAGE_END
#endif

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake.h - a device made of host memory, for tests of plan3d-bench where there
 * is none: the CUDA runtime, cuBLASLt, the kernels and NCCL, as far as they are
 * used, each doing at once what its documentation says. Times mean nothing. */
#ifndef PLAN3D_TEST_FAKE_H
#define PLAN3D_TEST_FAKE_H

#include <stdint.h>

/** Memory of the device, of which a program sees all. */
enum { FAKE_BYTES = 192 << 20, FAKE_CAPABILITY = 90, FAKE_L2_BYTES = 1 << 20 };

/** Element i of an array of p3d_number numbers. */
float fake_load(const void *data, int dtype, int64_t i);
void fake_store(void *data, int dtype, int64_t i, float value);

#endif

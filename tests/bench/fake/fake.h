/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake.h - a device made of host memory, for tests of plan3d-bench where there
 * is none: the CUDA runtime, cuBLASLt, the kernels and NCCL, as far as they are
 * used, each doing at once what its documentation says. Times mean nothing. */
#ifndef PLAN3D_TEST_FAKE_H
#define PLAN3D_TEST_FAKE_H

#include <stdbool.h>
#include <stdint.h>

/** Memory of the device, of which a program sees all. */
enum { FAKE_BYTES = 192 << 20, FAKE_CAPABILITY = 90, FAKE_L2_BYTES = 1 << 20 };

/** A number of the environment, by which tests break something; 0 without. */
int fake_setting(const char *name);

/** Let time pass: FAKE_... settings are in milliseconds. */
void fake_sleep(int ms);

/** The device that this process has chosen. */
extern int fake_device;

/** Something more waits on the device. @return false once more waits than
 *  FAKE_MOST_QUEUED, where a real one would make the host wait */
bool fake_queue(void);

/** Nothing that was begun on the device ends any more. */
extern bool fake_hangs;

/** Element i of an array of p3d_number numbers. */
float fake_load(const void *data, int dtype, int64_t i);
void fake_store(void *data, int dtype, int64_t i, float value);

#endif

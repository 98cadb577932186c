/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake.h - a device made of host memory, for tests of plan3d-bench where there
 * is none: the CUDA runtime, cuBLASLt, the kernels and NCCL, as far as they are
 * used, each doing at once what its documentation says. Times mean nothing. */
#ifndef PLAN3D_TEST_FAKE_H
#define PLAN3D_TEST_FAKE_H

#include <stdbool.h>
#include <stdint.h>

/** Memory of the device, of which a program sees all. */
enum { FAKE_MIB = 192, FAKE_CAPABILITY = 90 };

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

/** A column-major matrix, or its transpose. */
typedef struct fake_matrix {
    void *data;
    int dtype; /* p3d_number */
    bool transposed;
    int64_t rows, columns, ld; /* as it lies in memory */
} fake_matrix;

/** to = scale from[0] from[1] + keep to. */
void fake_multiply(const fake_matrix from[2], float scale, float keep,
        const fake_matrix *to);

/** Bytes of a p3d_number. */
int fake_bytes(int dtype);

/** Element i of an array of p3d_number numbers. */
float fake_load(const void *data, int dtype, int64_t i);
void fake_store(void *data, int dtype, int64_t i, float value);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* python_values.h - names of Python that stand for one literal, and sums of
 * whole numbers. Nothing is run: a name that is given two values stands for
 * neither. */
#ifndef PLAN3D_EXCHANGE_READ_PYTHON_VALUES_H
#define PLAN3D_EXCHANGE_READ_PYTHON_VALUES_H

#include <stdbool.h>

#include "base/text.h"

enum {
    EXCHANGE_MOST_PYTHON_NAMES = 256,
    EXCHANGE_PYTHON_NAME = 64,
    EXCHANGE_PYTHON_VALUE = 160
};

/** A name, and the literal that it stands for. */
typedef struct exchange_python_name {
    char name[EXCHANGE_PYTHON_NAME];
    char value[EXCHANGE_PYTHON_VALUE]; /* as it is written */
    bool is_global;                    /* of the file, not of one function */
    bool is_unsure;                    /* it is given several values */
    bool is_argument;                  /* the default of a program's argument */
    bool is_taken;                     /* another value has it */
} exchange_python_name;

/** Begin with {0}. */
typedef struct exchange_python_names {
    exchange_python_name at[EXCHANGE_MOST_PYTHON_NAMES];
    int n;
    int n_gpus; /* of the cluster, what get_world_size() is; 0 = not known */
    int gpus_per_node; /* likewise get_local_world_size() */
} exchange_python_names;

/** Keep what a name stands for; what is too long, or one too many, is left
 *  out. */
void exchange_python_keep(
        exchange_python_names *names, const exchange_python_name *one);

/** A function begins: what others have is forgotten. */
void exchange_python_leave(exchange_python_names *names);

/**
 * Put a literal in the place of a name ("MICRO_BATCH", "args.batch_size", "a or
 * B"), and a number in that of a sum ("2 * 8192", "2**21").
 *
 * @param value  in and out; as it was where it stands for nothing known
 * @return true where it is the default of an argument
 */
bool exchange_python_value(exchange_python_names *names, p3d_text *value);

#endif

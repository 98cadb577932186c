/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubt.h - options that no table knows, and that look as if they were part of
 * the answer. */
#ifndef PLAN3D_EXCHANGE_READ_DOUBT_H
#define PLAN3D_EXCHANGE_READ_DOUBT_H

#include <stdbool.h>

/** What an option looks like. */
typedef struct exchange_doubt {
    const char *topic;   /* "precision" */
    bool shapes_replica; /* may change how many GPUs a replica has */
    bool freezes;        /* may leave weights as they are: another training */
} exchange_doubt;

/**
 * What an option looks like by the words of its name, however they are joined
 * ("--tp_size", "model.tensorParallel", "TENSOR-PARALLEL").
 *
 * @param value  NULL for a flag; one that switches the option off is no doubt
 * @return NULL where it looks like nothing that changes an answer
 */
const exchange_doubt *exchange_doubt_of(const char *name, const char *value);

/** True where a name has a word of what is no part of the step: data, logs,
 *  checkpoints, rates of learning. */
bool exchange_is_elsewhere(const char *name);

/** True for the name of an option that looks like a part of the layers, by the
 *  words of its name. @param value  NULL for a flag */
bool exchange_describes_layers(const char *name, const char *value);

#endif

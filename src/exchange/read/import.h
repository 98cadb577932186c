/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.h - the plan that the files of a launch stand for. */
#ifndef PLAN3D_EXCHANGE_READ_IMPORT_H
#define PLAN3D_EXCHANGE_READ_IMPORT_H

#include "exchange/launch/target.h"
#include "exchange/read/front.h"
#include "exchange/read/read.h"

/** What a launch was found to be. Large; allocate it. */
/** An option that no program has, nearly the name of one that no file says. */
typedef struct exchange_slip {
    char name[96]; /* "sequence-paralel"; "" = there is none */
    char meant[96];
} exchange_slip;

typedef struct exchange_import {
    const exchange_target *target;
    p3d_framework framework; /* of the target; launch.job points to it */
    exchange_launch launch;  /* model, job and plan are settled */
    bool own_model;          /* the files describe the model */
    int64_t resident_bytes;  /* of each GPU, that something else takes all the
                                while: an engine, a second model */
    p3d_text scope;      /* what the answer is of, by line; empty = all that the
                            files run */
    p3d_text assumed;    /* options left to the framework's default, by line */
    p3d_text unknown;    /* options that no table knows, by line */
    p3d_text unmodelled; /* of these, those that change what runs */
    p3d_text unresolved; /* options whose value only a run would tell */
    p3d_text doubtful;   /* those of no table, or of no known value, that look
                            like a part of the plan */
    exchange_slip misspelt; /* the first one */
    p3d_text contradicted;  /* what the files say in two ways, or otherwise than
                              the cluster: what counts stands first */
} exchange_import;

/** The target whose tables know the most of the settings; NULL with P3D_DATA
 *  when none knows one of the sizes of a plan. */
const exchange_target *exchange_import_guess(
        const exchange_settings *settings, p3d_error *err);

/** The setting that says an option of a table; NULL = none. */
exchange_setting *exchange_import_find(const exchange_settings *settings,
        const exchange_table *table, const exchange_option *option);

/** The setting of a name: in files that nest, one that ends in it
 *  ("cfg.model.tp"); NULL = none. */
exchange_setting *exchange_import_find_name(const exchange_settings *settings,
        const exchange_table *table, const char *name);

/** True for the name of an option of a target. */
bool exchange_import_knows(const char *name);

/** What is known beside the files. */
typedef struct exchange_import_question {
    const exchange_target *target;
    const exchange_front *front; /* that the files are of; NULL = none */
    const p3d_model *model;      /* NULL = as the files describe it */
    const p3d_cluster *cluster;  /* that the launch runs on */
    const p3d_job *job; /* seq_len and global_batch over those of the files; 0 =
                           theirs */
    const char *const *files; /* their names, for messages; NULL = not known */
    const char *unfound;      /* "model = NAME" of a model that is not known;
                                 NULL = none */
    const char *unfollowed;   /* a file that they name and that is not there, in
                                 words; NULL = none */
    bool at_own_risk; /* what may change the number of GPUs of a replica, and is
                         not understood, is left out */
} exchange_import_question;

/**
 * Make a plan of settings.
 *
 * @param out  free with exchange_import_free(), also after a failure; must not
 *                 be moved
 * @return false with P3D_DATA: an option that is wrong, two that contradict
 *         each other, a model or a batch that is not said, an option that looks
 *         like parallelism and is not understood
 */
P3D_CHECK bool exchange_import_settle(const exchange_import_question *question,
        exchange_settings *settings, exchange_import *out, p3d_error *err);

void exchange_import_free(exchange_import *import);

#endif

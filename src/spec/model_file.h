/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_file.h - the "plan3d" member of the files of models/. */
#ifndef PLAN3D_SPEC_MODEL_FILE_H
#define PLAN3D_SPEC_MODEL_FILE_H

#include "plan3d/model.h"
#include "json/json.h"

/** What a file of models/ says beside the config.json. */
typedef struct p3d_model_card {
    int schema; /* 1; 0 = the file has no such member */
    char name[96];
    bool stands_for_size; /* may answer for a size such as "70B" */
    int64_t parameters;   /* unique, tied matrices once */
    char source[256];
    const json_value *aliases; /* array of strings, or NULL */
} p3d_model_card;

/**
 * Read the member "plan3d" strictly. A document without it gives a zero card.
 *
 * @param out  its aliases live as long as the document
 */
P3D_CHECK bool p3d_model_card_read(
        const json_doc *doc, p3d_model_card *out, p3d_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_file.h - files of models: which one is meant, their member "plan3d". */
#ifndef PLAN3D_SPEC_MODEL_FILE_H
#define PLAN3D_SPEC_MODEL_FILE_H

#include "plan3d/model.h"
#include "json/field.h"

enum { SPEC_MODEL_PATH = 1200 };

/**
 * Path of the file that p3d_model_find() reads for a word, as it stands: what
 * is shown of it, in p3d_model, may be cut or escaped.
 *
 * @return the word or the buffer; NULL where nothing is found
 */
const char *spec_model_path(
        const char *word, char path[SPEC_MODEL_PATH], p3d_error *err);

/** What a file of models/ says beside the config.json. */
typedef struct spec_model_card {
    int schema; /* 1; 0 = the file has no such member */
    char name[96];
    bool stands_for_size; /* may answer for a size such as "70B" */
    int64_t parameters;   /* unique, tied matrices once */
    char source[256];
    const json_value *aliases;   /* array of strings, or NULL */
    bool sees;                   /* or hears: no size stands for it */
    p3d_pretraining pretraining; /* zero = not published */
} spec_model_card;

/**
 * Read the member "plan3d" strictly. A document without it gives a zero card.
 *
 * @param out  its aliases live as long as the document
 */
P3D_CHECK bool spec_model_card_read(
        const json_doc *doc, spec_model_card *out, p3d_error *err);

#endif

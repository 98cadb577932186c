/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_fields.h - what plan3d knows, as data: models, hardware, frameworks. */
#ifndef PLAN3D_REPORT_DATA_LIST_FIELDS_H
#define PLAN3D_REPORT_DATA_LIST_FIELDS_H

#include "plan3d/catalog.h"
#include "report/amounts.h"
#include "report/report.h"
#include "json/field.h"

/** Of these, the lists have the names of the files. */
typedef struct report_model_item {
    char name[96];
    p3d_model model;
} report_model_item;

typedef struct report_calibration_item {
    char name[96];
    p3d_calibration constants; /* errors are 0 where nothing was fitted */
} report_calibration_item;

/** A list as it is printed. */
typedef struct report_list_document {
    json_list items;
    void *owned; /* free with free(); items points to it */
} report_list_document;

/** Of one thing, by the number of its list. */
extern const json_shape *const report_list_item_shapes[REPORT_N_LISTS];

/** Other names of a framework: "mcore, nemo". */
report_words report_framework_aliases(const p3d_framework *framework);

/** "0 1 2 3". @param stages  bit z: ZeRO stage z */
report_words report_zero_words(unsigned stages);

/** Stages of ZeRO that go with a pipeline: bits. */
unsigned report_pipeline_stages(const p3d_framework *framework);

/** "optimizer, activations": in the words of a plan. */
report_words report_offload_words(const p3d_framework *framework);

/** Of cuDNN's kernels, or of what stands for them. */
double report_attention_error_frac(const p3d_calibration *calibration);

#endif

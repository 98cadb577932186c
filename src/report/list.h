/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.h - the lists of what plan3d knows, as structs to print. */
#ifndef PLAN3D_REPORT_LIST_H
#define PLAN3D_REPORT_LIST_H

#include "plan3d/cluster.h"
#include "plan3d/framework.h"
#include "plan3d/model.h"
#include "report/report.h"
#include "json/field.h"

enum { REPORT_ZERO_WORDS = 16, REPORT_ALIASES = 96 };

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

/** How one kind of thing is listed. */
typedef struct report_list_kind {
    const char *name;          /* on the command line */
    const json_shape *shape;   /* of one thing */
    const json_shape *listing; /* of the document */
    p3d_folder folder;         /* where the files are */
    /** Read one file; NULL for what is no file. */
    bool (*load)(const char *name, const char *path, void *out, p3d_error *err);
    /** Print all as a table. */
    void (*print)(const json_list *items, p3d_text *out);
} report_list_kind;

extern const json_shape report_model_item_shape;
extern const json_shape report_gpu_shape;
extern const json_shape report_node_shape;
extern const json_shape report_fabric_shape;
extern const json_shape report_framework_shape;
extern const json_shape report_calibration_item_shape;
extern const json_shape report_models_shape;
extern const json_shape report_gpus_shape;
extern const json_shape report_nodes_shape;
extern const json_shape report_fabrics_shape;
extern const json_shape report_frameworks_shape;
extern const json_shape report_calibrations_shape;

/** Other names of a framework: "mcore, nemo". */
const char *report_aliases(
        const p3d_framework *framework, char out[REPORT_ALIASES]);

/** "0 1 2 3". @param stages  bit z: ZeRO stage z */
const char *report_zero_words(unsigned stages, char out[REPORT_ZERO_WORDS]);

/** ZeRO stages that a framework can run with pipelines. */
unsigned report_pipeline_stages(const p3d_framework *framework);

/** Error of cuDNN's attention, or of what stands for it. */
double report_attention_error_frac(const p3d_calibration *calibration);

/** The schema of a file that describes a cluster. */
void report_cluster_file_schema(json_writer *w);

void report_print_models(const json_list *items, p3d_text *out);
void report_print_gpus(const json_list *items, p3d_text *out);
void report_print_nodes(const json_list *items, p3d_text *out);
void report_print_fabrics(const json_list *items, p3d_text *out);
void report_print_calibrations(const json_list *items, p3d_text *out);
void report_print_frameworks(const json_list *items, p3d_text *out);

#endif

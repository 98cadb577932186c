/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.h - the lists of what plan3d knows, as structs to print. */
#ifndef PLAN3D_REPORT_LIST_H
#define PLAN3D_REPORT_LIST_H

#include "plan3d/cluster.h"
#include "plan3d/framework.h"
#include "plan3d/model.h"
#include "report/data/shape.h"
#include "report/report.h"

enum { REPORT_ZERO_WORDS = 16, REPORT_ALIASES = 96 };

typedef struct report_model_item {
    char name[96];
    int64_t parameters;
    int64_t active_parameters;
    int n_layers;
    int hidden;
    int n_heads;
    int n_kv_heads;
    int n_experts;
    int top_k;
    int max_positions;
} report_model_item;

typedef struct report_framework_item {
    const char *name;
    const char *title;
    const char *versions;
    char aliases[REPORT_ALIASES];        /* "mcore, nemo" */
    int standing;                        /* p3d_framework_standing */
    char zero_stages[REPORT_ZERO_WORDS]; /* "0 1 2 3" */
    char zero_stages_pipeline[REPORT_ZERO_WORDS];
    bool pipeline;
    bool interleaved;
    bool context_parallel;
    bool expert_parallel;
    bool optimizer_offload;
    bool parameter_offload;
    bool activation_offload;
} report_framework_item;

/** A set of constants; errors are 0 where nothing was fitted. */
typedef struct report_calibration_item {
    char name[96];
    char basis[48];
    char device[96];
    char driver[32];
    char date[24];
    double gemm_error_frac;
    double fp8_error_frac;
    double attention_error_frac;
    double pass_error_frac;
    double collective_error_frac;
} report_calibration_item;

/** A list as it is printed. */
typedef struct report_list_document {
    report_list items;
    void *owned; /* free with free(); items points to it */
} report_list_document;

/** How one kind of thing is listed. */
typedef struct report_list_kind {
    const char *name;            /* on the command line */
    const report_shape *shape;   /* of one thing */
    const report_shape *listing; /* of the document */
    p3d_folder folder;           /* where the files are */
    /** Read one file; NULL for what is no file. */
    bool (*load)(const char *name, const char *path, void *out, p3d_error *err);
    /** Print all as a table. */
    void (*print)(const report_list *items, p3d_text *out);
} report_list_kind;

extern const report_shape report_model_item_shape;
extern const report_shape report_gpu_shape;
extern const report_shape report_node_shape;
extern const report_shape report_fabric_shape;
extern const report_shape report_framework_item_shape;
extern const report_shape report_calibration_item_shape;
extern const report_shape report_models_shape;
extern const report_shape report_gpus_shape;
extern const report_shape report_nodes_shape;
extern const report_shape report_fabrics_shape;
extern const report_shape report_frameworks_shape;
extern const report_shape report_calibrations_shape;

/** The schema of a file that describes a cluster. */
void report_cluster_file_schema(json_writer *w);

void report_print_models(const report_list *items, p3d_text *out);
void report_print_gpus(const report_list *items, p3d_text *out);
void report_print_nodes(const report_list *items, p3d_text *out);
void report_print_fabrics(const report_list *items, p3d_text *out);
void report_print_calibrations(const report_list *items, p3d_text *out);
void report_print_frameworks(const report_list *items, p3d_text *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hardware.h - readers of the files of hardware/, shared with cluster JSON, and
 * where a single data file is. */
#ifndef PLAN3D_SPEC_HARDWARE_H
#define PLAN3D_SPEC_HARDWARE_H

#include "base/util.h"
#include "plan3d/catalog.h"
#include "plan3d/cluster.h"
#include "json/field.h"

/* Room for a JSON Pointer into a hardware or cluster file. */
enum { SPEC_POINTER_MAX = 160 };

/** What a file of a cluster has. */
extern const json_shape spec_cluster_file_shape;

/** Index of the file with this name, whatever its case, or -1. */
int spec_catalog_index(const p3d_catalog *catalog, const char *word);

/**
 * Open the file of a folder that has this name, whatever its case, and check
 * its schema number and its sources.
 *
 * @param doc  close with json_close(); untouched on failure
 * @return false with P3D_DATA (no such file, with did-you-mean) or P3D_SYSTEM
 */
P3D_CHECK bool spec_hardware_open(
        p3d_folder folder, const char *name, json_doc *doc, p3d_error *err);

/** The same for the path of a file. */
P3D_CHECK bool spec_hardware_open_path(
        const char *path, json_doc *doc, p3d_error *err);

/** True where the source of a key ("/gemm") of an object is of the kind
 *  "assumed". */
bool spec_is_assumed(const json_value *object, const char *key);

/** Fill from an object: a whole file (pointer "") or part of a cluster. */
P3D_CHECK bool spec_gpu_read(
        const json_place *at, p3d_gpu *out, p3d_error *err);
P3D_CHECK bool spec_node_read(
        const json_place *at, p3d_node *out, p3d_error *err);
P3D_CHECK bool spec_fabric_read(
        const json_place *at, p3d_fabric *out, p3d_error *err);

/** Fill from the file of this name. */
P3D_CHECK bool spec_node_load(const char *name, p3d_node *out, p3d_error *err);
P3D_CHECK bool spec_fabric_load(
        const char *name, p3d_fabric *out, p3d_error *err);
P3D_CHECK bool spec_calibration_load(
        const char *name, p3d_calibration *out, p3d_error *err);

/** The same for the path of a file. */
P3D_CHECK bool spec_calibration_open(
        const char *path, p3d_calibration *out, p3d_error *err);

/** The same for the text of a file. */
P3D_CHECK bool spec_calibration_parse(const char *file, const char *text,
        p3d_calibration *out, p3d_error *err);

/** Plan with these constants on a cluster, and with its network as it was
 *  measured, in shares of the rate that the cluster's network cards have. */
void spec_cluster_calibrate(
        p3d_cluster *cluster, const p3d_calibration *calibration);

/** Where the numbers of one member of a calibration are from. */
typedef struct spec_calibration_source {
    const char *key; /* "/gemm" */
    char ref[512];
} spec_calibration_source;

/** Append a calibration as its file has it, read back without a loss; a source
 *  is of the kind "assumed" where its part is, else "fitted", and those of
 *  products that it does not have are left out. */
void spec_calibration_write(const p3d_calibration *calibration,
        const spec_calibration_source *sources, int n_sources, p3d_text *out);

/**
 * Give a cluster whose gpu and node are filled its number of nodes and GPUs
 * per node, with the NVLink domain and name that follow from them.
 *
 * @param node  the whole node, as its file describes it
 */
void spec_cluster_shape(p3d_cluster *cluster, const p3d_node *node, int n_nodes,
        int gpus_per_node);

/** True where two names are one: "a800 80gb", "A800-80GB", "A800_80GBs". */
bool spec_same_name(const char *word, const char *name);

/** A node that comes with its GPUs. */
typedef struct spec_machine {
    p3d_node node; /* with its GPU */
    int n_gpus;    /* of one, or of its rack; 0 = there is no such machine */
} spec_machine;

/**
 * Find the machine that goes by a name, such as p5.48xlarge or DGX-H100.
 *
 * @param out      n_gpus is 0 where no machine has the name
 * @param nearest  is offered the names of all; may be NULL
 * @return false with P3D_SYSTEM or P3D_DATA where a file cannot be read
 */
P3D_CHECK bool spec_machine_find(const char *word, spec_machine *out,
        p3d_nearest *nearest, p3d_error *err);

/** What one counts where a cluster names this type: 1 GPU, or those of a
 *  machine. */
int spec_type_unit(const char *type);

/**
 * Print a cluster of one type: "64xH100", "8xp5.48xlarge", or "1x4xp5.48xlarge"
 * where not all GPUs of a machine are used.
 *
 * @param unit  of spec_type_unit(); 0 stands for 1
 * @return word
 */
const char *spec_cluster_print(
        const char *type, int n_gpus, int unit, char *word, size_t n);

/** What a file of pools has. */
extern const json_shape spec_pools_file_shape;

/** Read a cluster that is one of several pools. */
P3D_CHECK bool spec_pool_read(json_place at, p3d_cluster *out, p3d_error *err);

/** Check what a file of pools says beside its only pool, as if there were
 *  several: keys, and links, which need two. */
P3D_CHECK bool spec_pools_check(
        const json_doc *doc, const p3d_cluster *only, p3d_error *err);

/** Bytes of the path of any data file. */
enum { SPEC_PATH = 1200 };

/** True for the name of a cluster's file: it ends in .json, or something other
 *  than a folder is there; and for FILE:POOL. */
bool spec_cluster_is_file(const char *words);

/** The name of the pool of FILE:POOL, within words; NULL = it is none.
 *  @param file  receives the rest */
const char *spec_cluster_pool(const char *words, char file[SPEC_PATH]);

/** Read a cluster in words, or from a file; no FILE:POOL.
 *  @return false with P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool spec_cluster_find(
        const char *words, p3d_cluster *out, p3d_error *err);

/**
 * Path of a file in a folder of data, which is looked for as those of
 * p3d_catalog_open().
 *
 * @param path  char[SPEC_PATH]
 */
void spec_data_path(const char *folder, const char *file, char *path);

#endif

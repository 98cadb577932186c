/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence_fields.c - a measured run that is near a plan, as data. */
#include "report/data/fields.h"
#include "report/document.h"

double report_near_error_frac(const p3d_near_run *near)
{
    return near->run.predicted_step_s / near->run.measured_step_s - 1;
}

GETTER(error_of, p3d_near_run, number, report_near_error_frac(x))

/* clang-format off */
static const json_field part_fields[] = {
#define P3D_AS_ROW(part, words)                                                \
    ROW(p3d_distance_parts, part##_steps, words),
    P3D_DISTANCE_PARTS(P3D_AS_ROW)
#undef P3D_AS_ROW
};
static const json_shape parts_shape = REPORT_SHAPE(p3d_distance_parts,
        part_fields, "a step is a doubling, or another word");

#define N p3d_near_run
static const json_field near_fields[] = {
    IN(N, run, id, "of the run"),
    IN(N, run, source, "that published it"),
    IN(N, run, ref, "where it stands there"),
    MAYBE_IN(N, run, year, "of the publication"),
    IN(N, run, gpu, "it ran on"),
    IN(N, run, n_gpus, "GPUs of the run"),
    MAYBE_IN(N, run, network_bytes_per_s_per_gpu,
            "a GPU's share of the network between nodes; null: one node"),
    IN(N, run, framework, "as the source names it"),
    IN(N, run, profile, "framework whose costs predicted it"),
    IN(N, run, model, "as the source names it"),
    IN(N, run, parameters, "of the model"),
    IN(N, run, active_parameters, "that a token passes"),
    MAYBE_IN(N, run, n_experts, "of a layer; null: dense"),
    IN(N, run, seq_len, "tokens of a sequence"),
    IN(N, run, dtype, "data type of the products"),
    IN(N, run, plan, "as --plan reads it"),
    IN(N, run, measured_step_s, "one optimizer step, measured"),
    IN(N, run, predicted_step_s, "the same, predicted"),
    IN(N, run, measured_tokens_per_s_per_gpu, "of one GPU, measured"),
    IN(N, run, predicted_tokens_per_s_per_gpu, "the same, predicted"),
    {GOT_OF_ALL("error_frac", DOUBLE, error_of,
            "predicted over measured step, less 1"), SIGNED},
    ROW(N, near, "near enough to count"),
    ROW(N, distance_steps, "sum of the parts"),
    OBJECT_ROW(N, parts, p3d_distance_parts, parts_shape,
            "parts of the distance"),
};
/* clang-format on */

const json_shape report_near_run_shape =
        REPORT_SHAPE(N, near_fields, "a measured run and how near it is");

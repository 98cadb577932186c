/* SPDX-License-Identifier: GPL-3.0-or-later */
/* training_shapes.c - the JSON object of a whole training, by a table. */
#include "report/answer.h"
#include "report/rows.h"

/* clang-format off */
#define O p3d_operations
static const report_field operations_fields[] = {
    DOUBLE_ROW(O, gpu_mtbf_s,
            "of a GPU with its share of all else, between failures"),
    DOUBLE_ROW(O, restart_s, "from a failure until the checkpoint can be read"),
    DOUBLE_ROW(O, storage_bytes_per_s, "of the whole job"),
    BOOL_ROW(O, async_save, "checkpoints are written beside the steps"),
    MAYBE_ROW(O, repair_s,
            "until a broken node is back; null = another is there"),
    DOUBLE_ROW(O, pue, "energy of the site over that of its computers"),
    MAYBE_ROW(O, usd_per_kwh, "price of energy"),
    MAYBE_ROW(O, usd_per_gpu, "price of a GPU with its share of all else"),
    MAYBE_ROW(O, amortize_s, "in which that is paid back"),
};
static const report_shape operations_shape = REPORT_SHAPE(
        O, operations_fields, "how a training is run, said or assumed");

#define T p3d_training
static const report_field training_fields[] = {
    BOOL_ROW(T, progresses,
            "false: it fails faster than it works, and has no real days"),
    DOUBLE_ROW(T, ideal_s, "of its steps, if nothing fails"),
    DOUBLE_ROW(T, save_s, "during which checkpoints stop the steps"),
    DOUBLE_ROW(T, lost_s, "of work that failures undo"),
    DOUBLE_ROW(T, restart_s, "after failures"),
    DOUBLE_ROW(T, waiting_s, "for broken nodes, when all spares are in use"),
    MAYBE_ROW(T, real_s, "sum of these five"),
    MAYBE_ROW(T, goodput_frac, "ideal_s over real_s"),
    INT64_ROW(T, checkpoint_bytes, "weights and states of the whole model"),
    DOUBLE_ROW(T, write_s, "of one checkpoint to the storage, and to read it"),
    DOUBLE_ROW(T, pause_s, "that one checkpoint stops the steps for"),
    MAYBE_ROW(T, checkpoint_interval_s,
            "of steps between checkpoints, the best"),
    MAYBE_INT64_ROW(T, checkpoint_interval_steps, "the same in steps"),
    MAYBE_ROW(T, young_interval_s, "by Young's formula"),
    MAYBE_ROW(T, daly_interval_s, "by Daly's formula"),
    DOUBLE_ROW(T, mtbf_s, "between failures of the job"),
    MAYBE_ROW(T, n_failures, "expected"),
    INT_ROW(T, n_spare_nodes, "paid for, and waiting"),
    MAYBE_ROW(T, availability_frac, "of the time, enough nodes are whole"),
    MAYBE_ROW(T, power_w, "of all nodes in use while steps run"),
    MAYBE_ROW(T, energy_kwh, "of the whole training, with the site's"),
    MAYBE_ROW(T, billion_tokens_kwh, "of 1e9 tokens, with the site's"),
    MAYBE_ROW(T, rent_usd, "GPU hours of the real time, spares too"),
    MAYBE_ROW(T, energy_usd, "energy of the whole training"),
    MAYBE_ROW(T, purchase_usd,
            "share of the purchase price that the real time takes"),
    OBJECT_ROW(T, operations, O, operations_shape,
            "how it is run, said or assumed"),
};
/* clang-format on */

const report_shape report_training_shape =
        REPORT_SHAPE(T, training_fields, "a whole training");

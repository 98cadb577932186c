/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_calibrate.c - plan3d calibrate: constants of a machine from its own
 * measurements. */
#include <stdlib.h>

#include "cli/calibration_output.h"
#include "cli/rows.h"
#include "plan3d/calibrate.h"
#include "report/calibrated.h"
#include "spec/hardware.h"

/* clang-format off */
static const cli_option options[] = {
    {.name = "out", .letter = 'o', .kind = CLI_TEXT,
     .offset = CLI_AT(out, const char *), .value = "FILE",
     .doc = "write the calibration there, for --calibration FILE"},
    {.name = "force", .kind = CLI_FLAG, .offset = CLI_AT(force, _Bool),
     .doc = "replace the file if it is there"},
    {.name = "gpu", .kind = CLI_TEXT, .offset = CLI_AT(gpu, const char *),
     .value = "NAME", .fallback = "the one like the measured device",
     .doc = "GPU that was measured, see 'plan3d list gpus'"},
    CLI_FORMAT_ROW,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

static void print(const cli_args *args, const p3d_calibrated *c, p3d_text *out)
{
    const report_calibrated report = {.gpu = c->gpu.name,
            .base = c->base,
            .device = c->constants.device,
            .driver = c->constants.driver,
            .date = c->constants.date,
            .file = args->out,
            .forms = {c->forms, P3D_N_FORMS}};

    report_print_calibrated(&report, cli_format(args), out);
}

/* Logs of other programs have no more of the device than its name. */
static const p3d_machine *best_described(const p3d_measurements *files, int n)
{
    for (int i = 0; i < n; i++)
        if (files[i].machine.memory_bytes > 0)
            return &files[i].machine;
    return &files[0].machine;
}

static bool find_gpu(const cli_args *args, const p3d_machine *machine,
        p3d_gpu *out, p3d_error *err)
{
    if (args->gpu != NULL)
        return p3d_gpu_find(args->gpu, out, err);
    return p3d_gpu_of_device(
            machine->name, machine->memory_bytes, machine->n_sms, out, err);
}

static bool calibrate(const cli_args *args, const p3d_measurements *files,
        p3d_calibrated *out, p3d_error *err)
{
    p3d_calibration base = {.name = ""};
    p3d_gpu gpu = {.name = ""};

    if (!find_gpu(args, best_described(files, args->n_words), &gpu, err) ||
            !p3d_calibration_load(gpu.calibration, &base, err) ||
            !p3d_calibrate(&gpu, &base, files, args->n_words, out, err))
        return false;
    cli_calibration_name(out);
    return true;
}

/* No file without its answer. */
static bool write_file(const cli_args *args, const p3d_calibrated *made,
        const p3d_text *answer, p3d_error *err)
{
    return args->out == NULL || answer->failed ||
           cli_calibration_write(args->out, args->force, made, err);
}

static bool open_all(
        const cli_args *args, p3d_measurements *files, p3d_error *err)
{
    for (int i = 0; i < args->n_words; i++) {
        if (!p3d_measurements_open(args->words[i], &files[i], err))
            return false;
    }
    return true;
}

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    p3d_measurements *const files =
            calloc((size_t)args->n_words, sizeof(*files));
    p3d_calibrated *const made = calloc(1, sizeof(*made));
    bool ok = (files != NULL && made != NULL) ||
              p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && open_all(args, files, err) && calibrate(args, files, made, err);
    if (ok) {
        print(args, made, reply->out);
        ok = write_file(args, made, reply->out, err);
    }
    for (int i = 0; files != NULL && i < args->n_words; i++)
        p3d_measurements_free(&files[i]);
    free(made);
    free(files);
    return ok;
}

const cli_command cli_calibrate = {
        .name = "calibrate",
        .summary = "The constants of a machine, fitted to what plan3d-bench "
                   "measured on it.",
        .positionals = {{.word = "FILE",
                .doc = "measurements of plan3d-bench, or logs of nccl-tests "
                       "or mamf-finder; several of one machine are fitted "
                       "together",
                .number = CLI_SOME}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d calibrate gemm.json nccl.json -o my-h100.json",
                "plan3d calibrate gemm.json --gpu H100 --json"},
        .run = run,
};

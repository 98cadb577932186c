/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_calibrate.c - plan3d calibrate: constants of a machine from its own
 * measurements, and the file of them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"
#include "cli/calibrate.h"
#include "cli/output.h"
#include "cli/rows.h"
#include "plan3d/calibrate.h"
#include "report/calibrated.h"
#include "spec/hardware.h"

static const char EXAMPLE[] = "h100.json";

/* Members of a calibration file, and the forms that they hold. */
typedef struct member {
    const char *key;
    p3d_cost_form first, last;
} member;

static const member members[] = {
        {"/gemm", P3D_FORM_GEMM, P3D_FORM_GEMM},
        {"/gemm_fp8", P3D_FORM_GEMM_FP8, P3D_FORM_GEMM_FP8},
        {"/attention", P3D_FORM_ATTENTION, P3D_FORM_ATTENTION_BACKWARD},
        {"/memory_pass", P3D_FORM_PASS, P3D_FORM_PASS},
        {"/collective", P3D_FORM_ALL_REDUCE, P3D_FORM_ALL_TO_ALL},
};

static void add_source(const p3d_calibrated *c, const member *m, p3d_text *out)
{
    for (int i = (int)m->first; i <= (int)m->last; i++) {
        const p3d_form_result *const f = &c->forms[i];

        p3d_text_add(out, "%s%s: ", i > (int)m->first ? "; " : "", f->name);
        if (f->fitted)
            p3d_text_add(out, "%d points, error %.1f %%, held out %.1f %%",
                    f->n_points, 100 * f->new_error_frac,
                    100 * f->held_error_frac);
        else
            p3d_text_add(out, "as in %s", c->base);
    }
}

static void print_file(const p3d_calibrated *c, p3d_text *out)
{
    p3d_calibration_source sources[P3D_COUNT_OF(members)];
    int n = 0;

    for (int i = 0; i < P3D_COUNT_OF(members); i++) {
        p3d_text ref = {0};

        if (members[i].first == P3D_FORM_GEMM_FP8 &&
                c->constants.gemm_fp8.peak_frac <= 0)
            continue;
        add_source(c, &members[i], &ref);
        sources[n].key = members[i].key;
        p3d_copy(sources[n].ref, sizeof(sources[n].ref), p3d_text_get(&ref));
        out->failed = out->failed || ref.failed;
        p3d_text_free(&ref);
        n++;
    }
    spec_calibration_write(&c->constants, sources, n, out);
}

void cli_calibration_name(p3d_calibrated *c)
{
    snprintf(c->constants.name, sizeof(c->constants.name), "%.36s-measured",
            c->base);
}

bool cli_calibration_may_write(const char *path, bool force, p3d_error *err)
{
    return path == NULL || cli_may_write_file(path, force, EXAMPLE, err);
}

bool cli_calibration_write(
        const char *path, bool force, const p3d_calibrated *c, p3d_error *err)
{
    p3d_text text = {0};
    bool ok;

    print_file(c, &text);
    ok = cli_write_file(path, force, EXAMPLE, &text, err);
    p3d_text_free(&text);
    return ok;
}

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
            !spec_calibration_load(gpu.calibration, &base, err) ||
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_log.c - tells tables from logs, and asks for what a log does not
 * say. */
#include "cli/calibrate_log.h"

#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "base/util.h"
#include "exchange/read/import.h"
#include "plan3d/search.h"

/* Of a file whose first line has not ended. */
enum { MOST_HEAD = 1 << 16 };

/** A file as it comes. */
typedef struct intake {
    cli_runs_file *file;
    p3d_text head; /* until it is known what it is */
    exchange_log *log;
    bool known;
} intake;

/* A table has the names of its columns in its first line. */
static bool is_table(const char *text)
{
    static const char word[] = "model";
    const size_t n = strcspn(text, "\r\n");
    const size_t length = strlen(word);

    for (size_t i = 0; i + length <= n; i++)
        if (strncmp(text + i, word, length) == 0 &&
                (i == 0 || strchr(",\"\xbf", text[i - 1]) != NULL) &&
                strchr(",\"\r\n", text[i + length]) != NULL)
            return memchr(text, ',', n) != NULL;
    return false;
}

static bool keep(p3d_text *table, const char *part, size_t n, p3d_error *err)
{
    if (table->length + n > EXCHANGE_MAX_BYTES)
        return p3d_fail(err, P3D_DATA, "the table is longer than %d MiB",
                EXCHANGE_MAX_BYTES >> 20);
    p3d_text_append(table, part, n);
    return !table->failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

/* The first line is there. */
static bool decide(intake *in, p3d_error *err)
{
    p3d_text *const head = &in->head;

    in->known = true;
    if (is_table(p3d_text_get(head)))
        return keep(&in->file->table, head->data, head->length, err);
    in->log = exchange_log_open(&in->file->settings, err);
    return in->log != NULL &&
           exchange_log_take(in->log, p3d_text_get(head), head->length, err);
}

static bool take(void *to, const char *part, size_t n, p3d_error *err)
{
    intake *const in = to;

    if (in->known)
        return in->log != NULL ? exchange_log_take(in->log, part, n, err)
                               : keep(&in->file->table, part, n, err);
    if (!keep(&in->head, part, n, err))
        return false;
    return (in->head.length < MOST_HEAD && memchr(part, '\n', n) == NULL) ||
           decide(in, err);
}

bool cli_runs_file_read(const char *path, cli_runs_file *out, p3d_error *err)
{
    intake in = {.file = out};
    p3d_error cause = {0};
    bool ok = p3d_read_parts(path, &(p3d_taker){take, &in}, err);

    if (ok) {
        ok = (in.known || decide(&in, &cause)) &&
             (in.log == NULL ||
                     exchange_log_finish(in.log, &out->measured, &cause));
        ok = ok || p3d_fail_file(err, p3d_file_name(path), &cause);
    }
    exchange_log_free(in.log);
    p3d_text_free(&in.head);
    return ok;
}

void cli_runs_file_free(cli_runs_file *file)
{
    p3d_text_free(&file->table);
    exchange_settings_free(&file->settings);
}

bool cli_log_is_launch(const cli_args *args, const cli_runs_file *file)
{
    p3d_error none = {0};

    return args->plan == NULL && file->settings.n > 0 &&
           exchange_import_guess(&file->settings, &none) != NULL;
}

bool cli_log_agrees(
        const cli_args *args, const cli_runs_file *file, p3d_error *err)
{
    const struct {
        const char *name;
        const char *option;
        int64_t given;
    } facts[] = {{"global_batch_size", "batch", args->job.global_batch},
            {"training.global_batch_size", "batch", args->job.global_batch},
            {"seq_length", "seq", args->seq_len},
            {"training.seq_len", "seq", args->seq_len}};

    for (int i = 0; i < P3D_COUNT_OF(facts); i++) {
        const exchange_setting *const said =
                exchange_settings_find(&file->settings, facts[i].name, false);
        int64_t number;

        if (facts[i].given > 0 && said != NULL && said->value != NULL &&
                p3d_scan_whole(said->value, &number) > 0 && number > 0 &&
                number != facts[i].given)
            return p3d_fail(err, P3D_DATA,
                    "%.200s: the log says %s = %lld, which is not --%s %lld; "
                    "correct it, or leave it out",
                    args->words[0], facts[i].name, (long long)number,
                    facts[i].option, (long long)facts[i].given);
    }
    return true;
}

/* What a log is of; NULL where only its memory is known. */
static const exchange_log_family *family_of(const exchange_measured *measured)
{
    return measured->n_rates > 0 ? measured->rates[0].row->family : NULL;
}

/* A log that counts micro-batches needs their size; what cannot be read is said
 * later. */
static bool lacks_micro_batch(
        const cli_args *args, const exchange_measured *measured)
{
    p3d_error none = {0};
    p3d_pins pins;

    return args->plan != NULL && measured->n_rates > 0 &&
           measured->rates[0].row->quantity == EXCHANGE_LOG_MICRO_BATCH &&
           measured->micro_batches <= 0 &&
           p3d_pins_parse(args->plan, &pins, &none) && pins.micro_batch == 0;
}

bool cli_log_options(const cli_args *args, const exchange_measured *measured,
        p3d_text *options, p3d_error *err)
{
    const exchange_log_family *const family = family_of(measured);
    const char *const framework = args->framework != NULL ? args->framework
                                  : family != NULL        ? family->framework
                                                          : NULL;
    const long long batch = args->job.global_batch > 0
                                    ? (long long)args->job.global_batch
                                    : (long long)measured->batch;
    const struct {
        bool said;
        const char *name;
    } facts[] = {{args->model != NULL, "--model"},
            {args->cluster != NULL, "--cluster"}, {args->seq_len > 0, "--seq"},
            {batch > 0, "--batch"}, {args->plan != NULL, "--plan"},
            {!lacks_micro_batch(args, measured), "--plan mbs=N"},
            {framework != NULL, "--framework"}};
    p3d_text missing = {0};
    bool ok;

    for (int i = 0; i < P3D_COUNT_OF(facts); i++)
        if (!facts[i].said)
            p3d_text_add(&missing, "%s%s", missing.length > 0 ? ", " : "",
                    facts[i].name);
    if (framework == NULL)
        p3d_text_add(&missing, " (%s)",
                family != NULL ? family->choices : "plan3d list frameworks");
    ok = missing.length == 0 ||
         p3d_fail(err, P3D_USAGE,
                 "%.200s is a log of %s, which does not say all of the job; "
                 "write %s",
                 args->words[0], family != NULL ? family->title : "memory",
                 p3d_text_get(&missing));
    p3d_text_free(&missing);
    if (ok)
        p3d_text_add(options, "--seq %lld --batch %lld --framework %s",
                (long long)args->seq_len, batch, framework);
    return ok &&
           (!options->failed || p3d_fail(err, P3D_SYSTEM, "out of memory"));
}

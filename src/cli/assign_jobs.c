/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign_jobs.c - reads a file of jobs: the keys of a job are the options of
 * its command line. */
#include "cli/assign_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "cli/option_rows.h"
#include "plan3d/units.h"
#include "spec/hardware.h"

/* clang-format off */
static const json_option options[] = {
    {JSON_OPTION("name", "what people call the job; absent = job 1, job 2, .."),
     CLI_TEXT_AT(name, "NAME")},
    {JSON_OPTION("model",
         "name of 'plan3d list models' or of Hugging Face "
         "(Qwen/Qwen2.5-7B), path of a config.json, or a size such as 70B"),
     CLI_TEXT_AT(model, "MODEL"),
     .field.flags = JSON_REQUIRED},
    {JSON_OPTION("tokens", "tokens of the whole training (2T)"),
     CLI_COUNT_AT(n_tokens, "N", 1, P3D_MAX_TOKENS),
     .field.flags = JSON_REQUIRED, .is_job = true},
    {JSON_OPTION("deadline", "time by which it has to end (30d)"),
     CLI_TEXT_AT(deadline, "TIME")},
    {JSON_OPTION("weight", "how much it counts; absent = 1"),
     CLI_COUNT_AT(weight, "N", 1, P3D_MAX_JOB_WEIGHT)},
    CLI_SIZE_ROWS,
    CLI_KIND_ROWS,
    CLI_FRAMEWORK_ROW,
    CLI_ROOM_ROWS,
    CLI_TRAINING_ROWS,
};
/* clang-format on */

/* The file as its shape reads it. Values of a job are no members of a struct
 * yet: the shape checks its keys alone. */
typedef struct jobs_file {
    int schema;
    p3d_rows jobs;
} jobs_file;

/* Tokens stand among the options of all jobs, too: the first row is theirs. */
static const json_option *option_of(const char *key)
{
    for (int i = 0; i < P3D_COUNT_OF(options); i++)
        if (strcmp(options[i].field.key, key) == 0)
            return &options[i];
    return NULL;
}

static const char *const texts[] = {"string", NULL};
static const char *const numbers[] = {"number", "string", NULL};
static const char *const truths[] = {"boolean", NULL};

/* What a value may be in JSON: numbers may have units, as strings. */
static const json_type *type_of(const json_option *option)
{
    static const json_type types[] = {{.kind = JSON_KIND_ANY, .words = texts},
            {.kind = JSON_KIND_ANY, .words = numbers},
            {.kind = JSON_KIND_ANY, .words = truths}};

    const json_kind kind = option->field.type->kind;

    return kind == JSON_KIND_INT64 || kind == JSON_KIND_DOUBLE ? &types[1]
           : kind == JSON_KIND_BOOL                            ? &types[2]
                                                               : &types[0];
}

const json_shape *cli_jobs_shape_of(cli_jobs_shape *room)
{
    int n = 0;

    for (int i = 0; i < P3D_COUNT_OF(options); i++) {
        const json_option *const option = &options[i];

        if (option_of(option->field.key) != option)
            continue;
        P3D_ASSERT(n < CLI_JOB_KEYS);
        room->fields[n++] = (json_field){.key = option->field.key,
                .type = type_of(option),
                .flags = option->field.flags,
                .doc = option->field.doc};
    }
    room->job = (json_shape){.doc = "a training, by the options of plan3d fit",
            .size = sizeof(char),
            .n_fields = n,
            .fields = room->fields};
    room->list = (json_type){.kind = JSON_KIND_LIST, .shape = &room->job};
    room->members[0] = (json_field){.key = "schema",
            .type = JSON_INT,
            .flags = JSON_REQUIRED,
            .offset = offsetof(jobs_file, schema),
            .min = 1,
            .max = 1,
            .doc = "version of this format, 1"};
    room->members[1] = (json_field){.key = "jobs",
            .type = &room->list,
            .flags = JSON_REQUIRED,
            .offset = offsetof(jobs_file, jobs),
            .doc = "trainings that run at the same time"};
    room->file = (json_shape){.doc = "jobs of plan3d assign",
            .size = sizeof(jobs_file),
            .n_fields = 2,
            .fields = room->members};
    return &room->file;
}

/* The value as a command line has it; NULL for a flag. */
static bool value_text(const json_value *value, const json_option *option,
        char number[CLI_JOB_TEXT], const char **out)
{
    const bool takes_number = type_of(option)->words == numbers;
    double x;

    *out = NULL;
    if (option->field.type->kind == JSON_KIND_BOOL)
        return json_is_bool(value);
    if (json_is_string(value)) {
        *out = json_string(value);
        return true;
    }
    if (!takes_number || !json_is_number(value) || !json_number(value, &x))
        return false;
    if (option->field.type->kind == JSON_KIND_DOUBLE || x < 0 || x > 1e15)
        (void)p3d_print_shortest(number, CLI_JOB_TEXT, x);
    else
        (void)snprintf(number, CLI_JOB_TEXT, "%.15g", x);
    *out = number;
    return true;
}

static bool fail_kind(const json_place *at, const char *pointer,
        const json_option *option, p3d_error *err)
{
    const char *const *const words = type_of(option)->words;

    if (words == truths)
        return json_fail(at->doc, pointer, err, "write true or false");
    return words == numbers
                   ? json_fail(at->doc, pointer, err,
                             "write a number, or one with a unit in quotes, "
                             "such as \"1T\"")
                   : json_fail(at->doc, pointer, err,
                             "write a string in double quotes");
}

/* A flag that is false is one that is not given. */
static bool is_absent(const json_value *value)
{
    double truth = 1;

    return json_is_bool(value) && json_number(value, &truth) && truth == 0;
}

static bool read_option(const json_place *at, const json_value *value,
        cli_job *job, p3d_error *err)
{
    const json_option *const option = option_of(json_key(value));
    char pointer[SPEC_POINTER_MAX];
    const char *text;
    p3d_error cause = {.code = P3D_OK};
    cli_args *const args = &job->args;

    (void)snprintf(pointer, sizeof(pointer), "%.60s/%.60s", at->pointer,
            json_key(value));
    if (args->n_given == CLI_MAX_GIVEN)
        return json_fail(at->doc, at->pointer, err,
                "more than %d keys in one job", CLI_MAX_GIVEN);
    if (!value_text(value, option, job->numbers[args->n_given], &text))
        return fail_kind(at, pointer, option, err);
    if (is_absent(value))
        return true;
    if (!json_read_text(&option->field, text, args, &cause))
        return json_fail(at->doc, pointer, err, "%s", cause.text);
    args->given[args->n_given++] = (json_option_given){option, text};
    return true;
}

static bool read_deadline(const json_place *at, cli_job *job, p3d_error *err)
{
    char pointer[SPEC_POINTER_MAX];
    p3d_error cause = {.code = P3D_OK};

    (void)snprintf(pointer, sizeof(pointer), "%.60s/deadline", at->pointer);
    return job->args.deadline == NULL ||
           p3d_parse_seconds(job->args.deadline, &job->deadline_s, &cause) ||
           json_fail(at->doc, pointer, err, "%s", cause.text);
}

static bool read_job(const json_place *at, int i, cli_job *job, p3d_error *err)
{
    for (const json_value *v = json_first(at->value); v != NULL;
            v = json_next(v))
        if (json_get(at->value, json_key(v)) != NULL &&
                !read_option(at, v, job, err))
            return false;
    job->args.words[0] = job->args.model;
    job->args.n_words = 1;
    (void)snprintf(job->usual_name, sizeof(job->usual_name), "job %d", i + 1);
    if (job->args.name == NULL)
        job->args.name = job->usual_name;
    if (job->args.weight == 0)
        job->args.weight = 1;
    return read_deadline(at, job, err);
}

/* Names are how the answer speaks of jobs: in a column, on a terminal. */
static bool check_name(
        const json_place *at, const cli_jobs *jobs, p3d_error *err)
{
    const char *const name = jobs->at[jobs->n].args.name;
    char shown[64];

    if (!p3d_show(shown, sizeof(shown), name))
        return json_fail(at->doc, at->pointer, err,
                "'%s' is longer than %zu bytes", shown, sizeof(shown) - 1);
    if (strcmp(shown, name) != 0)
        return json_fail(at->doc, at->pointer, err,
                "'%s' has a character that does not print; leave it out",
                shown);
    for (int i = 0; i < jobs->n; i++)
        if (strcmp(jobs->at[i].args.name, name) == 0)
            return json_fail(at->doc, at->pointer, err,
                    "two jobs are named '%.60s'; give them names of their own",
                    name);
    return true;
}

/* Where all keys are known, and those that a job needs are there. */
static bool read_jobs(cli_jobs *out, p3d_error *err)
{
    const json_value *const list = json_get(out->doc.root, "jobs");

    if (json_first(list) == NULL)
        return json_fail(&out->doc, "/jobs", err,
                "a list of jobs is expected, such as [{\"model\": \"7B\", "
                "\"tokens\": \"1T\"}]");
    for (const json_value *v = json_first(list); v != NULL;
            v = json_next(v), out->n++) {
        char pointer[SPEC_POINTER_MAX];
        const json_place at = {&out->doc, v, pointer};

        (void)snprintf(pointer, sizeof(pointer), "/jobs/%d", out->n);
        if (out->n == P3D_MAX_ASSIGNED)
            return json_fail(&out->doc, pointer, err,
                    "more than %d jobs, the most that are placed at once",
                    P3D_MAX_ASSIGNED);
        if (!read_job(&at, out->n, &out->at[out->n], err) ||
                !check_name(&at, out, err))
            return false;
    }
    return true;
}

static bool check_keys(const cli_jobs *jobs, p3d_error *err)
{
    cli_jobs_shape *const room = calloc(1, sizeof(*room));
    const json_place at = {&jobs->doc, jobs->doc.root, ""};
    jobs_file file = {.schema = 0};
    bool ok;

    if (room == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = json_read_fields(at, cli_jobs_shape_of(room), &file, err);
    json_free_lists(&room->file, &file);
    free(room);
    return ok;
}

bool cli_jobs_open(const char *path, cli_jobs *out, p3d_error *err)
{
    out->at = calloc(P3D_MAX_ASSIGNED, sizeof(*out->at));
    if (out->at == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    return json_open(path, &out->doc, err) && check_keys(out, err) &&
           read_jobs(out, err);
}

bool cli_jobs_fail(
        const cli_jobs *jobs, int job, const p3d_error *cause, p3d_error *err)
{
    char pointer[SPEC_POINTER_MAX];

    if (cause->code != P3D_DATA && cause->code != P3D_USAGE)
        return p3d_fail(err, cause->code, "%s", cause->text);
    (void)snprintf(pointer, sizeof(pointer), "/jobs/%d", job);
    return json_fail(&jobs->doc, pointer, err, "%s", cause->text);
}

void cli_jobs_free(cli_jobs *jobs)
{
    json_close(&jobs->doc);
    free(jobs->at);
    *jobs = (cli_jobs){.n = 0};
}

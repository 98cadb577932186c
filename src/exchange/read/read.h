/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.h - files of frameworks as settings, names and values in order, as text:
 * one reader a syntax. */
#ifndef PLAN3D_EXCHANGE_READ_READ_H
#define PLAN3D_EXCHANGE_READ_READ_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "exchange/read/log_numbers.h"
#include "plan3d/error.h"
#include "plan3d/model.h"

enum {
    EXCHANGE_MAX_SETTINGS = 20000,
    EXCHANGE_PRESET = -1,          /* a line: of what no file says */
    EXCHANGE_MAX_BYTES = 256 << 20 /* of a file: logs are long */
};

/** A variable of the environment: kernels are launched one at a time. CUDA C++
 *  Programming Guide, section 3.2.8.1. */
#define EXCHANGE_LAUNCH_BLOCKING "CUDA_LAUNCH_BLOCKING"

/** Others: how PyTorch's allocator takes its memory, by the old name and the
 *  new one (pytorch docs/source/notes/cuda.rst). */
#define EXCHANGE_ALLOCATOR     "PYTORCH_CUDA_ALLOC_CONF"
#define EXCHANGE_ALLOCATOR_NEW "PYTORCH_ALLOC_CONF"

/** A setting of this name and the variable behind it is a loop of a script over
 *  several words. */
#define EXCHANGE_LOOP "for $"

/** A setting of this name: a script starts its program with accelerate. */
#define EXCHANGE_ACCELERATE "accelerate.launch"

/** Likewise with torchrun, or a launcher like it: a process a GPU, and nothing
 *  is sharded but by the program. */
#define EXCHANGE_BY_TORCHRUN "torchrun.launch"

/** Likewise: "swift sft" or another of its trainings. */
#define EXCHANGE_BY_SWIFT "swift.launch"

/** A word in the name of the program that says what it does. */
#define EXCHANGE_PROGRAM_WORD "word.of.program"

/** TRL's command or one of its programs, by the word of what it does. */
#define EXCHANGE_BY_TRL "trl.program"

/** Likewise: it sets how many processes a node has, by which ms-swift starts
 *  torchrun. */
#define EXCHANGE_PROCESSES "NPROC_PER_NODE.launch"

/** Name of a setting: a program, or a vocabulary, of models with other layers
 *  than a decoder's. */
#define EXCHANGE_OTHER_MODEL "other_model"

/** A setting of this name: Python sets options by the number of GPUs, or the
 *  conditions of a shell script do not close, and all are read. */
#define EXCHANGE_BRANCH "script_branch"

/** A setting of this name: the name of a file, or a comment in it, speaks of
 *  FSDP, which a launch may have from elsewhere. */
#define EXCHANGE_SPEAKS_OF_FSDP "spoken.fsdp"

/** Settings of what plan3d export wrote at the head of a script: the model, and
 *  the file beside it that has the plan. */
#define EXCHANGE_MADE_MODEL "=model of the export"
#define EXCHANGE_MADE_FILE  "=file of the export"

/** Setting of a model of Hugging Face that a file of Megatron-Bridge loads. */
#define EXCHANGE_LOADED_MODEL "from_hf_pretrained"

/** Likewise: how ms-swift's ranks of a sequence share it (up to 3.7: swift/
 *  trainers/sequence_parallel). */
#define EXCHANGE_SEQUENCE_IMPL "SEQUENCE_PARALLEL_IMPL"

/** Behind a value that no file says. */
#define EXCHANGE_FROM_ENVIRONMENT ", from the environment"

/** One "name = value" of a file. */
typedef struct exchange_setting {
    char *name;  /* as in the table of a target, "parallelism.tp"; owned */
    char *value; /* without quotes, behind the name; NULL = a flag */
    int line;    /* 1-based */
    int column;  /* likewise; 0 = not known */
    int file;    /* of which file, from 0 */
    bool used;   /* a table knew it */
    bool aside;  /* of a command that does not train */
    int command; /* of a script, from 1, in whose words it stands; 0 = not
                    known */
    int turn;    /* which of those it is: the last one of a name counts */
} exchange_setting;

/** A variable that scripts have from outside. */
typedef struct exchange_variable {
    const char *name;
    const char *value;
    bool used; /* a script asks for it */
} exchange_variable;

/** Zero to begin. */
typedef struct exchange_settings {
    exchange_setting *at;
    exchange_variable *given; /* to the scripts; the caller's, may be NULL */
    int n_given;
    /* For variables that no script sets, by name; NULL = none. */
    const char *(*environment)(const char *name);
    const char *function; /* of a file of Python, the caller's; NULL = all */
    bool chose;           /* a file has it */
    const char *path;     /* of the file that is being read; NULL = none */
    int n_nodes;          /* of the cluster that the launch is for; 0 = none */
    int gpus_per_node;
    int n;
    int file;       /* that is being read */
    unsigned lacks; /* of what a front end needs, by bits */
} exchange_settings;

/**
 * Append one.
 *
 * @param value  NULL for a flag
 * @return false with P3D_DATA (too many) or P3D_SYSTEM
 */
P3D_CHECK bool exchange_settings_add(exchange_settings *settings,
        const char *name, const char *value, int line, p3d_error *err);

/** True for one name; case, "-" and "_" are alike where `loose`. */
bool exchange_same_name(const char *a, const char *b, bool loose);

/** True for a script with $NAME or ${NAME. */
bool exchange_asks_for(const char *text, const char *name);

/** True for "part.name=value" and "+part.name=value", as Hydra's programs have
 *  them. */
bool exchange_is_override(const char *text);

/** The last setting of this name, which is the one that counts; NULL = none.
 *  Case, "-" and "_" are alike where `loose`. */
exchange_setting *exchange_settings_find(
        const exchange_settings *settings, const char *name, bool loose);

/** The last setting of this name that a file says, rather than a launcher's
 *  environment, which is the cluster's and stands on no line; else one of that;
 *  NULL = none. */
const exchange_setting *exchange_find_said(
        const exchange_settings *settings, const char *name);

/** Fail with P3D_DATA at a place of the text. @return false */
bool exchange_fail_at(p3d_error *err, int line, int column, const char *fmt,
        ...) P3D_PRINTF(4, 5);

/** Mark every setting of this name as known. */
void exchange_settings_use(
        exchange_settings *settings, const char *name, bool loose);

/** Forget all but the first n. */
void exchange_settings_cut(exchange_settings *settings, int n);

/** Let "name.0", "name.1", .. be one setting "name" with blanks between their
 *  values. @return false with P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool exchange_settings_join(
        exchange_settings *settings, p3d_error *err);

/** Take out n of them. */
void exchange_settings_remove(exchange_settings *settings, int first, int n);

/** Accepts a zero list. */
void exchange_settings_free(exchange_settings *settings);

enum { EXCHANGE_MOST_RATES = 24 };

/** How fast a run was, by one row of the table of logs. */
typedef struct exchange_rate {
    const exchange_log_row *row;
    double median; /* after the first steps, in the unit of its quantity */
    int n;         /* of so many reports */
} exchange_rate;

/** What a log says that was measured; 0 = nothing. */
typedef struct exchange_measured {
    double step_s;    /* median after the first two steps; 0 where speeds alone
                         are said, until the size of the job is known */
    int n_steps;      /* reports that it is of; 1 = of the whole run */
    int n_warm_up;    /* reports left out: those of the first steps */
    int n_repeated;   /* of other ranks, or of a step that was there */
    int n_other_runs; /* of a run that ended at once, or that came later */
    int n_other_batches;         /* of steps of another batch */
    int64_t max_allocated_bytes; /* largest over the ranks that say so */
    int64_t max_reserved_bytes;
    double batch;         /* sequences of a step */
    double batch_tokens;  /* tokens of a step, in three digits */
    double micro_batches; /* of a step and a GPU; accumulated gradients */
    int n_counted;        /* micro-batches of a bar that the step is of */
    bool whole_bar;       /* its warm-up is among them */
    bool short_bar;       /* it is too short to say anything */
    bool lacks_time;      /* a table of Lightning's without one */
    exchange_rate rates[EXCHANGE_MOST_RATES]; /* the one that counts first */
    int n_rates;
} exchange_measured;

/*
 * Each reader appends what a text says to the settings. Nothing in a file is
 * run. @return false with P3D_DATA (line of the text in err->line where that
 * is known) or P3D_SYSTEM
 */

/** Add what plan3d export wrote at the head of a script; nothing of others. */
P3D_CHECK bool exchange_read_made(
        const char *text, exchange_settings *out, p3d_error *err);

/** A shell script, as far as its variables, arrays and arguments can be read
 *  without running it: values with "$" in them are not resolved. */
P3D_CHECK bool exchange_read_shell(
        const char *text, exchange_settings *out, p3d_error *err);

/** Python: assignments and arguments of calls whose values are literals. */
P3D_CHECK bool exchange_read_python(
        const char *text, exchange_settings *out, p3d_error *err);

/** JSON, or Hjson: with comments, without quotes or commas.
 *  @param file  for messages
 *  @param text  ends in NUL */
P3D_CHECK bool exchange_read_json(const char *file, const char *text,
        size_t length, exchange_settings *out, p3d_error *err);

/**
 * Write Hjson as JSON (https://hjson.github.io/syntax.html): keys without
 * quotes, values that end with their line, members without commas between
 * them, comments. Lines stay where they are. What is no Hjson becomes something
 * that is no JSON.
 *
 * @param text  ends in NUL
 */
void exchange_hjson_to_json(const char *text, p3d_text *out);

/** YAML 1.1 without anchors. */
P3D_CHECK bool exchange_read_yaml(const char *text, size_t length,
        exchange_settings *out, p3d_error *err);

/** TOML: tables, and values in one line. */
P3D_CHECK bool exchange_read_toml(
        const char *text, exchange_settings *out, p3d_error *err);

/** A log, with Megatron-LM's dump of arguments where it has one, and what it
 *  measured; exchange/read/log.h reads one that is too long for a text. */
P3D_CHECK bool exchange_read_log(const char *text, exchange_settings *out,
        exchange_measured *measured, p3d_error *err);

/** True where a line near the beginning says how fast a step was. */
bool exchange_is_log(const char *text);

/**
 * Read a file by its name and contents.
 *
 * @param measured  filled by a log
 * @return false with P3D_DATA at file:line, or P3D_SYSTEM
 */
P3D_CHECK bool exchange_read_file(const char *path, exchange_settings *out,
        exchange_measured *measured, p3d_error *err);

/** What a file is written in. */
typedef enum exchange_syntax {
    EXCHANGE_IN_SHELL,
    EXCHANGE_IN_PYTHON,
    EXCHANGE_IN_JSON,
    EXCHANGE_IN_YAML,
    EXCHANGE_IN_TOML,
    EXCHANGE_IN_LOG
} exchange_syntax;

/** By its name, and by its contents where that says nothing. */
exchange_syntax exchange_syntax_of(const char *path, const char *text);

/** A file that was read. */
typedef struct exchange_text {
    const char *path; /* for its ending and for messages */
    const char *text;
    size_t length;
} exchange_text;

/** The same for a text. */
P3D_CHECK bool exchange_read_text(exchange_text from, exchange_settings *out,
        exchange_measured *measured, p3d_error *err);

/**
 * Give a language model the tower that settings name, as LLaVA's scripts do;
 * the settings are marked as used. One that is not known stays in doubt.
 *
 * @return false with P3D_DATA
 */
P3D_CHECK bool exchange_add_tower(
        exchange_settings *settings, p3d_model *model, p3d_error *err);

#endif

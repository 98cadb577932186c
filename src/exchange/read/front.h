/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.h - programs that run on one of the targets and have names and defaults
 * of their own: their options become those of the target, by tables. */
#ifndef PLAN3D_EXCHANGE_READ_FRONT_H
#define PLAN3D_EXCHANGE_READ_FRONT_H

#include "base/text.h"
#include "exchange/launch/target.h"
#include "exchange/read/read.h"

enum { EXCHANGE_FRONT_MARKS = 4, EXCHANGE_FRONT_NEEDS = 4 };

/** One option of a front end. */
typedef struct exchange_rename {
    const char *from;  /* case, "-" and "_" are alike */
    const char *is;    /* the row is of this value alone; a flag is "true"; NULL
                          = of any */
    const char *to;    /* name of the target; NULL = it has no part in a plan */
    const char *value; /* NULL = as it is */
    bool implies;      /* `from` stays, and `to` is set where nothing says it */
} exchange_rename;

/** What a front end sets where the files do not. */
typedef struct exchange_preset {
    const char *name;
    const char *value;
} exchange_preset;

/** What follows from several options. */
typedef enum exchange_deriving {
    EXCHANGE_SUM,
    EXCHANGE_PRODUCT,
    EXCHANGE_RATIO, /* of the first two, at least 1 */
    EXCHANGE_STEP,  /* a product with the number of replicas */
    EXCHANGE_SHARE  /* the first by the second and the number of replicas; none
                       where these do not divide it */
} exchange_deriving;

/** An option that is set where nothing says it, or where `when` holds. */
typedef struct exchange_derived {
    const char *name;
    exchange_deriving how;
    const char *of[3]; /* "name", "name=number where nothing says it" */
    const char *when;  /* marks; NULL = always */
} exchange_derived;

/** What the files must say, under one of the names ("a|b"). */
typedef struct exchange_need {
    const char *names;
    const char *what; /* is missing */
    const char *set;  /* what --set gives it by: "bf16=true" */
} exchange_need;

/** A front end. */
typedef struct exchange_front {
    const char *title;
    const char *versions; /* that names and defaults were read from; NULL = its
                             target's */
    const char *target;   /* NULL = names alone, whatever it runs on */
    const char *profile;  /* framework of its costs; NULL = the target's */
    /** Each must be among the settings: "name", "name=value", "part." for all
     *  that begin so, several by "|", "!" before what must not be there. */
    const char *marks[EXCHANGE_FRONT_MARKS];
    const char *prefix; /* taken off the names; NULL = none */
    const char *others; /* "part.", several by "|": of something else than the
                           step; NULL = none */
    bool guesses;       /* what its names mean is guessed, and said so */
    bool hands_on;      /* it takes all options of its target, by their names */
    const exchange_rename *renames;
    int n_renames;
    const exchange_preset *presets;
    int n_presets;
    const exchange_derived *derived;
    int n_derived;
    exchange_need needs[EXCHANGE_FRONT_NEEDS];
    const char *beside;   /* what usually says what is missing; NULL = a file */
    const char *model;    /* options with the model's name, by "|" */
    const char *left_out; /* lines on what the answer is not about */
} exchange_front;

/** The i-th of them; NULL past the last. */
const exchange_front *exchange_front_at(int i);

/** Some of them. */
typedef struct exchange_front_table {
    const exchange_front *at;
    int n;
} exchange_front_table;

/** The tables, in the order in which they are tried: programs that write
 *  DeepSpeed's configuration themselves, the Trainer with accelerate's FSDP,
 *  most others, those on PyTorch's own parallelism, what nobody knows. */
extern const exchange_front_table exchange_fronts_on_deepspeed,
        exchange_fronts_on_accelerate, exchange_fronts_of_rows,
        exchange_fronts_on_torch, exchange_fronts_of_their_own;

/**
 * Give the settings of a front end the names of its target.
 *
 * @param settings  filled: what they lack of its needs
 * @param out       the front end, or NULL for a framework itself
 * @return false with P3D_DATA (too many) or P3D_SYSTEM
 */
P3D_CHECK bool exchange_front_apply(exchange_settings *settings,
        const exchange_front **out, p3d_error *err);

/** True for the name of an option of a front end. */
bool exchange_front_knows(const char *name);

/**
 * Name of the model that the settings have, as files of models are named:
 * "Qwen/Qwen3-8B-Base" is "Qwen3-8B".
 *
 * @param said  the setting; NULL = none has one
 */
void exchange_front_model(const exchange_front *front,
        const exchange_settings *settings, const exchange_setting **said,
        p3d_text *name);

/** Add a setting of no file that says what was guessed: "?NAME = VALUE", and
 *  what it was taken for. */
P3D_CHECK bool exchange_add_guess(exchange_settings *settings,
        const exchange_setting *of, const char *taken_for, p3d_error *err);

/** True for lines of settings that a front end's preset made. */
bool exchange_is_preset(const exchange_setting *setting);

/** The GPU may not have the attention kernel that a front end takes by itself:
 *  it falls back to another one. @param front  NULL = none */
void exchange_front_attention(const exchange_front *front,
        exchange_launch *launch, const p3d_gpu *gpu);

/**
 * Add the size of the vocabulary where the files have a tokenizer that is known
 * and no size.
 *
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool exchange_vocabulary_add(
        exchange_settings *settings, p3d_error *err);

#endif

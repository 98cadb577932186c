/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family.h - what a Hugging Face model_type means: keys and class defaults. */
#ifndef PLAN3D_SPEC_FAMILY_H
#define PLAN3D_SPEC_FAMILY_H

#include "base/util.h"
#include "plan3d/model.h"
#include "json/field.h"

/** A model while it is read: the model and what only decides about it. */
typedef struct spec_draft {
    p3d_model model;
    /* Which layers are mixtures of experts. */
    int n_shared;    /* shared experts, each of the experts' width */
    int first_dense; /* layers before the first that may be one */
    int moe_period;  /* layer i (0-based) when (i + 1) % period == 0, and ... */
    int moe_stride;  /* ... i % stride == 0; 0 = every one */
    /* Which layers have windowed attention. */
    bool use_window;
    int window_first;  /* layers before the first that may be one */
    int window_period; /* every n-th layer sees all tokens; 0 = none does */
    /* Switches of single families. */
    bool use_qk_norm;
    int extra_positions;    /* OPT: rows before position 0 */
    bool remove_final_norm; /* OPT */
    bool norm_affine;       /* OPT */
    bool new_architecture;  /* Falcon */
    bool multi_query;       /* Falcon */
    bool parallel;          /* Falcon */
    int n_parallel_norms;   /* Falcon */
    int wide_ffn;           /* Llama 4: width of the dense layers */
} spec_draft;

/** Groups of keys that a family reads; a bit set. */
enum {
    P3D_KEYS_KV = 1 << 0,       /* grouped-query attention */
    P3D_KEYS_HEAD_DIM = 1 << 1, /* a head size of its own */
    P3D_KEYS_QKV_BIAS = 1 << 2, /* attention_bias: q, k, v */
    P3D_KEYS_O_BIAS = 1 << 3,   /* attention_bias: output projection too */
    P3D_KEYS_MLP_BIAS = 1 << 4,
    P3D_KEYS_MOE = 1 << 5,
    P3D_KEYS_EXPERT_FFN = 1 << 6,
    P3D_KEYS_SHARED = 1 << 7, /* shared experts and dense first layers */
    P3D_KEYS_SPARSE_STEP = 1 << 8,
    P3D_KEYS_MLA = 1 << 9,
    P3D_KEYS_MTP = 1 << 10,
    P3D_KEYS_WINDOW = 1 << 11,
    P3D_KEYS_USE_WINDOW = 1 << 12,
    P3D_KEYS_WINDOW_FIRST = 1 << 13,
    P3D_KEYS_WINDOW_PERIOD = 1 << 14,
    P3D_KEYS_QK_NORM = 1 << 15,
    P3D_KEYS_POSITIONS = 1 << 16, /* the positions are learned */
    P3D_KEYS_QWEN2_MOE = 1 << 17,
    P3D_KEYS_OPT = 1 << 18,
    P3D_KEYS_FALCON = 1 << 19,
    P3D_KEYS_MPT = 1 << 20,
    P3D_KEYS_LLAMA4 = 1 << 21,
    P3D_KEYS_ALL = -1
};

/** The object that describes the decoder, and how to complain about it. */
typedef struct spec_reader {
    const json_doc *doc;
    const json_value *object;
    char pointer[32]; /* JSON Pointer of the object */
    bool nested;      /* the object is a wrapper's text_config */
    p3d_error *err;
} spec_reader;

/** One model_type. */
typedef struct spec_family {
    const char *model_type;
    const char *wrapper; /* multimodal model_type that nests it, or NULL */
    int keys;            /* P3D_KEYS_ bits */
    /** What the tables cannot say; NULL = nothing. Runs when the keys are
     *  read and the absent ones derived, before the checks. */
    bool (*finish)(const spec_reader *reader, spec_draft *draft);
    spec_draft defaults; /* of the class, for the keys that are absent */
} spec_family;

/** The table of families; n receives its length. */
const spec_family *spec_families(int *n);

/** Row of a model_type, or NULL. */
const spec_family *spec_family_find(const char *model_type);

/** Row of the decoder that a multimodal model_type nests, or NULL. */
const spec_family *spec_family_of_wrapper(const char *model_type);

/** One quantity of a config.json and the keys that families call it by. */
typedef struct spec_family_key {
    const char *spellings[6]; /* the first that is present counts */
    int keys;                 /* P3D_KEYS_ bits: families that read it */
    const json_type *kind;    /* JSON_ANY: read by a function, not by a table */
    size_t offset;            /* into spec_draft */
    double min;
    double max;
    bool needed;       /* also when the class has a default */
    bool null_is_none; /* an explicit null says 0, not "the default" */
    const char *doc;
} spec_family_key;

/** True when a top-level key is in the table or is one of Hugging Face's keys
 *  that matter neither for memory nor for time; else *nearest is offered all
 *  of them. nearest may be NULL. */
bool spec_family_knows_key(const char *key, p3d_nearest *nearest);

/** Read one quantity of the table, by whichever name the object has it. */
P3D_CHECK bool spec_read_family_key(const spec_reader *reader,
        const spec_family_key *key, spec_draft *draft);

/** Read every quantity of the table that the family reads. */
P3D_CHECK bool spec_read_family_keys(const spec_reader *reader,
        const spec_family *family, spec_draft *draft);

/** The key by which the object calls the quantity at this offset of spec_draft
 *  (the first spelling when it has none). */
const char *spec_key_in_use(const spec_reader *reader, size_t offset);

/** Fail at a member of the reader's object; "" = at the object. */
bool spec_fail_at(const spec_reader *reader, const char *key, const char *fmt,
        ...) P3D_PRINTF(3, 4);

/** Derive what the keys leave open, run the family's own function, check the
 *  sizes against each other and fill the layers. */
P3D_CHECK bool spec_complete_draft(const spec_reader *reader,
        const spec_family *family, spec_draft *draft);

#endif

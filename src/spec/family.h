/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family.h - what a Hugging Face model_type means: keys and class defaults. */
#ifndef PLAN3D_SPEC_FAMILY_H
#define PLAN3D_SPEC_FAMILY_H

#include "base/util.h"
#include "plan3d/model.h"
#include "json/field.h"

/** A model while it is read: the model and what only decides about it. */
typedef struct p3d_draft {
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
} p3d_draft;

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
typedef struct p3d_reader {
    const json_doc *doc;
    const json_value *object;
    char pointer[32]; /* JSON Pointer of the object */
    bool nested;      /* the object is a wrapper's text_config */
    p3d_error *err;
} p3d_reader;

/** One model_type. */
typedef struct p3d_family {
    const char *model_type;
    const char *wrapper; /* multimodal model_type that nests it, or NULL */
    int keys;            /* P3D_KEYS_ bits */
    /** What the tables cannot say; NULL = nothing. Runs when the keys are
     *  read and the absent ones derived, before the checks. */
    bool (*finish)(const p3d_reader *reader, p3d_draft *draft);
    p3d_draft defaults; /* of the class, for the keys that are absent */
} p3d_family;

/** The table of families; n receives its length. */
const p3d_family *spec_families(int *n);

/** Row of a model_type, or NULL. */
const p3d_family *spec_family_find(const char *model_type);

/** Row of the decoder that a multimodal model_type nests, or NULL. */
const p3d_family *spec_family_of_wrapper(const char *model_type);

/** One quantity of a config.json and the keys that families call it by. */
typedef struct p3d_family_key {
    const char *spellings[6]; /* the first that is present counts */
    int keys;                 /* P3D_KEYS_ bits: families that read it */
    const json_type *kind;    /* JSON_ANY: read by a function, not by a table */
    size_t offset;            /* into p3d_draft */
    double min;
    double max;
    bool needed;       /* also when the class has a default */
    bool null_is_none; /* an explicit null says 0, not "the default" */
    const char *doc;
} p3d_family_key;

/** True when a top-level key is in the table or is one of Hugging Face's keys
 *  that matter neither for memory nor for time; else *nearest is offered all
 *  of them. nearest may be NULL. */
bool spec_family_knows_key(const char *key, p3d_nearest *nearest);

/** Read one quantity of the table, by whichever name the object has it. */
P3D_CHECK bool spec_read_family_key(
        const p3d_reader *reader, const p3d_family_key *key, p3d_draft *draft);

/** Read every quantity of the table that the family reads. */
P3D_CHECK bool spec_read_family_keys(
        const p3d_reader *reader, const p3d_family *family, p3d_draft *draft);

/** The key by which the object calls the quantity at this offset of p3d_draft
 *  (the first spelling when it has none). */
const char *spec_key_in_use(const p3d_reader *reader, size_t offset);

/** JSON Pointer of a member of the reader's object, in the caller's buffer. */
const char *spec_pointer_to(
        const p3d_reader *reader, const char *key, char *buffer, size_t n);

/** Derive what the keys leave open, run the family's own function, check the
 *  sizes against each other and fill the layers. */
P3D_CHECK bool spec_complete_draft(
        const p3d_reader *reader, const p3d_family *family, p3d_draft *draft);

/** Set P3D_LAYER_ bits of every layer, and the window. */
P3D_CHECK bool spec_fill_layers(
        const p3d_reader *reader, const p3d_family *family, p3d_draft *draft);

/* The functions of the odd families. */
bool spec_finish_opt(const p3d_reader *reader, p3d_draft *draft);
bool spec_finish_falcon(const p3d_reader *reader, p3d_draft *draft);
bool spec_finish_mpt(const p3d_reader *reader, p3d_draft *draft);
bool spec_finish_llama4(const p3d_reader *reader, p3d_draft *draft);
bool spec_finish_qk_norm(const p3d_reader *reader, p3d_draft *draft);

#endif

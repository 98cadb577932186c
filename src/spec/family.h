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
    /* Which layers have attention and not the model's mixer. */
    int attention_period; /* layer i when i % period == offset; 0 = none has */
    int attention_offset; /* -1 = period - 1 */
    int expand;           /* channels of Mamba / hidden size */
    bool needs_layers;    /* only a list of them says which have attention */
    bool adjusts_ffn;     /* LFM2: two thirds of the width, rounded up ... */
    double ffn_factor;    /* ... multiplied with this; 0 = 1 */
    int ffn_multiple;     /* ... to a multiple of this */
    int moe_offset;       /* layer i when i % stride == offset */
    bool has_gate;        /* the attention's output has a gate */
    int wide_ffn;         /* Llama 4: width of the dense layers */
    bool use_post_norm;   /* norms after attention and MLP, too */
    int moe_end;          /* ERNIE: the last layer that may be a mixture */
    bool has_experts;     /* Gemma 4 */
    int n_streams;        /* Gemma 3n: residual streams */
    int n_sharing;        /* last layers: keys and values are of others */
    bool doubles_ffn;     /* MLPs of these are twice as wide */
    bool floor_head_dim;  /* heads need not divide the hidden size */
    bool adds_up;         /* scores of a token's experts add up to 1 */
    bool by_sequence;     /* the loss that balances them is of a sequence */
} spec_draft;

/** Groups of keys that a family reads; a bit set of spec_keys. */
typedef uint64_t spec_keys;

/* clang-format off */
#define P3D_KEYS_KV             (UINT64_C(1) << 0) /* grouped-query attention */
#define P3D_KEYS_HEAD_DIM       (UINT64_C(1) << 1) /* a head size of its own */
#define P3D_KEYS_QKV_BIAS       (UINT64_C(1) << 2) /* attention_bias: q, k, v */
#define P3D_KEYS_O_BIAS         (UINT64_C(1) << 3) /* ... and the last one */
#define P3D_KEYS_MLP_BIAS       (UINT64_C(1) << 4)
#define P3D_KEYS_MOE            (UINT64_C(1) << 5)
#define P3D_KEYS_EXPERT_FFN     (UINT64_C(1) << 6)
#define P3D_KEYS_SHARED         (UINT64_C(1) << 7) /* or dense first layers */
#define P3D_KEYS_SPARSE_STEP    (UINT64_C(1) << 8)
#define P3D_KEYS_MLA            (UINT64_C(1) << 9)
#define P3D_KEYS_MTP            (UINT64_C(1) << 10)
#define P3D_KEYS_WINDOW         (UINT64_C(1) << 11)
#define P3D_KEYS_USE_WINDOW     (UINT64_C(1) << 12)
#define P3D_KEYS_WINDOW_FIRST   (UINT64_C(1) << 13)
#define P3D_KEYS_WINDOW_PERIOD  (UINT64_C(1) << 14)
#define P3D_KEYS_QK_NORM        (UINT64_C(1) << 15)
#define P3D_KEYS_POSITIONS      (UINT64_C(1) << 16) /* learned ones */
#define P3D_KEYS_QKV_BIAS_ALONE (UINT64_C(1) << 17) /* of q, k and v alone */
#define P3D_KEYS_OPT            (UINT64_C(1) << 18)
#define P3D_KEYS_FALCON         (UINT64_C(1) << 19)
#define P3D_KEYS_MPT            (UINT64_C(1) << 20)
#define P3D_KEYS_LLAMA4         (UINT64_C(1) << 21)
#define P3D_KEYS_USE_BIAS       (UINT64_C(1) << 22) /* of all biases */
#define P3D_KEYS_OUT_BIAS       (UINT64_C(1) << 23) /* of the last projection */
#define P3D_KEYS_HEAD_BIAS      (UINT64_C(1) << 24)
#define P3D_KEYS_SHARED_FFN     (UINT64_C(1) << 25) /* of all shared experts */
#define P3D_KEYS_POST_NORM      (UINT64_C(1) << 26)
#define P3D_KEYS_ERNIE          (UINT64_C(1) << 27)
#define P3D_KEYS_GPT_NEO        (UINT64_C(1) << 28)
#define P3D_KEYS_PARALLEL       (UINT64_C(1) << 29) /* attention and MLP */
#define P3D_KEYS_MAMBA          (UINT64_C(1) << 30) /* mamba_ keys */
#define P3D_KEYS_STATE          (UINT64_C(1) << 31) /* without mamba_ */
#define P3D_KEYS_LINEAR         (UINT64_C(1) << 32) /* linear_ keys */
#define P3D_KEYS_CONV           (UINT64_C(1) << 33)
#define P3D_KEYS_JAMBA          (UINT64_C(1) << 34)
#define P3D_KEYS_MIXED          (UINT64_C(1) << 35) /* attention and a mixer */
#define P3D_KEYS_GATE           (UINT64_C(1) << 36)
#define P3D_KEYS_INDEX          (UINT64_C(1) << 37)
#define P3D_KEYS_NO_HEADS       (UINT64_C(1) << 38) /* no attention at all */
#define P3D_KEYS_BLOCKS         (UINT64_C(1) << 39) /* a part a layer */
#define P3D_KEYS_GLOBAL         (UINT64_C(1) << 40) /* heads by layer */
#define P3D_KEYS_TYPES          (UINT64_C(1) << 41) /* tables beside tokens */
#define P3D_KEYS_WIDE           (UINT64_C(1) << 42) /* width of dense layers */
#define P3D_KEYS_NARROW         (UINT64_C(1) << 43) /* narrow tables */
#define P3D_KEYS_CROSS          (UINT64_C(1) << 44) /* beside an encoder */
#define P3D_KEYS_STREAMS        (UINT64_C(1) << 45) /* Gemma 3n */
#define P3D_KEYS_BIAS           (UINT64_C(1) << 46) /* "bias": of attention */
#define P3D_KEYS_CHATGLM        (UINT64_C(1) << 47)
#define P3D_KEYS_QWEN           (UINT64_C(1) << 48) /* the first Qwen */
#define P3D_KEYS_BAILING        (UINT64_C(1) << 49)
#define P3D_KEYS_LENGTH         (UINT64_C(1) << 50) /* model_max_length */
#define P3D_KEYS_DBRX           (UINT64_C(1) << 51)
#define P3D_KEYS_SEEN_BLOCKS    (UINT64_C(1) << 52) /* block-sparse attention */
#define P3D_KEYS_CHOSEN_BLOCKS  (UINT64_C(1) << 53) /* by an indexer */
#define P3D_KEYS_ALL            UINT64_MAX
/* clang-format on */

/** What no table can say of a family: see spec_family.finish. */
struct spec_reader;
typedef bool spec_finish(const struct spec_reader *reader, spec_draft *draft);
spec_finish spec_finish_opt;
spec_finish spec_finish_falcon;
spec_finish spec_finish_qk_norm;
spec_finish spec_finish_full_qk_norm;
spec_finish spec_finish_llama4;
spec_finish spec_finish_mpt;
spec_finish spec_finish_dbrx;
spec_finish spec_finish_bigcode;
spec_finish spec_finish_post_norm;
spec_finish spec_finish_no_final_norm;
spec_finish spec_finish_parallel;
spec_finish spec_finish_sub_norms;
spec_finish spec_finish_diffllama;
spec_finish spec_finish_mamba;
spec_finish spec_finish_mamba2;
spec_finish spec_finish_jamba;
spec_finish spec_finish_kda;
spec_finish spec_finish_full_kda;
spec_finish spec_finish_lightning;
spec_finish spec_finish_conv;
spec_finish spec_finish_head_gate;
spec_finish spec_finish_indexer;
spec_finish spec_finish_chosen_blocks;
spec_finish spec_finish_blocks;
spec_finish spec_finish_gemma3n;
spec_finish spec_finish_gemma4;
spec_finish spec_finish_narrow;
spec_finish spec_finish_sparse;
spec_finish spec_finish_rotated;
spec_finish spec_finish_modern;
spec_finish spec_finish_cross;
spec_finish spec_finish_qwen;
spec_finish spec_finish_chatglm;
spec_finish spec_finish_bailing;
spec_finish spec_finish_untied_cross;
spec_finish spec_finish_halved;
spec_finish spec_finish_japanese;
spec_finish spec_finish_beside;
spec_finish spec_finish_head_scales;
spec_finish spec_finish_step;

/** The object that describes the decoder, and how to complain about it. */
typedef struct spec_reader {
    const json_doc *doc;
    const json_value *object;
    char pointer[64]; /* JSON Pointer of the object */
    bool nested;      /* the object is a wrapper's text_config */
    bool no_heads;    /* the family has no attention */
    bool lists_parts; /* its layers are as many as a list of them */
    bool has_sizes;   /* the class has sizes for keys that are absent */
    p3d_error *err;
} spec_reader;

/** Read positions and the router, when the sizes are known. */
void spec_read_unsized(const json_value *object, spec_draft *draft);

/** The reader of an object that is a member of this one; its object is NULL
 *  where there is none. */
spec_reader spec_reader_inside(const spec_reader *reader, const char *key);

/** One model_type. */
typedef struct spec_family {
    const char *model_type;
    const char *wrapper; /* multimodal model_type that nests it, or NULL */
    spec_keys keys;      /* P3D_KEYS_ bits */
    /** What the tables cannot say; NULL = nothing. Runs when the keys are
     *  read and the absent ones derived, before the checks. */
    spec_finish *finish;
    spec_draft defaults; /* of the class, for the keys that are absent */
} spec_family;

/** Tables of families, each in a file. */
typedef struct spec_family_table {
    const spec_family *rows;
    int n;
} spec_family_table;

extern const spec_family_table spec_attention_families, spec_mixer_families,
        spec_encoder_families;

/** Row i of all tables; NULL behind the last. */
const spec_family *spec_family_at(int i);

/** Row of a model_type, or of the one whose layers its class has; NULL = none
 *  is known. */
const spec_family *spec_family_find(const char *model_type);

/** True when the class of a model_type has the layers of another's and sizes
 *  of its own, so that a file must say them. */
bool spec_family_is_alias(const char *model_type);

/** Row of the decoder that a multimodal model_type nests, or NULL. */
const spec_family *spec_family_of_wrapper(const char *model_type);

/** One quantity of a config.json and the keys that families call it by. */
typedef struct spec_family_key {
    const char *spellings[8]; /* the first that is present counts */
    spec_keys keys;           /* P3D_KEYS_ bits: families that read it */
    json_field field;  /* of spec_draft. JSON_ANY: read by a function, not by a
                         table; required also when the class has a default */
    bool null_is_none; /* an explicit null says 0, not "the default" */
    bool by_layer;     /* may be a list with the same number for each layer */
} spec_family_key;

/** True when a top-level key is in the table or is one of Hugging Face's keys
 *  that matter neither for memory nor for time; else *nearest is offered all
 *  of them. nearest may be NULL. */
bool spec_family_knows_key(const char *key, p3d_nearest *nearest);

/** True when a family reads a key, or when it matters neither for memory nor
 *  for time. */
bool spec_family_reads_key(const spec_family *family, const char *key);

/** Fail because of a model_type: with the part of it that plan3d does not
 *  have, where that is known. */
bool spec_fail_family(const spec_reader *reader, const char *model_type);

/** True for a key that is known around a decoder, or of a tower: read, or
 *  without a size in it. */
bool spec_outer_knows_key(const char *key);
bool spec_tower_knows_key(const char *key);

/** Write down what of a file is not in the model. */
void spec_note_left_out(
        const spec_reader *reader, const spec_family *family, p3d_model *model);

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

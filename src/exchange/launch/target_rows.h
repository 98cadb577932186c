/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target_rows.h - short forms for the rows of the targets' option tables. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_TARGET_ROWS_H
#define PLAN3D_EXCHANGE_LAUNCH_TARGET_ROWS_H

#include "base/util.h"
#include "exchange/launch/target.h"

/* clang-format off */
/** Where an int is, or an enumeration, which is as wide. */
#define EXCHANGE_INT_AT(member)                                                \
    .field.offset = offsetof(exchange_launch, member) + 0 * sizeof(char[       \
        sizeof(((exchange_launch *)0)->member) == sizeof(int) ? 1 : -1])

/* When an option is written, in the words of its launch `l`. */
#define TEST(name, condition) \
    static bool name(const exchange_launch *l) { return condition; }

/* The options of a table, and the members of a row that every option of a kind
 * has. */
#define OPTIONS(rows) .options = rows, .n_options = P3D_COUNT_OF(rows)
#define VALUE_ROW(option, member)                                              \
    .field.key = option, .kind = EXCHANGE_VALUE,                               \
    .field.type = JSON_TYPE_OF(exchange_launch, member),                       \
    .field.offset = offsetof(exchange_launch, member)
#define WORD_ROW(option, member, list)                                         \
    .field.key = option, .kind = EXCHANGE_VALUE, EXCHANGE_INT_AT(member),      \
    .field.type = JSON_WORD(list), .n_words = P3D_COUNT_OF(list)
#define FLAG_ROW(option, member, is)                                           \
    .field.key = option, .kind = EXCHANGE_FLAG, .value = is,                   \
    .field.type = JSON_BOOL,                                                   \
    .field.offset = JSON_AT(exchange_launch, member, _Bool)
#define MEANS_ROW(option, member, is)                                          \
    .field.key = option, .kind = EXCHANGE_FLAG, .value = is,                   \
    .field.type = JSON_INT,                                                    \
    EXCHANGE_INT_AT(member)

#define HEAD(words_) {.field.key = words_, .kind = EXCHANGE_HEAD}
#define SECTION(words_, name) \
    {.field.key = words_, .kind = EXCHANGE_HEAD, .text = name}
#define UNDER(statement) \
    {.field.key = statement, .kind = EXCHANGE_HEAD, .raw = true}
#define FIXED(option, value_) FIXED_WHEN(option, value_, NULL)
#define RAW(option, value_) \
    {.field.key = option, .kind = EXCHANGE_FIXED, .text = value_, .raw = true}
#define FLAG(option, member)       {FLAG_ROW(option, member, true)}
#define UNFLAG(option, member)     {FLAG_ROW(option, member, false)}
#define MEANS(option, member, is)  {MEANS_ROW(option, member, is)}
#define VALUE(option, member)      VALUE_WHEN(option, member, NULL)
/* A number that is not 0, although the member may be: it then has none of it,
 * and files leave the option out. */
#define SOME(option, member)       SOME_WHEN(option, member, NULL)
#define WORD(option, member, list) WORD_WHEN(option, member, list, NULL)
/* Without quotes in Python. */
#define RAW_VALUE(option, member)  {VALUE_ROW(option, member), .raw = true}
#define RAW_WORD(option, member, list) \
    {WORD_ROW(option, member, list), .raw = true}
/* Left out where the framework's default says the same. */
#define VALUE_SHY(option, member)  {VALUE_ROW(option, member), .shy = true}
#define SOME_SHY(option, member) \
    {VALUE_ROW(option, member), .value = 1, .shy = true}
#define WORD_SHY(option, member, list) \
    {WORD_ROW(option, member, list), .shy = true}
/* Only where a test holds. */
#define FIXED_WHEN(option, value_, test) \
    {.field.key = option, .kind = EXCHANGE_FIXED, .text = value_, .when = test}
#define VALUE_WHEN(option, member, test) \
    {VALUE_ROW(option, member), .when = test}
#define SOME_WHEN(option, member, test) \
    {VALUE_ROW(option, member), .value = 1, .when = test}
#define WORD_WHEN(option, member, list, test) \
    {WORD_ROW(option, member, list), .when = test}
/* clang-format on */

/** Options that only front ends make, of what data-parallel ranks send. */
#define EXCHANGE_SENT_LESS                                      \
    {VALUE_ROW("one_bit_adam", job.compression.one_bit),        \
            .when = exchange_never},                            \
            {VALUE_ROW("powersgd_rank", job.compression.rank),  \
                    .when = exchange_never},                    \
    {                                                           \
        VALUE_ROW("int8_gradients", job.compression.eight_bit), \
                .when = exchange_never                          \
    }

/** Options that only front ends on transformers' Trainer make. */
#define EXCHANGE_OF_TRAINERS                                                   \
    {MEANS_ROW("weights_in_16_bit", job.master_dtype, P3D_STATE_NONE),         \
            .when = exchange_never},                                           \
            {MEANS_ROW(                                                        \
                     "reduced_in_16_bit", job.reduce_dtype, P3D_STATE_IN_16),  \
                    .when = exchange_never},                                   \
            {MEANS_ROW("wide_norms_of_queries_and_keys", model.qk_norm,        \
                     P3D_QK_NORM_FULL),                                        \
                    .when = exchange_never},                                   \
            {MEANS_ROW("flash_loss", job.loss, P3D_LOSS_FLASH),                \
                    .when = exchange_never},                                   \
            {FLAG_ROW(                                                         \
                     "offloads_activations", said.offloads_activations, true), \
                    .when = exchange_never},                                   \
            {FLAG_ROW("swaps_reference", said.swaps_reference, true),          \
                    .when = exchange_never},                                   \
            {FLAG_ROW("liger_layers", said.liger_layers, true),                \
                    .when = exchange_never},                                   \
            {FLAG_ROW("compiles_layers", said.compiles_layers, true),          \
                    .when = exchange_never},                                   \
            {VALUE_ROW("outputs_of_the_head", said.n_outputs),                 \
                    .when = exchange_never},                                   \
            {WORD_ROW("preference", job.companion.reference,                   \
                     exchange_references),                                     \
                    .when = exchange_never},                                   \
    {                                                                          \
        WORD_ROW("optimizer_kind", job.optimizer, exchange_optimizers),        \
                .when = exchange_never                                         \
    }

/* clang-format off */
/** Arguments of transformers' run_clm.py (5.23.0) that are no plan's part. */
#define EXCHANGE_RUN_CLM_MEASURE                                               \
    HEAD("to measure a step; put your data and schedule here"),                \
    FIXED("do_train", NULL),                                                   \
    RAW("train_file", "\"$DATA_PATH\""),                                       \
    FIXED("max_steps", "100"),                                                 \
    FIXED_WHEN("learning_rate", "1e-5", exchange_trains_all),                  \
    FIXED_WHEN("learning_rate", "2e-4", exchange_has_adapters),                \
    FIXED("logging_steps", "1"),                                               \
    HEAD("checkpoints; --tokenizer_name, --resume_from_checkpoint: yours"),    \
    RAW("output_dir", "\"$OUTPUT\""),                                          \
    FIXED("save_steps", "500")
/* clang-format on */

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - the words that options and arguments may be, as lists. */
#ifndef PLAN3D_CLI_WORDS_H
#define PLAN3D_CLI_WORDS_H

#include "base/options.h"

/** Of --dtype. */
cli_words cli_dtype_word;

/** Of --gradient-dtype, --master-dtype, --moment-dtype. */
cli_words cli_state_dtype_word;

/** Of --loss. */
cli_words cli_loss_word;

/** Of --cp-comm. */
cli_words cli_cp_comm_word;

/** Of --dispatcher. */
cli_words cli_dispatcher_word;

/** Of --framework, which has other names for some of them too; the last is
 *  P3D_ANY_FRAMEWORK. */
cli_words cli_framework_word;

/** What explain explains: its third argument. */
cli_words cli_topic_word;

/** What schema has a schema of. */
cli_words cli_schema_word;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adapters.h - adapters and frozen parts in words. */
#ifndef PLAN3D_SPEC_ADAPTERS_H
#define PLAN3D_SPEC_ADAPTERS_H

#include "plan3d/adapters.h"
#include "plan3d/error.h"

/** Read the words of --lora: "r=16,targets=q+v,base=nf4,dora,dropout=0.05,
 *  train=embeddings+head". @return false with P3D_USAGE */
P3D_CHECK bool spec_adapters_read(
        const char *text, p3d_adapters *out, p3d_error *err);

/** Read targets as the words of targets=, joined by any of these characters.
 *  @return false with P3D_USAGE */
P3D_CHECK bool spec_targets_read(
        const char *text, const char *joins, unsigned *out, p3d_error *err);

/** Read "embeddings,head". @return false with P3D_USAGE */
P3D_CHECK bool spec_parts_read(const char *text, unsigned *out, p3d_error *err);

enum { SPEC_ADAPTERS_WORDS = 160 };

/** The words of --lora that mean these, the usual ones left out; "" without
 *  adapters. */
const char *spec_adapters_print(
        const p3d_adapters *adapters, char text[SPEC_ADAPTERS_WORDS]);

/** The words of --freeze. */
const char *spec_parts_print(unsigned parts, char text[SPEC_ADAPTERS_WORDS]);

/** "megatron-core, deepspeed-hf": the frameworks that have adapters. */
const char *spec_adapter_frameworks(char text[SPEC_ADAPTERS_WORDS]);

#endif

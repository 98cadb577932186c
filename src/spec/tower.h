/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tower.h - towers read from a config.json, and what of a job is theirs. */
#ifndef PLAN3D_SPEC_TOWER_H
#define PLAN3D_SPEC_TOWER_H

#include "plan3d/job.h"
#include "spec/family.h"

/**
 * Read the tower of a multimodal file into a model whose decoder is complete.
 *
 * A tower whose parts are not known is left out: spec_note_left_out() names it.
 *
 * @return false with P3D_DATA where a size is wrong
 */
P3D_CHECK bool spec_tower_read(const spec_reader *reader, p3d_model *model);

/** Give a model without a tower that of a text such as {"model_type": "llava",
 *  "vision_config": {...}}. @return false with P3D_DATA, as above */
P3D_CHECK bool spec_tower_attach(
        const char *text, p3d_model *model, p3d_error *err);

/** With them no width of a tower, and no count of patches, is near 2^31. */
enum { SPEC_MAX_TOWER = 1 << 16, SPEC_MAX_PATCHES = 1 << 24 };

/** The key under which a model of this type has its tower; NULL where it has
 *  none that is known. */
const char *spec_tower_key(const spec_reader *reader);

/** True for a key that some tower's size is read from. */
bool spec_tower_reads_key(const char *key);

/** Numbers, each of which is in its range, go together. */
bool spec_tower_given(const p3d_tower *tower);

/** Whether layers of towers are recomputed where they are trained. */
bool spec_tower_recomputes(const p3d_job *job);

#endif

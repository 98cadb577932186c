/* SPDX-License-Identifier: GPL-3.0-or-later */
/* titan.h - the models that torchtitan calls by a name and a flavor. */
#ifndef PLAN3D_EXCHANGE_READ_TITAN_H
#define PLAN3D_EXCHANGE_READ_TITAN_H

#include "exchange/read/read.h"
#include "plan3d/model.h"

/** Add the model of model.name and model.flavor, or of model_registry() in a
 *  registry of configurations, under the name "model" where one is said.
 *  @return false with P3D_DATA (too many) or P3D_SYSTEM */
P3D_CHECK bool exchange_titan_add(exchange_settings *settings, p3d_error *err);

/** A model of torchtitan's alone, as debug models and those of its tests.
 *  @return false where there is none of this name */
bool exchange_titan_find(const char *name, p3d_model *out);

#endif

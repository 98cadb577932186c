/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lack.h - what files do not say and a plan needs: all of it in one line. */
#ifndef PLAN3D_EXCHANGE_READ_LACK_H
#define PLAN3D_EXCHANGE_READ_LACK_H

#include "exchange/read/import.h"

/**
 * Refuse files that do not say what the answer needs.
 *
 * @param launch  as the options have filled it
 * @return false with P3D_DATA: all that is missing, and what to write
 */
P3D_CHECK bool exchange_check_lacks(const exchange_import_question *question,
        const exchange_settings *settings, const exchange_launch *launch,
        p3d_error *err);

/** The same of a plan that was settled. */
P3D_CHECK bool exchange_check_settled(const exchange_target *target,
        const exchange_launch *launch, p3d_error *err);

#endif

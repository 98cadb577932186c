/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan3d.h - the whole library. */
#ifndef PLAN3D_PLAN3D_H
#define PLAN3D_PLAN3D_H

#include "plan3d/api.h"
#include "plan3d/best_framework.h"
#include "plan3d/calibrate.h"
#include "plan3d/calibration.h"
#include "plan3d/catalog.h"
#include "plan3d/cluster.h"
#include "plan3d/command.h"
#include "plan3d/constants.h"
#include "plan3d/deadline.h"
#include "plan3d/decisions.h"
#include "plan3d/error.h"
#include "plan3d/estimate.h"
#include "plan3d/fit.h"
#include "plan3d/framework.h"
#include "plan3d/job.h"
#include "plan3d/measurements.h"
#include "plan3d/model.h"
#include "plan3d/pareto.h"
#include "plan3d/plan.h"
#include "plan3d/range.h"
#include "plan3d/request.h"
#include "plan3d/rows.h"
#include "plan3d/score.h"
#include "plan3d/search.h"
#include "plan3d/sensitivity.h"
#include "plan3d/single_changes.h"
#include "plan3d/sweep.h"
#include "plan3d/training.h"
#include "plan3d/units.h"
#include "plan3d/validate.h"
#include "plan3d/version.h"
#include "plan3d/workload.h"

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* version.h - which plan3d this is. */
#ifndef PLAN3D_VERSION_H
#define PLAN3D_VERSION_H

#define P3D_VERSION "0.1.0"

/** Schema of every JSON document that plan3d prints. */
#define P3D_SCHEMA "plan3d/1"

#endif

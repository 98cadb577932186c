/* SPDX-License-Identifier: GPL-3.0-or-later */
/* version.h - which plan3d this is. */
#ifndef PLAN3D_VERSION_H
#define PLAN3D_VERSION_H

#define P3D_VERSION "0.1.0"
#define P3D_LICENSE "GPL-3.0-or-later"

/** Schema of every JSON document that plan3d prints. */
#define P3D_SCHEMA "plan3d/1"

/** Its version: the second number grows with every key that is added or says
 *  something else than before; docs/json.md has what changed. A key that is
 *  taken away or renamed makes another P3D_SCHEMA. */
#define P3D_SCHEMA_VERSION "1.1"

#endif

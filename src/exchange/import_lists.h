/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_lists.h - settings by name, and lists of those that made no plan. */
#ifndef PLAN3D_EXCHANGE_IMPORT_LISTS_H
#define PLAN3D_EXCHANGE_IMPORT_LISTS_H

#include "exchange/import.h"

/** True where "-" and "_" in names are alike, and flags have no value. */
bool p3d_is_loose(const p3d_option_table *table);

/** True for an option that is there or not. */
bool p3d_is_flag(const p3d_option *option);

/** The setting of an option: its name in a file ends in that of the option,
 *  as in "cfg.model.tp"; NULL = none. */
p3d_setting *p3d_find_setting(const p3d_settings *settings,
        const p3d_option_table *table, const char *name);

/** Append "name = value" and a line end. */
void p3d_list_setting(const p3d_setting *setting, p3d_text *out);

/** What the framework does where the files leave an option out. */
void p3d_list_default(const p3d_option *option, p3d_import *import);

/** Where the launcher says another world than the cluster, the cluster counts:
 *  scripts often have their nodes from outside. */
void p3d_note_world(
        p3d_settings *settings, const p3d_cluster *cluster, p3d_text *notes);

/** Options that change what runs although no plan says it. */
void p3d_list_unmodelled(
        const p3d_target *target, p3d_settings *settings, p3d_text *out);

/** All that is left. */
void p3d_list_unknown(
        const p3d_target *target, p3d_settings *settings, p3d_text *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.c - writes the files of a launch: all of them or none. */
#include "base/write_file.h"
#include "exchange/export.h"

bool p3d_launch_files_write(const p3d_launch_files *files,
        const char *directory, bool force, p3d_error *err)
{
    p3d_output_file outputs[P3D_MAX_LAUNCH_FILES];

    for (int i = 0; i < files->n; i++)
        outputs[i] = (p3d_output_file){.name = files->at[i].name,
                .text = &files->at[i].text,
                .executable = files->at[i].executable};
    return p3d_write_files(directory, outputs, files->n, force, err);
}

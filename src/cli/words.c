/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - the words that options may be, and how one is found. */
#include "cli/words.h"

#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "plan3d/best_framework.h"
#include "plan3d/framework.h"
#include "plan3d/job.h"

const char *cli_dtype_word(int i)
{
    return i < P3D_N_DTYPES ? p3d_dtype_name((p3d_dtype)i) : NULL;
}

const char *cli_state_dtype_word(int i)
{
    static const char *const words[P3D_N_STATE_DTYPES - 1] = {
            "fp32", "16bit", "8bit", "none"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

const char *cli_loss_word(int i)
{
    return i < P3D_N_LOSSES ? p3d_loss_name((p3d_loss)i) : NULL;
}

const char *cli_cp_comm_word(int i)
{
    static const char *const words[P3D_N_CP_COMMS] = {"p2p", "a2a"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

const char *cli_dispatcher_word(int i)
{
    return i < P3D_N_DISPATCHERS ? p3d_dispatcher_name((p3d_dispatcher)i)
                                 : NULL;
}

const char *cli_framework_word(int i)
{
    int n = 0;
    const p3d_framework *frameworks = p3d_frameworks(&n);

    if (i < n)
        return frameworks[i].name;
    return i == n ? P3D_ANY_FRAMEWORK : NULL;
}

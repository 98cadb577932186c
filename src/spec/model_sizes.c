/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_sizes.c - what the sizes of a model may be. */
#include "spec/model_sizes.h"

#include "base/util.h"
#include "spec/members.h"

bool p3d_model_check_limits(const p3d_model *model, p3d_error *err)
{
    for (int i = 0; i < p3d_model_members.n; i++) {
        const p3d_member *const member = &p3d_model_members.rows[i];
        const double size = p3d_member_value(member, model);

        if (size > member->most)
            return p3d_fail(err, P3D_DATA,
                    "the model's %s: %.0f is above %.0f, more than any model "
                    "has",
                    member->words, size, member->most);
    }
    return true;
}

bool p3d_model_check_heads(const p3d_model *m, p3d_error *err)
{
    P3D_ASSERT(m->head_dim >= 1);
    if (m->n_kv_heads < 1 || m->n_heads % m->n_kv_heads != 0)
        return p3d_fail(err, P3D_DATA,
                "the model's %d key/value heads do not divide its %d query "
                "heads",
                m->n_kv_heads, m->n_heads);
    return true;
}

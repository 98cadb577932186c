/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema_cluster.c - the JSON Schema of a cluster file.
 *
 * The reader's own table is private to src/spec/cluster_file.c; the unit test
 * of the schemas reads a file with every key below, and one with none. */
#include "base/util.h"
#include "report/list.h"

typedef struct input_row {
    const char *key;
    const char *doc;
    bool required;
    const char *type; /* NULL: a name or an object */
} input_row;

/* clang-format off */
static const input_row rows[] = {
    {"schema", "version of this format: 1", true, "integer"},
    {"name", "what people call the cluster", false, "string"},
    {"n_nodes", "nodes", true, "integer"},
    {"gpus_per_node", "GPUs that the job uses of a node; absent = all", false,
     "integer"},
    {"gpu", "name of a GPU, or an object like a file of hardware/gpu", true,
     NULL},
    {"node", "name of a node type, or an object like a file of hardware/node",
     false, NULL},
    {"fabric", "name of a network, or an object like a file of "
     "hardware/fabric", false, NULL},
};
/* clang-format on */

static void put_type(json_writer *w, const char *type)
{
    json_begin(w, NULL, '{');
    json_put_string(w, "type", type);
    json_end(w, '}');
}

static void put_row(json_writer *w, const input_row *row)
{
    json_begin(w, row->key, '{');
    json_put_string(w, "description", row->doc);
    if (row->type == NULL) {
        json_begin(w, "anyOf", '[');
        put_type(w, "string");
        put_type(w, "object");
        json_end(w, ']');
    } else {
        json_put_string(w, "type", row->type);
        if (row->type[0] == 'i')
            json_put_int(w, "minimum", 1);
    }
    json_end(w, '}');
}

void report_cluster_file_schema(json_writer *w)
{
    json_begin(w, NULL, '{');
    report_write_dialect(w);
    json_put_string(w, "description", "a cluster, in place of its words");
    json_put_string(w, "type", "object");
    json_begin(w, "properties", '{');
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        put_row(w, &rows[i]);
    json_end(w, '}');
    json_begin(w, "required", '[');
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        if (rows[i].required)
            json_put_string(w, NULL, rows[i].key);
    json_end(w, ']');
    json_put_bool(w, "additionalProperties", false);
    json_end(w, '}');
}

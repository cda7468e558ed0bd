/*
 * What an edit makes a failing case leave out: that may be why it passes.
 */
#include "common/harness/experiment/experiment.h"

/* A line of the failing case's launches that is missing from those of the mended one. */
static bool is_silenced(const json_t *line, const json_t *mended) {
    const json_t *launches = json_object_get(mended, "launches"), *launch, *other;
    size_t i, k;

    json_array_foreach(launches, i, launch) {
        json_array_foreach(json_object_get(launch, "lines"), k, other) {
            if (json_equal(json_object_get(line, "line"), json_object_get(other, "line")) &&
                json_equal(json_object_get(line, "file"), json_object_get(other, "file")))
                return false;
        }
    }
    return true;
}

bool lab_edit_silences(const json_t *failed, const json_t *mended) {
    const json_t *launches = json_object_get(failed, "launches"), *launch, *line;
    size_t i, k;

    json_array_foreach(launches, i, launch) {
        json_array_foreach(json_object_get(launch, "lines"), k, line) {
            if (is_silenced(line, mended))
                return true;
        }
    }
    return false;
}

/* Blocks of a launch, and how often its warps store to global memory or update it. */
static void count_writes(const json_t *launch, json_int_t *blocks, json_int_t *writes) {
    const json_t *counters = json_object_get(launch, "counters"), *size;
    size_t i;

    *blocks = 1;
    json_array_foreach(json_object_get(launch, "grid"), i, size) {
        *blocks *= json_integer_value(size);
    }
    *writes = json_integer_value(json_object_get(counters, "global_stores")) +
              json_integer_value(json_object_get(counters, "atomics"));
}

bool lab_edit_mutes(const json_t *failed, const json_t *mended) {
    const json_t *before = json_object_get(failed, "launches"), *launch;
    const json_t *after = json_object_get(mended, "launches");
    json_int_t blocks, writes, blocks_left, writes_left;
    size_t i;

    json_array_foreach(before, i, launch) {
        count_writes(launch, &blocks, &writes);
        count_writes(json_array_get(after, i), &blocks_left, &writes_left);
        if (i < json_array_size(after) && blocks == blocks_left && writes >= blocks &&
            writes_left < blocks)
            return true;
    }
    return false;
}

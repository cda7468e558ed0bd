/* By the counters that the simulator keeps of each line; which of them a check counts is told by
 * its words. */
#include "grader/grade/evidence/counted.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/grade/source/assignments.h"
#include "grader/grade/source/lines.h"
#include "grader/grade/source/reading.h"

/* A check whose words are like `words` (as of files' names, a ? for a blank) counts `counters`. The
 * first that fits is meant. */
static const struct {
    const char *words, *counters;
} meanings[] = {
    {"*divergent?branch* *part?a?warp*", "divergent_branches"},
    {"*bank?conflict*", "bank_conflicts"},
    {"*barrier*", "barriers"},
    {"*shuffles?and?atomics*", "shuffles atomics"},
    {"*shared?loads?and?shuffles*", "shared_loads shuffles"},
    {"*shuffle*", "shuffles"},
    {"*sectors?stored,?and?atomics*", "global_store_sectors atomics"},
    {"*atomic*", "atomics"},
    {"*loads?and?stores?of?shared*", "shared_loads shared_stores"},
    {"*passes?over?the?banks?for?loads*", "shared_load_wavefronts"},
    {"*shared*loads* *loads?from?shared*", "shared_loads"},
    {"*shared*stores* *stores*shared*", "shared_stores"},
    {"*sectors*stored* *store*sectors* *sectors*stores*", "global_store_sectors"},
    {"*sectors*loaded* *load*sectors* *sectors*loads*", "global_load_sectors"},
    {"*store?requests* *stores?of?the?largest?launch* stores*", "global_stores"},
    {"*load?requests* *loads?of?a?block's?warps*", "global_loads"},
    {"*instructions*", "warp_instructions"},
    {"*branches*", "branches"},
};

static const char of_launches[] =
    "*blocks* *threads?of* *launches?for* *launches?of?no* *bytes?of?shared*";

static const char *meaning_of(const char *what) {
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (text_is_like(what, meanings[i].words))
            return meanings[i].counters;
    return NULL;
}

/* The sum of the counters that are named, with a blank between, of a line or launch. */
static json_int_t sum_of(const json_t *of, const char *names) {
    const char *name;
    json_t *value;
    json_int_t sum = 0;
    json_object_foreach(json_object_get(of, "counters"), name, value) {
        if (text_is_like(name, names))
            sum += json_integer_value(value);
    }
    return sum;
}

/* What was counted in each line of the student's file, by its number as a text. Gives the sum of
 * all launches, in which lines of other files are, too. */
static json_int_t sum_lines(const json_t *lab, const json_t *test, const char *names,
                            json_t *by_line) {
    const json_t *launch, *line;
    json_int_t all = 0;
    size_t i, k;
    json_array_foreach(json_object_get(test, "launches"), i, launch) {
        all += sum_of(launch, names);
        json_array_foreach(json_object_get(launch, "lines"), k, line) {
            OWNED char *key = text_format("%" JSON_INTEGER_FORMAT, record_count(line, "line"));
            if (record_is_of_file(lab, line))
                json_object_set_new(by_line, key,
                                    json_integer(record_count(by_line, key) + sum_of(line, names)));
        }
    }
    return all;
}

/* [line, percent] of the lines with a tenth of all at least, the most first. */
static json_t *shares_of(const json_t *lab, const json_t *test, const char *names) {
    enum { LEAST_PERCENT = 10 };
    json_t *shares = json_array(), *value;
    json_auto_t *by_line = json_object();
    const json_int_t all = sum_lines(lab, test, names, by_line);
    const char *key;
    json_object_foreach(by_line, key, value) {
        const json_int_t count = json_integer_value(value);
        const json_int_t percent = all > 0 ? (200 * count + all) / (2 * all) : 0;
        size_t at = 0;
        if (percent < LEAST_PERCENT)
            continue;
        while (at < json_array_size(shares) &&
               json_integer_value(json_array_get(json_array_get(shares, at), 1)) >= percent)
            at++;
        json_array_insert_new(shares, at,
                              json_pack("[I, I]", (json_int_t)strtol(key, NULL, 10), percent));
    }
    while (json_array_size(shares) > LINES_MOST)
        json_array_remove(shares, LINES_MOST);
    return shares;
}

static json_t *lines_of_shares(const json_t *shares, const char *source) {
    json_t *lines = json_array();
    size_t index;
    const json_t *share;
    json_array_foreach(shares, index, share) {
        json_array_append(lines, json_array_get(share, 0));
    }
    return lines_with_causes(source, lines_in_order(lines));
}

/* The lines of a check that counts launches or their shapes; else those of its shares. */
static json_t *lines_of(const json_t *test, const char *what, const json_t *shares,
                        const char *source) {
    if (meaning_of(what) || !text_is_like(what, of_launches))
        return lines_of_shares(shares, source);
    json_auto_t *kernels = record_kernels(test);
    return lines_of_shapes(source, kernels);
}

void counted_add_lines(const json_t *lab, json_t *test, const char *source) {
    size_t index;
    json_t *check;
    json_array_foreach(json_object_get(test, "technique"), index, check) {
        const bool holds = json_is_true(json_object_get(check, "holds"));
        const char *what = record_text(check, "what"), *names = holds ? NULL : meaning_of(what);
        json_t *shares = names ? shares_of(lab, test, names) : json_array();
        json_object_set_new(check, "shares", shares);
        json_object_set_new(check, "lines",
                            holds ? json_array() : lines_of(test, what, shares, source));
    }
}

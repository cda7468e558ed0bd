/*
 * Races between streams: the programs of order_test.cu, in the order of their calls and in drawn
 * ones. Each wrong one has a finding that names both sides, each right one has none.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/cudart/simtcudart.h"
#include "common/simt/program/edit/edit.h"
#include "common/simt/tests/cudart/program.h"

TestSuite(order, .timeout = 120);

enum { N_SEEDS = 6, LEAST_OF_A_KIND = 8 };

struct program {
    char name[64], one[32], other[32];
};

/* Runs it; its findings. */
static json_t *findings_of(const struct program *program, uint64_t seed) {
    simtReportReset();
    simtSchedule(seed);
    program_call(void, program->name, (void), ());
    char *text = simtReportJson();
    json_t *report = json_loads(text, 0, NULL);
    free(text);
    json_t *findings = json_incref(json_object_get(report, "findings"));
    json_decref(report);
    cr_assert(json_is_array(findings));
    return findings;
}

static const char *message_of(const json_t *findings, size_t i) {
    return json_string_value(json_object_get(json_array_get(findings, i), "message"));
}

static void expect_found(const struct program *program, uint64_t seed) {
    json_t *findings = findings_of(program, seed);
    bool is_found = false;
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const char *message = message_of(findings, i), *one = strstr(message, program->one);
        is_found |= one && strstr(message, program->other);
        cr_expect_not_null(strstr(message, "no event"), "%s: %s", program->name, message);
    }
    cr_expect(is_found, "%s, seed %d: %s", program->name, (int)seed,
              json_array_size(findings) ? message_of(findings, 0) : "nothing found");
    json_decref(findings);
}

static void expect_silence(const struct program *program, uint64_t seed) {
    json_t *findings = findings_of(program, seed);
    cr_expect_eq(json_array_size(findings), 0, "%s, seed %d: %s", program->name, (int)seed,
                 json_array_size(findings) ? message_of(findings, 0) : "");
    json_decref(findings);
}

/* Calls `expect` for each program that `sort` begins, and each seed. */
static void for_each(const char *sort, void (*expect)(const struct program *, uint64_t)) {
    FILE *file = fopen(SOURCE, "r");
    char line[256];
    int n = 0;
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        struct program program = {"", "", ""};
        if (strncmp(line, sort, strlen(sort)) != 0 || line[strlen(sort)] != '(')
            continue;
        sscanf(line + strlen(sort), "(%63[a-z_], \"%31[^\"]\", \"%31[^\"]\")", program.name,
               program.one, program.other);
        for (uint64_t seed = 0; seed <= N_SEEDS; seed++)
            expect(&program, seed);
        n++;
    }
    fclose(file);
    cr_expect_geq(n, LEAST_OF_A_KIND);
}

Test(order, streams_without_one_are_found) {
    for_each("WRONG", expect_found);
}

Test(order, memory_freed_too_early_is_found) {
    const struct program program = {"frees_too_early", "cudaFreeAsync", "of get reads"};
    expect_found(&program, 0);
}

Test(order, streams_with_one_are_left_alone) {
    for_each("RIGHT", expect_silence);
}

/* The same programs that are wrong, one piece of work after the other: an edit proves that nothing
 * else is wrong with them. */
Test(order, is_made_by_an_edit) {
    const struct simt_edit edit = {.kind = SIMT_EDIT_ONE_STREAM};
    cr_assert_eq(simtSetEdits(&edit, 1), 0);
    for_each("WRONG", expect_silence);
    cr_assert_eq(simtSetEdits(NULL, 0), 0);
    for_each("WRONG", expect_found);
}

/*
 * Counters of the simulator against those that Nsight Compute read on the hardware.
 *
 * Each rule names a counter, the column of counters.csv that it must equal. Columns that begin with
 * sass_ count machine instructions as they were executed.
 *
 * Lanes per instruction can be compared where machine code keeps the structure of the PTX: where
 * branches stay branches (as many diverge), lanes do not talk where PTX has them not, and no
 * instruction is expanded (within 10 %, as many are executed).
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/proof/compare.h"
#include "common/simt/tests/proof/device_sim.h"
#include "common/simt/tests/proof/proof.h"

enum { MAX_COLUMNS = 64 };

struct rule {
    const char *name;
    size_t offset; /* in struct simt_counters */
    const char *column;
};

#define RULE(counter, column)                                                                      \
    { #counter, offsetof(struct simt_counters, counter), column }
static const struct rule rules[] = {
    RULE(global_loads, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    RULE(global_stores, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
    RULE(global_load_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
    RULE(global_store_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
    RULE(barriers, "sass_barriers"),
    RULE(atomics, "sass_atomics"),
    RULE(shuffles, "sass_shuffles"),
    /* Wavefronts, not instructions: the hardware's smsp__inst_executed_op_shared_* count those that
     * a predicate switches off for all lanes, too. */
    RULE(shared_load_wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    RULE(shared_store_wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
};

/* One line of the record, cut into fields; the first line of the file names the columns. */
struct table {
    char *text;
    char *names[MAX_COLUMNS];
    size_t n_columns;
};

static size_t cut(char *line, char **fields) {
    size_t n = 0;
    for (char *field; n < MAX_COLUMNS && (field = strsep(&line, ",")); n++)
        fields[n] = field;
    return n;
}

static bool read_table(struct table *table, const char *path) {
    size_t bytes;
    table->text = proof_read_file(path, &bytes);
    char *const end = table->text ? strchr(table->text, '\n') : NULL;
    if (!end)
        return false;
    *end = 0;
    table->n_columns = cut(table->text, table->names);
    return true;
}

/* The fields of a kernel's line; false when there is none. Lines behind the first stay whole. */
static bool find_row(const struct table *table, const char *path, const char *kernel, char *row,
                     size_t row_bytes, char **fields) {
    size_t bytes;
    char *const text = proof_read_file(path, &bytes), *rest = text;
    bool found = false;
    for (char *line; rest && !found && (line = strsep(&rest, "\n"));) {
        const size_t n = strlen(kernel);
        found = strncmp(line, kernel, n) == 0 && line[n] == ',';
        if (found)
            snprintf(row, row_bytes, "%s", line);
    }
    free(text);
    return found && cut(row, fields) == table->n_columns;
}

/* The hardware's value; NAN when it was not recorded. */
static double field_of(const struct table *table, char *const *fields, const char *name) {
    size_t column = 0;
    while (column < table->n_columns && strcmp(table->names[column], name) != 0)
        column++;
    return column == table->n_columns || !fields[column][0] ? NAN : strtod(fields[column], NULL);
}

static bool check_rules(const struct proof_case *one, const struct simt_counters *counters,
                        const struct table *table, char *const *fields) {
    bool ok = true;
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        const double wanted = field_of(table, fields, rules[i].column);
        uint64_t got;
        memcpy(&got, (const char *)counters + rules[i].offset, sizeof(got));
        if (isnan(wanted)) {
            printf("# %s: %s was not recorded\n", one->kernel, rules[i].column);
        } else if ((double)got != wanted) {
            printf("# %s: %s: expected %.0f, got %lu\n", one->kernel, rules[i].name, wanted,
                   (unsigned long)got);
        } else {
            continue;
        }
        ok = false;
    }
    return ok;
}

static bool check_wavefronts(const struct proof_case *one, const struct simt_counters *counters) {
    const bool ok =
        (!one->load_wavefronts || counters->shared_load_wavefronts == one->load_wavefronts) &&
        (!one->store_wavefronts || counters->shared_store_wavefronts == one->store_wavefronts);
    if (!ok)
        printf("# %s: shared wavefronts: expected %u of loads and %u of stores, got %lu and %lu\n",
               one->kernel, one->load_wavefronts, one->store_wavefronts,
               (unsigned long)counters->shared_load_wavefronts,
               (unsigned long)counters->shared_store_wavefronts);
    return ok;
}

static bool keeps_structure(const struct simt_counters *counters, const struct table *table,
                            char *const *fields) {
    const double executed = field_of(table, fields, "smsp__inst_executed.sum");
    const double divergent =
        field_of(table, fields, "smsp__sass_branch_targets_threads_divergent.sum");
    return (double)counters->divergent_branches == divergent &&
           (double)counters->votes == field_of(table, fields, "sass_votes") &&
           fabs(executed / (double)counters->warp_instructions - 1) <= 0.1;
}

/* Within 2 %. In kernels marked `lanes` somebody has looked at the machine code. */
static bool check_lanes(const struct proof_case *one, const struct simt_counters *counters,
                        const struct table *table, char *const *fields) {
    const double wanted =
        field_of(table, fields, "smsp__thread_inst_executed_per_inst_executed.ratio");
    const double got = (double)counters->thread_instructions / (double)counters->warp_instructions;
    if (!one->lanes && !keeps_structure(counters, table, fields))
        return true;
    const bool ok = fabs(got / wanted - 1) <= 0.02;
    printf("# %s: %.2f lanes per instruction; the hardware has %.2f\n", one->kernel, got, wanted);
    return ok;
}

/* The estimate is one: within a third. */
static bool check_machine(const struct proof_case *one, const struct simt_counters *counters,
                          const struct table *table, char *const *fields) {
    const double wanted = field_of(table, fields, "smsp__inst_executed.sum");
    const double got = (double)counters->machine_instructions;
    const bool ok = fabs(got / wanted - 1) <= 1.0 / 3;
    if (!ok)
        printf("# %s: machine instructions: expected about %.0f, got %.0f\n", one->kernel, wanted,
               got);
    return ok;
}

static bool check_kernel(struct proof_device *device, const struct proof_case *one,
                         const struct table *table, const char *path) {
    char row[2048], *fields[MAX_COLUMNS];
    struct proof_result result;
    bool ok = find_row(table, path, one->kernel, row, sizeof(row), fields);
    if (!ok)
        printf("# %s: there is no record of the hardware's counters\n", one->kernel);
    if (!proof_run_case(device, one, &result)) {
        printf("# %s: %s\n", one->kernel, proof_error(device));
        ok = false;
    }
    proof_result_free(&result);
    const struct simt_counters counters = proof_counters(device);
    return check_wavefronts(one, &counters) && ok &&
           (check_rules(one, &counters, table, fields) &
            check_lanes(one, &counters, table, fields) &
            check_machine(one, &counters, table, fields));
}

/* The kernels of one file that are marked `counters`; returns how many there are. */
static size_t check_file(struct proof_device *device, const struct table *table,
                         const char *records, const char *ptx_path, const char *source_path,
                         size_t n_before) {
    char error[512] = "";
    struct proof_corpus corpus;
    size_t bytes = 0, n = 0;
    char *const ptx = proof_read_file(ptx_path, &bytes);
    if (!ptx || !proof_load(device, ptx, bytes) ||
        !proof_corpus_read(&corpus, source_path, error, sizeof(error))) {
        printf("not ok %zu - %s or %s can't be used: %s%s\n", n_before + 1, ptx_path, source_path,
               error, proof_error(device));
        free(ptx);
        return 1;
    }
    for (size_t i = 0; i < corpus.n_cases; i++) {
        const struct proof_case *const one = &corpus.cases[i];
        if (!one->counters)
            continue;
        n++;
        printf("%s %zu - %s has Nsight Compute's counters%s\n",
               check_kernel(device, one, table, records) ? "ok" : "not ok", n_before + n,
               one->kernel, one->pending ? " # TODO known to differ, or not recorded" : "");
    }
    proof_corpus_free(&corpus);
    free(ptx);
    return n;
}

int command_counters(struct proof_device *device, int argc, char **argv) {
    struct table table = {0};
    const int n_files = (argc - 2) / 2;
    size_t n = 0;
    if (!read_table(&table, argv[0]))
        printf("Bail out! %s can't be used\n", argv[0]);
    for (int i = 0; i < n_files; i++)
        n += check_file(device, &table, argv[0], argv[1 + i], argv[2 + n_files + i], n);
    printf("1..%zu\n", n);
    free(table.text);
    return 0;
}

/*
 * The record that a device keeps of its launches and findings, and its JSON text.
 *
 * A record copies whatever it is given, so that it outlives modules and kernels. It is not guarded
 * by a lock: one thread at a time uses a record.
 */
#pragma once

#include "common/simt/simt.h"

/* Distinct findings that a record keeps; those beyond are forgotten. */
enum { SIMT_MAX_FINDINGS = 64 };

struct simt_record;

/* An empty record, or NULL when the host has no memory for it. */
struct simt_record *simt_record_new(void);
void simt_record_free(struct simt_record *record);

/* Forgets all launches and findings. */
void simt_record_reset(struct simt_record *record);

/* Adds a copy of `launch`, lines included. Beyond SIMT_MAX_LAUNCHES, or where the host has no
 * memory left, the launch is counted as dropped. */
void simt_record_launch(struct simt_record *record, const struct simt_launch_report *launch);

/*
 * Adds a copy of `finding`; count 0 stands for 1. Where a finding of the same kernel, kind and pair
 * of lines (in either order) is there already, that one keeps its witness and takes the count.
 */
void simt_record_finding(struct simt_record *record, const struct simt_finding *finding);

/* The cheap half of simt_record_finding, for the many times that one mistake is seen: true, and
 * counted, where such a finding is there already. place, message and advice are not looked at. */
bool simt_record_again(struct simt_record *record, const struct simt_finding *finding);

/* Adds a piece of work that is over, whose queue and number, bytes and launch are set: what comes
 * before it is found by its clock. */
void simt_record_work(struct simt_record *record, struct simt_work_report work,
                      const struct simt_clock *clock);

void simt_counters_add(struct simt_counters *to, const struct simt_counters *from);

/* The order of a launch's lines, by file and number; their counters don't matter. */
int simt_lines_compare(const struct simt_line *a, const struct simt_line *b);

/* What the record holds; pointers stay valid until it is changed. */
void simt_record_view(const struct simt_record *record, struct simt_report *report);

/* A report as JSON text in the layout of README.md; NULL when the host has no memory for it. The
 * caller frees it. */
char *simt_record_json(const struct simt_report *report, const struct simt_origins *origins);

/* Likewise the accounts of the kernels, an array. */
char *simt_record_kernels_json(const struct simt_report *report);

/* The word of a status in JSON: "ok", "illegal_address" ... */
const char *simt_status_word(enum simt_status status);

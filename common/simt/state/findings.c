/*
 * The list of a launch's findings and the words that they share.
 */
#include "common/simt/state/findings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/simt/program/slice/slice.h"
#include "common/simt/report/report.h"
#include "common/simt/state/module.h"
#include "common/simt/state/sm.h"

/* A kernel with more different mistakes than this is told the first ones, and what stopped it. */
enum { MAX_FINDINGS = 64 };

struct entry {
    enum simt_finding_kind kind;
    uint32_t here, other; /* instructions */
    uint64_t count;
    struct simt_finding finding;
};

struct simt_findings {
    struct entry *entries; /* room for MAX_FINDINGS and one that stops the kernel */
    size_t n;
    uint64_t n_seen;
};

struct simt_findings *simt_findings_new(void) {
    struct simt_findings *findings = calloc(1, sizeof *findings);
    if (findings && !(findings->entries = calloc(MAX_FINDINGS + 1, sizeof *findings->entries))) {
        free(findings);
        return NULL;
    }
    return findings;
}

void simt_findings_free(struct simt_findings *findings) {
    if (findings)
        free(findings->entries);
    free(findings);
}

void simt_findings_flush(struct simt_findings *findings, struct simt_record *record) {
    for (size_t i = 0; i < findings->n; i++) {
        findings->entries[i].finding.count = findings->entries[i].count;
        simt_record_finding(record, &findings->entries[i].finding);
    }
    findings->n = 0;
}

bool simt_findings_is_empty(const struct simt_findings *findings) {
    return findings->n == 0;
}

uint64_t simt_findings_seen(const struct simt_findings *findings) {
    return findings->n_seen;
}

bool simt_findings_again(struct simt_findings *findings, enum simt_finding_kind kind, uint32_t here,
                         uint32_t other) {
    findings->n_seen++;
    for (size_t i = 0; i < findings->n; i++) {
        struct entry *entry = &findings->entries[i];
        if (entry->kind == kind && entry->here == here && entry->other == other) {
            entry->count++;
            return true;
        }
    }
    return findings->n >= MAX_FINDINGS;
}

struct simt_access simt_access_of(const struct simt_kernel *kernel, struct simt_dim3 block,
                                  const struct simt_side *side) {
    if (!side)
        return (struct simt_access){.file = "", .what = NULL};
    const struct ptx_insn *source = kernel->program->insns[side->index].source;
    const char *file = ptx_file_path(kernel->program->module, source->file);
    return (struct simt_access){
        .file = file ? file : "",
        .line = source->line,
        .cta = side->cta,
        .thread = simt_thread_index(block, side->thread),
        .what = side->what,
    };
}

void simt_findings_put(struct simt_findings *findings, uint32_t here, uint32_t other,
                       const struct simt_finding *finding) {
    if (findings->n > MAX_FINDINGS)
        return;
    findings->entries[findings->n++] = (struct entry){
        .kind = finding->kind, .here = here, .other = other, .count = 1, .finding = *finding};
}

void simt_findings_add(struct simt_sm *sm, enum simt_finding_kind kind,
                       const struct simt_side *here, const struct simt_side *other,
                       const char *place, const char *message, const char *advice) {
    struct simt_finding finding = {
        .kind = kind,
        .kernel = sm->kernel->told_name.text,
        .here = simt_access_of(sm->kernel, sm->block, here),
        .other = simt_access_of(sm->kernel, sm->block, other),
    };
    snprintf(finding.place, sizeof finding.place, "%s", place);
    snprintf(finding.message, sizeof finding.message, "%s", message);
    snprintf(finding.advice, sizeof finding.advice, "%s", advice);
    finding.n_behind = (unsigned)slice_behind(sm->program->function, simt_source(sm, here->index),
                                              SLICE_OF_PLACE, finding.behind, SIMT_MOST_BEHIND);
    simt_findings_put(sm->findings, here->index, other ? other->index : here->index, &finding);
}

struct simt_side simt_side_here(const struct simt_sm *sm, uint32_t index, uint32_t lane,
                                const char *what) {
    return (struct simt_side){
        .index = index,
        .cta = sm->cta,
        .thread = sm->warp->index * SIMT_LANES + lane,
        .what = what,
    };
}

struct simt_dim3 simt_cta_of(struct simt_dim3 grid, uint64_t index) {
    return (struct simt_dim3){
        .x = (uint32_t)(index % grid.x),
        .y = (uint32_t)(index / grid.x % grid.y),
        .z = (uint32_t)(index / grid.x / grid.y),
    };
}

struct simt_dim3 simt_thread_index(struct simt_dim3 block, uint32_t thread) {
    return (struct simt_dim3){
        .x = thread % block.x,
        .y = thread / block.x % block.y,
        .z = thread / block.x / block.y,
    };
}

/* (x) of a one-dimensional shape, else (x,y,z). */
static void write_index(char *text, size_t bytes, struct simt_dim3 index, struct simt_dim3 shape) {
    if (shape.y == 1 && shape.z == 1)
        snprintf(text, bytes, "%" PRIu32, index.x);
    else
        snprintf(text, bytes, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", index.x, index.y, index.z);
}

struct simt_text simt_thread_text(struct simt_dim3 grid, struct simt_dim3 block,
                                  const struct simt_side *side) {
    char thread[40], cta[40];
    write_index(thread, sizeof thread, simt_thread_index(block, side->thread), block);
    write_index(cta, sizeof cta, side->cta, grid);
    struct simt_text text;
    snprintf(text.text, sizeof text.text, "Thread %s of block %s", thread, cta);
    return text;
}

struct simt_text simt_line_of(const char *path, unsigned line) {
    const char *base = path ? file_base(path) : "", *end = strrchr(base, '.');
    struct simt_text text;
    if (end && strcmp(end, ".cu") != 0)
        snprintf(text.text, sizeof text.text, "line %u of %.40s", line, base);
    else
        snprintf(text.text, sizeof text.text, "line %u", line);
    return text;
}

struct simt_text simt_line_text(const struct simt_sm *sm, uint32_t index) {
    const struct ptx_insn *source = simt_source(sm, index);
    struct simt_text text;
    if (source->line)
        return simt_line_of(ptx_file_path(sm->program->module, source->file), source->line);
    snprintf(text.text, sizeof text.text, "PTX line %u", source->ptx_line);
    return text;
}

struct simt_text simt_who(const struct simt_sm *sm, const struct simt_side *side) {
    return simt_thread_text(sm->grid, sm->block, side);
}

struct simt_text simt_and_who(const struct simt_sm *sm, const struct simt_side *side) {
    struct simt_text text = simt_who(sm, side);
    text.text[0] = 't';
    return text;
}

struct simt_text simt_where(const struct simt_sm *sm, const struct simt_side *side) {
    return simt_line_text(sm, side->index);
}

struct simt_sentence simt_say(const char *format, ...) {
    struct simt_sentence sentence;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence.text, sizeof sentence.text, format, arguments);
    va_end(arguments);
    return sentence;
}

struct simt_text simt_number_text(uint64_t number) {
    struct simt_text text;
    char plain[24];
    int n = snprintf(plain, sizeof plain, "%" PRIu64, number), at = 0;
    for (int i = 0; i < n; i++) {
        text.text[at++] = plain[i];
        if ((n - i) % 3 == 1 && i + 1 < n)
            text.text[at++] = ',';
    }
    text.text[at] = '\0';
    return text;
}

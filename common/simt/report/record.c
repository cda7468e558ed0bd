/*
 * The record of launches and findings. Strings are kept once each: thousands of lines and findings
 * share a handful of file and kernel names.
 */
#include "common/simt/report/report.h"

#include <stdlib.h>
#include <string.h>

struct name {
    struct name *next;
    char text[];
};

struct simt_record {
    struct name *names;
    struct simt_launch_report *launches;
    size_t n_launches, n_launches_dropped;
    struct simt_finding *findings;
    size_t n_findings;
};

/* The record's own copy of a string; NULL for NULL and where memory is out. */
static const char *keep(struct simt_record *record, const char *text) {
    if (text == NULL)
        return NULL;
    for (struct name *name = record->names; name != NULL; name = name->next)
        if (strcmp(name->text, text) == 0)
            return name->text;
    size_t bytes = strlen(text) + 1;
    struct name *name = malloc(sizeof(*name) + bytes);
    if (name == NULL)
        return NULL;
    memcpy(name->text, text, bytes);
    name->next = record->names;
    record->names = name;
    return name->text;
}

struct simt_record *simt_record_new(void) {
    struct simt_record *record = calloc(1, sizeof(*record));
    if (record == NULL)
        return NULL;
    record->launches = calloc(SIMT_MAX_LAUNCHES, sizeof(*record->launches));
    record->findings = calloc(SIMT_MAX_FINDINGS, sizeof(*record->findings));
    if (record->launches == NULL || record->findings == NULL) {
        simt_record_free(record);
        return NULL;
    }
    return record;
}

void simt_record_free(struct simt_record *record) {
    if (record == NULL)
        return;
    simt_record_reset(record);
    free(record->launches);
    free(record->findings);
    free(record);
}

void simt_record_reset(struct simt_record *record) {
    for (size_t i = 0; i < record->n_launches; i++)
        free(record->launches[i].lines);
    while (record->names != NULL) {
        struct name *next = record->names->next;
        free(record->names);
        record->names = next;
    }
    record->n_launches = 0;
    record->n_launches_dropped = 0;
    record->n_findings = 0;
}

void simt_record_launch(struct simt_record *record, const struct simt_launch_report *launch) {
    if (record->n_launches == SIMT_MAX_LAUNCHES) {
        record->n_launches_dropped++;
        return;
    }
    struct simt_line *lines = NULL;
    if (launch->n_lines != 0) {
        lines = malloc(launch->n_lines * sizeof(*lines));
        if (lines == NULL) {
            record->n_launches_dropped++;
            return;
        }
        memcpy(lines, launch->lines, launch->n_lines * sizeof(*lines));
        for (size_t i = 0; i < launch->n_lines; i++)
            lines[i].file = keep(record, lines[i].file);
    }
    struct simt_launch_report *copy = &record->launches[record->n_launches++];
    *copy = *launch;
    copy->kernel = keep(record, launch->kernel);
    copy->lines = lines;
}

static bool same_text(const char *a, const char *b) {
    return a == b || strcmp(a == NULL ? "" : a, b == NULL ? "" : b) == 0;
}

static bool same_line(const struct simt_access *a, const struct simt_access *b) {
    bool a_absent = a->what == NULL, b_absent = b->what == NULL;
    if (a_absent || b_absent)
        return a_absent && b_absent;
    return a->line == b->line && same_text(a->file, b->file);
}

/* Whether two findings are one mistake. Which of the two sides came first is chance. */
static bool same_mistake(const struct simt_finding *a, const struct simt_finding *b) {
    if (a->kind != b->kind || !same_text(a->kernel, b->kernel))
        return false;
    return (same_line(&a->here, &b->here) && same_line(&a->other, &b->other)) ||
           (same_line(&a->here, &b->other) && same_line(&a->other, &b->here));
}

bool simt_record_again(struct simt_record *record, const struct simt_finding *finding) {
    for (size_t i = 0; i < record->n_findings; i++) {
        if (same_mistake(&record->findings[i], finding)) {
            record->findings[i].count += finding->count == 0 ? 1 : finding->count;
            return true;
        }
    }
    return false;
}

static void keep_access(struct simt_record *record, struct simt_access *access) {
    access->file = keep(record, access->file);
    access->what = keep(record, access->what);
}

void simt_record_finding(struct simt_record *record, const struct simt_finding *finding) {
    if (simt_record_again(record, finding) || record->n_findings == SIMT_MAX_FINDINGS)
        return;
    struct simt_finding *copy = &record->findings[record->n_findings++];
    *copy = *finding;
    copy->kernel = keep(record, finding->kernel);
    keep_access(record, &copy->here);
    keep_access(record, &copy->other);
    if (copy->count == 0)
        copy->count = 1;
}

void simt_record_view(const struct simt_record *record, struct simt_report *report) {
    *report = (struct simt_report){
        .launches = record->launches,
        .n_launches = record->n_launches,
        .n_launches_dropped = record->n_launches_dropped,
        .findings = record->findings,
        .n_findings = record->n_findings,
    };
}

/*
 * The record of launches and findings. Strings are kept once each: thousands of lines and findings
 * share a handful of file and kernel names.
 */
#include "common/simt/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/simt/report/earlier.h"

struct name {
    struct name *next;
    char text[];
};

struct simt_record {
    struct name *names;
    struct simt_launch_report *launches;
    size_t n_launches, n_launches_dropped;
    struct simt_kernel_report *kernels;
    size_t n_kernels, kernel_room;
    struct simt_counters latest;
    struct simt_finding *findings;
    size_t n_findings;
    struct simt_work_report *works;
    size_t n_works, work_room, n_works_dropped;
    struct simt_earlier earlier;
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
    simt_earlier_free(&record->earlier);
    free(record->launches);
    free(record->kernels);
    free(record->findings);
    free(record->works);
    free(record);
}

static void free_launch(struct simt_launch_report *launch) {
    free(launch->lines);
    free(launch->events);
    free(launch->pictures);
}

static void note_lines(struct simt_earlier *earlier, const struct simt_kernel_report *kernel) {
    for (size_t i = 0; i < kernel->n_lines; i++)
        simt_earlier_add(earlier, &kernel->lines[i]);
}

void simt_record_reset(struct simt_record *record) {
    record->earlier.n_resets++;
    for (size_t i = 0; i < record->n_kernels; i++)
        note_lines(&record->earlier, &record->kernels[i]);
    for (size_t i = 0; i < record->n_launches; i++)
        free_launch(&record->launches[i]);
    for (size_t i = 0; i < record->n_kernels; i++)
        free(record->kernels[i].lines);
    while (record->names != NULL) {
        struct name *next = record->names->next;
        free(record->names);
        record->names = next;
    }
    record->n_launches = 0;
    record->n_launches_dropped = 0;
    record->n_kernels = 0;
    record->latest = (struct simt_counters){0};
    record->n_findings = 0;
    record->n_works = record->n_works_dropped = 0;
}

void simt_counters_add(struct simt_counters *to, const struct simt_counters *from) {
#define SIMT_ADD(name, unit, definition) to->name += from->name;
    SIMT_COUNTERS(SIMT_ADD)
#undef SIMT_ADD
}

/* The account of a kernel, a new one where there is none; NULL without memory. */
static struct simt_kernel_report *kernel_of(struct simt_record *record, const char *name) {
    for (size_t i = 0; i < record->n_kernels; i++)
        if (strcmp(record->kernels[i].kernel, name) == 0)
            return &record->kernels[i];
    struct simt_kernel_report *grown =
        grow_room(record->kernels, record->n_kernels, &record->kernel_room, 16, sizeof(*grown));
    if (grown == NULL)
        return NULL;
    record->kernels = grown;
    const char *kept = keep(record, name);
    if (kept == NULL)
        return NULL;
    struct simt_kernel_report *kernel = &record->kernels[record->n_kernels++];
    *kernel = (struct simt_kernel_report){.kernel = kept};
    return kernel;
}

int simt_lines_compare(const struct simt_line *a, const struct simt_line *b) {
    int order = a->file == b->file
                    ? 0
                    : strcmp(a->file == NULL ? "" : a->file, b->file == NULL ? "" : b->file);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

/* Merges a launch's lines, sorted like the account's, into the account. */
static void add_lines(struct simt_kernel_report *kernel, const struct simt_line *lines,
                      size_t n_lines) {
    struct simt_line *merged = malloc((kernel->n_lines + n_lines + 1) * sizeof(*merged));
    size_t n = 0, i = 0, k = 0;
    if (merged == NULL)
        return;
    while (i < kernel->n_lines || k < n_lines) {
        int order = i == kernel->n_lines ? 1
                    : k == n_lines       ? -1
                                         : simt_lines_compare(&kernel->lines[i], &lines[k]);
        merged[n] = order <= 0 ? kernel->lines[i++] : lines[k];
        if (order == 0)
            simt_counters_add(&merged[n].counters, &lines[k].counters);
        k += order >= 0;
        n++;
    }
    free(kernel->lines);
    kernel->lines = merged;
    kernel->n_lines = n;
}

static void add_to_kernel(struct simt_record *record, const struct simt_launch_report *launch) {
    struct simt_kernel_report *kernel =
        kernel_of(record, launch->kernel == NULL ? "" : launch->kernel);
    if (kernel == NULL)
        return;
    kernel->n_launches++;
    kernel->n_failed += launch->status != SIMT_OK;
    simt_counters_add(&kernel->total, &launch->total);
    add_lines(kernel, launch->lines, launch->n_lines);
}

/* A copy of some bytes; NULL where there are none, or no memory. */
static void *copy_of(const void *bytes, size_t n_bytes) {
    void *copy = n_bytes == 0 ? NULL : malloc(n_bytes);
    return copy == NULL ? NULL : memcpy(copy, bytes, n_bytes);
}

/* Makes the files' names of sorted lines the record's own. */
static void keep_files(struct simt_record *record, struct simt_line *lines, size_t n_lines) {
    const char *given = NULL, *kept = NULL;
    for (size_t i = 0; i < n_lines; i++) {
        if (lines[i].file != given)
            kept = keep(record, given = lines[i].file);
        lines[i].file = kept;
    }
}

void simt_record_launch(struct simt_record *record, const struct simt_launch_report *launch) {
    struct simt_launch_report copy = *launch;
    record->latest = launch->total;
    copy.lines = copy_of(launch->lines, launch->n_lines * sizeof(*copy.lines));
    copy.events = copy_of(launch->events, launch->n_events * sizeof(*copy.events));
    copy.pictures = copy_of(launch->pictures, launch->n_pictures * sizeof(*copy.pictures));
    if ((copy.lines == NULL && launch->n_lines != 0) ||
        (copy.events == NULL && launch->n_events != 0) ||
        (copy.pictures == NULL && launch->n_pictures != 0)) {
        free_launch(&copy);
        copy.n_lines = 0; /* which there is no memory to keep */
        add_to_kernel(record, &copy);
        record->n_launches_dropped++;
        return;
    }
    keep_files(record, copy.lines, copy.n_lines);
    for (size_t i = 0; i < copy.n_events; i++)
        copy.events[i].file = keep(record, copy.events[i].file);
    for (size_t i = 0; i < copy.n_pictures; i++)
        copy.pictures[i].file = keep(record, copy.pictures[i].file);
    copy.kernel = keep(record, launch->kernel);
    add_to_kernel(record, &copy);
    if (record->n_launches < SIMT_MAX_LAUNCHES) {
        record->launches[record->n_launches++] = copy;
    } else {
        free_launch(&copy);
        record->n_launches_dropped++;
    }
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

void simt_record_work(struct simt_record *record, struct simt_work_report work,
                      const struct simt_clock *clock) {
    uint64_t seen = 0; /* queues */
    _Static_assert(SIMT_QUEUES <= 64, "a bit for each queue");
    struct simt_work_report *grown = NULL;
    if (record->n_works < SIMT_MAX_WORKS)
        grown = grow_room(record->works, record->n_works, &record->work_room, 64, sizeof(*grown));
    if (grown == NULL) {
        record->n_works_dropped++;
        return;
    }
    record->works = grown;
    work.n_after = 0;
    for (size_t i = record->n_works; i-- > 0;) {
        uint32_t queue = grown[i].queue;
        if ((seen >> queue & 1) != 0 || grown[i].number > clock->n[queue])
            continue;
        seen |= UINT64_C(1) << queue;
        work.after[work.n_after++] = (uint32_t)i;
    }
    grown[record->n_works++] = work;
}

void simt_record_view(const struct simt_record *record, struct simt_report *report) {
    *report = (struct simt_report){
        .launches = record->launches,
        .n_launches = record->n_launches,
        .n_launches_dropped = record->n_launches_dropped,
        .kernels = record->kernels,
        .n_kernels = record->n_kernels,
        .latest = record->latest,
        .findings = record->findings,
        .n_findings = record->n_findings,
        .works = record->works,
        .n_works = record->n_works,
        .n_works_dropped = record->n_works_dropped,
        .earlier = &record->earlier,
    };
}

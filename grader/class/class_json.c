/* The head is the record of a run, without its labs; the students follow one by one. */
#include "grader/class/class_json.h"

#include <stdlib.h>
#include <string.h>

#include "grader/report/scoring/metadata.h"
#include "common/base/file.h"
#include "grader/grade/record.h"
#include "common/base/text.h"

enum { CLASS_VERSION = 1 };

json_t *report_student(const struct plan *plan, size_t student) {
    const struct roster_student *who = &plan->roster->students[student];
    json_t *labs = json_array(), *late = json_array(), *times = json_object();
    json_int_t points = 0, max_points = 0;
    for (size_t lab = 0; lab < plan->labs->n; lab++) {
        if (!plan->has_lab[lab])
            continue;
        json_t *record = plan_record(plan, student, lab);
        const char *name = plan->labs->items[lab].lab->name;
        points += record_count(record, "points");
        max_points += record_count(record, "max_points");
        if (who->files[lab].is_late)
            json_array_append_new(late, json_string(name));
        json_object_set_new(times, name, metadata_time_json(who->files[lab].modified));
        json_array_append_new(labs, record);
    }
    return json_pack("{s:s, s:s, s:I, s:I, s:o, s:o, s:o, s:o}", "id", who->id, "name", who->name,
                     "points", points, "max_points", max_points, "late", late, "modified", times,
                     "notes", notes_json(&who->notes), "labs", labs);
}

json_t *report_head(const struct plan *plan, json_t *alike, double seconds, int exit_code) {
    static const char *const of_labs[] = {"labs", "points", "max_points", "seed"};
    json_t *head = record_run(plan->session, json_array(), seconds);
    for (size_t i = 0; i < sizeof of_labs / sizeof *of_labs; i++)
        json_object_del(head, of_labs[i]);
    json_object_set_new(head, "schema", json_string("warpbook-class"));
    json_object_set_new(head, "version", json_integer(CLASS_VERSION));
    char *name = text_clean(file_base(plan->session->options->argument),
                            strlen(file_base(plan->session->options->argument)), false);
    json_object_set_new(head, "class", json_string(name));
    free(name);
    json_object_set_new(head, "exit_code", json_integer(exit_code));
    json_object_set_new(head, "notes", notes_json(&plan->roster->notes));
    json_object_set_new(head, "alike", alike);
    return head;
}

void report_print(const struct plan *plan, const json_t *head, FILE *out) {
    char *text = json_dumps(head, JSON_COMPACT);
    if (!text)
        abort();
    text[strlen(text) - 1] = '\0'; /* the last brace */
    fprintf(out, "%s, \"students\": [", text);
    for (size_t i = 0; i < plan->roster->n; i++) {
        json_t *student = report_student(plan, i);
        fputs(i > 0 ? ",\n" : "\n", out);
        json_dumpf(student, out, JSON_COMPACT);
        json_decref(student);
    }
    fputs("\n]}\n", out);
    free(text);
}

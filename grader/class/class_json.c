/*
 * The document's head is the record of a run without its labs; the students follow one by one.
 * Files that are alike: reads the files of a lab, those of earlier years (--known) and what the
 * workbook has of it, has them compared (grader/alike), and quotes the passages that two files
 * share.
 */
#include "grader/class/class_json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/text.h"
#include "grader/alike/alike.h"
#include "grader/alike/verbatim.h"
#include "grader/grade/record.h"
#include "grader/report/scoring/handed_in.h"

/* Files with fewer grams of their own than this can be the same by chance: a skeleton with a few
 * numbers filled in. */
enum { SAME_LEAST = 64, QUOTED_LINES = 60 };

/* A file that says so much of the model answer word for word, and of which the model answer says as
 * much, was copied. Of 576 strangers' answers, of ten labs, none says more than 0.67 of it. */
static const double copied = 0.85;
static const char model_answer[] = "the model answer";

struct texts {
    struct alike_text *items;
    size_t n;
};

/* One lab's. */
struct likeness {
    const struct plan *plan;
    size_t lab;
    const struct plan_work **work_items; /* a file of the class */
    char **earlier;                      /* whose file an earlier year's is, behind the class's */
    size_t n_class, n_earlier;
    struct texts files, skeletons, known, models;
    struct alike_pairs pairs;
};

static bool add_text(struct texts *texts, const char *path) {
    char *bytes = NULL;
    size_t n_bytes = 0;
    if (file_read(path, FILE_SOURCE_BYTES, &bytes, &n_bytes, NULL) != GRADER_OK)
        return false;
    texts->items = grow_list(texts->items, texts->n, sizeof *texts->items);
    texts->items[texts->n++] = (struct alike_text){bytes, n_bytes};
    return true;
}

static void free_texts(struct texts *texts) {
    for (size_t i = 0; i < texts->n; i++)
        free((char *)texts->items[i].text);
    free(texts->items);
}

static bool is_source(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && strncmp(dot, ".cu", 3) == 0;
}

/* Adds the sources of a folder; takes `path`. */
static void add_folder(struct texts *texts, char *path) {
    OWNED_BY(folder_finish) struct folder folder;
    folder_read(&folder, path);
    folder_keep(&folder, is_source);
    for (size_t i = 0; i < folder.n; i++) {
        OWNED char *file = text_format("%s/%s", path, folder.names[i]);
        add_text(texts, file);
    }
    free(path);
}

/* What the workbook has of the lab: skeleton, model answer, known mistakes. */
static void read_workbook(struct likeness *likeness) {
    const struct target *target = &likeness->plan->labs->items[likeness->lab];
    OWNED char *solution = workbook_solution(&likeness->plan->session->book, target->lab);
    add_folder(&likeness->skeletons, text_format("%s/skeleton", solution));
    add_folder(&likeness->models, text_format("%s", solution));
    add_folder(&likeness->known, text_format("%s", solution));
    add_folder(&likeness->known, text_format("%s/mistakes", solution));
}

static void read_files(struct likeness *likeness) {
    const struct plan *plan = likeness->plan;
    for (size_t i = 0; i < plan->n_work_items; i++) {
        const struct plan_work *work = plan->work_items[i];
        if (work->lab != likeness->lab || !add_text(&likeness->files, work->target.source))
            continue;
        likeness->work_items =
            grow_list(likeness->work_items, likeness->files.n, sizeof *likeness->work_items);
        likeness->work_items[likeness->files.n - 1] = work;
    }
    likeness->n_class = likeness->files.n;
}

static bool are_equal(const struct alike_text *one, const struct alike_text *other) {
    return one->bytes == other->bytes && memcmp(one->text, other->text, one->bytes) == 0;
}

/* The first of the files that equals this one; `file` itself where none before it does. */
static size_t find_equal(const struct likeness *likeness, size_t file) {
    size_t i = 0;
    while (!are_equal(&likeness->files.items[i], &likeness->files.items[file]))
        i++;
    return i;
}

static void add_same(const struct likeness *likeness, size_t file, const char *known, double share,
                     const char *how, json_t *list);

/* Takes the earlier years' files behind the class's; each text once. One that is a file of the
 * class, byte for byte, is listed at once. */
static void read_earlier(struct likeness *likeness, json_t *list) {
    const struct roster *roster = likeness->plan->known;
    for (size_t i = 0; roster && i < roster->n; i++) {
        const struct roster_file *file = &roster->students[i].files[likeness->lab];
        if (!file->path || !add_text(&likeness->files, file->path))
            continue;
        size_t last = likeness->files.n - 1, equal = find_equal(likeness, last);
        if (equal < last) {
            free((char *)likeness->files.items[--likeness->files.n].text);
            if (equal < likeness->n_class)
                add_same(likeness, equal, roster->students[i].id, 1, "file", list);
            continue;
        }
        likeness->earlier =
            grow_list(likeness->earlier, likeness->n_earlier, sizeof *likeness->earlier);
        likeness->earlier[likeness->n_earlier++] = text_format("%s", roster->students[i].id);
    }
}

/* The ids of those who handed in the file. */
static json_t *students_of(const struct likeness *likeness, size_t file) {
    const struct plan *plan = likeness->plan;
    json_t *students = json_array();
    for (size_t i = 0; file < likeness->n_class && i < plan->roster->n; i++) {
        if (plan_cell(plan, i, likeness->lab)->work == likeness->work_items[file])
            json_array_append_new(students, json_string(plan->roster->students[i].id));
    }
    return students;
}

/* True where two students handed in together: one file, or as one group. */
static bool are_partners(const struct roster_student *one, const struct roster_student *other,
                         size_t lab) {
    const char *path = one->files[lab].path, *others = other->files[lab].path;
    return (one->group && other->group && strcmp(one->group, other->group) == 0) ||
           (path && others && strcmp(path, others) == 0);
}

/* True where all who handed in the files (of which one may be SIZE_MAX) did so together. */
static bool is_one_groups(const struct likeness *likeness, size_t one, size_t other) {
    const struct plan *plan = likeness->plan;
    if (other != SIZE_MAX && other >= likeness->n_class)
        return one >= likeness->n_class; /* of earlier years, nobody asks */
    const struct roster_student *first = NULL;
    for (size_t i = 0; i < plan->roster->n; i++) {
        const struct plan_work *work = plan_cell(plan, i, likeness->lab)->work;
        bool is_meant = work && ((one != SIZE_MAX && work == likeness->work_items[one]) ||
                                 (other != SIZE_MAX && work == likeness->work_items[other]));
        const struct roster_student *student = &plan->roster->students[i];
        if (is_meant && first && !are_partners(first, student, likeness->lab))
            return false;
        first = is_meant && !first ? student : first;
    }
    return true;
}

static json_t *known_side(json_t *students, const char *known, double share) {
    return json_pack("{s:o, s:s?, s:I}", "students", students, "known", known, "percent",
                     (json_int_t)(100 * share + 0.5));
}

static json_t *side(const struct likeness *likeness, size_t file, double share) {
    const char *known =
        file < likeness->n_class ? NULL : likeness->earlier[file - likeness->n_class];
    return known_side(students_of(likeness, file), known, share);
}

/* A file of the class that is somebody else's: an earlier year's, or the model answer. */
static void add_same(const struct likeness *likeness, size_t file, const char *known, double share,
                     const char *how, json_t *list) {
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:n, s:o, s:o, s:[]}", "lab",
                                    likeness->plan->labs->items[likeness->lab].lab->name, "how",
                                    how, "bits", "one", side(likeness, file, share), "other",
                                    known_side(json_array(), known, share), "passages"));
}

/* Lists those who handed in the model answer, under whatever layout and comments. */
static void find_models(const struct likeness *likeness, json_t *list) {
    for (size_t i = 0; i < likeness->n_class; i++)
        for (size_t k = 0; k < likeness->models.n; k++) {
            const struct verbatim_shared shared =
                verbatim_compare(&likeness->files.items[i], &likeness->models.items[k],
                                 likeness->skeletons.items, likeness->skeletons.n);
            double least = shared.file < shared.original ? shared.file : shared.original;
            if (shared.n_own >= SAME_LEAST && least >= copied)
                add_same(likeness, i, model_answer, least, "words", list);
        }
}

/* Lines of a file, and the first of them as they are. */
static json_t *quote(const struct likeness *likeness, size_t file, unsigned first, unsigned last) {
    const char *text = likeness->files.items[file].text;
    size_t length = 0;
    unsigned shown = last - first < QUOTED_LINES ? last : first + QUOTED_LINES - 1;
    const char *start = text_line(text, first, &length);
    const char *end = text_line(text, shown, &length);
    OWNED char *quoted = start && end ? text_clean(start, (size_t)(end - start) + length, true)
                                      : text_format("%s", "");
    return json_pack("{s:I, s:I, s:s}", "first", (json_int_t)first, "last", (json_int_t)last,
                     "text", quoted);
}

static json_t *pair_json(const struct likeness *likeness, const struct alike_pair *pair) {
    json_t *passages = json_array();
    for (size_t i = 0; i < pair->n_passages; i++) {
        const struct alike_passage *passage = &pair->passages[i];
        json_array_append_new(
            passages, json_pack("{s:o, s:o}", "one",
                                quote(likeness, pair->one, passage->one, passage->one_end), "other",
                                quote(likeness, pair->other, passage->other, passage->other_end)));
    }
    return json_pack("{s:s, s:s, s:I, s:o, s:o, s:o}", "lab",
                     likeness->plan->labs->items[likeness->lab].lab->name, "how",
                     pair->how == ALIKE_COMMENTS ? "comments" : "structure", "bits",
                     (json_int_t)pair->bits, "one", side(likeness, pair->one, pair->one_share),
                     "other", side(likeness, pair->other, pair->other_share), "passages", passages);
}

/* A file that several students handed in; NULL where only one did, or where little but the skeleton
 * is in it. */
static json_t *same_json(const struct likeness *likeness, size_t file) {
    json_t *who = side(likeness, file, 1);
    if (json_array_size(json_object_get(who, "students")) < 2 ||
        likeness->pairs.n_own[file] < SAME_LEAST || is_one_groups(likeness, file, SIZE_MAX)) {
        json_decref(who);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:n, s:o, s:n, s:[]}", "lab",
                     likeness->plan->labs->items[likeness->lab].lab->name, "how", "file", "bits",
                     "one", who, "other", "passages");
}

static void find_in_lab(const struct plan *plan, size_t lab, json_t *list) {
    struct likeness likeness = {.plan = plan, .lab = lab};
    read_workbook(&likeness);
    read_files(&likeness);
    read_earlier(&likeness, list);
    find_models(&likeness, list);
    const struct alike_class class = {
        .files = likeness.files.items,
        .n_files = likeness.files.n,
        .skeletons = likeness.skeletons.items,
        .n_skeletons = likeness.skeletons.n,
        .known = likeness.known.items,
        .n_known = likeness.known.n,
    };
    alike_find(&class, &likeness.pairs);
    for (size_t i = 0; i < likeness.n_class; i++) {
        json_t *same = same_json(&likeness, i);
        if (same)
            json_array_append_new(list, same);
    }
    for (size_t i = 0; i < likeness.pairs.n; i++) {
        const struct alike_pair *pair = &likeness.pairs.items[i];
        if (!is_one_groups(&likeness, pair->one, pair->other))
            json_array_append_new(list, pair_json(&likeness, pair));
    }
    alike_finish(&likeness.pairs);
    free_texts(&likeness.files);
    free_texts(&likeness.skeletons);
    free_texts(&likeness.known);
    free_texts(&likeness.models);
    for (size_t i = 0; i < likeness.n_earlier; i++)
        free(likeness.earlier[i]);
    free(likeness.earlier);
    free(likeness.work_items);
}

json_t *class_json_alike(const struct plan *plan) {
    json_t *list = json_array();
    for (size_t lab = 0; lab < plan->labs->n; lab++) {
        if (plan->has_lab[lab] && plan->labs->items[lab].manifest)
            find_in_lab(plan, lab, list);
    }
    return list;
}

enum { CLASS_VERSION = 1 };

json_t *class_json_student(const struct plan *plan, size_t student) {
    const struct roster_student *who = &plan->roster->students[student];
    json_t *labs = json_array(), *late = json_array(), *times = json_object(), *by = json_object(),
           *called = json_object();
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
        json_object_set_new(times, name, handed_in_json(who->files[lab].modified));
        if (who->files[lab].from)
            json_object_set_new(by, name, json_string(who->files[lab].from));
        if (who->files[lab].called)
            json_object_set_new(called, name,
                                json_pack("{s:s, s:s}", "system", who->files[lab].system, "number",
                                          who->files[lab].called));
        json_array_append_new(labs, record);
    }
    return json_pack("{s:s, s:s, s:s?, s:s?, s:s?, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "id", who->id, "name", who->name, "group", who->group, "number",
                     who->person ? who->number : NULL, "system", who->system, "points", points,
                     "max_points", max_points, "late", late, "modified", times, "handed_in_by", by,
                     "called", called, "notes", notes_json(&who->notes), "doubts",
                     notes_json(&who->doubts), "labs", labs);
}

json_t *class_json_head(const struct plan *plan, json_t *alike, double seconds, int exit_code) {
    static const char *const of_labs[] = {"labs", "points", "max_points", "seed"};
    json_t *head = record_run(plan->session, json_array(), seconds);
    for (size_t i = 0; i < sizeof of_labs / sizeof *of_labs; i++)
        json_object_del(head, of_labs[i]);
    json_object_set_new(head, "schema", json_string("warpbook-class"));
    json_object_set_new(head, "version", json_integer(CLASS_VERSION));
    OWNED char *name = text_clean(file_base(plan->session->options->argument),
                                  strlen(file_base(plan->session->options->argument)), false);
    json_object_set_new(head, "class", json_string(name));
    json_object_set_new(head, "exit_code", json_integer(exit_code));
    json_object_set_new(head, "notes", notes_json(&plan->roster->notes));
    json_object_set_new(head, "alike", alike);
    return head;
}

void class_json_print(const struct plan *plan, const json_t *head, FILE *out) {
    OWNED char *text = json_dumps(head, JSON_COMPACT);
    if (!text)
        abort();
    text[strlen(text) - 1] = '\0'; /* the last brace */
    fprintf(out, "%s, \"students\": [", text);
    for (size_t i = 0; i < plan->roster->n; i++) {
        json_auto_t *student = class_json_student(plan, i);
        fputs(i > 0 ? ",\n" : "\n", out);
        json_dumpf(student, out, JSON_COMPACT);
    }
    fputs("\n]}\n", out);
}

/* Reads times, Gradescope's YAML as libyaml's document, and the table as CSV. */
#include "grader/report/scoring/handed_in.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/report/scoring/table.h"

enum { METADATA_BYTES = 8 << 20, MAX_ENTRIES = 20000 };

static const char *scalar(const yaml_node_t *node) {
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

/* The value of a key of a mapping; NULL where there is none. */
static yaml_node_t *value_of(yaml_document_t *document, const yaml_node_t *node, const char *key) {
    if (!node || node->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        if (strcmp(scalar(yaml_document_get_node(document, pair->key)), key) == 0)
            return yaml_document_get_node(document, pair->value);
    }
    return NULL;
}

time_t handed_in_time(const char *text) {
    struct tm tm = {.tm_isdst = -1};
    const char *rest = strptime(text, "%Y-%m-%d", &tm);
    const char *clock = rest && (*rest == ' ' || *rest == 'T') ? rest + 1 : NULL;
    if (!clock)
        return rest && !*rest ? mktime(&tm) : -1;
    if (!(rest = strptime(clock, "%H:%M:%S", &tm)) && !(rest = strptime(clock, "%H:%M", &tm)))
        return -1;
    if (*rest == '.')
        rest += 1 + strspn(rest + 1, "0123456789");
    rest += strspn(rest, " ");
    if (!*rest)
        return mktime(&tm);
    if (strcmp(rest, "Z") == 0 || strcmp(rest, "UTC") == 0)
        return timegm(&tm);
    struct tm zone = {0};
    rest = strptime(rest, "%z", &zone);
    return rest && !*rest ? timegm(&tm) - zone.tm_gmtoff : -1;
}

json_t *handed_in_json(time_t time) {
    char text[32];
    struct tm utc;
    if (time == 0 || !gmtime_r(&time, &utc))
        return json_null();
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_string(text);
}

static void add(struct metadata *metadata, const char *folder, const char *id, const char *name,
                time_t created) {
    if (metadata->n >= MAX_ENTRIES)
        return;
    metadata->entries = grow_list(metadata->entries, metadata->n, sizeof *metadata->entries);
    metadata->entries[metadata->n++] = (struct metadata_entry){
        .folder = text_format("%s", folder),
        .id = text_format("%s", id),
        .name = text_format("%s", name),
        .created = created > 0 ? created : 0,
    };
}

/* All submitters of one submission. */
static void add_submission(struct metadata *metadata, yaml_document_t *document, const char *folder,
                           const yaml_node_t *submission) {
    time_t created = handed_in_time(scalar(value_of(document, submission, ":created_at")));
    const yaml_node_t *list = value_of(document, submission, ":submitters");
    if (!list || list->type != YAML_SEQUENCE_NODE)
        return;
    for (yaml_node_item_t *item = list->data.sequence.items.start;
         item < list->data.sequence.items.top; item++) {
        const yaml_node_t *who = yaml_document_get_node(document, *item);
        const char *id = scalar(value_of(document, who, ":sid"));
        if (!*id)
            id = scalar(value_of(document, who, ":email"));
        add(metadata, folder, id, scalar(value_of(document, who, ":name")), created);
    }
}

enum grader_status metadata_read(const char *path, struct metadata *metadata, struct diag *diag) {
    char *bytes = NULL;
    size_t n_bytes;
    yaml_parser_t parser;
    yaml_document_t document;
    *metadata = (struct metadata){0};
    enum grader_status status = file_read(path, METADATA_BYTES, &bytes, &n_bytes, diag);
    if (status != GRADER_OK)
        return status;
    if (!yaml_parser_initialize(&parser))
        abort();
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, n_bytes);
    if (!yaml_parser_load(&parser, &document)) {
        diag_set(diag, path, (unsigned)parser.problem_mark.line + 1, "this is no YAML: %s",
                 parser.problem ? parser.problem : "it ends too soon");
        status = GRADER_BAD_INPUT;
    } else {
        const yaml_node_t *root = yaml_document_get_root_node(&document);
        yaml_node_pair_t *pair = NULL, *end = NULL;
        if (root && root->type == YAML_MAPPING_NODE) {
            pair = root->data.mapping.pairs.start;
            end = root->data.mapping.pairs.top;
        }
        for (; pair < end; pair++)
            add_submission(metadata, &document,
                           scalar(yaml_document_get_node(&document, pair->key)),
                           yaml_document_get_node(&document, pair->value));
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    free(bytes);
    return status;
}

void metadata_finish(struct metadata *metadata) {
    for (size_t i = 0; i < metadata->n; i++) {
        free(metadata->entries[i].folder);
        free(metadata->entries[i].id);
        free(metadata->entries[i].name);
    }
    free(metadata->entries);
    *metadata = (struct metadata){0};
}

/* Reads one row; false, with a sentence, where it makes no sense. */
static bool read_row(const struct table_row *row, bool is_first, const struct workbook *book,
                     struct dates *dates, struct diag *diag) {
    const char *student = table_cell(row, 0), *time = table_cell(row, 1), *lab = table_cell(row, 2);
    struct dates_entry entry = {.handed = handed_in_time(time)};
    bool is_entry = *student && entry.handed > 0;
    if (!is_entry && !is_first)
        diag_set(diag, NULL, 0, "a line wants a student's id and a time: ann,2026-11-21 23:59");
    if (!is_entry)
        return is_first; /* a heading */
    if (*lab && !(entry.lab = workbook_find(book, lab, diag)))
        return false;
    entry.student = text_format("%s", student);
    dates->entries = grow_list(dates->entries, dates->n, sizeof *dates->entries);
    dates->entries[dates->n++] = entry;
    return true;
}

enum grader_status dates_read(const char *path, const struct workbook *book, struct dates *dates,
                              struct diag *diag) {
    OWNED_BY(table_finish) struct table table;
    struct diag problem = {0};
    *dates = (struct dates){0};
    enum grader_status status = table_read(path, &table, diag);
    for (size_t i = 0; status == GRADER_OK && i < table.n; i++) {
        if (!read_row(&table.rows[i], i == 0, book, dates, &problem)) {
            diag_set(diag, path, table.rows[i].line, "%s", problem.message);
            status = GRADER_BAD_INPUT;
        }
    }
    return status;
}

time_t dates_find(const struct dates *dates, const char *student, const char *lab) {
    time_t handed = 0;
    for (size_t i = dates->n; i-- > 0;) {
        const struct dates_entry *entry = &dates->entries[i];
        if (strcmp(entry->student, student) != 0)
            continue;
        if (entry->lab && strcmp(entry->lab->name, lab) == 0)
            return entry->handed;
        if (!entry->lab && handed == 0)
            handed = entry->handed;
    }
    return handed;
}

void dates_finish(struct dates *dates) {
    for (size_t i = 0; i < dates->n; i++)
        free(dates->entries[i].student);
    free(dates->entries);
    *dates = (struct dates){0};
}

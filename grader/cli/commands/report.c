/* `report`: records that `grade --json` printed, of one student or of a class, as schools' systems
 * want them. Needs no compiler and no GPU: nothing is graded. */
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/cli/commands.h"
#include "grader/grade/record.h"
#include "grader/session/session.h"
#include "grader/report/formats/publish.h"

/* The id of whose record a file is: its name, without ".json". */
static char *id_of(const char *path) {
    const char *base = file_base(path);
    size_t n_suffix = text_ends_with(base, ".json") ? strlen(".json") : 0;
    return text_clean(base, strlen(base) - n_suffix, false);
}

static enum grader_status add_class(struct publication *publication, const json_t *class,
                                    struct diag *diag) {
    size_t index;
    json_t *student;
    publish_head(publication, class);
    json_array_foreach(json_object_get(class, "students"), index, student) {
        enum grader_status status = publish_again(publication, student, diag);
        if (status != GRADER_OK)
            return status;
    }
    return GRADER_OK;
}

static enum grader_status add_file(struct publication *publication, const char *path,
                                   struct diag *diag) {
    json_error_t error;
    enum grader_status status;
    json_t *record = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    const char *schema = record_text(record, "schema");
    if (!record) {
        diag_set(diag, path, error.line > 0 ? (unsigned)error.line : 0, "%s", error.text);
        return GRADER_BAD_INPUT;
    }
    if (strcmp(schema, "warpbook-class") == 0) {
        status = add_class(publication, record, diag);
    } else if (strcmp(schema, "warpbook-record") == 0 &&
               record_count(record, "version") == RECORD_VERSION) {
        char *id = id_of(path);
        status = publish_labs(publication, id, json_object_get(record, "labs"), diag);
        free(id);
    } else {
        diag_set(diag, NULL, 0, "this is no record of `grade --json` that this program knows");
        status = GRADER_BAD_INPUT;
    }
    if (status != GRADER_OK && !diag->file[0])
        snprintf(diag->file, sizeof diag->file, "%s", path);
    json_decref(record);
    return status;
}

int command_report(const struct options *options) {
    OWNED_BY(workbook_finish) struct workbook book = {0};
    OWNED_BY(publish_finish) struct publication publication = {0};
    struct diag diag = {0};
    if (!(options->given & OPTION_FORMAT)) {
        diag_set(&diag, NULL, 0, "report wants a --format, such as --format csv");
        return session_fail(GRADER_BAD_INPUT, &diag);
    }
    enum grader_status status = workbook_init(&book, &diag);
    if (status == GRADER_OK)
        status = publish_begin(&publication, options, &book, &diag);
    for (size_t i = 0; i < options->n_arguments && status == GRADER_OK; i++)
        status = add_file(&publication, options->arguments[i], &diag);
    if (status == GRADER_OK)
        status = publish_end(&publication, &diag);
    return status == GRADER_OK ? 0 : session_fail(status, &diag);
}

/* All sheets in a zip, under names by which Canvas or Moodle gives each to its student. */
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "grader/report/formats/format.h"
#include "grader/report/sheet/names.h"
#include "grader/report/sheet/sheet.h"

static bool add(struct archive *zip, const char *start, const char *suffix,
                const struct sheet_form *form, const struct course *course,
                const struct scored_student *student) {
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    struct archive_entry *entry = archive_entry_new();
    OWNED char *name = text_format("%sfeedback%s", start, suffix);
    if (!out || !entry)
        abort();
    sheet_write(form, course, student, out);
    if (fclose(out) != 0)
        abort();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)bytes);
    bool ok = archive_write_header(zip, entry) == ARCHIVE_OK &&
              archive_write_data(zip, text, bytes) == (la_ssize_t)bytes;
    archive_entry_free(entry);
    free(text);
    return ok;
}

/* One student's files. Canvas shows a file under the name of what was handed in, lab.cu: Markdown
 * can be read so, a page cannot. */
static bool add_student(struct archive *zip, const struct course *course,
                        const struct scored_student *student, size_t place, bool *is_taken) {
    OWNED char *start = NULL;
    enum names_taker taker = names_start(student, place, &start);
    *is_taken = taker != NAMES_NOBODY;
    return add(zip, start, ".md", &sheet_markdown, course, student) &&
           (taker == NAMES_CANVAS || add(zip, start, ".html", &sheet_html, course, student));
}

/* True where Canvas or Moodle has a file of the student, so that feedback should find its way. */
static bool is_to_be_taken(const struct scored_student *student) {
    bool is_handed_in = false;
    for (size_t i = 0; i < student->n_labs; i++)
        is_handed_in |= student->labs[i].is_handed_in;
    return is_handed_in &&
           (strcmp(student->system, "canvas") == 0 || strcmp(student->system, "moodle") == 0);
}

static enum grader_status write_zip(struct archive *zip, const struct course *course,
                                    const struct scored_student *students, size_t n,
                                    struct diag *diag) {
    size_t n_lost = 0;
    bool is_graded = true, ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        bool is_taken;
        ok = add_student(zip, course, &students[i], i, &is_taken);
        n_lost += !is_taken && is_to_be_taken(&students[i]);
        is_graded &= students[i].is_graded;
    }
    if (!ok || archive_write_close(zip) != ARCHIVE_OK) {
        diag_set(diag, NULL, 0, "the zip cannot be written: %s", archive_error_string(zip));
        return GRADER_FAILED;
    }
    if (n_lost > 0)
        diag_set(diag, NULL, 0,
                 "of %zu of %zu students the name in the export is not known, so that their "
                 "feedback lies in folders which neither Canvas nor Moodle takes",
                 n_lost, n);
    return is_graded && n_lost == 0 ? GRADER_OK : GRADER_FAILED;
}

FORMAT_WRITER(format_feedback_zip) {
    /* libarchive marks names as UTF-8 where the locale says that they are. */
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    struct archive *zip = archive_write_new();
    if (!zip)
        abort();
    archive_write_set_bytes_in_last_block(zip, 1);
    enum grader_status status = GRADER_FAILED;
    if (archive_write_set_format_zip(zip) == ARCHIVE_OK &&
        archive_write_open_FILE(zip, out) == ARCHIVE_OK)
        status = write_zip(zip, course, students, n, diag);
    else
        diag_set(diag, NULL, 0, "the zip cannot be written: %s", archive_error_string(zip));
    archive_write_free(zip);
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
    return status;
}

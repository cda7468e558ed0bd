/* What experiments proved about the cause of a failure, as far as a student is to be told: where it
 * is, what kind of thing it is, or what mends it. */
#include "grader/report/text/render.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/source/literals.h"
#include "grader/grade/record.h"

/* So many tries that none of them helped says something. */
enum { TELLING_TRIES = 8 };

const json_t *render_proven(const json_t *test) {
    const json_t *experiment = json_object_get(test, "experiment");
    return json_array_get(json_object_get(experiment, "proven"), 0);
}

/* Where a line that is put in belongs; "" for a change of the line itself. */
static const char *beside(const json_t *proven) {
    static const struct {
        const char *edit, *near, *around; /* beside the line, or beside the branch that it is in */
    } places[] = {
        {"barrier_before", "right before ", "before the branch around "},
        {"barrier_after", "right behind ", "behind the branch around "},
        {"fence", "right before ", "right before "},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(record_text(proven, "edit"), places[i].edit) == 0)
            return record_count(proven, "from") ? places[i].around : places[i].near;
    return "";
}

bool render_comes_from_elsewhere(const char *source, const json_t *lab, const json_t *proven) {
    return source && render_source_is_own(lab, record_text(proven, "file")) &&
           literals_lack(source, proven);
}

/* "at sum.cu:42", "right behind sum.cu:42", "in how sum_kernel is launched at sum.cu:84", "outside
 * the kernels"; the caller frees it. */
static char *where(const json_t *lab, const json_t *proven) {
    const char *file = record_text(proven, "file"), *kernel = record_text(proven, "kernel");
    if (json_is_integer(json_object_get(proven, "line")))
        return text_format("%s%s:%u", *beside(proven) ? beside(proven) : "at ",
                           render_source_is_own(lab, file) ? record_text(lab, "source")
                                                           : file_base(file),
                           (unsigned)record_count(proven, "line"));
    if (!*kernel)
        return text_format("outside the kernels");
    char *text = text_format("in how %s is launched", kernel);
    size_t index;
    const json_t *line, *lines = json_object_get(proven, "lines");
    json_array_foreach(lines, index, line) {
        text_add(&text, "%s%s:%u", index ? ", " : " at ", record_text(lab, "source"),
                 (unsigned)json_integer_value(line));
    }
    return text;
}

/* Of a number that does not stand in the line where it is used. */
static char *say_elsewhere(enum render_reveal reveal, const json_t *proven, const char *place,
                           const char *others) {
    if (reveal == RENDER_EDIT)
        return text_format("%s The number comes from elsewhere in the file.",
                           record_text(proven, "sentence"));
    return text_format(
        "%s a number that is used %s, and comes from elsewhere: another one in its place alone "
        "makes this test pass; there %s other ways.%s",
        reveal == RENDER_KIND ? "It is" : "There is", place, others,
        reveal == RENDER_KIND ? "" : " Where does it come from?");
}

char *render_proven_text(enum render_reveal reveal, const json_t *lab, const json_t *test) {
    const json_t *list = json_object_get(json_object_get(test, "experiment"), "proven");
    const json_t *proven = json_array_get(list, 0);
    const bool is_one_of_several = json_array_size(list) > 1;
    /* Not all changes were tried. */
    const char *others = is_one_of_several ? "are" : "may be";
    OWNED char *place = where(lab, proven), *source = render_source_load(lab);
    char *text;
    if (render_comes_from_elsewhere(source, lab, proven))
        return say_elsewhere(reveal, proven, place, others);
    if (reveal == RENDER_EDIT)
        text = text_format("%s%s", record_text(proven, "sentence"),
                           is_one_of_several ? " That is one way of several." : "");
    else if (reveal == RENDER_KIND)
        text = text_format(
            "It is %s, %s: a change there alone makes this test pass; there %s other ways.",
            record_text(proven, "is"), place, others);
    else
        text =
            text_format("A change %s alone makes this test pass; there %s other ways. What would "
                        "you change?",
                        place, others);
    const unsigned right = render_right_todo(source, lab, test);
    if (right > 0)
        text_add(&text,
                 " All tests of TODO %u, to which that belongs, pass: what calls it, or what it is "
                 "given, may be wrong.",
                 right);
    return text;
}

void render_proven_line(const struct render *render, const json_t *lab, const json_t *test) {
    const json_t *proven = render_proven(test);
    if (render_source_is_own(lab, record_text(proven, "file")))
        render_source_line(render, 4, (unsigned)record_count(proven, "line"), 1);
}

static void labelled(const struct render *render, const char *text) {
    struct page_span span = {PAGE_PLAIN, text};
    page_labelled(&render->page, 2, "tried", &span, 1);
}

void render_cause(const struct render *render, const json_t *lab, const json_t *test) {
    const json_t *experiment = json_object_get(test, "experiment");
    const json_t *proven = render_proven(test);
    const json_int_t tried = record_count(experiment, "tried");
    if (!proven && tried < TELLING_TRIES)
        return;
    OWNED char *text =
        proven ? render_proven_text(render->reveal, lab, test)
               : text_format("%" JSON_INTEGER_FORMAT " small changes of the kernels and their "
                             "launches, one at a time: none of them makes this test pass. "
                             "Others were not tried.",
                             tried);
    labelled(render, text);
    if (proven)
        render_proven_line(render, lab, test);
}

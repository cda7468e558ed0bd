/* What was predicted at the top of the file, beside what was counted. */
#include "grader/report/text/render.h"

#include <stdlib.h>

#include "grader/grade/record.h"
#include "common/base/text.h"

void render_predictions(const struct render *render, const json_t *lab) {
    size_t index, k, n_answered = 0, n = 0;
    json_t *test, *prediction;
    json_array_foreach(json_object_get(lab, "tests"), index, test)
        json_array_foreach(json_object_get(test, "predictions"), k, prediction) {
        n_answered += json_is_true(json_object_get(prediction, "answered"));
        n++;
    }
    if (n == 0)
        return;
    render_heading(render, "predictions");
    if (n_answered == 0) {
        page_text(&render->page, 2, PAGE_FAINT,
                  "None of the %zu questions at the top of the file is answered yet.", n);
        return;
    }
    json_array_foreach(json_object_get(lab, "tests"), index, test)
        json_array_foreach(json_object_get(test, "predictions"), k, prediction) {
        bool is_right = json_is_true(json_object_get(prediction, "right"));
        bool is_answered = json_is_true(json_object_get(prediction, "answered"));
        const char *why = record_text(prediction, "explanation");
        char *counted = render_count(record_count(prediction, "counted"));
        char *predicted = render_count(record_count(prediction, "predicted"));
        char *said = is_right ? text_format("You said %s, and so it is. %s", predicted, why)
                     : is_answered
                         ? text_format("You said %s; counted: %s. %s", predicted, counted, why)
                         : text_format("not answered");
        struct page_span spans[] = {
            {is_right ? PAGE_GOOD : PAGE_WAITING, is_right ? "✓ " : "○ "},
            {PAGE_FAINT, record_text(prediction, "question")},
            {PAGE_PLAIN, " "},
            {PAGE_PLAIN, said},
        };
        page_spans(&render->page, 2, 4, spans, sizeof spans / sizeof *spans);
        free(said);
        free(predicted);
        free(counted);
    }
}

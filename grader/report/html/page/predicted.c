/* What students predicted: of the class, folded lab by lab; of a student, question by question. */
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/html/count/predictions.h"
#include "grader/report/html/draw/charts.h"
#include "grader/report/html/page/sections.h"
#include "grader/report/text/render.h"

/* Wrong answers of a question that are told one by one. */
enum { WRONG_SHOWN = 4 };

/* "3 said 32, 1 said 64" */
static void wrong_answers(struct html *html, const struct prediction *prediction) {
    const struct prediction_answers *wrong = &prediction->wrong;
    size_t n_others = 0;
    html_open(html, "td");
    for (size_t i = 0; i < wrong->n; i++) {
        OWNED char *value = render_count(wrong->list[i].value);
        if (i < WRONG_SHOWN)
            html_text(html, "%s%zu said %s", i > 0 ? ", " : "", wrong->list[i].n, value);
        else
            n_others += wrong->list[i].n;
    }
    if (n_others > 0)
        html_text(html, ", %zu something else", n_others);
    if (wrong->n == 0)
        html_text(html, "–");
    if (prediction->n_otherwise > 0)
        html_text(html, "; %zu said the answer, but the own code gives another",
                  prediction->n_otherwise);
    html_close(html);
}

static void question(struct html *html, const struct prediction *prediction) {
    OWNED char *answer = render_count(prediction->counted.list[0].value);
    html_open(html, "tr");
    html_open(html, "th", "scope", "row");
    html_text(html, "%s", prediction->question);
    if (*prediction->explanation) {
        html_open(html, "br");
        html_close_void(html);
        html_item(html, "span", "note", "%s", prediction->explanation);
    }
    html_close(html);
    html_item(html, "td", "number", "%s", answer);
    html_item(html, "td", "number", "%zu of %zu", prediction->n_answered, prediction->n_asked);
    html_item(html, "td", "number", "%zu", prediction->n_right);
    chart_bar(html, prediction->n_right, prediction->n_asked);
    wrong_answers(html, prediction);
    html_close(html);
}

static void of_lab(const struct sections *sections, const struct insight_lab *lab,
                   const struct predictions *predictions) {
    struct html *html = sections->html;
    size_t n_asked = 0, n_answered = 0, n_right = 0;
    for (size_t i = 0; i < predictions->n; i++) {
        n_asked += predictions->list[i].n_asked;
        n_answered += predictions->list[i].n_answered;
        n_right += predictions->list[i].n_right;
    }
    html_open(html, "details", "class", "predicted");
    html_item(html, "summary", NULL, "%.2s %s: %zu question%s, %zu of %zu answered, %zu right",
              lab->name, lab->title, predictions->n, predictions->n == 1 ? "" : "s", n_answered,
              n_asked, n_right);
    OWNED char *caption = text_format("Predictions of lab %.2s", lab->name);
    sections_table(sections, NULL, caption);
    html_headings(html, "Question", "#Answer", "#Answered", "#Right", "", "Wrong answers");
    html_open(html, "tbody");
    for (size_t i = 0; i < predictions->n; i++)
        question(html, &predictions->list[i]);
    html_close(html);
    sections_end_table(sections);
    html_close(html);
}

bool sections_has_predictions(const struct sections *sections) {
    bool has_any = false;
    for (size_t i = 0; i < sections->insight->n_labs && !has_any; i++) {
        struct predictions predictions;
        predictions_make(&predictions, sections->insight->labs[i].name, sections->students,
                         sections->n);
        has_any = predictions.n > 0;
        predictions_finish(&predictions);
    }
    return has_any;
}

void sections_predictions(const struct sections *sections) {
    struct html *html = sections->html;
    if (!sections_has_predictions(sections))
        return;
    html_open(html, "h3", "id", "predictions");
    html_text(html, "What they predicted");
    html_close(html);
    html_item(
        html, "p", "note",
        "Before the code is written, at no points. Asked were those whose code came as far as "
        "the count. It is taken of each one's own code; the answer here is what most code "
        "gives.");
    for (size_t i = 0; i < sections->insight->n_labs; i++) {
        struct predictions predictions;
        predictions_make(&predictions, sections->insight->labs[i].name, sections->students,
                         sections->n);
        if (predictions.n > 0)
            of_lab(sections, &sections->insight->labs[i], &predictions);
        predictions_finish(&predictions);
    }
}

static void answer(struct html *html, const json_t *prediction) {
    OWNED char *said = render_count(record_count(prediction, "predicted"));
    OWNED char *counted = render_count(record_count(prediction, "counted"));
    html_open(html, "li");
    html_text(html, "%s ", record_text(prediction, "question"));
    if (json_is_true(json_object_get(prediction, "right")))
        html_text(html, "Said %s, and so it is.", said);
    else if (json_is_true(json_object_get(prediction, "answered")))
        html_text(html, "Said %s; this code makes it %s.", said, counted);
    else
        html_text(html, "Not answered.");
    html_close(html);
}

void sections_predictions_of(const struct sections *sections, const struct scored_lab *lab) {
    struct html *html = sections->html;
    const json_t *tests = json_object_get(lab->record, "tests");
    size_t index, k, n = 0, n_answered = 0, n_right = 0;
    json_t *test, *prediction;
    json_array_foreach(tests, index, test) {
        json_array_foreach(json_object_get(test, "predictions"), k, prediction) {
            n++;
            n_answered += json_is_true(json_object_get(prediction, "answered"));
            n_right += json_is_true(json_object_get(prediction, "right"));
        }
    }
    if (n == 0)
        return;
    html_open(html, "details", "class", "others predicted");
    html_item(html, "summary", NULL, "Predictions: %zu of %zu answered, %zu right", n_answered, n,
              n_right);
    html_open(html, "ul");
    json_array_foreach(tests, index, test) {
        json_array_foreach(json_object_get(test, "predictions"), k, prediction)
            answer(html, prediction);
    }
    html_close(html);
    html_close(html);
}

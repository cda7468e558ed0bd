/* Who needs help first, a student an entry, with a sentence for each reason. */
#include "grader/report/html/count/needs.h"
#include "grader/report/html/draw/marks.h"
#include "grader/report/html/page/sections.h"

/* Students that are shown unfolded. */
enum { SHOWN = 12 };

typedef bool lab_test(const struct needs *needs, const struct needs_student *who, size_t lab);

static const struct scored_student *student_of(const struct needs *needs,
                                               const struct needs_student *who) {
    return &needs->students[who->student];
}

static bool is_begun(const struct needs *needs, const struct needs_student *who, size_t lab) {
    return needs_is_begun(student_of(needs, who), needs->insight->labs[lab].name);
}

static bool is_behind(const struct needs *needs, const struct needs_student *who, size_t lab) {
    return needs_is_untouched(student_of(needs, who), needs->insight->labs[lab].name) &&
           needs_most_began(needs, lab);
}

static bool has_mistake(const struct needs *needs, const struct needs_student *who, size_t lab) {
    const char *name = needs->insight->labs[lab].name;
    return needs_mistake(scored_lab(student_of(needs, who), name), who->mistake) != NULL;
}

/* "lab 01", "labs 01 and 03" */
static size_t lab_list(struct html *html, const struct needs *needs,
                       const struct needs_student *who, lab_test *test) {
    size_t n = 0, n_told = 0;
    for (size_t i = 0; i < needs->insight->n_labs; i++)
        n += test(needs, who, i);
    html_text(html, n == 1 ? "lab " : "labs ");
    for (size_t i = 0; i < needs->insight->n_labs; i++) {
        if (!test(needs, who, i))
            continue;
        html_text(html, "%s%.2s",
                  n_told == 0       ? ""
                  : n_told + 1 == n ? " and "
                                    : ", ",
                  needs->insight->labs[i].name);
        n_told++;
    }
    return n;
}

/* "2 not handed in, 1 not written yet." */
static void counts(struct html *html, const struct needs *needs, const struct needs_student *who) {
    const char *before = "";
    for (enum state state = 0; state < N_STATES; state++) {
        size_t n = 0;
        for (size_t i = 0; i < needs->insight->n_labs; i++)
            n += state_of_student(student_of(needs, who), needs->insight->labs[i].name) == state;
        if (n > 0)
            html_text(html, "%s%zu %s", before, n, mark_word(state));
        before = n > 0 ? ", " : before;
    }
    html_text(html, ".");
}

static void mistake(struct html *html, const struct needs *needs, const struct needs_student *who) {
    size_t first = 0;
    html_text(html, "Made the same mistake in ");
    lab_list(html, needs, who, has_mistake);
    while (!has_mistake(needs, who, first))
        first++;
    const char *name = needs->insight->labs[first].name;
    html_text(html, ". Lab %.2s says of it: %s", name,
              needs_mistake(scored_lab(student_of(needs, who), name), who->mistake));
}

static void reason(struct html *html, const struct needs *needs, const struct needs_student *who,
                   enum need need) {
    html_open(html, "li");
    switch (need) {
    case NEED_NOTHING_PASSES:
        html_text(html, "Began ");
        html_text(html, lab_list(html, needs, who, is_begun) == 1 ? "; it does not pass."
                                                                  : "; none of them passes.");
        break;
    case NEED_SAME_MISTAKE:
        mistake(html, needs, who);
        break;
    case NEED_NOTHING_BEGUN:
        html_text(html, "Began nothing: ");
        counts(html, needs, who);
        break;
    case NEED_BEHIND:
        html_text(html, "Has not begun ");
        lab_list(html, needs, who, is_behind);
        html_text(html, "; more than half of the class has.");
        break;
    case NEED_FEW_POINTS:
        html_text(html, "Has %.0f %% of all points; the class's median is %.0f %%.",
                  100 * who->share, 100 * insight_quantile(&needs->insight->shares, 0.5));
        break;
    case N_NEEDS:
        break;
    }
    html_close(html);
}

static void list(const struct sections *sections, const struct needs *needs, size_t from,
                 size_t to) {
    struct html *html = sections->html;
    html_open(html, "ol", "class", "needs");
    html_attribute(html, "start", "%zu", from + 1);
    for (size_t i = from; i < to; i++) {
        html_open(html, "li");
        sections_link(sections, needs->list[i].student);
        html_open(html, "ul");
        for (enum need need = 0; need < N_NEEDS; need++) {
            if (needs->list[i].has[need])
                reason(html, needs, &needs->list[i], need);
        }
        html_close(html);
        html_close(html);
    }
    html_close(html);
}

void sections_help(const struct sections *sections) {
    struct html *html = sections->html;
    struct needs needs;
    needs_make(&needs, sections->insight, sections->students, sections->n);
    size_t n_shown = needs.n < SHOWN ? needs.n : SHOWN;
    sections_begin(sections, "help", "Who needs help first");
    if (n_shown > 0)
        list(sections, &needs, 0, n_shown);
    if (n_shown < needs.n) {
        html_open(html, "details");
        html_item(html, "summary", NULL, "%zu more", needs.n - n_shown);
        list(sections, &needs, n_shown, needs.n);
        html_close(html);
    }
    html_item(html, "p", "note", "%zu of %zu students have a reason to be here.", needs.n,
              sections->n);
    html_item(
        html, "p", "note",
        "Reasons, the most urgent first: nothing passes of what was begun; one known mistake "
        "in several labs; nothing is begun; a lab is not begun that more than half of the "
        "class has; less than half of the median of points. By the same reason, who has fewer "
        "points comes first. What could not be graded is no reason.");
    html_close(html);
    needs_finish(&needs);
}

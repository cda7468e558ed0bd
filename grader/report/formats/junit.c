/*
 * JUnit XML, as GitLab and others read it: a suite is a student's lab, a case a test. A wrong
 * answer is a failure; a crash, a time-out, what does not compile and what could not be graded are
 * errors. Points are properties of the suite; where there are none to be had, it has no such
 * property.
 */
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/report/formats/format.h"

static void attribute(xmlTextWriter *xml, const char *name, const char *value) {
    OWNED char *text = format_xml_text(value);
    xmlTextWriterWriteAttribute(xml, BAD_CAST name, BAD_CAST text);
}

static void count(xmlTextWriter *xml, const char *name, size_t value) {
    xmlTextWriterWriteFormatAttribute(xml, BAD_CAST name, "%zu", value);
}

static void seconds(xmlTextWriter *xml, double value) {
    xmlTextWriterWriteFormatAttribute(xml, BAD_CAST "time", "%.3f", value);
}

static void property(xmlTextWriter *xml, const char *name, const char *value) {
    xmlTextWriterStartElement(xml, BAD_CAST "property");
    attribute(xml, "name", name);
    attribute(xml, "value", value);
    xmlTextWriterEndElement(xml);
}

static void points_property(xmlTextWriter *xml, const char *name, points_t points) {
    OWNED char *text = points_text(points);
    property(xml, name, text);
}

static void properties(xmlTextWriter *xml, const struct scored_student *student,
                       const struct scored_lab *lab) {
    xmlTextWriterStartElement(xml, BAD_CAST "properties");
    if (*student->id)
        property(xml, "student", student->id);
    property(xml, "lab", lab->name);
    if (lab->is_graded)
        points_property(xml, "points", lab->points);
    points_property(xml, "max_points", lab->max_points);
    if (lab->is_graded && lab->adjusted) {
        points_property(xml, "adjustment", lab->adjustment);
        property(xml, "adjusted", lab->adjusted);
    }
    xmlTextWriterEndElement(xml);
}

static void test_case(xmlTextWriter *xml, const char *suite, const struct scored_lab *lab,
                      const struct scored_test *test) {
    static const char *const elements[] = {
        [SCORED_WRONG] = "failure",
        [SCORED_BROKEN] = "error",
        [SCORED_SKIPPED] = "skipped",
        [SCORED_OURS] = "error",
    };
    xmlTextWriterStartElement(xml, BAD_CAST "testcase");
    attribute(xml, "classname", suite);
    attribute(xml, "name", test->name);
    attribute(xml, "file", lab->source);
    seconds(xml, test->seconds);
    const char *element = elements[test->outcome];
    if (element) {
        xmlTextWriterStartElement(xml, BAD_CAST element);
        attribute(xml, "message", test->outcome == SCORED_SKIPPED ? test->message : test->verdict);
        if (test->outcome != SCORED_SKIPPED) {
            attribute(xml, "type", test->outcome == SCORED_OURS ? "infrastructure" : test->verdict);
            char *text = format_xml_text(test->message);
            xmlTextWriterWriteString(xml, BAD_CAST text);
            free(text);
        }
        xmlTextWriterEndElement(xml);
    }
    xmlTextWriterEndElement(xml);
}

static size_t number_of(const struct scored_lab *lab, enum scored_outcome outcome) {
    size_t n = 0;
    for (size_t i = 0; i < lab->n_tests; i++)
        n += lab->tests[i].outcome == outcome;
    return n;
}

static void test_suite(xmlTextWriter *xml, const struct scored_student *student,
                       const struct scored_lab *lab, bool is_one) {
    char *name = is_one ? text_format("%s", lab->name)
                        : text_format("%s: %s", *student->id ? student->id : "?", lab->name);
    xmlTextWriterStartElement(xml, BAD_CAST "testsuite");
    attribute(xml, "name", name);
    count(xml, "tests", lab->n_tests);
    count(xml, "failures", number_of(lab, SCORED_WRONG));
    count(xml, "errors", number_of(lab, SCORED_BROKEN) + number_of(lab, SCORED_OURS));
    count(xml, "skipped", number_of(lab, SCORED_SKIPPED));
    seconds(xml, lab->seconds);
    properties(xml, student, lab);
    for (size_t i = 0; i < lab->n_tests; i++)
        test_case(xml, name, lab, &lab->tests[i]);
    if (*lab->hints) {
        char *text = format_xml_text(lab->hints);
        xmlTextWriterWriteElement(xml, BAD_CAST "system-out", BAD_CAST text);
        free(text);
    }
    xmlTextWriterEndElement(xml);
    free(name);
}

FORMAT_WRITER(format_junit) {
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    double all_seconds = 0;
    bool is_graded = true;
    if (!xml)
        abort();
    for (size_t i = 0; i < n; i++) {
        is_graded &= students[i].is_graded;
        for (size_t k = 0; k < students[i].n_labs; k++)
            all_seconds += students[i].labs[k].seconds;
    }
    xmlTextWriterSetIndent(xml, 1);
    xmlTextWriterStartDocument(xml, NULL, "UTF-8", NULL);
    xmlTextWriterStartElement(xml, BAD_CAST "testsuites");
    if (course->title)
        attribute(xml, "name", course->title);
    seconds(xml, all_seconds);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < students[i].n_labs; k++)
            test_suite(xml, &students[i], &students[i].labs[k], n == 1);
    }
    xmlTextWriterEndDocument(xml);
    fwrite(xmlBufferContent(buffer), 1, (size_t)xmlBufferLength(buffer), out);
    xmlFreeTextWriter(xml);
    xmlBufferFree(buffer);
    return is_graded ? GRADER_OK : GRADER_FAILED;
}

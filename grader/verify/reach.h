/* What of a lab is reached: its tests by the manifest's list, its diagnoses by its code, and both
 * by the mistakes of its catalogue. */
#pragma once

#include "grader/verify/catalogue.h"
#include "grader/workbook/target.h"

/* A test that the lab's program has and the manifest does not name, or the other way round; the
 * caller frees what is to be said of it. NULL where there is none. */
char *reach_tests(const struct workbook *book, const struct target *target);

/* Another lab whose file to write has the same name, or whose number is the same, as a sentence
 * that the caller frees; NULL where there is none. */
char *reach_twins(const struct workbook *book, const struct target *target);

/* A diagnosis that nothing names: no code of the lab's tests, no finding, no mistake. So nobody is
 * ever told it. NULL where there is none; the caller frees it. */
char *reach_diagnoses(const struct workbook *book, const struct target *target,
                      const struct mistakes *mistakes);

/* "41 of 53 diagnoses and 30 of 36 tests have a mistake", and, after a newline, the names of those
 * that have none. The caller frees it. */
char *reach_mistakes(const struct target *target, const struct mistakes *mistakes);

/*
 * Where a wrong element was set: what a report shows of a failed test that points to no line of the
 * student's file otherwise.
 */
#pragma once

#include <jansson.h>

/* Gives a diagnosis of an error that was lost the lines behind the call that failed, and a call that
 * should have been refused, as its host's code, the lines that refuse. Gives each
 * finding, and each test's mismatch, the lines on which its kernel is `launched`, and the first
 * finding its `lines`: its own and those that set what stands there. Gives the
 * mismatch as `news` the lines that ran in no case that passed, and its `lines`: that of the store
 * that set the element last, and the news, or where there are none, those of what is stored; else
 * those of what the function does with the array or number. Both are empty where the test points
 * to a line by a finding, a diagnosis or an edit, and where they are too many. */
void record_setters(json_t *lab, const char *source);

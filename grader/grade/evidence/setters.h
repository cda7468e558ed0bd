/*
 * Where a wrong element was set: what a report shows of a failed test that points to no line of the
 * student's file otherwise.
 */
#pragma once

#include <jansson.h>

/*
 * Gives each failed test what points to lines of the student's file:
 *
 * - what host_add_lines does (host.h);
 * - a finding, and the mismatch: the lines on which the kernel is `launched`, and `named`;
 * - the first finding: its `lines`, its own and those that set what stands there;
 * - the mismatch: as `news` the lines that ran in no case that passed, and its `lines`: that of the
 *   store that set the element last with the nearest that made its value, or those of what the
 *   function does with the array or number.
 *
 * Those of the finding are empty where an edit points to a line; news and lines of the mismatch
 * also where a finding, a diagnosis or the host's code does, and where they are too many.
 */
void record_setters(json_t *lab, const char *source);

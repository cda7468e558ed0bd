/* What the figures have in common: a device of the simulator, and one kernel's launch on it. */
#ifndef FIGURE_H
#define FIGURE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/simt/simt.h"

/* A source that was compiled to PTX. */
struct figure_source {
    const char *path, *ptx;
};

/* Launches one block of a kernel, all of its steps traced. `parameters` are as in
 * simt_launch. The report is the device's, until its next launch. False, and said on stderr, where
 * that fails. */
bool figure_launch(struct simt *simt, const struct figure_source *source, const char *kernel,
                   unsigned block, const void *parameters, struct simt_report *report);

/* Number of the first line of the source, after line `after`, that has this text; 0 where there is
 * none. */
unsigned figure_line(const struct figure_source *source, unsigned after, const char *text);

/* The figures. False where one can't be drawn. */
bool draw_lanes_01(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_lanes_02(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_banks(FILE *file, struct simt *simt, const struct figure_source *source);

#endif

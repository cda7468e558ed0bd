/* What the figures have in common: a device of the simulator, and launches of kernels on it. */
#ifndef FIGURE_H
#define FIGURE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/simt/simt.h"

/* A source that was compiled to PTX; or, with no PTX, a table of what was measured. */
struct figure_source {
    const char *path, *ptx;
};

/* A kernel by its name and its parameters' types as a C++ compiler mangles them, and how it is
 * launched: blocks, threads of each, dynamic shared memory. */
struct figure_launch {
    const char *kernel, *types;
    unsigned grid, block, shared_bytes;
};

/* Launches a kernel, all steps of its first block traced. `parameters` are as in simt_launch. The
 * report is the device's, until its next launch. False, and said on stderr, where that fails. */
bool figure_launch(struct simt *simt, const struct figure_source *source,
                   const struct figure_launch *launch, const void *parameters,
                   struct simt_report *report);

/* The same in blocks of this shape, which takes the place of the launch's own number of threads. */
bool figure_launch_shape(struct simt *simt, const struct figure_source *source,
                         const struct figure_launch *launch, struct simt_dim3 block,
                         const void *parameters, struct simt_report *report);

/* Device memory with these bytes in it; unwritten where `bytes` is NULL. */
bool figure_array(struct simt *simt, uint64_t *address, const void *bytes, size_t n_bytes);

/* Number of the first line of the source, after line `after`, that has this text; 0 where there is
 * none. */
unsigned figure_line(const struct figure_source *source, unsigned after, const char *text);

/* Which lanes of each warp of the first block run a line of a kernel, the first that has the text
 * `work`, in each step: one that ends at the next __syncthreads() of the source. Adds their masks
 * to masks[step * n_warps + warp]. False, and said on stderr, where a warp does not make `n_steps`.
 */
bool figure_steps(const struct figure_source *source, const char *kernel, const char *work,
                  const struct simt_report *report, size_t n_warps, size_t n_steps,
                  uint32_t *masks);

/* A whole file as text, which the caller frees; "" where there is none. */
char *figure_text(const char *path);

/* The figures. False where one can't be drawn. */
bool draw_lanes_01(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_lanes_02(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_banks(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_tile_banks(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_shuffles(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_block(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_ladder(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_steps(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_race(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_phases(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_trapezoids(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_occupancy(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_seats(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_sides(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_sectors(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_lane_slots(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_ways(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_warp_totals(FILE *file, struct simt *simt, const struct figure_source *source);
bool draw_errors(FILE *file, struct simt *simt, const struct figure_source *source);

#endif

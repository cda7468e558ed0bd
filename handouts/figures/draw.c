/*
 * Draws the handouts' figures, from what the simulator sees the model answers do.
 *
 *   draw --write|--check FOLDER (SOURCE PTX)…     the sources in the order of `enum source`
 *
 * --check compares with what lies in FOLDER. Exit code 0, or 1 where a figure is not current or
 * can't be drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "handouts/figures/figure.h"

/* In the order of the command line. */
enum source {
    DIVERGENT,
    HALVING,
    BANKS,
    SHUFFLES,
    SHUFFLE_SUM,
    STEPS,
    RACE,
    REST,
    WARPS,
    IN_PLACE,
    RUNGS,
    WAYS,
    TOTALS,
    LADDER,
    ERRORS,
    OCCUPANCY,
    N_SOURCES
};

static const struct {
    const char *name;
    enum source source;
    bool (*draw)(FILE *file, struct simt *simt, const struct figure_source *source);
} figures[] = {
    {"01-lanes.svg", DIVERGENT, draw_lanes_01}, {"02-lanes.svg", HALVING, draw_lanes_02},
    {"02-banks.svg", BANKS, draw_banks},        {"03-shuffles.svg", SHUFFLES, draw_shuffles},
    {"03-block.svg", SHUFFLE_SUM, draw_block},  {"03-ladder.svg", LADDER, draw_ladder},
    {"04-steps.svg", STEPS, draw_steps},        {"04-race.svg", RACE, draw_race},
    {"04-phases.svg", REST, draw_phases},       {"05-trapezoids.svg", ERRORS, draw_trapezoids},
    {"05-errors.svg", ERRORS, draw_errors},     {"06-seats.svg", WARPS, draw_seats},
    {"06-sides.svg", WARPS, draw_sides},        {"06-occupancy.svg", OCCUPANCY, draw_occupancy},
    {"07-sectors.svg", IN_PLACE, draw_sectors}, {"08-slots.svg", RUNGS, draw_lane_slots},
    {"09-ways.svg", WAYS, draw_ways},           {"10-totals.svg", TOTALS, draw_warp_totals},
    {"13-banks.svg", BANKS, draw_tile_banks},
};

char *figure_text(const char *path) {
    FILE *file = fopen(path, "rb"), *copy;
    char *text = NULL;
    size_t bytes;
    int c;

    copy = open_memstream(&text, &bytes);
    while (file != NULL && copy != NULL && (c = getc(file)) != EOF)
        putc(c, copy);
    if (file != NULL)
        fclose(file);
    if (copy != NULL)
        fclose(copy);
    return text;
}

unsigned figure_line(const struct figure_source *source, unsigned after, const char *text) {
    char *all = figure_text(source->path), *rest = all, *line;
    unsigned number = 0, found = 0;

    while (found == 0 && (line = strsep(&rest, "\n")) != NULL)
        if (++number > after && strstr(line, text) != NULL)
            found = number;
    free(all);
    return found;
}

bool figure_launch(struct simt *simt, const struct figure_source *source,
                   const struct figure_launch *launch, const void *parameters,
                   struct simt_report *report) {
    const struct simt_dim3 block = {launch->block, 1, 1};

    return figure_launch_shape(simt, source, launch, block, parameters, report);
}

bool figure_launch_shape(struct simt *simt, const struct figure_source *source,
                         const struct figure_launch *launch, struct simt_dim3 block,
                         const void *parameters, struct simt_report *report) {
    const struct simt_dim3 grid = {launch->grid, 1, 1};
    struct simt_diag diag = {0};
    struct simt_module *module;
    struct simt_kernel *found = NULL;
    enum simt_status status = SIMT_OK;
    char *ptx = figure_text(source->ptx), mangled[80];

    snprintf(mangled, sizeof mangled, "_Z%zu%s%s", strlen(launch->kernel), launch->kernel,
             launch->types);
    module = simt_module_load(simt, ptx, strlen(ptx), &diag);
    free(ptx);
    if (module != NULL)
        found = simt_kernel_find(module, mangled);
    simt_report_reset(simt);
    simt_options(simt)->trace_ctas = 1;
    if (found != NULL)
        status = simt_launch(simt, found, grid, block, launch->shared_bytes, parameters, &diag);
    if (found == NULL || status != SIMT_OK) {
        fprintf(stderr, "draw: %s in %s: %s\n", mangled, source->ptx, diag.message);
        return false;
    }
    simt_report(simt, report);
    return true;
}

/* One warp's steps. */
static size_t count_steps(const struct simt_launch_report *launch, size_t warp, unsigned line,
                          unsigned barrier, size_t n_warps, size_t n_steps, uint32_t *masks) {
    size_t step = 0;

    for (size_t i = 0; i < launch->n_events && step < n_steps; i++) {
        const struct simt_event *event = &launch->events[i];

        if (event->warp != warp)
            continue;
        if (event->line == line)
            masks[step * n_warps + warp] |= event->mask;
        else if (event->line == barrier)
            step++;
    }
    return step;
}

bool figure_steps(const struct figure_source *source, const char *kernel, const char *work,
                  const struct simt_report *report, size_t n_warps, size_t n_steps,
                  uint32_t *masks) {
    unsigned line = figure_line(source, figure_line(source, 0, kernel), work);
    unsigned barrier = figure_line(source, line, "__syncthreads()");

    for (size_t warp = 0; warp < n_warps; warp++) {
        size_t n = count_steps(&report->launches[0], warp, line, barrier, n_warps, n_steps, masks);
        if (line == 0 || n != n_steps) {
            fprintf(stderr, "draw: %s: warp %zu makes %zu steps\n", kernel, warp, n);
            return false;
        }
    }
    return true;
}

bool figure_array(struct simt *simt, uint64_t *address, const void *bytes, size_t n_bytes) {
    return simt_malloc(simt, n_bytes, address) == SIMT_OK &&
           (bytes == NULL || simt_write(simt, *address, bytes, n_bytes) == SIMT_OK);
}

/* Draws one figure into memory, which the caller frees; NULL where that fails. */
static char *draw(size_t which, const struct figure_source *sources) {
    struct simt_options options;

    simt_default_options(&options);
    struct simt *simt = simt_create(&options);
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    bool done = simt != NULL && file != NULL &&
                figures[which].draw(file, simt, &sources[figures[which].source]);

    if (file != NULL)
        fclose(file);
    simt_destroy(simt);
    if (done)
        return text;
    free(text);
    return NULL;
}

/* Writes a figure, or compares it with the one that is there. */
static bool settle(const char *path, const char *text, bool is_check) {
    char *there = is_check ? figure_text(path) : NULL;
    bool done = there != NULL && strcmp(there, text) == 0;

    free(there);
    if (is_check) {
        if (!done)
            fprintf(stderr, "draw: %s is not current; handouts/figures/renew draws it\n", path);
        return done;
    }
    FILE *file = fopen(path, "wb");
    if (file != NULL) {
        done = fputs(text, file) >= 0;
        done = fclose(file) == 0 && done;
    }
    if (!done)
        perror(path);
    return done;
}

int main(int argc, char **argv) {
    struct figure_source sources[N_SOURCES];
    bool is_check = argc > 1 && strcmp(argv[1], "--check") == 0, all = true;

    if (argc != 3 + 2 * N_SOURCES || (!is_check && strcmp(argv[1], "--write") != 0)) {
        fprintf(stderr, "usage: draw --write|--check FOLDER (SOURCE PTX)…\n");
        return 2;
    }
    for (int i = 0; i < N_SOURCES; i++)
        sources[i] = (struct figure_source){argv[3 + 2 * i], argv[4 + 2 * i]};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        char path[4096], *text = draw(i, sources);

        snprintf(path, sizeof path, "%s/%s", argv[2], figures[i].name);
        all = text != NULL && settle(path, text, is_check) && all;
        free(text);
    }
    return all ? 0 : 1;
}

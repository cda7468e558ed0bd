/*
 * Who sits where: for each thread of a block its lane, read back from the seats that the model
 * answer's threads have taken, and the edge of the box tells the warp.
 */
#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { SIDE = 30, PITCH = 34, HEIGHT = 20, ROW = 24, TOP = 44, LEFT = 60, SECOND = 420 };
enum { N_SEATS = 64, WARP = 32 };

/* A block's seats; the threads that have none are -1 in all three. */
struct seated {
    unsigned nx, ny, nz;
    int axes[3][N_SEATS];
};

static bool seat(struct simt *simt, const struct figure_source *source, struct seated *seated) {
    const struct figure_launch launch = {"seat_threads_kernel", "PiS_S_", 1, 0, 0};
    const struct simt_dim3 block = {seated->nx, seated->ny, seated->nz};
    uint64_t arrays[3];
    struct simt_report report;

    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < N_SEATS; i++)
            seated->axes[axis][i] = -1;
        if (!figure_array(simt, &arrays[axis], seated->axes[axis], sizeof seated->axes[axis]))
            return false;
    }
    if (!figure_launch_shape(simt, source, &launch, block, arrays, &report))
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (simt_read(simt, seated->axes[axis], arrays[axis], sizeof seated->axes[axis]) != SIMT_OK)
            return false;
    return true;
}

/* One thread's box: its lane, and a dashed edge in odd warps. */
static void draw_thread(FILE *file, int x, int y, int seat) {
    svg_box(file, x, y, SIDE, HEIGHT, seat / WARP % 2 != 0);
    svg_words(file, x + SIDE / 2, y + 14, "middle", "%d", seat % WARP);
}

static void draw_layers(FILE *file, int left, const struct seated *seated) {
    int layer = ((int)seated->nx + 2) * PITCH;

    for (unsigned x = 0; x < seated->nx; x++)
        svg_words(file, left + (int)x * PITCH + SIDE / 2, TOP - 6, "middle", "%u", x);
    for (int i = 0; i < N_SEATS; i++)
        if (seated->axes[0][i] >= 0)
            draw_thread(file, left + seated->axes[0][i] * PITCH + seated->axes[2][i] * layer,
                        TOP + seated->axes[1][i] * ROW, i);
    for (unsigned y = 0; y < seated->ny; y++)
        svg_words(file, left - 8, TOP + (int)y * ROW + 14, "end", "y = %u", y);
}

bool draw_seats(FILE *file, struct simt *simt, const struct figure_source *source) {
    struct seated flat = {8, 8, 1, {{0}}}, cube = {2, 2, 2, {{0}}};

    svg_begin(
        file, SECOND + 260, TOP + 8 * ROW + 8, "Which lane each thread has",
        "A block of 8 × 8 threads, each with the number of its lane: 0 to 7 in the row y = 0, "
        "8 to 15 in the next, up to 31 in the row y = 3. The row y = 4 begins again with 0: "
        "these are of warp 1, and have dashed edges. Beside it a block of 2 × 2 × 2: lanes "
        "0 and 1, below them 2 and 3, where z is 0; 4 and 5, 6 and 7, where z is 1.");
    svg_words(file, LEFT, 16, "start", "8 × 8: warp 0, and dashed warp 1");
    svg_words(file, SECOND, 16, "start", "2 × 2 × 2: z = 0, and beside it z = 1");
    if (!seat(simt, source, &flat) || !seat(simt, source, &cube))
        return false;
    draw_layers(file, LEFT, &flat);
    draw_layers(file, SECOND, &cube);
    svg_end(file);
    return true;
}

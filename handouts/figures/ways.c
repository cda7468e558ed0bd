/*
 * Four ways to a sum, seen from one warp: how many of its lanes are at work in each instruction,
 * one after the other, from the simulator's trace of a block.
 */
#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { BLOCK = 128, INTS = 8 * BLOCK, N_WAYS = 4, N_LANES = 32, MOST_EVENTS = 4096 };
enum { LEFT = 172, TOP = 24, HEIGHT = 32, ROW = 50, WIDTH = 720 };

static const struct {
    const char *kernel, *types, *title;
    unsigned shared_bytes;
} ways[N_WAYS] = {
    {"sum_by_threads_kernel", "PKimPi", "an atomic a thread", 0},
    {"sum_by_blocks_kernel", "PKimPi", "an atomic a block", BLOCK * sizeof(int)},
    {"sum_by_lock_kernel", "PKimPiS1_", "a lock a block", BLOCK * sizeof(int)},
    {"reduce_kernel", "I6sum_opEvPKNT_7elementEmPNS1_5valueE", "partial sums", BLOCK * sizeof(int)},
};

/* Of warp 0: how many lanes were at work, and in how many instructions in a row. */
struct piece {
    unsigned lanes, instructions;
};

static size_t trace(struct simt *simt, const struct figure_source *source, int way,
                    struct piece pieces[MOST_EVENTS]) {
    struct {
        uint64_t in, n, first, second; /* the lock and *sum, or *sum alone */
    } parameters = {.n = INTS};
    const struct figure_launch launch = {ways[way].kernel, ways[way].types, 1, BLOCK,
                                         ways[way].shared_bytes};
    static const int numbers[INTS], zero;
    struct simt_report report;
    size_t n = 0;

    if (!figure_array(simt, &parameters.in, numbers, sizeof numbers) ||
        !figure_array(simt, &parameters.first, &zero, sizeof zero) ||
        !figure_array(simt, &parameters.second, &zero, sizeof zero) ||
        !figure_launch(simt, source, &launch, &parameters, &report))
        return 0;
    for (size_t i = 0; i < report.launches[0].n_events && n < MOST_EVENTS; i++) {
        const struct simt_event *event = &report.launches[0].events[i];

        if (event->warp == 0)
            pieces[n++] =
                (struct piece){(unsigned)__builtin_popcount(event->mask), (unsigned)event->n};
    }
    return n;
}

static void draw_way(FILE *file, int way, const struct piece *pieces, size_t n_pieces) {
    static double points[2 * MOST_EVENTS + 2][2];
    int top = TOP + way * ROW;
    double x = LEFT;
    size_t n = 0;
    unsigned all = 0, alone = 0;

    points[n][0] = x, points[n++][1] = top + HEIGHT;
    for (size_t i = 0; i < n_pieces; i++) {
        double y = top + HEIGHT - HEIGHT * (double)pieces[i].lanes / N_LANES;

        points[n][0] = x, points[n++][1] = y;
        x += pieces[i].instructions;
        points[n][0] = x, points[n++][1] = y;
        all += pieces[i].instructions;
        alone += pieces[i].lanes == 1 ? pieces[i].instructions : 0;
    }
    points[n][0] = x, points[n++][1] = top + HEIGHT;
    svg_words(file, LEFT - 10, top + HEIGHT / 2 + 4, "end", "%s", ways[way].title);
    svg_box(file, LEFT, top, (int)(x - LEFT + 0.5), HEIGHT, false);
    svg_area(file, points, n);
    svg_words(file, (int)x + 8, top + HEIGHT / 2 + 4, "start", "%u, %u by one lane", all, alone);
}

bool draw_ways(FILE *file, struct simt *simt, const struct figure_source *source) {
    static struct piece pieces[MOST_EVENTS];

    svg_begin(
        file, WIDTH, TOP + N_WAYS * ROW, "Four ways to a sum, from one warp",
        "Four boxes, one below the other, each as wide as the instructions that the first warp "
        "of a block issues, from left to right in their order; black is as high as lanes are "
        "at work. With an atomic a thread all lanes work to the end. In the other three the "
        "lanes at work get fewer and fewer behind the loop over the ints, down to one; behind "
        "that, the lock's box has the longest piece of one lane.");
    svg_words(file, LEFT, TOP - 8, "start", "instructions of warp 0; black: lanes at work");
    for (int way = 0; way < N_WAYS; way++) {
        size_t n = trace(simt, source, way, pieces);

        if (n == 0)
            return false;
        draw_way(file, way, pieces, n);
    }
    svg_end(file);
    return true;
}

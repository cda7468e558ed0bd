/* A scan by doubled distances of eight numbers: what each thread holds after each step, as a kernel
 * on the simulator stored it. */
#include "handouts/figures/boxes.h"
#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { THREADS = 8, STEPS = 3, LEFT = 96, PITCH = 62, ROW = 60 };

bool draw_steps(FILE *file, struct simt *simt, const struct figure_source *source) {
    static const int numbers[THREADS] = {3, 1, -4, 1, -5, 9, 2, -6};
    const struct figure_launch launch = {"steps_kernel", "PKiPi", 1, THREADS,
                                         THREADS * sizeof(int)};
    const struct boxes boxes = {LEFT, 36, PITCH, ROW, 40, THREADS, 0};
    int held[STEPS][THREADS], sum = 0;
    struct {
        uint64_t in, held;
    } parameters;
    struct simt_report report;

    if (!figure_array(simt, &parameters.in, numbers, sizeof numbers) ||
        !figure_array(simt, &parameters.held, NULL, sizeof held) ||
        !figure_launch(simt, source, &launch, &parameters, &report) ||
        simt_read(simt, held, parameters.held, sizeof held) != SIMT_OK)
        return false;
    svg_begin(
        file, LEFT + THREADS * PITCH + 130, 36 + STEPS * ROW + 30, "A scan in three steps",
        "Eight threads hold 3, 1, -4, 1, -5, 9, 2 and -6. With d = 1, threads 1 to 7 add what the "
        "thread before them held; with d = 2, threads 2 to 7 that of the thread two before; with "
        "d = 4, threads 4 to 7 that of the thread four before. In the end they hold 3, 4, 0, 1, "
        "-4, 5, 7 and 1, the sums of all numbers up to their own.");
    for (int t = 0; t < THREADS; t++)
        svg_words(file, boxes_x(&boxes, t) + 20, 26, "middle", "thread %d", t);
    svg_words(file, LEFT - 14, 50, "end", "in");
    boxes_row(file, &boxes, 0, numbers, 0);
    for (int i = 0; i < STEPS; i++) {
        int from[THREADS], d = 1 << i, y = 50 + (i + 1) * ROW;

        for (int t = 0; t < THREADS; t++)
            from[t] = t >= d ? t - d : -1;
        boxes_arrows(file, &boxes, i + 1, from);
        boxes_row(file, &boxes, i + 1, held[i], 0);
        svg_words(file, LEFT - 14, y, "end", "d = %d", d);
        svg_words(file, LEFT + THREADS * PITCH, y, "start", "%d additions", THREADS - d);
    }
    svg_end(file);
    for (int t = 0; t < THREADS; t++) {
        sum += numbers[t];
        if (held[STEPS - 1][t] != sum)
            return false;
    }
    return true;
}

/* The tests to read first: one for each function, as the handout works it out. */
#include "labs/06-warps-and-occupancy/tests/limits.h"
#include "labs/06-warps-and-occupancy/tests/seats.h"

/* The blocks of the predictions. */
static void count_warps(struct lab *lab, const struct lab_case *c) {
    struct seats seats = {.nx = 20, .ny = 5, .nz = 1, .blocks = (unsigned)c->n};
    size_t last = 0;

    if (!seats_call(lab, &seats))
        return;
    for (size_t i = 0; i < seats_count(&seats); i++)
        last = seats.x[i] >= 0 ? i : last;
    lab_predict(lab, "predicted_warps", "How many warps has a block of 20 × 5 threads?",
                (int64_t)(last / 32 + 1), "100 threads are three warps and 4 threads of a fourth.");
}

static void count_rows(struct lab *lab, const struct lab_case *c) {
    struct seats seats = {.nx = 16, .ny = 16, .nz = 1, .blocks = (unsigned)c->n};

    if (seats_call(lab, &seats))
        lab_predict(lab, "predicted_rows", "How many rows of a block of 16 × 16 has a warp?",
                    seats.y[31] - seats.y[0] + 1, "A row has 16 threads, so two make a warp.");
}

static void find_lane(struct lab *lab, const struct lab_case *c) {
    struct seats seats = {.nx = 4, .ny = 4, .nz = 4, .blocks = (unsigned)c->n};
    size_t seat = 0;

    if (!seats_call(lab, &seats))
        return;
    while (seats.x[seat] != 1 || seats.y[seat] != 2 || seats.z[seat] != 3)
        seat++;
    lab_predict(lab, "predicted_lane",
                "Which lane has the thread with x = 1, y = 2, z = 3 of a block of 4 × 4 × 4?",
                (int64_t)(seat % 32), "Its number is 1 + 4 * 2 + 16 * 3 = 57: lane 25 of warp 1.");
}

/* Eight threads in one warp. */
LAB_TEST(example, seats_two_by_two_by_two) {
    lab_one(lab, 1, 8, seats_case);
}

LAB_TEST(example, seats_many_blocks) {
    lab_one(lab, 1, 100, count_warps);
    lab_one(lab, 1, 256, count_rows);
    lab_one(lab, 1, 64, find_lane);
    lab_one(lab, 5, 64, seats_case);
}

LAB_TEST(example, mixes_one_block) {
    lab_one(lab, 64, 64, mix_case);
}

/* 2,048 threads: as 16 × 16 blocks, as 8 × 8 blocks, and as 4 × 8. */
static void published(struct lab *lab, const struct lab_case *c) {
    enum { THREADS = 2048, OF_32 = 2 };
    const struct limits_given *given;

    if (limits_call(lab, LIMITS_THREADS, 0, c->n, &given))
        lab_predict(lab, "predicted_multiprocessors",
                    "On how many multiprocessors of compute capability 1.2 do 2,048 threads fit, "
                    "in blocks of 4 × 8?",
                    (THREADS / 32 + given->blocks[OF_32] - 1) / given->blocks[OF_32],
                    "64 blocks, and a multiprocessor holds no more than 8 of them.");
}

static void three_by_registers(struct lab *lab, const struct lab_case *c) {
    limits_call(lab, LIMITS_REGISTERS, 3, c->n, NULL);
}

static void three_by_shared(struct lab *lab, const struct lab_case *c) {
    limits_call(lab, LIMITS_SHARED, 3, c->n, NULL);
}

static void three_by_all(struct lab *lab, const struct lab_case *c) {
    enum { PREDICTED = 2 };
    const struct limits_given *given;

    if (limits_call(lab, LIMITS_ALL, 3, c->n, &given))
        lab_predict(lab, "predicted_resident",
                    "How many blocks of 192 threads, 40 registers each, 10,240 bytes are resident?",
                    given->blocks[PREDICTED],
                    "5 by their threads, 8 by their registers, 6 by their shared memory.");
}

LAB_TEST(example, counts_by_threads) {
    lab_one(lab, 3, 1, published);
}

LAB_TEST(example, counts_by_registers) {
    lab_one(lab, 3, 1, three_by_registers);
}

LAB_TEST(example, counts_by_shared) {
    lab_one(lab, 3, 1, three_by_shared);
}

LAB_TEST(example, counts_resident_blocks) {
    lab_one(lab, 3, 1, three_by_all);
}

static void ask_once(struct lab *lab, const struct lab_case *c) {
    static const struct limits_here here[] = {{256, 0}, {128, 15400}};

    limits_call_here(lab, here, c->n);
}

LAB_TEST(example, asks_the_device) {
    lab_one(lab, 2, 1, ask_once);
}

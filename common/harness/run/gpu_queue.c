/*
 * Tests on a GPU: a queue from which a few processes take them, each with one worker, and so one
 * context, for all that it takes. A GPU is short, and tells little of what failed: so a test ends
 * there with the first case that fails, and the simulator, of which there is one a processor, says
 * why, once others may have the GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/harness/run/runner.h"

bool gpu_queue_init(struct gpu_queue *queue) {
    void *shared = mmap(NULL, sizeof *queue->shared, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    queue->shared = shared == MAP_FAILED ? NULL : shared;
    return queue->shared;
}

void gpu_queue_add(struct gpu_queue *queue, const struct criterion_test *test) {
    queue->tests[queue->n++] = test;
    queue->n_examples += strcmp(test->category, "example") == 0;
    queue->n_shared += strcmp(test->category, "speed") != 0;
}

/* True where all examples ended in the same way, which each other test would end in, too: nothing
 * is written, or nothing can be called. The grader says so then of the tests that are not run. */
static bool is_of_whole_file(const struct gpu_queue *queue) {
    const unsigned verdicts = atomic_load(&queue->shared->verdicts);

    if (queue->is_again)
        return false;
    return verdicts == 1u << LAB_NOT_WRITTEN || verdicts == 1u << LAB_NO_ENTRY ||
           verdicts == 1u << LAB_LOAD_FAILED;
}

/* Has the tests say which copies they will be held against. */
static void ask_for_yardsticks(const struct gpu_queue *queue) {
    run_here.workers.yardsticks.is_asking = true;
    for (size_t i = queue->n_shared; i < queue->n; i++)
        queue->tests[i]->test();
    run_here.workers.yardsticks.is_asking = false;
}

/* Makes a context, where there is none, waits for the grader to let us use the GPU, and measures
 * what timed tests are held against. False where this process may not use it. Other failures the
 * tests will say. */
static bool come_in(const struct gpu_queue *queue, bool is_alone) {
    struct lab_settings settings;
    char why[256];

    run_here.is_alone = is_alone;
    if (!lab_settings_read(&settings, why, sizeof why))
        return true;
    settings.workers = &run_here.workers;
    if (is_alone) {
        ask_for_yardsticks(queue);
        lab_yardsticks_look(&run_here.workers, settings.yardsticks);
    }
    lab_workers_open(&settings);
    if (!lab_settings_take_turn(&settings, is_alone))
        return false;
    if (is_alone && !lab_yardsticks_measure(&run_here.workers, settings.yardsticks))
        fprintf(stderr, "%s: the copies' times could not be written there\n", settings.yardsticks);
    return true;
}

/* After tests of correctness, those of speed, with the same context. False where they are not to be
 * run, since a test hung. */
static bool go_alone(const struct gpu_queue *queue) {
    struct lab_settings settings;
    char why[256];

    if (!lab_settings_read(&settings, why, sizeof why) || settings.is_short)
        return false;
    lab_settings_give_turn(&settings);
    if (!come_in(queue, true))
        exit(EXIT_FAILURE);
    return true;
}

/* Runs one test of the queue. False where it need not be run: after all examples have ended. */
static bool run_queued(struct gpu_queue *queue, size_t index) {
    struct shared *shared = queue->shared;
    bool is_example = index < queue->n_examples;

    while (!is_example && atomic_load(&shared->n_examples) < queue->n_examples &&
           !atomic_load(&shared->is_broken))
        usleep(1000);
    if (!is_example && !atomic_load(&shared->is_broken) && is_of_whole_file(queue))
        return false;
    if (index >= queue->n_shared && !run_here.is_alone && !go_alone(queue)) {
        atomic_store(&shared->n_taken, queue->n); /* nor any other one */
        return false;
    }
    run_here.is_doubted = &shared->is_doubted[index];
    queue->tests[index]->test();
    if (queue->is_again)
        lab_workers_close(&run_here.workers); /* the next test has a new one */
    if (is_example)
        atomic_fetch_add(&shared->n_examples, 1);
    return true;
}

static void start_gpu_process(struct slot *slot, struct gpu_queue *queue) {
    bool is_for_one = queue->n == 1; /* so it is when a test is run again, alone */

    slot->is_on_gpu = true;
    if (!slot_start(slot, is_for_one ? queue->tests[0]->category : "tests on the GPU",
                    is_for_one ? queue->tests[0]->name : "queue"))
        return;
    run_here.queue = queue;
    const bool is_alone =
        queue->n_shared < queue->n && atomic_load(&queue->shared->n_taken) >= queue->n_shared;
    if (!come_in(queue, is_alone)) {
        atomic_store(&queue->shared->n_taken, queue->n); /* nor may another process */
        exit(EXIT_FAILURE);
    }
    for (size_t i; (i = atomic_fetch_add(&queue->shared->n_taken, 1)) < queue->n;)
        if (!run_queued(queue, i))
            break;
    run_end();
}

void gpu_queue_start(struct runner *runner, int most) {
    runner->queue.has_helper = most > 1 && runner->jobs > 1 && runner->queue.n > 1;
    for (int i = 0; i < most && i < runner->jobs && (size_t)i < runner->queue.n; i++)
        start_gpu_process(slots_free(runner), &runner->queue);
}

void run_finish(struct runner *runner) {
    struct gpu_queue *queue = &runner->queue;

    while (slots_are_busy(runner)) {
        slots_await_one(runner);
        if (!slots_are_busy(runner) && atomic_load(&queue->shared->n_taken) < queue->n &&
            !is_of_whole_file(queue))
            start_gpu_process(slots_free(runner), queue);
    }
}

void gpu_queue_empty(struct gpu_queue *queue) {
    queue->n = queue->n_examples = queue->n_shared = 0;
    queue->is_again = queue->has_helper = false;
    *queue->shared = (struct shared){0};
}

void look_start(struct runner *runner, const struct criterion_test *test, atomic_bool *is_doubted) {
    struct slot *slot = slots_free(runner);

    slot_have_server(slot, "safety");
    if (!slot_start(slot, test->category, test->name))
        return;
    run_here.looks_again = true;
    run_here.is_doubted = is_doubted;
    test->test();
    run_end();
}

/* Leaves the tests in the queue that are still in doubt, and none of their results. */
static void keep_doubted(struct gpu_queue *queue, const char *results) {
    size_t n = 0;

    for (size_t i = 0; i < queue->n_shared; i++) {
        const struct criterion_test *test = queue->tests[i];
        if (!atomic_load(&queue->shared->is_doubted[i]))
            continue;
        OWNED char *path = lab_result_path(results, test->category, test->name);
        unlink(path);
        queue->tests[n++] = test;
    }
    gpu_queue_empty(queue);
    queue->n = queue->n_shared = n;
}

void gpu_queue_look_again(struct runner *runner) {
    struct gpu_queue *queue = &runner->queue;

    if (runner->settings.results) {
        for (size_t i = 0; i < queue->n_shared; i++)
            if (atomic_load(&queue->shared->is_doubted[i]))
                look_start(runner, queue->tests[i], &queue->shared->is_doubted[i]);
        run_finish(runner);
        keep_doubted(queue, runner->settings.results);
        queue->is_again = true;
        gpu_queue_start(runner, MAX_GPU_PROCESSES);
        run_finish(runner);
    }
    gpu_queue_empty(queue);
}

/*
 * The order of work in streams: with a seed every order that CUDA allows turns up, and none that it
 * forbids. Events' times follow the model. Kernels of memory_test.cu; each test is a process.
 */
#include <cuda_runtime_api.h>
#include <string.h>

#include "common/simt/cudart/simtcudart.h"
#include "common/simt/tests/cudart/program.h"

/* Appends a decimal digit to a number in device memory: the number shows the order. */
static void digit(int *number, int value, cudaStream_t stream) {
    cr_assert_eq(
        program_call(cudaError_t, "digit", (int *, int, cudaStream_t), (number, value, stream)),
        cudaSuccess, "%s", simtLastError());
}

static int *new_number(void) {
    int *number;
    cr_assert_eq(cudaMalloc((void **)&number, sizeof(int)), cudaSuccess);
    cr_assert_eq(cudaMemset(number, 0, sizeof(int)), cudaSuccess);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    return number;
}

static int value_of(const int *number) {
    int value = 0;
    cr_assert_eq(cudaMemcpy(&value, number, sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
}

static void seed(uint64_t value) {
    simtSchedule(value);
}

/* Two streams, a digit each; the number that comes out. */
static int race(uint64_t with_seed, unsigned flags, bool through_default) {
    cudaStream_t a, b;
    int *number = new_number();
    seed(with_seed);
    cudaStreamCreateWithFlags(&a, flags);
    cudaStreamCreateWithFlags(&b, flags);
    digit(number, 1, a);
    if (through_default)
        digit(number, 2, NULL);
    digit(number, 3, b);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    int value = value_of(number);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(number);
    return value;
}

Test(streams, work_in_the_order_of_calls_without_a_seed) {
    cr_expect_eq(race(0, cudaStreamNonBlocking, true), 123);
}

Test(streams, take_either_order_where_nothing_orders_them) {
    bool seen_13 = false, seen_31 = false;
    for (uint64_t s = 1; s <= 20; s++) {
        int value = race(s, cudaStreamDefault, false);
        cr_expect(value == 13 || value == 31, "%d", value);
        seen_13 |= value == 13;
        seen_31 |= value == 31;
        cr_expect_eq(race(s, cudaStreamDefault, false), value, "a seed gives the same again");
    }
    cr_expect(seen_13 && seen_31);
}

Test(streams, wait_for_the_legacy_default_stream_and_it_for_them) {
    for (uint64_t s = 1; s <= 20; s++)
        cr_expect_eq(race(s, cudaStreamDefault, true), 123, "seed %d", (int)s);
}

Test(streams, do_not_wait_for_the_default_stream_where_they_do_not_block) {
    bool seen_other = false;
    for (uint64_t s = 1; s <= 20; s++)
        seen_other |= race(s, cudaStreamNonBlocking, true) != 123;
    cr_expect(seen_other);
}

Test(streams, wait_for_events) {
    for (uint64_t s = 1; s <= 20; s++) {
        cudaStream_t a, b;
        cudaEvent_t event;
        int *number = new_number();
        seed(s);
        cudaStreamCreate(&a);
        cudaStreamCreate(&b);
        cudaEventCreate(&event);
        digit(number, 1, a);
        cudaEventRecord(event, a);
        cudaStreamWaitEvent(b, event, 0);
        digit(number, 2, b);
        cudaEventRecord(event, b);
        cudaStreamWaitEvent(a, event, 0);
        digit(number, 3, a);
        cr_expect_eq(cudaStreamSynchronize(a), cudaSuccess);
        cr_expect_eq(value_of(number), 123, "seed %d", (int)s);
        cudaEventDestroy(event);
        cudaStreamDestroy(a);
        cudaStreamDestroy(b);
    }
}

Test(streams, read_pinned_memory_when_the_copy_is_done) {
    int *pinned, *device, back = 0, pageable = 1;
    cudaStream_t stream;
    seed(7);
    cudaMallocHost((void **)&pinned, sizeof(int));
    cudaMalloc((void **)&device, sizeof(int));
    cudaStreamCreate(&stream);
    *pinned = 1;
    cudaMemcpyAsync(device, pinned, sizeof(int), cudaMemcpyHostToDevice, stream);
    *pinned = 2; /* the mistake */
    cudaStreamSynchronize(stream);
    cudaMemcpy(&back, device, sizeof(int), cudaMemcpyDeviceToHost);
    cr_expect_eq(back, 2);
    cudaMemcpyAsync(device, &pageable, sizeof(int), cudaMemcpyHostToDevice, stream);
    pageable = 2; /* no mistake: pageable memory was put aside */
    cudaMemcpyAsync(&back, device, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cr_expect_eq(back, 1);
}

Test(streams, go_on_when_they_are_destroyed_and_nobody_has_waited) {
    int *number = new_number(), *pinned;
    cudaStream_t stream, other;
    cudaEvent_t event;
    cr_assert_eq(cudaMallocHost((void **)&pinned, sizeof(int)), cudaSuccess);
    *pinned = 0;
    seed(7);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    digit(number, 1, stream);
    cudaMemcpyAsync(pinned, number, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event, 0);
    digit(number, 2, other);
    cr_expect_eq(cudaEventDestroy(event), cudaSuccess);
    cr_expect_eq(cudaStreamDestroy(stream), cudaSuccess);
    cr_expect_eq(*pinned, 0, "neither of the two waits for the copy");
    cr_expect_eq(cudaStreamQuery(stream), cudaErrorInvalidResourceHandle);
    cr_expect_eq(cudaStreamSynchronize(other), cudaSuccess);
    cr_expect_eq(*pinned, 1, "the event still orders the two streams");
    cr_expect_eq(value_of(number), 12);
    cr_expect_eq(cudaStreamDestroy(other), cudaSuccess);
}

Test(streams, answer_queries_until_all_is_done) {
    cudaStream_t stream;
    cudaEvent_t event;
    int *number = new_number(), n_asked = 0;
    seed(3);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    for (int i = 0; i < 4; i++)
        digit(number, 1, stream);
    cudaEventRecord(event, stream);
    cr_expect_eq(cudaEventElapsedTime(&(float){0}, event, event), cudaErrorNotReady);
    while (cudaEventQuery(event) == cudaErrorNotReady)
        n_asked++;
    cr_expect_eq(n_asked, 4);
    cr_expect_eq(cudaStreamQuery(stream), cudaSuccess);
}

static void note(void *data) {
    int *order = data;
    order[0] = order[0] * 10 + order[1];
}

static void CUDART_CB note_callback(cudaStream_t stream, cudaError_t status, void *data) {
    (void)stream;
    cr_expect_eq(status, cudaSuccess);
    note(data);
}

Test(streams, call_the_host_in_order) {
    cudaStream_t stream;
    static int order[2] = {0, 4};
    seed(5);
    cudaStreamCreate(&stream);
    cr_expect_eq(cudaLaunchHostFunc(stream, note, order), cudaSuccess);
    cr_expect_eq(cudaStreamAddCallback(stream, note_callback, order, 0), cudaSuccess);
    cr_expect_eq(order[0], 0, "not before somebody waits");
    cr_expect_eq(cudaStreamSynchronize(stream), cudaSuccess);
    cr_expect_eq(order[0], 44);
}

Test(streams, tell_of_a_dead_kernel_where_the_host_waits) {
    cudaStream_t stream;
    seed(2);
    cudaStreamCreate(&stream);
    cr_expect_eq(program_call(cudaError_t, "fault", (int *, cudaStream_t), (NULL, stream)),
                 cudaSuccess);
    cr_expect_eq(cudaPeekAtLastError(), cudaSuccess);
    cr_expect_eq(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
    cr_expect_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

Test(streams, have_priorities_within_the_range) {
    int least, greatest, priority;
    cudaStream_t stream;
    cr_expect_eq(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
    cr_expect_eq(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 3),
                 cudaSuccess);
    cr_expect_eq(cudaStreamGetPriority(stream, &priority), cudaSuccess);
    cr_expect_eq(priority, greatest);
    cr_expect_eq(cudaStreamGetPriority(NULL, &priority), cudaSuccess);
    cr_expect_eq(priority, 0);
}

/* Milliseconds of two copies of 12 MB to the device, in one stream or two, by the model. */
static float copies_ms(bool two_ways) {
    enum { BYTES = 12000000 };
    char *pinned, *device;
    cudaStream_t a, b;
    cudaEvent_t start, end;
    float ms = -1;
    cudaMallocHost((void **)&pinned, 2 * BYTES);
    cudaMalloc((void **)&device, 2 * BYTES);
    cudaMemset(device, 0, 2 * BYTES);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaEventRecord(start, NULL);
    cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, a);
    if (two_ways)
        cudaMemcpyAsync(pinned + BYTES, device + BYTES, BYTES, cudaMemcpyDeviceToHost, b);
    else
        cudaMemcpyAsync(device + BYTES, pinned + BYTES, BYTES, cudaMemcpyHostToDevice, b);
    cudaEventRecord(end, NULL);
    cr_expect_eq(cudaEventSynchronize(end), cudaSuccess);
    cr_expect_eq(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
    return ms;
}

/* 12 GB/s and 8 µs to start. */
Test(events, time_copies_by_the_model) {
    float one_way = copies_ms(false), two_ways = copies_ms(true);
    cr_expect_float_eq(one_way, 2.016, 0.001, "%f", one_way);
    cr_expect_float_eq(two_ways, 1.008, 0.001, "both directions at a time: %f", two_ways);
}

/*
 * A program of wrong calls, which says what each gives: the error that it returned, and what
 * cudaGetLastError then says. The output of this same program on an H200 is kept beside it
 * (errors_h200.txt), and the test compares the simulator's with it.
 *
 * Each group runs in a process of its own, since some calls cost the context or the process. A line
 * is `group | call | returned | last error`. `errors GROUP` runs one group.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "errors.cuh"
#include "errors_context.cuh"
#include "errors_device.cuh"
#include "errors_memory.cuh"

static void mark(const char *text) {
    printf("output | %s\n", text);
    fflush(stdout);
}
/* Where the output of a kernel comes to light. */
static void output_at_once() {
    int host, *d = device_memory(4);
    cudaEvent_t event;
    cudaEventCreate(&event);
    nothing<<<1, 1>>>();
    says<<<1, 1>>>(0);
    cudaDeviceSynchronize();
    says<<<1, 1>>>(1);
    mark("before cudaDeviceSynchronize");
    cudaDeviceSynchronize();
    mark("after it");
    says<<<1, 1>>>(2);
    nothing<<<1, 1>>>();
    mark("after the next launch");
    cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost);
    mark("after a copy");
    says<<<1, 1>>>(3);
    cudaEventRecord(event);
    mark("before cudaEventSynchronize");
    cudaEventSynchronize(event);
    mark("after it");
    says<<<1, 1>>>(4);
    mark("before cudaStreamSynchronize");
    cudaStreamSynchronize(0);
    mark("after it");
    says<<<1, 1>>>(5);
    mark("before cudaMalloc");
    void *p;
    cudaMalloc(&p, 4);
    mark("after it");
    cudaFree(p);
    mark("after cudaFree");
    says<<<1, 1>>>(6);
    mark("before cudaDeviceReset");
    cudaDeviceReset();
    mark("after it");
}
static void output_lost() {
    nothing<<<1, 1>>>();
    says<<<1, 1>>>(1);
    mark("the program ends at once");
}
static void output_of_a_trap() {
    says<<<1, 1>>>(1);
    traps<<<1, 1>>>();
    SAY(cudaDeviceSynchronize());
}

static const struct {
    const char *name;
    void (*run)();
} groups[] = {
#define GROUP(name) {#name, name}
    GROUP(memory), GROUP(registered), GROUP(attributes), GROUP(fill), GROUP(copy), GROUP(copy_2d),
    GROUP(symbols), GROUP(devices), GROUP(limits), GROUP(launches), GROUP(functions),
    GROUP(occupancy), GROUP(events), GROUP(streams), GROUP(pools), GROUP(last_error),
    GROUP(after_null), GROUP(after_host_pointer), GROUP(after_far_out_of_bounds),
    GROUP(after_misaligned), GROUP(after_assert), GROUP(after_trap), GROUP(after_breakpoint),
    GROUP(after_shared), GROUP(after_recursion), GROUP(after_stream), GROUP(after_copy),
    GROUP(reset), GROUP(round_trip), GROUP(device_pointer_on_the_host), GROUP(output_at_once),
    GROUP(output_lost), GROUP(output_of_a_trap),
#undef GROUP
};

static void run(size_t i) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        group_name = groups[i].name;
        alarm(60);
        groups[i].run();
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        printf("%s | ends by signal %d\n", groups[i].name, WTERMSIG(status));
    fflush(stdout);
}

int main(int argc, char **argv) {
    setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if (argc < 2 || strcmp(argv[1], groups[i].name) == 0)
            run(i);
    return 0;
}

// Programs with several streams, for order_test.c: wrong ones, in which two pieces of work touch the
// same bytes and nothing orders them, and right ones. A wrong one says what its finding has to name.
#include <cuda_runtime.h>

#define WRONG(name, one, other) extern "C" void name(void)
#define RIGHT(name)             extern "C" void name(void)

enum { N = 1024, BLOCK = 128, CHUNKS = 4, CHUNK = N / CHUNKS };

__global__ void put(int *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = i + 1; // @put
}

__global__ void get(const int *from, int *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i]; // @get
}

__global__ void add(int *sum, int n) {
    if (blockIdx.x * blockDim.x + threadIdx.x < n)
        atomicAdd(sum, 1);
}

__global__ void smooth(const int *from, int *to, int first, int n, int last) {
    int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < first + n)
        to[i] = from[i] + (i + 1 < last ? from[i + 1] : 0);
}

__global__ void put_bytes(char *to, int first) {
    to[threadIdx.x * 4 + first] = 1;
    to[threadIdx.x * 4 + first + 1] = 2;
}

// What all programs use.
struct Fixture {
    cudaStream_t a, b;
    cudaEvent_t event;
    int *x, *y, *z, *pinned;
    Fixture(unsigned flags = cudaStreamDefault) {
        cudaStreamCreateWithFlags(&a, flags);
        cudaStreamCreateWithFlags(&b, flags);
        cudaEventCreate(&event);
        cudaMalloc(&x, N * sizeof *x);
        cudaMalloc(&y, N * sizeof *y);
        cudaMalloc(&z, N * sizeof *z);
        cudaMallocHost(&pinned, N * sizeof *pinned);
        cudaMemset(x, 0, N * sizeof *x);
        cudaMemset(y, 0, N * sizeof *y);
        cudaMemset(z, 0, N * sizeof *z);
        cudaDeviceSynchronize();
    }
    ~Fixture() {
        cudaDeviceSynchronize();
        cudaStreamDestroy(a);
        cudaStreamDestroy(b);
        cudaEventDestroy(event);
        cudaFree(x);
        cudaFree(y);
        cudaFree(z);
        cudaFreeHost(pinned);
    }
    void write(int *to, cudaStream_t stream) { put<<<N / BLOCK, BLOCK, 0, stream>>>(to, N); }
    void read(const int *from, int *to, cudaStream_t stream) {
        get<<<N / BLOCK, BLOCK, 0, stream>>>(from, to, N);
    }
    void load(int *to, cudaStream_t stream) {
        cudaMemcpyAsync(to, pinned, N * sizeof *to, cudaMemcpyHostToDevice, stream);
    }
    void store(const int *from, cudaStream_t stream) {
        cudaMemcpyAsync(pinned, from, N * sizeof *from, cudaMemcpyDeviceToHost, stream);
    }
};

WRONG(writes_and_reads, "of put writes", "of get reads") {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    fixture.read(fixture.x, fixture.y, fixture.b);
}

WRONG(reads_and_writes, "of put writes", "of get reads") {
    Fixture fixture;
    fixture.read(fixture.x, fixture.y, fixture.a);
    fixture.write(fixture.x, fixture.b);
}

WRONG(both_write, "of put writes", "of get writes") {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    fixture.read(fixture.y, fixture.x, fixture.b);
}

WRONG(records_too_early, "of put writes", "of get reads") {
    Fixture fixture;
    cudaEventRecord(fixture.event, fixture.a);
    fixture.write(fixture.x, fixture.a);
    cudaStreamWaitEvent(fixture.b, fixture.event, 0);
    fixture.read(fixture.x, fixture.y, fixture.b);
}

WRONG(never_records, "of put writes", "of get reads") {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    cudaStreamWaitEvent(fixture.b, fixture.event, 0);
    fixture.read(fixture.x, fixture.y, fixture.b);
}

WRONG(waits_for_the_wrong_stream, "of put writes", "of get reads") {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    fixture.write(fixture.y, fixture.b);
    cudaStreamSynchronize(fixture.b);
    fixture.read(fixture.x, fixture.z, fixture.b);
}

WRONG(default_stream_does_not_wait, "of put writes", "of get reads") {
    Fixture fixture(cudaStreamNonBlocking);
    fixture.write(fixture.x, fixture.a);
    fixture.read(fixture.x, fixture.y, 0);
}

WRONG(thread_has_its_own_stream, "of put writes", "of get reads") {
    Fixture fixture;
    fixture.write(fixture.x, cudaStreamPerThread);
    fixture.read(fixture.x, fixture.y, fixture.a);
}

WRONG(copies_in_another_stream, "copy (cudaMemcpy) writes", "of get reads") {
    Fixture fixture;
    fixture.load(fixture.x, fixture.a);
    fixture.read(fixture.x, fixture.y, fixture.b);
}

WRONG(copies_back_too_early, "of put writes", "copy (cudaMemcpy) reads") {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    fixture.store(fixture.x, fixture.b);
}

WRONG(copies_twice_to_one_place, "copy (cudaMemcpy)", "copy (cudaMemcpy)") {
    Fixture fixture;
    fixture.load(fixture.x, fixture.a);
    cudaMemcpyAsync(fixture.x, fixture.y, N * sizeof *fixture.x, cudaMemcpyDeviceToDevice, fixture.b);
}

WRONG(clears_while_it_writes, "of put writes", "fill (cudaMemset) writes") {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    cudaMemsetAsync(fixture.x, 0, N * sizeof *fixture.x, fixture.b);
}

WRONG(copies_managed_memory, "of put writes", "copy (cudaMemcpy)") {
    Fixture fixture;
    int *shared;
    cudaMallocManaged(&shared, N * sizeof *shared);
    fixture.write(shared, fixture.a);
    cudaMemcpyAsync(fixture.x, shared, N * sizeof *shared, cudaMemcpyDefault, fixture.b);
    cudaFree(shared);
}

WRONG(chunks_overlap, "copy (cudaMemcpy)", "of smooth reads") {
    Fixture fixture;
    for (int i = 0; i < CHUNKS; i++) {
        cudaStream_t stream = i % 2 ? fixture.a : fixture.b;
        cudaMemcpyAsync(fixture.x + i * CHUNK, fixture.pinned + i * CHUNK, CHUNK * sizeof *fixture.x,
                        cudaMemcpyHostToDevice, stream);
        smooth<<<CHUNK / BLOCK, BLOCK, 0, stream>>>(fixture.x, fixture.y, i * CHUNK, CHUNK, N);
    }
}

WRONG(uses_before_it_is_there, "cudaMallocAsync", "of put writes") {
    Fixture fixture;
    int *mine;
    cudaMallocAsync(&mine, N * sizeof *mine, fixture.a);
    fixture.write(mine, fixture.b);
    cudaDeviceSynchronize();
    cudaFree(mine);
}

WRONG(destroys_and_goes_on, "of put writes", "of get reads") {
    Fixture fixture;
    cudaStream_t c;
    cudaStreamCreate(&c);
    fixture.write(fixture.x, c);
    cudaStreamDestroy(c);
    fixture.read(fixture.x, fixture.y, fixture.a);
}

WRONG(destroys_what_does_not_block_and_goes_on, "of put writes", "of get reads") {
    Fixture fixture;
    cudaStream_t c;
    cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
    fixture.write(fixture.x, c);
    cudaStreamDestroy(c);
    fixture.read(fixture.x, fixture.y, NULL);
}

WRONG(third_of_three_is_forgotten, "of put writes", "of get reads") {
    Fixture fixture;
    fixture.read(fixture.x, fixture.y, fixture.a);
    fixture.read(fixture.x, fixture.z, fixture.b);
    cudaEventRecord(fixture.event, fixture.b);
    cudaStreamWaitEvent(cudaStreamPerThread, fixture.event, 0);
    fixture.write(fixture.x, cudaStreamPerThread);
}

// Run in another order, it loses the context.
extern "C" void frees_too_early(void) {
    Fixture fixture;
    int *mine;
    cudaMallocAsync(&mine, N * sizeof *mine, fixture.a);
    fixture.write(mine, fixture.a);
    cudaEventRecord(fixture.event, fixture.a);
    cudaStreamWaitEvent(fixture.b, fixture.event, 0);
    fixture.read(mine, fixture.x, fixture.b);
    cudaFreeAsync(mine, fixture.a);
}

RIGHT(waits_for_an_event) {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    cudaEventRecord(fixture.event, fixture.a);
    cudaStreamWaitEvent(fixture.b, fixture.event, 0);
    fixture.read(fixture.x, fixture.y, fixture.b);
}

RIGHT(waits_through_a_third_stream) {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    cudaEventRecord(fixture.event, fixture.a);
    cudaStreamWaitEvent(cudaStreamPerThread, fixture.event, 0);
    cudaEventRecord(fixture.event, cudaStreamPerThread);
    cudaStreamWaitEvent(fixture.b, fixture.event, 0);
    fixture.read(fixture.x, fixture.y, fixture.b);
}

RIGHT(host_waits_for_the_device) {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    cudaDeviceSynchronize();
    fixture.read(fixture.x, fixture.y, fixture.b);
}

RIGHT(host_waits_for_the_stream) {
    Fixture fixture(cudaStreamNonBlocking);
    fixture.write(fixture.x, fixture.a);
    cudaStreamSynchronize(fixture.a);
    fixture.read(fixture.x, fixture.y, fixture.b);
}

RIGHT(host_waits_for_the_event) {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    cudaEventRecord(fixture.event, fixture.a);
    cudaEventSynchronize(fixture.event);
    fixture.read(fixture.x, fixture.y, fixture.b);
}

RIGHT(host_asks_until_it_is_done) {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    cudaEventRecord(fixture.event, fixture.a);
    while (cudaEventQuery(fixture.event) == cudaErrorNotReady)
        ;
    fixture.read(fixture.x, fixture.y, fixture.b);
    while (cudaStreamQuery(fixture.b) == cudaErrorNotReady)
        ;
    fixture.write(fixture.x, fixture.a);
}

RIGHT(default_stream_waits) {
    Fixture fixture;
    fixture.write(fixture.x, fixture.a);
    fixture.read(fixture.x, fixture.y, 0);
    fixture.read(fixture.y, fixture.z, fixture.b);
}

RIGHT(copy_on_the_host_waits) {
    Fixture fixture;
    static int host[N];
    fixture.write(fixture.x, fixture.a);
    cudaMemcpy(host, fixture.x, sizeof host, cudaMemcpyDeviceToHost);
    fixture.read(fixture.y, fixture.x, fixture.b);
}

RIGHT(both_read) {
    Fixture fixture;
    fixture.read(fixture.x, fixture.y, fixture.a);
    fixture.read(fixture.x, fixture.z, fixture.b);
    cudaMemcpyAsync(fixture.pinned, fixture.x, N * sizeof *fixture.x, cudaMemcpyDeviceToHost,
                    cudaStreamPerThread);
}

RIGHT(both_add) {
    Fixture fixture;
    add<<<N / BLOCK, BLOCK, 0, fixture.a>>>(fixture.x, N);
    add<<<N / BLOCK, BLOCK, 0, fixture.b>>>(fixture.x, N);
}

RIGHT(bytes_of_one_word) {
    Fixture fixture;
    put_bytes<<<1, 64, 0, fixture.a>>>((char *)fixture.x, 0);
    put_bytes<<<1, 64, 0, fixture.b>>>((char *)fixture.x, 2);
}

RIGHT(chunks_are_apart) {
    Fixture fixture;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < CHUNKS; i++) {
            cudaStream_t stream = i % 2 ? fixture.a : fixture.b;
            int *x = fixture.x + i * CHUNK, *y = fixture.y + i * CHUNK;
            cudaMemcpyAsync(x, fixture.pinned + i * CHUNK, CHUNK * sizeof *x, cudaMemcpyHostToDevice,
                            stream);
            get<<<CHUNK / BLOCK, BLOCK, 0, stream>>>(x, y, CHUNK);
            cudaMemcpyAsync(fixture.pinned + i * CHUNK, y, CHUNK * sizeof *y, cudaMemcpyDeviceToHost,
                            stream);
        }
}

RIGHT(parts_and_meets_again) {
    Fixture fixture;
    for (int round = 0; round < 400; round++) {
        put<<<1, 32, 0, fixture.a>>>(fixture.x, 32);
        cudaEventRecord(fixture.event, fixture.a);
        cudaStreamWaitEvent(fixture.b, fixture.event, 0);
        get<<<1, 32, 0, fixture.a>>>(fixture.x, fixture.y, 32);
        get<<<1, 32, 0, fixture.b>>>(fixture.x, fixture.z, 32);
        cudaEventRecord(fixture.event, fixture.b);
        cudaStreamWaitEvent(fixture.a, fixture.event, 0);
    }
}

RIGHT(pool_in_order) {
    Fixture fixture;
    int *mine;
    cudaMallocAsync(&mine, N * sizeof *mine, fixture.a);
    fixture.write(mine, fixture.a);
    cudaEventRecord(fixture.event, fixture.a);
    cudaStreamWaitEvent(fixture.b, fixture.event, 0);
    fixture.read(mine, fixture.x, fixture.b);
    cudaFreeAsync(mine, fixture.b);
}

RIGHT(default_stream_waits_for_what_is_destroyed) {
    Fixture fixture;
    cudaStream_t c;
    cudaStreamCreate(&c);
    fixture.write(fixture.x, c);
    cudaStreamDestroy(c);
    fixture.read(fixture.x, fixture.y, NULL);
}

RIGHT(device_waits_for_what_is_destroyed) {
    Fixture fixture;
    cudaStream_t c;
    cudaStreamCreate(&c);
    fixture.write(fixture.x, c);
    cudaStreamDestroy(c);
    cudaDeviceSynchronize();
    fixture.read(fixture.x, fixture.y, fixture.a);
}

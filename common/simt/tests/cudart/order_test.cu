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
struct Rig {
    cudaStream_t a, b;
    cudaEvent_t event;
    int *x, *y, *z, *pinned;
    Rig(unsigned flags = cudaStreamDefault) {
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
    ~Rig() {
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
    Rig rig;
    rig.write(rig.x, rig.a);
    rig.read(rig.x, rig.y, rig.b);
}

WRONG(reads_and_writes, "of put writes", "of get reads") {
    Rig rig;
    rig.read(rig.x, rig.y, rig.a);
    rig.write(rig.x, rig.b);
}

WRONG(both_write, "of put writes", "of get writes") {
    Rig rig;
    rig.write(rig.x, rig.a);
    rig.read(rig.y, rig.x, rig.b);
}

WRONG(records_too_early, "of put writes", "of get reads") {
    Rig rig;
    cudaEventRecord(rig.event, rig.a);
    rig.write(rig.x, rig.a);
    cudaStreamWaitEvent(rig.b, rig.event, 0);
    rig.read(rig.x, rig.y, rig.b);
}

WRONG(never_records, "of put writes", "of get reads") {
    Rig rig;
    rig.write(rig.x, rig.a);
    cudaStreamWaitEvent(rig.b, rig.event, 0);
    rig.read(rig.x, rig.y, rig.b);
}

WRONG(waits_for_the_wrong_stream, "of put writes", "of get reads") {
    Rig rig;
    rig.write(rig.x, rig.a);
    rig.write(rig.y, rig.b);
    cudaStreamSynchronize(rig.b);
    rig.read(rig.x, rig.z, rig.b);
}

WRONG(default_stream_does_not_wait, "of put writes", "of get reads") {
    Rig rig(cudaStreamNonBlocking);
    rig.write(rig.x, rig.a);
    rig.read(rig.x, rig.y, 0);
}

WRONG(thread_has_its_own_stream, "of put writes", "of get reads") {
    Rig rig;
    rig.write(rig.x, cudaStreamPerThread);
    rig.read(rig.x, rig.y, rig.a);
}

WRONG(copies_in_another_stream, "copy (cudaMemcpy) writes", "of get reads") {
    Rig rig;
    rig.load(rig.x, rig.a);
    rig.read(rig.x, rig.y, rig.b);
}

WRONG(copies_back_too_early, "of put writes", "copy (cudaMemcpy) reads") {
    Rig rig;
    rig.write(rig.x, rig.a);
    rig.store(rig.x, rig.b);
}

WRONG(copies_twice_to_one_place, "copy (cudaMemcpy)", "copy (cudaMemcpy)") {
    Rig rig;
    rig.load(rig.x, rig.a);
    cudaMemcpyAsync(rig.x, rig.y, N * sizeof *rig.x, cudaMemcpyDeviceToDevice, rig.b);
}

WRONG(clears_while_it_writes, "of put writes", "fill (cudaMemset) writes") {
    Rig rig;
    rig.write(rig.x, rig.a);
    cudaMemsetAsync(rig.x, 0, N * sizeof *rig.x, rig.b);
}

WRONG(copies_managed_memory, "of put writes", "copy (cudaMemcpy)") {
    Rig rig;
    int *shared;
    cudaMallocManaged(&shared, N * sizeof *shared);
    rig.write(shared, rig.a);
    cudaMemcpyAsync(rig.x, shared, N * sizeof *shared, cudaMemcpyDefault, rig.b);
    cudaFree(shared);
}

WRONG(chunks_overlap, "copy (cudaMemcpy)", "of smooth reads") {
    Rig rig;
    for (int i = 0; i < CHUNKS; i++) {
        cudaStream_t stream = i % 2 ? rig.a : rig.b;
        cudaMemcpyAsync(rig.x + i * CHUNK, rig.pinned + i * CHUNK, CHUNK * sizeof *rig.x,
                        cudaMemcpyHostToDevice, stream);
        smooth<<<CHUNK / BLOCK, BLOCK, 0, stream>>>(rig.x, rig.y, i * CHUNK, CHUNK, N);
    }
}

WRONG(uses_before_it_is_there, "cudaMallocAsync", "of put writes") {
    Rig rig;
    int *mine;
    cudaMallocAsync(&mine, N * sizeof *mine, rig.a);
    rig.write(mine, rig.b);
    cudaDeviceSynchronize();
    cudaFree(mine);
}

WRONG(destroys_and_goes_on, "of put writes", "of get reads") {
    Rig rig;
    cudaStream_t c;
    cudaStreamCreate(&c);
    rig.write(rig.x, c);
    cudaStreamDestroy(c);
    rig.read(rig.x, rig.y, rig.a);
}

WRONG(third_of_three_is_forgotten, "of put writes", "of get reads") {
    Rig rig;
    rig.read(rig.x, rig.y, rig.a);
    rig.read(rig.x, rig.z, rig.b);
    cudaEventRecord(rig.event, rig.b);
    cudaStreamWaitEvent(cudaStreamPerThread, rig.event, 0);
    rig.write(rig.x, cudaStreamPerThread);
}

// Run in another order, it loses the context.
extern "C" void frees_too_early(void) {
    Rig rig;
    int *mine;
    cudaMallocAsync(&mine, N * sizeof *mine, rig.a);
    rig.write(mine, rig.a);
    cudaEventRecord(rig.event, rig.a);
    cudaStreamWaitEvent(rig.b, rig.event, 0);
    rig.read(mine, rig.x, rig.b);
    cudaFreeAsync(mine, rig.a);
}

RIGHT(waits_for_an_event) {
    Rig rig;
    rig.write(rig.x, rig.a);
    cudaEventRecord(rig.event, rig.a);
    cudaStreamWaitEvent(rig.b, rig.event, 0);
    rig.read(rig.x, rig.y, rig.b);
}

RIGHT(waits_through_a_third_stream) {
    Rig rig;
    rig.write(rig.x, rig.a);
    cudaEventRecord(rig.event, rig.a);
    cudaStreamWaitEvent(cudaStreamPerThread, rig.event, 0);
    cudaEventRecord(rig.event, cudaStreamPerThread);
    cudaStreamWaitEvent(rig.b, rig.event, 0);
    rig.read(rig.x, rig.y, rig.b);
}

RIGHT(host_waits_for_the_device) {
    Rig rig;
    rig.write(rig.x, rig.a);
    cudaDeviceSynchronize();
    rig.read(rig.x, rig.y, rig.b);
}

RIGHT(host_waits_for_the_stream) {
    Rig rig(cudaStreamNonBlocking);
    rig.write(rig.x, rig.a);
    cudaStreamSynchronize(rig.a);
    rig.read(rig.x, rig.y, rig.b);
}

RIGHT(host_waits_for_the_event) {
    Rig rig;
    rig.write(rig.x, rig.a);
    cudaEventRecord(rig.event, rig.a);
    cudaEventSynchronize(rig.event);
    rig.read(rig.x, rig.y, rig.b);
}

RIGHT(host_asks_until_it_is_done) {
    Rig rig;
    rig.write(rig.x, rig.a);
    cudaEventRecord(rig.event, rig.a);
    while (cudaEventQuery(rig.event) == cudaErrorNotReady)
        ;
    rig.read(rig.x, rig.y, rig.b);
    while (cudaStreamQuery(rig.b) == cudaErrorNotReady)
        ;
    rig.write(rig.x, rig.a);
}

RIGHT(default_stream_waits) {
    Rig rig;
    rig.write(rig.x, rig.a);
    rig.read(rig.x, rig.y, 0);
    rig.read(rig.y, rig.z, rig.b);
}

RIGHT(copy_on_the_host_waits) {
    Rig rig;
    static int host[N];
    rig.write(rig.x, rig.a);
    cudaMemcpy(host, rig.x, sizeof host, cudaMemcpyDeviceToHost);
    rig.read(rig.y, rig.x, rig.b);
}

RIGHT(both_read) {
    Rig rig;
    rig.read(rig.x, rig.y, rig.a);
    rig.read(rig.x, rig.z, rig.b);
    cudaMemcpyAsync(rig.pinned, rig.x, N * sizeof *rig.x, cudaMemcpyDeviceToHost,
                    cudaStreamPerThread);
}

RIGHT(both_add) {
    Rig rig;
    add<<<N / BLOCK, BLOCK, 0, rig.a>>>(rig.x, N);
    add<<<N / BLOCK, BLOCK, 0, rig.b>>>(rig.x, N);
}

RIGHT(bytes_of_one_word) {
    Rig rig;
    put_bytes<<<1, 64, 0, rig.a>>>((char *)rig.x, 0);
    put_bytes<<<1, 64, 0, rig.b>>>((char *)rig.x, 2);
}

RIGHT(chunks_are_apart) {
    Rig rig;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < CHUNKS; i++) {
            cudaStream_t stream = i % 2 ? rig.a : rig.b;
            int *x = rig.x + i * CHUNK, *y = rig.y + i * CHUNK;
            cudaMemcpyAsync(x, rig.pinned + i * CHUNK, CHUNK * sizeof *x, cudaMemcpyHostToDevice,
                            stream);
            get<<<CHUNK / BLOCK, BLOCK, 0, stream>>>(x, y, CHUNK);
            cudaMemcpyAsync(rig.pinned + i * CHUNK, y, CHUNK * sizeof *y, cudaMemcpyDeviceToHost,
                            stream);
        }
}

RIGHT(parts_and_meets_again) {
    Rig rig;
    for (int round = 0; round < 400; round++) {
        put<<<1, 32, 0, rig.a>>>(rig.x, 32);
        cudaEventRecord(rig.event, rig.a);
        cudaStreamWaitEvent(rig.b, rig.event, 0);
        get<<<1, 32, 0, rig.a>>>(rig.x, rig.y, 32);
        get<<<1, 32, 0, rig.b>>>(rig.x, rig.z, 32);
        cudaEventRecord(rig.event, rig.b);
        cudaStreamWaitEvent(rig.a, rig.event, 0);
    }
}

RIGHT(pool_in_order) {
    Rig rig;
    int *mine;
    cudaMallocAsync(&mine, N * sizeof *mine, rig.a);
    rig.write(mine, rig.a);
    cudaEventRecord(rig.event, rig.a);
    cudaStreamWaitEvent(rig.b, rig.event, 0);
    rig.read(mine, rig.x, rig.b);
    cudaFreeAsync(mine, rig.b);
}

RIGHT(device_waits_for_what_is_destroyed) {
    Rig rig;
    cudaStream_t c;
    cudaStreamCreate(&c);
    rig.write(rig.x, c);
    cudaStreamDestroy(c);
    cudaDeviceSynchronize();
    rig.read(rig.x, rig.y, rig.a);
}

// Chunks of an array go there and back over several streams while kernels work; another stream adds up
// what is ready, by events, and the null stream waits for the blocking streams as it must.
#include "program.cuh"

constexpr int CHUNKS = 6, CHUNK = 2048, STREAMS = 3;

__global__ void square(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * in[i];
}

__global__ void add_up(const int *x, unsigned *sum)
{
    unsigned mine = 0;
    for (int i = threadIdx.x; i < CHUNK; i += blockDim.x)
        mine += x[i];
    for (int offset = 16; offset > 0; offset /= 2)
        mine += __shfl_down_sync(~0u, mine, offset);
    if (threadIdx.x == 0)
        *sum += mine;
}

static void CUDART_CB count(void *times) { ++*(int *)times; }

int main()
{
    const size_t bytes = CHUNK * sizeof(int);
    int *h_in, *h_out, *d_in, *d_out, times = 0;
    unsigned *d_sum, sum, expected = 0;
    cudaStream_t streams[STREAMS], adder;
    cudaEvent_t squared[CHUNKS], begun, ended;
    CHECK(cudaHostAlloc(&h_in, CHUNKS * bytes, cudaHostAllocDefault));
    CHECK(cudaHostAlloc(&h_out, CHUNKS * bytes, cudaHostAllocDefault));
    CHECK(cudaMalloc(&d_in, STREAMS * bytes)); // a stream's own place, used again by its next chunk
    CHECK(cudaMalloc(&d_out, CHUNKS * bytes));
    CHECK(cudaMalloc(&d_sum, sizeof sum));
    for (int i = 0; i < CHUNKS * CHUNK; i++)
        h_in[i] = i % 301;
    for (cudaStream_t &stream : streams)
        CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreateWithFlags(&adder, cudaStreamNonBlocking));
    for (cudaEvent_t &event : squared)
        CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&begun));
    CHECK(cudaEventCreate(&ended));
    CHECK(cudaEventRecord(begun, adder));
    CHECK(cudaMemsetAsync(d_sum, 0, sizeof sum, adder));
    for (int c = 0; c < CHUNKS; c++) {
        cudaStream_t stream = streams[c % STREAMS];
        int *in = d_in + c % STREAMS * CHUNK, *out = d_out + c * CHUNK;
        CHECK(cudaMemcpyAsync(in, h_in + c * CHUNK, bytes, cudaMemcpyHostToDevice, stream));
        square<<<CHUNK / 256, 256, 0, stream>>>(in, out);
        CHECK(cudaEventRecord(squared[c], stream));
        CHECK(cudaMemcpyAsync(h_out + c * CHUNK, out, bytes, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamWaitEvent(adder, squared[c], 0));
        add_up<<<1, 32, 0, adder>>>(out, d_sum);
        CHECK(cudaLaunchHostFunc(adder, count, &times));
    }
    CHECK(cudaEventRecord(ended, adder));
    CHECK(cudaEventSynchronize(ended));
    CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost)); // null stream: after the three
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < CHUNKS * CHUNK; i++) {
        EXPECT(h_out[i] == h_in[i] * h_in[i]);
        expected += h_out[i];
    }
    EXPECT(sum == expected && times == CHUNKS);
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, begun, ended));
    EXPECT(ms > 0);
    for (cudaStream_t stream : streams) {
        EXPECT(cudaStreamQuery(stream) == cudaSuccess);
        CHECK(cudaStreamDestroy(stream));
    }
    CHECK(cudaStreamDestroy(adder));
    for (cudaEvent_t event : squared)
        CHECK(cudaEventDestroy(event));
    CHECK(cudaEventDestroy(begun));
    CHECK(cudaEventDestroy(ended));
    CHECK(cudaFreeHost(h_in));
    CHECK(cudaFreeHost(h_out));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_sum));
    printf("%d chunks: %u\n", CHUNKS, sum);
    return 0;
}

// Wrong: the class that frees its memory in the destructor is passed by value; the parameter's destructor frees the memory while it is still needed, and it is freed twice.
// Kind: memory leak
#include "first_kernel.h"

extern "C" const int predicted_blocks = -1;
extern "C" const int predicted_idle_threads = -1;
extern "C" const int predicted_picture_blocks = -1;
extern "C" const int predicted_numbers_of_a_thread = -1;

class DeviceInts {
  public:
    explicit DeviceInts(size_t n) : bytes(n * sizeof(int)), error(cudaMalloc(&data, bytes)) {}
    ~DeviceInts() { if (error == cudaSuccess) cudaFree(data); }
    int *data = nullptr;
    size_t bytes;
    cudaError_t error;
};

static cudaError_t upload(DeviceInts to, const int *from) {
    return cudaMemcpy(to.data, from, to.bytes, cudaMemcpyHostToDevice);
}

static cudaError_t download(int *to, const DeviceInts &from) {
    return cudaMemcpy(to, from.data, from.bytes, cudaMemcpyDeviceToHost);
}

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    const auto i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    const auto blocks = (n + block - 1) / block;
    if (blocks > 0x7fffffffu)
        return cudaErrorInvalidConfiguration;
    scale_kernel<<<static_cast<unsigned>(blocks), block>>>(in, n, factor, out);
    return cudaGetLastError();
}

static cudaError_t whole_program(const int *in, size_t n, int factor, int *out) {
    DeviceInts a(n);
    if (a.error) return a.error;
    DeviceInts b(n);
    if (b.error) return b.error;
    if (cudaError_t e = upload(a, in)) return e;
    if (cudaError_t e = scale(a.data, n, factor, 256, b.data)) return e;
    return download(out, b);
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    if (n == 0)
        return cudaSuccess;
    const cudaError_t e = whole_program(in, n, factor, out);
    if (e != cudaSuccess)
        cudaGetLastError();
    return e;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    const uint2 at = make_uint2(blockIdx.x * blockDim.x + threadIdx.x,
                                blockIdx.y * blockDim.y + threadIdx.y);
    if (at.x < width && at.y < height) {
        auto *from = reinterpret_cast<const int *>(reinterpret_cast<const char *>(in) + at.y * pitch);
        auto *to = reinterpret_cast<int *>(reinterpret_cast<char *>(out) + at.y * pitch);
        to[at.x] = 255 - from[at.x];
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width == 0 || height == 0)
        return cudaSuccess;
    negative_kernel<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(in, width, height,
                                                                              pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    const auto step = size_t{gridDim.x} * blockDim.x;
    for (auto i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

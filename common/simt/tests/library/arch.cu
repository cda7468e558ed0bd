// CUB and Thrust ask for the kernel's own architecture (cudaFuncAttributes.ptxVersion) and choose the
// launch's shape by it. 0 where all results are right, 3 where the device can't run the program's PTX.
#include "check.h"

#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <numeric>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

__global__ void empty_kernel() {}

// Calls an algorithm of CUB twice: for the size of its temporary storage, then with it.
template <class Algorithm> static bool goes_well(Algorithm algorithm) {
    void *storage = nullptr;
    size_t bytes = 0;
    bool good = algorithm(storage, bytes) == cudaSuccess;
    good = good && cudaMalloc(&storage, bytes) == cudaSuccess;
    good = good && algorithm(storage, bytes) == cudaSuccess;
    return cudaFree(storage) == cudaSuccess && good;
}

static std::vector<int> fetched(const thrust::device_vector<int> &device) {
    std::vector<int> host(device.size());
    thrust::copy(device.begin(), device.end(), host.begin());
    return host;
}

int main() {
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, empty_kernel);
    if (error == cudaErrorNoKernelImageForDevice)
        return 3;
    must(error, "attributes");
    int device_arch, minor;
    must(cudaDeviceGetAttribute(&device_arch, cudaDevAttrComputeCapabilityMajor, 0), "major");
    must(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "minor");
    device_arch = 10 * device_arch + minor;
    bool right = holds(attributes.ptxVersion == ARCH, "ptxVersion", attributes.ptxVersion);
    right &= holds(attributes.binaryVersion == device_arch, "binaryVersion",
                   attributes.binaryVersion);

    std::vector<int> in = numbers(10007), sums(in.size()), sorted = in;
    std::inclusive_scan(in.begin(), in.end(), sums.begin(), std::plus<unsigned>());
    std::sort(sorted.begin(), sorted.end());
    const int n = static_cast<int>(in.size());
    const thrust::device_vector<int> d_in = in;
    thrust::device_vector<int> d_out(n);
    const int *from = thrust::raw_pointer_cast(d_in.data());
    int *to = thrust::raw_pointer_cast(d_out.data());

    right &= holds(goes_well([&](void *storage, size_t &bytes) {
                       return cub::DeviceReduce::Sum(storage, bytes, from, to, n);
                   }) && d_out[0] == sums.back(), "cub::DeviceReduce", n);
    right &= holds(goes_well([&](void *storage, size_t &bytes) {
                       return cub::DeviceScan::InclusiveSum(storage, bytes, from, to, n);
                   }) && std::equal(sums.begin(), sums.end(), d_out.begin()), "cub::DeviceScan", n);
    right &= holds(thrust::reduce(d_in.begin(), d_in.end()) == sums.back(), "thrust::reduce", n);
    thrust::inclusive_scan(d_in.begin(), d_in.end(), d_out.begin());
    right &= holds(fetched(d_out) == sums, "thrust::inclusive_scan", n);
    d_out = d_in;
    thrust::sort(d_out.begin(), d_out.end());
    right &= holds(fetched(d_out) == sorted, "thrust::sort", n);
    return right ? 0 : 1;
}

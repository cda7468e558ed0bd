/*
 * Times the model answers' sums and scans beside the device's copy and CUB: in one process, on the
 * same buffers, with cold caches, in turns, so that all meet the same clock. Each result is checked.
 * Prints a table: lab,n,ms,gbps,copy_gbps. Exit code 1 where a result is wrong.
 *
 *   ladder FOLDER [POWER…]     FOLDER has the model answers as 01.so to 04.so, 10.so, 11.so and 14.so;
 *                              n = 2^POWER, if not given 2^20 to 2^30 by fours
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <vector>

#include "timing.cuh"

enum { ROUNDS = 15, BLOCK = 512, SCAN_BLOCK = 128 }; /* blocks as in the labs' speed tests */

/* The entry point of a model answer. */
static void *find(const char *folder, const char *lab, const char *function) {
    std::string path = std::string(folder) + "/" + lab + ".so";
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void *found = library != nullptr ? dlsym(library, function) : nullptr;

    if (found == nullptr) {
        fprintf(stderr, "ladder: %s\n", dlerror());
        exit(1);
    }
    return found;
}

typedef cudaError_t sum_ints(const int *, size_t, unsigned, int *, int *);
typedef cudaError_t sum_floats(const float *, size_t, unsigned, float *);
typedef cudaError_t scan_ints(const int *, size_t, unsigned, int *, int *);
typedef cudaError_t scan_words(const int *, size_t, unsigned, unsigned long long *, int *);
typedef cudaError_t any_means(const int *, size_t, unsigned long long *, int *);

/* Buffers of the largest size, as all contenders use them. `in` holds small whole numbers, as ints or
 * as floats, of either sign in turns: sums of floats are exact. */
static int *in, *out, *scratch, *sum;
static void *spare, *flush;
static size_t spare_bytes, flush_bytes = 256 << 20;

enum kind { INTS, FLOATS, SCAN, COPY };

/* One contender. `run` enqueues one call. */
struct contender {
    const char *name;
    kind what;
    std::function<cudaError_t(size_t n)> run;
};

__global__ void fill_kernel(int *to, size_t n, bool as_float) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned x = (unsigned)(i / 2) * 0x9e3779b9u;
        int value = (int)((x ^ x >> 15) >> 20 & 1023) + 1;

        value = i % 2 == 0 ? value : (i % 65536 == 1) - value; /* pairs come to 0, or few to 1 */
        to[i] = as_float ? __float_as_int((float)value) : value;
    }
}

__global__ void compare_kernel(const int *a, const int *b, size_t n, unsigned *differ) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        if (a[i] != b[i])
            atomicAdd(differ, 1u);
}

static int sum_on_device() {
    int got;

    must(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
    return got;
}

/* Right results, by CUB. */
struct right {
    int sum;
    int *scan;
};

/* True where the call's result is the right one. */
static bool is_right(const contender &c, size_t n, const right &right) {
    static unsigned *n_differ;
    unsigned differ = 0;

    if (c.what == INTS || c.what == FLOATS) {
        must(cudaMemset(sum, 0x55, sizeof *sum));
        must(c.run(n));
        int got = sum_on_device();
        return c.what == INTS ? got == right.sum : *(float *)&got == (float)right.sum;
    }
    if (n_differ == nullptr)
        must(cudaMalloc(&n_differ, sizeof *n_differ));
    must(cudaMemset(out, 0x55, n * sizeof *out));
    must(c.run(n));
    must(cudaMemset(n_differ, 0, sizeof *n_differ));
    compare_kernel<<<1024, 256>>>(out, c.what == COPY ? in : right.scan, n, n_differ);
    must(cudaMemcpy(&differ, n_differ, sizeof differ, cudaMemcpyDeviceToHost));
    return differ == 0;
}

/* The contenders in turns, by what they need in `in`; false where one is wrong. */
static bool measure(const std::vector<contender> &all, size_t n, int *right_scan) {
    std::vector<std::vector<float>> ms(all.size());
    right right = {0, right_scan};
    bool is_good = true;
    double copy_gbps = 0;

    for (int as_float = 0; as_float < 2; as_float++) {
        fill_kernel<<<2048, 256>>>(in, n, as_float != 0);
        if (!as_float) {
            must(cub::DeviceReduce::Sum(spare, spare_bytes, in, sum, n));
            right.sum = sum_on_device();
            must(cub::DeviceScan::InclusiveSum(spare, spare_bytes, in, right_scan, n));
        }
        for (size_t k = 0; k < all.size(); k++)
            if ((all[k].what == FLOATS) == (as_float != 0) && !is_right(all[k], n, right)) {
                fprintf(stderr, "ladder: %s is wrong at n = %zu\n", all[k].name, n);
                is_good = false;
            }
        for (int round = 0; round < ROUNDS; round++)
            for (size_t k = 0; k < all.size(); k++)
                if ((all[k].what == FLOATS) == (as_float != 0))
                    ms[k].push_back(cold_ms(flush, flush_bytes, [&] { must(all[k].run(n)); }));
    }
    for (size_t k = 0; k < all.size(); k++) {
        std::sort(ms[k].begin(), ms[k].end());
        double median = ms[k][ROUNDS / 2], words = all[k].what >= SCAN ? 2.0 * n : 1.0 * n;
        double gbps = 4 * words / median * 1e-6;

        copy_gbps = k == 0 ? gbps : copy_gbps; /* the copy comes first */
        printf("%s,%zu,%.4f,%.1f,%.1f\n", all[k].name, n, median, gbps, copy_gbps);
    }
    fflush(stdout);
    return is_good;
}

static std::vector<contender> contenders(const char *folder) {
    sum_ints *divergent = (sum_ints *)find(folder, "01", "sum_divergent");
    sum_ints *strided = (sum_ints *)find(folder, "02", "sum_strided");
    sum_ints *halving = (sum_ints *)find(folder, "02", "sum_halving");
    sum_floats *grid = (sum_floats *)find(folder, "03", "sum_grid");
    scan_ints *scan = (scan_ints *)find(folder, "04", "scan_inclusive");
    scan_words *single_pass = (scan_words *)find(folder, "11", "scan_look_back");
    scan_ints *by_warps = (scan_ints *)find(folder, "10", "scan_inclusive");
    any_means *sum_fast = (any_means *)find(folder, "14", "sum_fast");
    any_means *scan_fast = (any_means *)find(folder, "14", "scan_fast");

    return {
        {"copy", COPY,
         [](size_t n) { return cudaMemcpyAsync(out, in, 4 * n, cudaMemcpyDeviceToDevice); }},
        {"01", INTS, [=](size_t n) { return divergent(in, n, BLOCK, scratch, sum); }},
        {"02 strided", INTS, [=](size_t n) { return strided(in, n, BLOCK, scratch, sum); }},
        {"02", INTS, [=](size_t n) { return halving(in, n, BLOCK, scratch, sum); }},
        {"03", FLOATS,
         [=](size_t n) { return grid((const float *)in, n, BLOCK, (float *)sum); }},
        {"14 sum", INTS, [=](size_t n) { return sum_fast(in, n, (unsigned long long *)scratch, sum); }},
        {"CUB reduce", FLOATS,
         [](size_t n) {
             return cub::DeviceReduce::Sum(spare, spare_bytes, (const float *)in, (float *)sum, n);
         }},
        {"04", SCAN, [=](size_t n) { return scan(in, n, SCAN_BLOCK, scratch, out); }},
        {"10", SCAN, [=](size_t n) { return by_warps(in, n, SCAN_BLOCK, scratch, out); }},
        {"11", SCAN,
         [=](size_t n) {
             return single_pass(in, n, BLOCK, (unsigned long long *)scratch, out);
         }},
        {"14 scan", SCAN,
         [=](size_t n) { return scan_fast(in, n, (unsigned long long *)scratch, out); }},
        {"CUB scan", SCAN,
         [](size_t n) { return cub::DeviceScan::InclusiveSum(spare, spare_bytes, in, out, n); }},
        {"04 in 256", SCAN, [=](size_t n) { return scan(in, n, 256, scratch, out); }},
        {"04 in 512", SCAN, [=](size_t n) { return scan(in, n, 512, scratch, out); }},
        {"04 in 1024", SCAN, [=](size_t n) { return scan(in, n, 1024, scratch, out); }},
        {"10 in 256", SCAN, [=](size_t n) { return by_warps(in, n, 256, scratch, out); }},
        {"10 in 512", SCAN, [=](size_t n) { return by_warps(in, n, 512, scratch, out); }},
        {"10 in 1024", SCAN, [=](size_t n) { return by_warps(in, n, 1024, scratch, out); }},
    };
}

int main(int argc, char **argv) {
    std::vector<int> powers = {20, 22, 24, 26, 28, 30};
    size_t most = 0, need = 0;
    bool is_good = true;
    int *right_scan;

    if (argc < 2)
        return 2;
    if (argc > 2)
        powers.clear();
    for (int i = 2; i < argc; i++)
        powers.push_back(atoi(argv[i]));
    for (int power : powers)
        most = std::max(most, (size_t)1 << power);
    must(cudaMalloc(&in, 4 * most));
    must(cudaMalloc(&out, 4 * most));
    must(cudaMalloc(&right_scan, 4 * most));
    must(cudaMalloc(&scratch, most + (1 << 20)));
    must(cudaMalloc(&flush, flush_bytes));
    must(cudaMalloc(&sum, sizeof *sum));
    must(cub::DeviceScan::InclusiveSum(nullptr, spare_bytes, in, out, most));
    must(cub::DeviceReduce::Sum(nullptr, need, (const float *)in, (float *)sum, most));
    spare_bytes = std::max(spare_bytes, need);
    must(cudaMalloc(&spare, spare_bytes));
    std::vector<contender> all = contenders(argv[1]);
    printf("lab,n,ms,gbps,copy_gbps\n");
    for (int power : powers)
        is_good &= measure(all, (size_t)1 << power, right_scan);
    return is_good ? 0 : 1;
}

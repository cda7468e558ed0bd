// Kernels as a first course writes them, whose accesses to memory have other shapes than the sums':
// one address for all lanes, neighbours in three dimensions, a row a thread, tiles of 16 and of 32,
// atomics wherever the data say. All take two inputs, an output, and a length.

enum { BINS = 256 };

// Every thread adds up what all bodies do to its own.
extern "C" __global__ void nbody(const float4 *bodies, const float *, float4 *forces, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 own = bodies[i];
    float x = 0, y = 0, z = 0;
    for (unsigned j = 0; j < n; j++) {
        float4 other = bodies[j];
        float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-9f);
        float pull = other.w * inverse * inverse * inverse;
        x += pull * dx;
        y += pull * dy;
        z += pull * dz;
    }
    forces[i] = make_float4(x, y, z, 0);
}

// The mean of a point of a cube and its six neighbours.
extern "C" __global__ void stencil(const float *in, const float *, float *out, unsigned n)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x == 0 || y == 0 || z == 0 || x >= n - 1 || y >= n - 1 || z >= n - 1)
        return;
    unsigned i = (z * n + y) * n + x;
    out[i] = (in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] +
              in[i + n * n]) / 7;
}

// A thread multiplies a row of the matrix by the vector.
extern "C" __global__ void matrix_vector(const float *a, const float *x, float *y, unsigned n)
{
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += a[row * n + i] * x[i];
    y[row] = sum;
}

// Each block counts for itself, then adds what it has to the sum of all.
extern "C" __global__ void histogram(const unsigned *data, const float *, unsigned *bins, unsigned n)
{
    __shared__ unsigned own[BINS];
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        own[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[data[i] % BINS], 1);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], own[i]);
}

template <int TILE>
__device__ void multiply(const float *a, const float *b, float *c, unsigned n)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    unsigned row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (unsigned tile = 0; tile < n; tile += TILE) {
        left[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void matrix_product_16(const float *a, const float *b, float *c, unsigned n)
{
    multiply<16>(a, b, c, n);
}

extern "C" __global__ void matrix_product_32(const float *a, const float *b, float *c, unsigned n)
{
    multiply<32>(a, b, c, n);
}

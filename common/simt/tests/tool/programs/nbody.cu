// Bodies that attract each other: float4 loads, a tile of positions in shared memory, rsqrtf.
#include "program.cuh"
#include <vector>

constexpr int BLOCK = 64;
constexpr float SOFTENING = 0.01f, DT = 0.01f;

__device__ float3 pull(float4 me, float4 other, float3 sum)
{
    float3 d = make_float3(other.x - me.x, other.y - me.y, other.z - me.z);
    float r = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + SOFTENING);
    float s = other.w * r * r * r;
    return make_float3(sum.x + d.x * s, sum.y + d.y * s, sum.z + d.z * s);
}

__global__ void accelerate(const float4 *bodies, float3 *velocity, int n)
{
    __shared__ float4 tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += BLOCK) {
        int j = base + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < BLOCK; k++)
            sum = pull(me, tile[k], sum);
        __syncthreads();
    }
    if (i < n) {
        velocity[i].x += sum.x * DT;
        velocity[i].y += sum.y * DT;
        velocity[i].z += sum.z * DT;
    }
}

__global__ void move(float4 *bodies, const float3 *velocity, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    float4 me = bodies[i];
    me.x += velocity[i].x * DT;
    me.y += velocity[i].y * DT;
    me.z += velocity[i].z * DT;
    bodies[i] = me;
}

int main()
{
    const int n = 150, steps = 3;
    std::vector<float4> bodies(n);
    std::vector<float3> speeds(n, make_float3(0, 0, 0)), got(n);
    unsigned seed = 11;
    auto unit = [&] { return (next_random(&seed) & 0xffff) / 65536.0f; };
    for (float4 &b : bodies)
        b = make_float4(unit(), unit(), unit(), unit());
    float4 *d_bodies;
    float3 *d_speeds;
    CHECK(cudaMalloc(&d_bodies, n * sizeof(float4)));
    CHECK(cudaMalloc(&d_speeds, n * sizeof(float3)));
    CHECK(cudaMemcpy(d_bodies, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_speeds, 0, n * sizeof(float3)));
    for (int s = 0; s < steps; s++) {
        accelerate<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_bodies, d_speeds, n);
        move<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_bodies, d_speeds, n);
        std::vector<float4> old = bodies;
        for (int i = 0; i < n; i++) {
            double x = 0, y = 0, z = 0;
            for (const float4 &o : old) {
                double dx = o.x - old[i].x, dy = o.y - old[i].y, dz = o.z - old[i].z;
                double w = o.w / pow(dx * dx + dy * dy + dz * dz + SOFTENING, 1.5);
                x += dx * w, y += dy * w, z += dz * w;
            }
            speeds[i].x += x * DT, speeds[i].y += y * DT, speeds[i].z += z * DT;
            bodies[i].x += speeds[i].x * DT;
            bodies[i].y += speeds[i].y * DT;
            bodies[i].z += speeds[i].z * DT;
        }
    }
    CHECK(cudaMemcpy(got.data(), d_speeds, n * sizeof(float3), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(is_near(got[i].x, speeds[i].x, 1e-3) && is_near(got[i].y, speeds[i].y, 1e-3) &&
               is_near(got[i].z, speeds[i].z, 1e-3));
    CHECK(cudaFree(d_bodies));
    CHECK(cudaFree(d_speeds));
    printf("%d bodies, %d steps\n", n, steps);
    return 0;
}

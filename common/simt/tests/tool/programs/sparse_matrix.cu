// A sparse matrix in rows times a vector: a warp a row, a sum by shuffles.
#include "program.cuh"
#include <vector>

__global__ void multiply(const int *starts, const int *columns, const double *values,
                         const double *x, double *y, int n_rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n_rows)
        return;
    double sum = 0;
    for (int i = starts[row] + lane; i < starts[row + 1]; i += 32)
        sum += values[i] * x[columns[i]];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        y[row] = sum;
}

template <typename T> static T *on_device(const std::vector<T> &h)
{
    T *d;
    CHECK(cudaMalloc(&d, h.size() * sizeof(T)));
    CHECK(cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}

int main()
{
    const int n = 301;
    std::vector<int> starts = {0}, columns;
    std::vector<double> values, x(n), y(n), expected(n);
    unsigned seed = 9;
    for (int row = 0; row < n; row++) {
        x[row] = 1 + row % 5;
        for (int c = row % 7; c < n; c += 1 + next_random(&seed) % 9) {
            columns.push_back(c);
            values.push_back(next_random(&seed) % 8);
        }
        starts.push_back((int)columns.size());
    }
    for (int row = 0; row < n; row++)
        for (int i = starts[row]; i < starts[row + 1]; i++)
            expected[row] += values[i] * x[columns[i]];
    int *d_starts = on_device(starts), *d_columns = on_device(columns);
    double *d_values = on_device(values), *d_x = on_device(x), *d_y = on_device(y);
    multiply<<<(n + 3) / 4, 128>>>(d_starts, d_columns, d_values, d_x, d_y, n);
    CHECK(cudaMemcpy(y.data(), d_y, n * sizeof(double), cudaMemcpyDeviceToHost));
    EXPECT(y == expected);
    for (void *p : {(void *)d_starts, (void *)d_columns, (void *)d_values, (void *)d_x, (void *)d_y})
        CHECK(cudaFree(p));
    printf("%zu elements in %d rows\n", values.size(), n);
    return 0;
}

// C++ on the device: new and delete, virtual functions, recursion, function pointers, templates.
#include "program.cuh"

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};

struct Square : Shape {
    float side;
    __device__ Square(float side) : side(side) {}
    __device__ float area() const override { return side * side; }
};

struct Rectangle : Shape {
    float a, b;
    __device__ Rectangle(float a, float b) : a(a), b(b) {}
    __device__ float area() const override { return a * b; }
};

__global__ void areas(float *out)
{
    int t = threadIdx.x;
    Shape *shape = t % 2 ? (Shape *)new Square(t) : (Shape *)new Rectangle(t, 2);
    out[t] = shape->area();
    delete shape;
}

struct Node {
    int value;
    Node *next;
};

// Each thread builds a list, sums it up and frees it.
__global__ void lists(int *out)
{
    Node *head = nullptr;
    for (int i = 0; i <= threadIdx.x; i++)
        head = new Node{i, head};
    int sum = 0;
    while (head) {
        Node *next = head->next;
        sum += head->value;
        delete head;
        head = next;
    }
    out[threadIdx.x] = sum;
}

__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

typedef int operation(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int squared(int x) { return x * x; }
__device__ operation *const operations[] = {twice, squared, fibonacci};

__global__ void apply(int *out, int which)
{
    out[threadIdx.x] = operations[(threadIdx.x + which) % 3](threadIdx.x);
}

template <typename T, int N> struct Matrix {
    T at[N][N];
    __device__ T trace() const
    {
        T sum = 0;
        for (int i = 0; i < N; i++)
            sum += at[i][i];
        return sum;
    }
};

template <typename T, int N> __global__ void traces(const Matrix<T, N> *m, T *out)
{
    out[threadIdx.x] = m[threadIdx.x].trace();
}

int main()
{
    const int n = 12, fibonaccis[n] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    float *d_areas, h_areas[n];
    int *d, h[n];
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
    CHECK(cudaMalloc(&d_areas, sizeof h_areas));
    CHECK(cudaMalloc(&d, sizeof h));
    areas<<<1, n>>>(d_areas);
    CHECK(cudaMemcpy(h_areas, d_areas, sizeof h_areas, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(h_areas[i] == (i % 2 ? i * i : 2 * i));
    lists<<<1, n>>>(d);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == i * (i + 1) / 2);
    apply<<<1, n>>>(d, 1);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == ((i + 1) % 3 == 0 ? 2 * i : (i + 1) % 3 == 1 ? i * i : fibonaccis[i]));
    Matrix<int, 3> h_matrices[n], *d_matrices;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 9; k++)
            h_matrices[i].at[k / 3][k % 3] = i + k;
    CHECK(cudaMalloc(&d_matrices, sizeof h_matrices));
    CHECK(cudaMemcpy(d_matrices, h_matrices, sizeof h_matrices, cudaMemcpyHostToDevice));
    traces<<<1, n>>>(d_matrices, d);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == 3 * i + 12);
    CHECK(cudaFree(d_areas));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_matrices));
    puts("C++ works");
    return 0;
}

/*
 * A program that has a function of cuBLAS within, as one that is linked statically.
 */
int cublasCreate_v2(void **handle);

int cublasCreate_v2(void **handle) {
    return *handle == (void *)0 ? 3 : 1;
}

int main(void) {
    void *handle = (void *)0;
    return cublasCreate_v2(&handle);
}

/*
 * A submission that calls a library of NVIDIA's, which nothing links it with.
 */
int cublasCreate_v2(void **handle);
int create_handle(void **handle);

int create_handle(void **handle) {
    return cublasCreate_v2(handle);
}

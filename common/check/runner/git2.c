/*
 * Stands in for libgit2 in labs' test programs. Criterion shows differences of texts by it, which
 * no lab's test asks for; but each test is a process of its own, and the real one brings a dozen
 * libraries and reads all the machine's certificates when it starts: a third of what a lab's tests
 * cost on the simulator.
 */
int git_libgit2_init(void);
int git_libgit2_shutdown(void);
int git_diff_buffers(void);

/* The number of times that it was started. */
int git_libgit2_init(void) {
    return 1;
}

int git_libgit2_shutdown(void) {
    return 0;
}

/* Refuses, as the real one does without memory; Criterion shows both texts then. */
int git_diff_buffers(void) {
    return -1;
}

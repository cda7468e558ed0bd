/*
 * A stand-in for Criterion where its runner can't work: it starts itself anew for each test, which
 * qemu does not follow. Here each test is a child made by fork. Only what the tests of the
 * simulator use, and TAP on standard output.
 */
#ifndef STAND_IN_CRITERION_H
#define STAND_IN_CRITERION_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct cr_test {
    const char *suite, *name;
    void (*run)(void);
    void (*init)(void), (*fini)(void);
    int signal, exit_code;
    double timeout;
    bool disabled;
    const char *description;
    struct cr_test *next;
};

__attribute__((weak)) struct cr_test *cr_tests;
__attribute__((weak)) int cr_failures;

#define Test(suite_, name_, ...)                                                                   \
    static void cr_##suite_##_##name_(void);                                                       \
    __attribute__((constructor)) static void cr_add_##suite_##_##name_(void) {                     \
        static struct cr_test test = {__VA_ARGS__};                                                \
        test.suite = #suite_;                                                                      \
        test.name = #name_;                                                                        \
        test.run = cr_##suite_##_##name_;                                                          \
        test.next = cr_tests;                                                                      \
        cr_tests = &test;                                                                          \
    }                                                                                              \
    static void cr_##suite_##_##name_(void)
/* The fixtures of a suite are not run: the tests clean up after themselves in their own child. */
#define TestSuite(...) _Static_assert(1, "")

#define CR_CHECK(holds, end, text)                                                                 \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            printf("# %s:%d: %s\n", __FILE__, __LINE__, text);                                     \
            cr_failures++;                                                                         \
            end;                                                                                   \
        }                                                                                          \
    } while (0)
#define CR_DIE                     (fflush(stdout), _exit(1))
#define cr_expect(holds, ...)      CR_CHECK(holds, (void)0, #holds)
#define cr_assert(holds, ...)      CR_CHECK(holds, CR_DIE, #holds)
#define cr_assert_fail(...)        CR_CHECK(false, CR_DIE, "fails")
#define cr_expect_not(holds, ...)  CR_CHECK(!(holds), (void)0, "not " #holds)
#define cr_expect_null(p, ...)     CR_CHECK((p) == NULL, (void)0, #p " is null")
#define cr_expect_not_null(p, ...) CR_CHECK((p) != NULL, (void)0, #p " is not null")
#define cr_assert_not_null(p, ...) CR_CHECK((p) != NULL, CR_DIE, #p " is not null")
#define cr_expect_eq(a, b, ...)    CR_CHECK((a) == (b), (void)0, #a " == " #b)
#define cr_expect_neq(a, b, ...)   CR_CHECK((a) != (b), (void)0, #a " != " #b)
#define cr_expect_lt(a, b, ...)    CR_CHECK((a) < (b), (void)0, #a " < " #b)
#define cr_expect_leq(a, b, ...)   CR_CHECK((a) <= (b), (void)0, #a " <= " #b)
#define cr_expect_gt(a, b, ...)    CR_CHECK((a) > (b), (void)0, #a " > " #b)
#define cr_expect_geq(a, b, ...)   CR_CHECK((a) >= (b), (void)0, #a " >= " #b)
#define cr_assert_eq(a, b, ...)    CR_CHECK((a) == (b), CR_DIE, #a " == " #b)
#define cr_assert_neq(a, b, ...)   CR_CHECK((a) != (b), CR_DIE, #a " != " #b)
#define cr_assert_lt(a, b, ...)    CR_CHECK((a) < (b), CR_DIE, #a " < " #b)
#define cr_assert_leq(a, b, ...)   CR_CHECK((a) <= (b), CR_DIE, #a " <= " #b)
#define cr_assert_gt(a, b, ...)    CR_CHECK((a) > (b), CR_DIE, #a " > " #b)
#define cr_expect_float_eq(a, b, e, ...)                                                           \
    CR_CHECK((a) - (b) <= (e) && (b) - (a) <= (e), (void)0, #a " is near " #b)
#define cr_expect_str_eq(a, b, ...)    CR_CHECK(strcmp(a, b) == 0, (void)0, #a " is " #b)
#define cr_expect_str_neq(a, b, ...)   CR_CHECK(strcmp(a, b) != 0, (void)0, #a " is not " #b)
#define cr_expect_arr_eq(a, b, n, ...) CR_CHECK(memcmp(a, b, n) == 0, (void)0, #a " equals " #b)

__attribute__((weak)) int main(void) {
    int number = 0;
    for (struct cr_test *test = cr_tests; test; test = test->next) {
        int status;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            if (test->init)
                test->init();
            test->run();
            if (test->fini)
                test->fini();
            fflush(stdout);
            _exit(cr_failures != 0 ? 1 : test->exit_code);
        }
        bool ok = child > 0 && waitpid(child, &status, 0) == child &&
                  (test->signal ? WIFSIGNALED(status) && WTERMSIG(status) == test->signal
                                : WIFEXITED(status) && WEXITSTATUS(status) == test->exit_code);
        printf("%sok %d - %s::%s\n", ok ? "" : "not ", ++number, test->suite, test->name);
    }
    printf("1..%d\n", number);
    return 0;
}

#endif

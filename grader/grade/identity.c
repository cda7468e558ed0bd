/* The hashes are of contents, not of times: after a build that made the same bytes, earlier results
 * still hold. */
#include "grader/grade/identity.h"

#include <stdlib.h>

#include "common/base/text.h"
#include "grader/compile/cache.h"

void identity_tests(const struct session *session, const struct workbook_lab *lab,
                    char sha256[DIGEST_TEXT]) {
    char *tests = workbook_tests(&session->book, lab);
    char *manifest = text_format("%s/lab.yaml", lab->folder);
    struct headers headers;
    struct digest digest;
    headers_init(&headers, session->book.root, lab->folder);
    digest_init(&digest);
    digest_add_file(&digest, tests);
    digest_add_file(&digest, manifest);
    headers_digest(&headers, &digest);
    digest_finish(&digest, sha256);
    headers_finish(&headers);
    free(manifest);
    free(tests);
}

void identity_grader(const struct session *session, char sha256[DIGEST_TEXT]) {
    const struct device *device = &session->device;
    struct digest digest;
    digest_init(&digest);
    digest_add_file(&digest, "/proc/self/exe");
    digest_add_file(&digest, device->worker);
    digest_add_file(&digest, device->is_gpu ? device->cudart_gpu : device->cudart_sim);
    digest_add_text(&digest, session->nvcc.identity ? session->nvcc.identity : "");
    digest_finish(&digest, sha256);
}

const char *identity_backend(const struct session *session) {
    return session->device.is_gpu ? session->device.gpu.name : "sim";
}

/*
 * What kernels print: kept until the host asks for it.
 */
#ifndef SIMT_ENGINE_OUTPUT_H
#define SIMT_ENGINE_OUTPUT_H

#include "common/simt/simt.h"

struct simt_text_buffer {
    char *bytes;
    size_t n, room;
};

struct simt_output {
    struct simt_text_buffer streams[2]; /* by enum simt_stream */
};

/* Adds text. What the host has no memory for is lost. */
void simt_output_add(struct simt_output *output, enum simt_stream stream, const char *text,
                     size_t bytes);
void simt_output_close(struct simt_output *output);

#endif

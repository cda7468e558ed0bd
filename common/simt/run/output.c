/*
 * Growing buffers of what kernels print.
 */
#include "common/simt/run/output.h"

#include <stdlib.h>
#include <string.h>

void simt_output_add(struct simt_output *output, enum simt_stream stream, const char *text,
                     size_t bytes) {
    struct simt_text_buffer *buffer = &output->streams[stream];
    if (bytes == 0) /* there may be no buffer yet */
        return;
    if (bytes > buffer->room - buffer->n) {
        size_t room = 2 * (buffer->n + bytes) + 256;
        char *larger = realloc(buffer->bytes, room);
        if (!larger)
            return;
        buffer->bytes = larger;
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->n, text, bytes);
    buffer->n += bytes;
}

void simt_output_close(struct simt_output *output) {
    free(output->streams[SIMT_STDOUT].bytes);
    free(output->streams[SIMT_STDERR].bytes);
}

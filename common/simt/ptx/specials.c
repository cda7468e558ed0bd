/*
 * The special registers. Source: PTX ISA, chapter 10.
 */
#include "common/simt/ptx/parser.h"

#include <string.h>

/* Those with elements .x, .y, .z and .w; as a whole, they are vectors. */
static const char *const vectors[] = {
    "%tid",       "%ntid",       "%ctaid",         "%nctaid",
    "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid",
};

static const char *const scalars[] = {
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%is_explicit_cluster",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%total_smem_size",
    "%aggr_smem_size",
    "%dynamic_smem_size",
    "%current_graph_exec",
};

/* Those of which there are several; a number follows. */
static const char *const numbered[] = {"%pm", "%envreg", "%reserved_smem_offset_"};

static bool is_among(const struct ptx_token *word, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (ptx_token_is(word, words[i]))
            return true;
    return false;
}

static bool is_numbered(const struct ptx_token *word) {
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++) {
        size_t length = strlen(numbered[i]);
        if (word->length > length && !memcmp(word->start, numbered[i], length) &&
            word->start[length] >= '0' && word->start[length] <= '9')
            return true;
    }
    return false;
}

bool ptx_is_special(const struct ptx_token *word, bool *is_vector) {
    *is_vector = is_among(word, vectors, sizeof vectors / sizeof *vectors);
    return *is_vector || is_among(word, scalars, sizeof scalars / sizeof *scalars) ||
           is_numbered(word);
}

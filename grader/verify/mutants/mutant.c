/* What a mutant is beside others: what it changed, what it means, what was told of it. */
#include "grader/verify/mutants/mutant.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"

const char *const mutant_end_words[N_MUTANT_ENDS] = {
    [MUTANT_OPEN] = "open",
    [MUTANT_REFUSED] = "not compiling",
    [MUTANT_EQUIVALENT] = "equivalent",
    [MUTANT_DUPLICATE] = "duplicate",
    [MUTANT_LISTED] = "listed",
    [MUTANT_KILLED] = "killed",
    [MUTANT_SURVIVED] = "survived",
    [MUTANT_KNOWN] = "hole",
    [MUTANT_UNJUDGED] = "unjudged",
};

/* True where a change lies in functions of the device alone: then the host's code is the same. */
static bool is_device_change(const struct answer *answer, const struct mutation *mutation) {
    for (size_t i = mutation->first; i < mutation->end; i++) {
        if (answer->source.tokens[i].side != SOURCE_DEVICE)
            return false;
    }
    return true;
}

static bool is_of_device(const struct mutant *mutant) {
    return is_device_change(mutant->answer, mutant->one) &&
           (!mutant->two || is_device_change(mutant->answer, mutant->two));
}

bool mutant_means_its_answer(const struct mutant *mutant) {
    const struct object *object = &mutant->answer->object;
    return object_same_device(&mutant->object, object) &&
           (is_of_device(mutant) || object_same_host(&mutant->object, object));
}

bool mutant_means(const struct mutant *mutant, const struct mutant *other) {
    return mutant->answer == other->answer && object_same_device(&mutant->object, &other->object) &&
           ((is_of_device(mutant) && is_of_device(other)) ||
            object_same_host(&mutant->object, &other->object));
}

/* The topics of a change: its family's, and those of the words in the statement that it stands in.
 */
static uint32_t change_topics(const struct source *source, const struct mutation *mutation) {
    uint32_t topics = topics_of_family(family_words[mutation->by->family]);
    size_t first = mutation->first, end = mutation->end;
    size_t statement = source_statement_of(source, first);
    if (statement != SOURCE_NONE && source->statements[statement].kind != STATEMENT_BLOCK) {
        first = source->statements[statement].first;
        end = source->statements[statement].end > end ? source->statements[statement].end : end;
    }
    for (size_t i = first; i < end; i++) {
        OWNED char *word = source_text(source, i, i + 1);
        topics |= topics_of_token(word);
    }
    return topics;
}

enum { TRUTH_LINES = 256 };

static unsigned add_lines(const struct source *source, const struct mutation *mutation,
                          unsigned *lines, unsigned n) {
    unsigned last = source->tokens[mutation->end - 1].line;
    for (unsigned i = source->tokens[mutation->first].line; i <= last && n < TRUTH_LINES; i++)
        lines[n++] = i;
    return n;
}

/* Lines of code beside a changed one that tell it, too: where a condition was changed, it shows in
 * what it guards; a statement that was deleted has no line any more. */
enum { SLACK = 1 };

void mutant_tell(struct mutant *mutant, const json_t *lab) {
    const struct source *source = &mutant->answer->source;
    unsigned lines[TRUTH_LINES];
    struct truth truth = {
        .lines = lines,
        .n_lines = add_lines(source, mutant->one, lines, 0),
        .slack = SLACK,
        .topics = change_topics(source, mutant->one),
        .manifest = mutant->target.manifest,
        .source = file_base(mutant->target.source),
        .text = source->text,
    };
    if (mutant->two) {
        truth.n_lines = add_lines(source, mutant->two, lines, truth.n_lines);
        truth.topics |= change_topics(source, mutant->two);
    }
    telling_read(&mutant->telling, lab, &truth);
}

char *mutant_change(const struct mutant *mutant) {
    const struct source *source = &mutant->answer->source;
    char *one = mutation_text(source, mutant->one);
    if (!mutant->two)
        return one;
    OWNED char *two = mutation_text(source, mutant->two);
    text_add(&one, "; line %u: %s", source->tokens[mutant->two->first].line, two);
    return one;
}

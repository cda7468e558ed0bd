/* Finds the answers of a lab, grades each as it is and with its patch, and judges what was said. */
#include "grader/verify/strangers/strangers.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/system/parallel.h"
#include "grader/alike/lexer.h"
#include "grader/grade/record.h"
#include "grader/verify/measure/telling.h"
#include "grader/verify/strangers/open.h"
#include "grader/verify/strangers/patch.h"
#include "grader/verify/strangers/sealed.h"

enum { SLACK = 1 }; /* lines beside a changed one that tell it, too */

const char *const stranger_end_words[N_STRANGER_ENDS] = {
#define STRANGER_WORD(name, word) word,
    STRANGER_ENDS(STRANGER_WORD)
#undef STRANGER_WORD
};

struct answer {
    char *name;        /* "round-a/no_barrier.cu" */
    char *text;        /* NULL where it can't be read */
    char *what, *kind; /* of its first two lines; NULL where it has none */
    bool is_wrong;
    struct target target;  /* the file */
    struct target patched; /* the file with its patch; no source where there is none */
    struct patch patch;
    enum stranger_end end;
    bool is_interrupted;
    struct telling telling;
    uint32_t topics;
    json_int_t points, max_points, patched_points;
    json_t *failed; /* [{test, verdict, reason}] */
};

struct run {
    const struct strangers *strangers;
    const struct workbook_lab *lab;
    struct manifest *manifest;
    struct open_answers *open;
    char *folder, *scratch; /* of the rounds; for patched files */
    struct answer *answers;
    size_t n;
    struct strangers_lab *result;
};

static void note(struct run *run, const struct answer *answer, const char *problem) {
    OWNED char *text = text_format("%s: %s: %s", run->lab->name, answer->name, problem);
    json_array_append_new(run->result->problems, json_string(text));
}

/* What follows `word` at the start of a line, without blanks around it; NULL where another word
 * stands there. */
static char *after(const char *text, unsigned number, const char *word) {
    size_t bytes, n = strlen(word);
    const char *line = text_line(text, number, &bytes);
    if (!line || bytes < n || strncasecmp(line, word, n) != 0)
        return NULL;
    while (n < bytes && line[n] == ' ')
        n++;
    while (bytes > n && (line[bytes - 1] == ' ' || line[bytes - 1] == '\r'))
        bytes--;
    return text_format("%.*s", (int)(bytes - n), line + n);
}

/* The first two lines. False where they don't say what the file is. */
static bool read_head(struct answer *answer) {
    answer->what = after(answer->text, 1, "// Wrong:");
    answer->is_wrong = answer->what != NULL;
    if (!answer->what)
        answer->what = after(answer->text, 1, "// Right:");
    answer->kind = after(answer->text, 2, "// Kind:");
    return answer->what && (answer->kind || !answer->is_wrong);
}

/* Reads the patch and writes the file that it makes. */
static bool read_patch(struct run *run, struct answer *answer, struct diag *diag) {
    OWNED char *path =
        text_format("%.*s.patch", (int)strlen(answer->target.source) - 3, answer->target.source);
    OWNED char *diff = NULL;
    size_t bytes;
    bool ok = file_read(path, FILE_SOURCE_BYTES, &diff, &bytes, diag) == GRADER_OK &&
              patch_apply(&answer->patch, answer->text, diff, path, diag);
    if (ok) {
        answer->patched = answer->target;
        answer->patched.source =
            text_format("%s/%td/%s", run->scratch, answer - run->answers, run->manifest->source);
        ok = file_write(answer->patched.source, answer->patch.text, strlen(answer->patch.text),
                        diag) == GRADER_OK;
    }
    return ok;
}

/* Reads an answer with what belongs to it. What is missing is noted, and it is not judged. */
static void read_answer(struct run *run, struct answer *answer) {
    struct diag diag;
    size_t bytes;
    answer->end = STRANGER_UNJUDGED;
    if (file_read_source(answer->target.source, &answer->text, &bytes, &diag) != GRADER_OK)
        note(run, answer, diag.message);
    else if (!read_head(answer))
        note(run, answer,
             "its first lines are not '// Wrong: …' and '// Kind: …', or '// Right: …'");
    else if (answer->is_wrong && !read_patch(run, answer, &diag))
        note(run, answer, diag.message);
    else
        answer->end = answer->is_wrong ? STRANGER_VAGUE : STRANGER_PASSED;
}

/* Takes its name. */
static void add_answer(struct run *run, char *name) {
    uint64_t rank = share_rank(run->strangers->seed, name, strlen(name));
    if (!share_has(&run->strangers->share, rank)) {
        free(name);
        return;
    }
    run->answers = grow_list(run->answers, run->n, sizeof *run->answers);
    run->answers[run->n++] = (struct answer){
        .name = name,
        .target = {.lab = run->lab,
                   .manifest = run->manifest,
                   .source = text_format("%s/%s", run->folder, name)},
    };
}

static bool is_source(const char *name) {
    return text_ends_with(name, ".cu");
}

/* The files of a round; round "" are those that lie in none. */
static void add_round(struct run *run, const char *round) {
    OWNED char *path = text_format("%s/%s", run->folder, round);
    OWNED_BY(folder_finish) struct folder files;
    folder_read(&files, path);
    folder_keep(&files, is_source);
    for (size_t i = 0; i < files.n; i++)
        add_answer(run, text_format("%s%s%s", round, *round ? "/" : "", files.names[i]));
}

static void add_answers(struct run *run) {
    OWNED_BY(folder_finish) struct folder rounds;
    add_round(run, "");
    folder_read(&rounds, run->folder);
    for (size_t i = 0; i < rounds.n; i++)
        add_round(run, rounds.names[i]);
    for (size_t i = 0; i < run->n; i++)
        read_answer(run, &run->answers[i]);
}

static json_t *grade(const struct run *run, struct answer *answer, const struct target *target) {
    struct grading_job job = {
        .target = target,
        .again = "./warpbook grade",
        .jobs = 1,
        .experiments = true, /* as in `check` */
        .is_untimed = true,
        .seed = &run->strangers->seed,
    };
    grading_run(run->strangers->grading, &job);
    answer->is_interrupted |= job.is_interrupted;
    return job.lab;
}

/* What the mistake is about: the words of its kind, and those of the lines that its mend changes.
 */
static uint32_t topics_of(const struct answer *answer) {
    struct lexer lexer;
    struct lexeme lexeme;
    uint32_t topics = topics_of_word(answer->kind);
    lexer_init(&lexer, answer->patch.changed, strlen(answer->patch.changed));
    while (lexer_next(&lexer, &lexeme)) {
        OWNED char *word = text_format("%.*s", (int)lexeme.bytes, lexeme.at);
        topics |= lexeme.kind == LEXEME_COMMENT ? 0 : topics_of_token(word);
    }
    return topics;
}

static json_t *failed_tests(const json_t *lab) {
    json_t *failed = json_array(), *test;
    size_t index;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        enum verdict_kind kind = verdict_of_test(record_text(test, "verdict"))->kind;
        if (kind != VERDICT_GOOD && kind != VERDICT_NOTHING)
            json_array_append_new(failed,
                                  json_pack("{s:s, s:s, s:s}", "test", record_text(test, "name"),
                                            "verdict", record_text(test, "verdict"), "reason",
                                            record_text(test, "reason")));
    }
    return failed;
}

static bool has_passed(const json_t *lab) {
    return strcmp(record_text(lab, "verdict"), "pass") == 0;
}

/* Judges what the record of a wrong answer says. */
static enum stranger_end judge_wrong(struct answer *answer, const json_t *lab) {
    const struct truth truth = {
        .lines = answer->patch.lines,
        .n_lines = answer->patch.n_lines,
        .slack = SLACK,
        .topics = answer->topics,
        .manifest = answer->target.manifest,
        .source = file_base(answer->target.source),
        .text = answer->text,
        .gaps = answer->patch.gaps,
        .n_gaps = answer->patch.n_gaps,
    };
    telling_read(&answer->telling, lab, &truth);
    if (has_passed(lab))
        return STRANGER_ACCEPTED;
    if (answer->telling.is_false)
        return STRANGER_FALSE;
    if (!answer->telling.kind)
        return STRANGER_VAGUE;
    return answer->telling.line ? STRANGER_RIGHT : STRANGER_UNPLACED;
}

static bool is_unjudged(const json_t *lab) {
    return strcmp(record_text(lab, "verdict"), "infrastructure") == 0;
}

static void work(void *context, size_t index) {
    struct run *run = context;
    struct answer *answer = &run->answers[index];
    if (answer->end == STRANGER_UNJUDGED)
        return;
    json_t *lab = grade(run, answer, &answer->target);
    answer->points = record_count(lab, "points");
    answer->max_points = record_count(lab, "max_points");
    answer->failed = failed_tests(lab);
    if (answer->is_wrong) {
        answer->topics = topics_of(answer);
        answer->end = judge_wrong(answer, lab);
    } else if (!has_passed(lab)) {
        answer->end = STRANGER_LOST;
    }
    bool is_lost = is_unjudged(lab);
    json_decref(lab);
    if (answer->is_wrong && !is_lost) {
        lab = grade(run, answer, &answer->patched);
        answer->patched_points = record_count(lab, "points");
        is_lost = is_unjudged(lab);
        if (!has_passed(lab) && answer->end != STRANGER_ACCEPTED)
            answer->end = STRANGER_DISPUTED;
        json_decref(lab);
    }
    answer->end = is_lost ? STRANGER_UNJUDGED : answer->end;
}

/* Ends that are to be seen to: they are in open.yaml, or are told. */
static bool is_to_do(enum stranger_end end) {
    return end == STRANGER_FALSE || end == STRANGER_ACCEPTED || end == STRANGER_DISPUTED ||
           end == STRANGER_LOST;
}

static void hold_against_list(struct run *run, const struct answer *answer) {
    if (is_to_do(answer->end) && !run->strangers->is_sealed && !open_find(run->open, answer->name))
        note(run, answer, "it is not in open.yaml");
}

static json_t *lines_json(const struct patch *patch) {
    json_t *lines = json_array();
    for (unsigned i = 0; i < patch->n_lines; i++)
        json_array_append_new(lines, json_integer(patch->lines[i]));
    return lines;
}

static json_t *make_row(const struct run *run, const struct answer *answer) {
    OWNED char *topics = topics_text(answer->topics);
    return json_pack(
        "{s:s, s:s, s:b, s:s, s:s, s:s, s:I, s:I, s:I, s:o, s:s, s:b, s:b, s:O*, s:O*}", "lab",
        run->lab->name, "file", answer->name, "wrong", answer->is_wrong, "what",
        answer->what ? answer->what : "", "kind", answer->kind ? answer->kind : "", "end",
        stranger_end_words[answer->end], "points", answer->points, "max_points", answer->max_points,
        "patched_points", answer->patched_points, "lines", lines_json(&answer->patch), "topics",
        topics, "line_told", answer->telling.line, "kind_told", answer->telling.kind, "causes",
        answer->telling.causes, "failed", answer->failed);
}

static void look_at_all(struct run *run) {
    struct queue *queue =
        queue_start(run->n, run->strangers->grading->session->options->jobs, work, run);
    for (size_t i = 0; i < run->n; i++) {
        queue_wait(queue, i);
        run->strangers->progress(run->lab->name, "graded", i + 1, run->n);
        if (run->answers[i].is_interrupted) {
            run->result->is_interrupted = true;
            continue;
        }
        json_array_append_new(run->result->rows, make_row(run, &run->answers[i]));
        hold_against_list(run, &run->answers[i]);
    }
    queue_finish(queue);
}

static void run_finish(struct run *run) {
    for (size_t i = 0; i < run->n; i++) {
        struct answer *answer = &run->answers[i];
        patch_finish(&answer->patch);
        json_decref(answer->telling.causes);
        json_decref(answer->failed);
        free(answer->patched.source);
        free(answer->target.source);
        free(answer->kind);
        free(answer->what);
        free(answer->text);
        free(answer->name);
    }
    if (run->scratch)
        file_remove_tree(run->scratch);
    if (run->open)
        open_free(run->open);
    if (run->manifest)
        manifest_free(run->manifest);
    free(run->answers);
    free(run->scratch);
    free(run->folder);
}

/* The folder with the rounds; that of the sealed ones is filled first. */
static enum grader_status find_rounds(struct run *run, struct diag *diag) {
    OWNED char *solution = workbook_solution(&run->strangers->grading->session->book, run->lab);
    OWNED char *open = text_format("%s/strangers", solution);
    OWNED char *archive = text_format("%s/sealed.tar.xz", open);
    enum grader_status status = GRADER_OK;
    run->open = open_load(open, diag);
    if (!run->open)
        status = GRADER_FAILED;
    run->folder = run->strangers->is_sealed ? text_format("%s/sealed", run->scratch)
                                            : text_format("%s", open);
    if (run->strangers->is_sealed && status == GRADER_OK && file_exists(archive))
        status = sealed_open(archive, run->folder, diag);
    return status;
}

enum grader_status strangers_run(const struct strangers *strangers, const struct workbook_lab *lab,
                                 struct strangers_lab *result, struct diag *diag) {
    struct run run = {.strangers = strangers, .lab = lab, .result = result};
    *result = (struct strangers_lab){.rows = json_array(), .problems = json_array()};
    run.manifest = manifest_load(lab->folder, diag);
    run.scratch = scratch_folder(strangers->grading->session->scratch.path, "strangers", diag);
    enum grader_status status = run.manifest && run.scratch ? GRADER_OK : GRADER_FAILED;
    if (status == GRADER_OK)
        status = find_rounds(&run, diag);
    if (status == GRADER_OK) {
        add_answers(&run);
        look_at_all(&run);
    }
    run_finish(&run);
    return status;
}

void strangers_lab_finish(struct strangers_lab *result) {
    json_decref(result->rows);
    json_decref(result->problems);
}

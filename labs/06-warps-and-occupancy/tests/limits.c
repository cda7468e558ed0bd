#include "labs/06-warps-and-occupancy/tests/limits.h"

#include <string.h>

enum { WARP = 32, KIB = 1024, REGISTERS = 64 * KIB };

/* -- The rules -- */

unsigned limits_warps(const struct multiprocessor *sm, const struct block *block) {
    (void)sm;
    return (block->threads + WARP - 1) / WARP;
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static unsigned round_up(unsigned number, unsigned unit) {
    return (number + unit - 1) / unit * unit;
}

unsigned limits_by_threads(const struct multiprocessor *sm, const struct block *block) {
    return least(sm->max_blocks, sm->max_threads / WARP / limits_warps(sm, block));
}

unsigned limits_by_registers(const struct multiprocessor *sm, const struct block *block) {
    unsigned of_a_warp = round_up(WARP * block->registers, sm->register_unit);
    unsigned warps = sm->registers / sm->register_parts / of_a_warp * sm->register_parts;

    return least(sm->max_blocks, warps / limits_warps(sm, block));
}

unsigned limits_by_shared(const struct multiprocessor *sm, const struct block *block) {
    unsigned bytes = round_up(block->shared_bytes + sm->shared_reserved, sm->shared_unit);

    return bytes == 0 ? sm->max_blocks : least(sm->max_blocks, sm->shared_bytes / bytes);
}

unsigned limits_resident(const struct multiprocessor *sm, const struct block *block) {
    return least(limits_by_threads(sm, block),
                 least(limits_by_registers(sm, block), limits_by_shared(sm, block)));
}

static const struct {
    const char *name;
    limits_rule *rule;
} functions[] = {
    [LIMITS_THREADS] = {"blocks_by_threads", limits_by_threads},
    [LIMITS_REGISTERS] = {"blocks_by_registers", limits_by_registers},
    [LIMITS_SHARED] = {"blocks_by_shared", limits_by_shared},
    [LIMITS_ALL] = {"resident", limits_resident},
};

const char *limits_name(enum limits_function function) {
    return functions[function].name;
}

unsigned limits_right(enum limits_function function, const struct multiprocessor *sm,
                      const struct block *block) {
    return functions[function].rule(sm, block);
}

/* -- Multiprocessors and blocks -- */

/* Threads, or registers of them: of more warps than 16 bits can count. */
enum { MANY = ((1 << 16) + 4) * WARP };

const struct limits_multiprocessor limits_multiprocessors[N_MULTIPROCESSORS] = {
    [CC_1_2] = {"compute capability 1.2", {1024, 8, 16 * KIB, 1, 512, 16 * KIB, 512, 0}},
    [CC_6_1] = {"compute capability 6.1", {2048, 32, REGISTERS, 4, 256, 96 * KIB, 256, 0}},
    [CC_7_5] = {"compute capability 7.5", {1024, 16, REGISTERS, 4, 256, 64 * KIB, 256, 0}},
    [CC_8_0] = {"compute capability 8.0", {2048, 32, REGISTERS, 4, 256, 164 * KIB, 128, KIB}},
    [CC_8_9] = {"compute capability 8.9", {1536, 24, REGISTERS, 4, 256, 100 * KIB, 128, KIB}},
    [CC_9_0] = {"compute capability 9.0", {2048, 32, REGISTERS, 4, 256, 228 * KIB, 128, KIB}},
    [CC_NONE] = {"invented", {768, 12, 24 * KIB, 3, 96, 40000, 160, 200}},
    [CC_LITTLE] = {"invented", {2048, 32, REGISTERS, 4, 256, 16 * KIB, 128, KIB}},
    [CC_ODD] = {"invented", {MANY, 4096, MANY, 1, WARP, 3000, 1, 0}},
};

const struct limits_row limits_rows[LIMITS_ROWS] = {
    {CC_1_2, {256, 1, 0}},           {CC_1_2, {64, 1, 0}},         {CC_1_2, {32, 1, 0}},
    {CC_7_5, {256, 72, 4096}},       {CC_7_5, {128, 64, 16384}},   {CC_7_5, {192, 40, 10240}},
    {CC_7_5, {512, 64, 0}},          {CC_9_0, {512, 16, 65536}},   {CC_7_5, {64, 16, 1024}},
    {CC_9_0, {128, 40, 16384}},      {CC_7_5, {100, 32, 5000}},    {CC_9_0, {256, 33, 0}},
    {CC_9_0, {1000, 17, 32329}},     {CC_9_0, {96, 40, 28100}},    {CC_8_9, {200, 24, 50000}},
    {CC_8_0, {32, 255, 1}},          {CC_9_0, {1024, 64, 232448}}, {CC_9_0, {1024, 65, 48000}},
    {CC_8_9, {1024, 32, 101376}},    {CC_6_1, {160, 40, 12000}},   {CC_6_1, {1, 8, 300}},
    {CC_9_0, {33, 100, 6144}},       {CC_8_0, {768, 21, 20000}},   {CC_8_9, {384, 56, 9000}},
    {CC_9_0, {992, 31, 100000}},     {CC_7_5, {1, 1, 1}},          {CC_8_0, {640, 48, 54000}},
    {CC_9_0, {31, 128, 7000}},       {CC_9_0, {257, 72, 25000}},   {CC_7_5, {1024, 65, 65536}},
    {CC_7_5, {96, 80, 21845}},       {CC_8_9, {64, 200, 3000}},    {CC_NONE, {128, 20, 3800}},
    {CC_NONE, {130, 10, 0}},         {CC_NONE, {32, 7, 3900}},     {CC_NONE, {160, 33, 9000}},
    {CC_NONE, {1024, 3, 39800}},     {CC_NONE, {96, 64, 39801}},   {CC_NONE, {1, 96, 19800}},
    {CC_NONE, {97, 17, 13100}},      {CC_9_0, {1024, 255, 0}},     {CC_9_0, {32, 1, 232449}},
    {CC_8_0, {448, 36, 163 * 1024}}, {CC_8_9, {768, 40, 33000}},   {CC_6_1, {352, 88, 16384}},
    {CC_7_5, {352, 96, 32768}},      {CC_8_0, {800, 64, 82000}},   {CC_9_0, {544, 48, 45000}},
    {CC_8_9, {33, 33, 3200}},        {CC_9_0, {1023, 32, 115712}}, {CC_9_0, {70, 72, 2000}},
    {CC_LITTLE, {32, 16, 0}},        {CC_LITTLE, {64, 16, 1}},     {CC_ODD, {1, 1, 0}},
    {CC_ODD, {1024, 1, 0}},          {CC_ODD, {1024, 255, 2}},     {CC_ODD, {32, 8, 1}},
};

/* -- Cases -- */

/* The handout has the numbers of each compute capability, but not those of an invented one. */
static void describe(struct lab *lab, const struct limits_row *row) {
    const struct block *block = &row->block;
    const struct multiprocessor *sm = &limits_multiprocessors[row->sm].has;

    if (row->sm < CC_NONE)
        lab_describe(lab, "%u threads, %u registers each, %u bytes; %s", block->threads,
                     block->registers, block->shared_bytes, limits_multiprocessors[row->sm].name);
    else
        lab_describe(lab,
                     "%u threads, %u registers each, %u bytes; a multiprocessor of %u threads, %u "
                     "blocks; %u registers in %u parts, unit %u; %u bytes of shared memory, unit "
                     "%u, %u reserved",
                     block->threads, block->registers, block->shared_bytes, sm->max_threads,
                     sm->max_blocks, sm->registers, sm->register_parts, sm->register_unit,
                     sm->shared_bytes, sm->shared_unit, sm->shared_reserved);
}

static struct call_arg in(const char *name, const void *data, size_t bytes) {
    return lab_host_in(name, data, 1, bytes);
}

/* Of the last rows: what the diagnoser looks at. */
static struct limits_given given;

static void limits_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const char *id = strcmp(verdict, "wrong_answer") == 0 ? limits_known(&given) : NULL;

    (void)c;
    if (id != NULL)
        lab_diagnose(lab, id);
}

static const struct limits_row *row_at(size_t i) {
    return &limits_rows[given.first + i];
}

/* Compares what was given for a row. The names are those of the parameters. */
static bool compare_row(struct lab *lab, size_t i) {
    const struct multiprocessor *sm = &limits_multiprocessors[row_at(i)->sm].has;
    const struct block *block = &row_at(i)->block;
    const int32_t right = (int32_t)limits_right(given.function, sm, block);
    const int32_t warps = right * (int32_t)limits_warps(sm, block);

    describe(lab, row_at(i));
    return lab_expect_i32(lab, "blocks", &given.blocks[i], &right, 1) &&
           (given.function != LIMITS_ALL ||
            lab_expect_i32(lab, "warps", &given.warps[i], &warps, 1));
}

/* What was not written at all is told at once. */
static bool call_row(struct lab *lab, size_t i) {
    const struct multiprocessor *sm = &limits_multiprocessors[row_at(i)->sm].has;
    struct call_arg args[] = {
        in("sm", sm, sizeof *sm),
        in("block", &row_at(i)->block, sizeof row_at(i)->block),
        lab_host_out("blocks", &given.blocks[i], 1, sizeof given.blocks[i]),
        lab_host_out("warps", &given.warps[i], 1, sizeof given.warps[i]),
    };

    describe(lab, row_at(i));
    return lab_call_host_args(lab, limits_name(given.function), args,
                              given.function == LIMITS_ALL ? 4 : 3) &&
           (lab_last(lab)->untouched == 0 || compare_row(lab, i));
}

bool limits_call(struct lab *lab, enum limits_function function, size_t first, size_t n,
                 const struct limits_given **result) {
    given = (struct limits_given){.function = function, .first = first, .n = n};
    lab_set_diagnoser(lab, NULL);
    for (size_t i = 0; i < n; i++)
        if (!call_row(lab, i))
            return false;
    lab_set_diagnoser(lab, limits_diagnose);
    for (size_t i = 0; i < n; i++)
        if (!compare_row(lab, i))
            return false;
    if (result != NULL)
        *result = &given;
    return true;
}

/* -- The device at hand -- */

enum { STATIC_BYTES = 1000, MOST_BYTES = 48 * KIB };

/* What the simulator says that it is. */
static enum limits_sm device_here = CC_7_5;

void limits_on_another_device(struct lab *lab, bool is_other) {
    device_here = is_other ? CC_9_0 : CC_7_5;
    lab_on_another_device(lab, is_other);
}

/* The bytes of a block, where the kernel's own are counted so many times, and those of the launch
 * or not. */
static unsigned bytes_of(const struct limits_here *here, unsigned n_static, bool has_dynamic) {
    return n_static * STATIC_BYTES + (has_dynamic ? here->bytes : 0);
}

/* What is right on the simulator, of a block of so many bytes. */
static int32_t right_here(const struct limits_here *here, unsigned bytes) {
    enum { SIMULATED_REGISTERS = 32 };
    const struct block block = {here->threads, SIMULATED_REGISTERS, bytes};

    return (int32_t)limits_resident(&limits_multiprocessors[device_here].has, &block);
}

/* The device says 0 of what a kernel may not have before it was asked for. */
static bool is_allowed(unsigned bytes) {
    return bytes <= MOST_BYTES;
}

/* Of the last calls: what the diagnoser looks at. */
enum { MAX_HERE = 64 };
static struct {
    const struct limits_here *here;
    size_t n;
    int32_t computed[MAX_HERE], asked[MAX_HERE];
} answers;

/* True where all were asked, or computed, of blocks with so many bytes. */
static bool all_are(const int32_t *got, unsigned n_static, bool has_dynamic, bool are_asked) {
    for (size_t i = 0; i < answers.n; i++) {
        unsigned bytes = bytes_of(&answers.here[i], n_static, has_dynamic);
        int32_t blocks = are_asked && !is_allowed(bytes) ? 0 : right_here(&answers.here[i], bytes);

        if (got[i] != blocks)
            return false;
    }
    return true;
}

/* The answers are right of a launch that asks for other bytes. */
static const char *wrong_question(void) {
    return all_are(answers.asked, 1, false, true)  ? "asked_without_bytes"
           : all_are(answers.asked, 2, true, true) ? "asked_with_static_bytes"
                                                   : NULL;
}

static const char *wrong_calculation(void) {
    if (memcmp(answers.computed, answers.asked, answers.n * sizeof *answers.asked) == 0)
        return "asked_for_computed";
    return all_are(answers.computed, 0, true, false)    ? "static_bytes_forgotten"
           : all_are(answers.computed, 1, false, false) ? "dynamic_bytes_forgotten"
                                                        : NULL;
}

/* One number alone may come of any mistake. */
static void diagnose_here(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const char *id;

    (void)c;
    if (strcmp(verdict, "wrong_answer") != 0 || lab_on_gpu(lab) || answers.n < 2)
        return;
    id = all_are(answers.asked, 1, true, true) ? wrong_calculation() : wrong_question();
    if (id != NULL)
        lab_diagnose(lab, id);
}

static void describe_here(struct lab *lab, size_t i) {
    lab_describe(lab, "blocks of %u threads, %u dynamic bytes", answers.here[i].threads,
                 answers.here[i].bytes);
}

/* On a GPU it is not known what is right where the device says 0, but it is not 0. */
static bool compare_here(struct lab *lab, size_t i) {
    unsigned bytes = bytes_of(&answers.here[i], 1, true);
    bool is_known = !lab_on_gpu(lab), allowed = is_allowed(bytes);
    int32_t right = is_known ? right_here(&answers.here[i], bytes) : answers.asked[i];
    int32_t asked = allowed ? right : 0;

    describe_here(lab, i);
    if (!is_known && !allowed)
        right = answers.computed[i] > 0 ? answers.computed[i] : 1;
    return lab_expect_i32(lab, "asked", &answers.asked[i], &asked, 1) &&
           lab_expect_i32(lab, "computed", &answers.computed[i], &right, 1);
}

enum { HERE_ARGS = 4 };

static void here_args(size_t i, struct call_arg args[HERE_ARGS]) {
    args[0] = lab_u32("threads", answers.here[i].threads);
    args[1] = (struct call_arg){
        .kind = CALL_ARG_U64, .name = "dynamic_bytes", .value.u64 = answers.here[i].bytes};
    args[2] = lab_host_out("computed", &answers.computed[i], 1, sizeof(int32_t));
    args[3] = lab_host_out("asked", &answers.asked[i], 1, sizeof(int32_t));
}

static bool call_here(struct lab *lab, size_t i) {
    struct call_arg args[HERE_ARGS];

    here_args(i, args);
    describe_here(lab, i);
    return lab_call_host_args(lab, "resident_here", args, HERE_ARGS) &&
           (lab_last(lab)->untouched == 0 || compare_here(lab, i));
}

void limits_here_refused(struct lab *lab, const struct limits_here *here) {
    struct call_arg args[HERE_ARGS];

    answers.here = here;
    answers.n = 1;
    here_args(0, args);
    describe_here(lab, 0);
    lab_set_diagnoser(lab, NULL);
    lab_returns_failed_questions_args(lab, "resident_here", args, HERE_ARGS);
}

bool limits_call_here(struct lab *lab, const struct limits_here *here, size_t n) {
    answers.here = here;
    answers.n = n < MAX_HERE ? n : MAX_HERE;
    lab_set_diagnoser(lab, NULL);
    for (size_t i = 0; i < answers.n; i++)
        if (!call_here(lab, i))
            return false;
    lab_set_diagnoser(lab, diagnose_here);
    for (size_t i = 0; i < answers.n; i++)
        if (!compare_here(lab, i))
            return false;
    return true;
}

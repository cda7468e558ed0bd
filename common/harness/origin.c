/*
 * Where a failure comes from: the thread that stored the element that differs, the copy that
 * brought it to the host, the code of the host that crashed or made a call that failed.
 */
#include "common/harness/context.h"

/* The argument that the element that differs lies in, and its byte there; NULL where it lies in
 * none. */
static const struct call_arg *find_argument(const struct lab *lab,
                                            const struct lab_compared *compared, uint64_t *at) {
    const size_t bytes = compared->got_type == LAB_DOUBLES ? 8 : 4;
    const char *element = compared->got;

    for (size_t i = 0; element && i < lab->n_args; i++) {
        const struct call_arg *arg = &lab->args[i];
        const char *data = arg->data;
        const bool is_output = arg->kind == CALL_ARG_OUT || arg->kind == CALL_ARG_INOUT ||
                               arg->kind == CALL_ARG_HOST_OUT;
        if (!is_output || !data || element < data ||
            element >= data + arg->count * arg->element_bytes)
            continue;
        *at = (uint64_t)(element - data) + compared->index * bytes;
        return arg;
    }
    return NULL;
}

struct call_writer lab_writer_of(const struct lab *lab, const struct lab_compared *compared) {
    uint64_t at;
    const struct call_arg *arg = find_argument(lab, compared, &at);

    if (!arg || arg->kind == CALL_ARG_HOST_OUT)
        return (struct call_writer){.kind = CALL_WRITER_UNKNOWN};
    return call_last_writer(lab->worker, (size_t)(arg - lab->args), at);
}

json_t *lab_stored_by(const struct call_writer *writer) {
    json_t *behind;

    if (writer->kind != CALL_WRITER_KERNEL)
        return json_null();
    behind = json_array();
    for (unsigned i = 0; i < writer->n_behind; i++)
        json_array_append_new(behind, json_integer(writer->behind[i]));
    return json_pack("{s:s, s:s, s:I, s:s, s:o}", "kernel", writer->kernel, "file", writer->file,
                     "line", (json_int_t)writer->line, "who", writer->who, "behind", behind);
}

/* The elements of an input of which all bytes are among `bytes` from `from` on, and how many there
 * are in `all` bytes; null where there are none. */
static json_t *elements(const struct call_arg *arg, const char *by, uint64_t from, uint64_t bytes,
                        uint64_t all) {
    const uint64_t step = arg->element_bytes, first = (from + step - 1) / step,
                   end = (from + bytes) / step;

    if (end <= first || end > arg->count || all / step > arg->count)
        return json_null();
    return json_pack("{s:s, s:s, s:I, s:I, s:I}", "name", arg->name, "by", by, "first",
                     (json_int_t)first, "last", (json_int_t)end - 1, "count",
                     (json_int_t)(all / step));
}

/* The first elements side by side of an input that no thread has read, or, in the host's memory, no
 * copy has taken to the device; null where there are none, and where nobody knows. */
static json_t *unread_of(const struct lab *lab, const struct call_arg *arg) {
    const struct call_unsent *unsent = &lab->last.unsent[arg - lab->args];

    if (arg->element_bytes == 0)
        return json_null();
    if (arg->kind == CALL_ARG_HOST_IN && lab->last.knows_unsent)
        return elements(arg, "copy", unsent->first, unsent->bytes, unsent->all);
    if (arg->kind != CALL_ARG_IN)
        return json_null();
    const json_t *unread = json_object_get(lab_buffer(lab, arg->name), "unread");
    const json_t *span = json_array_get(json_object_get(unread, "spans"), 0);
    return elements(arg, "thread", lab_number(json_array_get(span, 0)),
                    lab_number(json_array_get(span, 1)),
                    lab_number(json_object_get(unread, "bytes")));
}

json_t *lab_unread(const struct lab *lab, enum lab_verdict verdict) {
    const bool is_meant = (verdict == LAB_WRONG_ANSWER || verdict == LAB_FINDING) &&
                          lab->has_last && !lab->leaves_unread;
    json_t *unread = json_null();

    for (size_t i = 0; i < lab->n_args && is_meant && json_is_null(unread); i++)
        unread = unread_of(lab, &lab->args[i]);
    return unread;
}

/* The code that copied the element that differs to the host last; NULL where nobody knows. */
static const uint64_t *sites_of_copy(const struct lab *lab) {
    uint64_t at = 0;
    const struct call_arg *arg =
        lab->compared ? find_argument(lab, lab->compared, &at) : (const struct call_arg *)NULL;

    for (unsigned i = arg ? lab->last.n_arrivals : 0; i-- > 0;) {
        const struct call_arrival *arrival = &lab->last.arrivals[i];
        if (arrival->arg == arg - lab->args && at >= arrival->at &&
            at - arrival->at < arrival->bytes)
            return arrival->sites;
    }
    return NULL;
}

/* What the host's code did where the simulator saw no call that failed: it returned an error of its
 * own, or never came back. NULL on a GPU, where nobody knows. */
static const char *did_alone(const struct lab *lab, enum lab_verdict verdict) {
    if (lab_on_gpu(lab))
        return NULL;
    return verdict == LAB_CUDA_ERROR ? "returned" : verdict == LAB_TIMEOUT ? "looped" : NULL;
}

static json_t *list_of(const uint64_t sites[CALL_SITES]) {
    json_t *list = json_array();

    for (size_t i = 0; sites && i < CALL_SITES; i++)
        if (sites[i] > 0 && sites[i] <= INT64_MAX)
            json_array_append_new(list, json_integer((json_int_t)sites[i]));
    return list;
}

/* What the function asked of the device, in its order, as lists of addresses. Empty where that says
 * nothing of the failure, where it was much, and where nobody knows. */
static json_t *list_asked(const struct lab *lab, enum lab_verdict verdict) {
    const bool is_of_results =
        verdict == LAB_WRONG_ANSWER || verdict == LAB_FINDING || verdict == LAB_DAMAGE;
    const size_t n = is_of_results ? lab->last.n_asked : 0;
    json_t *list = json_array();

    for (size_t i = 0; i < n && n <= CALL_MAX_ASKED; i++)
        json_array_append_new(list, json_pack("{s:o}", "sites", list_of(lab->last.asked[i])));
    return list;
}

json_t *lab_host_code(const struct lab *lab, enum lab_verdict verdict) {
    const struct call_result *last = &lab->last;
    const bool is_of_error = verdict == LAB_CUDA_ERROR || verdict == LAB_OUT_OF_MEMORY ||
                             (verdict == LAB_DAMAGE && last->refusal.what != SIMT_NO_CALL);
    const uint64_t *sites = NULL;
    const char *did = "crashed";

    if (!lab->has_last)
        return NULL;
    if (last->crashed_at[0]) {
        sites = last->crashed_at;
    } else if (is_of_error) {
        did = "failed";
        sites = last->failed_at;
    } else {
        did = "copied";
        sites = sites_of_copy(lab);
    }
    json_t *list = list_of(sites), *asked = list_asked(lab, verdict);
    if (json_array_size(list) == 0)
        did = json_array_size(asked) > 0 ? "asked" : did_alone(lab, verdict);
    if (did)
        return json_pack("{s:s, s:o, s:o}", "did", did, "sites", list, "asked", asked);
    json_decref(list);
    json_decref(asked);
    return NULL;
}

/* What the model answers are counted to do, which is what students predict. */
#pragma once

#include <jansson.h>

#include "grader/session/session.h"

/* Runs the model answers' examples and technique; `*answers` becomes a new
 * reference: {lab: {variable: {"counted": …, "explanation": …}}}. GRADER_FAILED where a model
 * answer does not pass, or its count changes. */
enum grader_status answers_count(const struct session *session, json_t **answers,
                                 struct diag *diag);

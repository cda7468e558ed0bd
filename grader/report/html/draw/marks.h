/* How a lab or a test ended, shown: each state has a mark, a colour and a word of its own, since
 * not everybody sees colours. */
#pragma once

#include "grader/report/html/count/states.h"
#include "grader/report/html/html.h"

/* The class that page.css has a colour for. */
const char *mark_class(enum state state);
const char *mark_word(enum state state);
/* The mark, which a screen reader says in words. */
void mark_draw(struct html *html, enum state state);
/* What all marks mean. */
void mark_legend(struct html *html);

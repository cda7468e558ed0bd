/* What a compiler said. */
#ifndef GRADER_MESSAGES_H
#define GRADER_MESSAGES_H

/* Leaves out, in place, what was said before: nvcc reads a file once for the host and once for each
 * device, and each time gcc or cudafe++ says the same of it. A message goes from a line that is not
 * indented to the next such line; files that it was included from belong to what follows them. */
void messages_say_once(char *text);

#endif

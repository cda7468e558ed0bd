/* A terminal that gives keys one by one, as long as it is asked to, and then is as it was. */
#pragma once

#include <stdbool.h>
#include <termios.h>

struct terminal {
    bool has_keys;   /* stdin is a terminal: keys come without Enter, and are not echoed */
    bool has_screen; /* stdout is a terminal: it can be cleared */
    struct termios before;
};

void terminal_open(struct terminal *terminal);
/* Keys again, after the shell had the terminal (Ctrl-Z, fg). */
void terminal_resume(const struct terminal *terminal);
/* Everything as it was. */
void terminal_close(const struct terminal *terminal);

/* Clears the screen and what was scrolled out of it; nothing where there is no screen. */
void terminal_clear(const struct terminal *terminal);

/* Its height in lines; 0 where nobody knows. */
unsigned terminal_rows(const struct terminal *terminal);

/* A key that was pressed, 0 where none was, -1 where no more will come. */
int terminal_key(const struct terminal *terminal);

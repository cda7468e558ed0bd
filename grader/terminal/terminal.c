/* termios for the keys, two escape sequences for the screen. */
#include "grader/terminal/terminal.h"

#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

void terminal_open(struct terminal *terminal) {
    *terminal = (struct terminal){
        .has_keys = isatty(STDIN_FILENO),
        .has_screen = isatty(STDOUT_FILENO),
    };
    if (terminal->has_keys)
        tcgetattr(STDIN_FILENO, &terminal->before);
    terminal_resume(terminal);
}

void terminal_resume(const struct terminal *terminal) {
    struct termios keys = terminal->before;
    if (!terminal->has_keys)
        return;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* ISIG stays: Ctrl-C is a signal */
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
}

void terminal_close(const struct terminal *terminal) {
    if (terminal->has_keys)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal->before);
}

void terminal_clear(const struct terminal *terminal) {
    if (terminal->has_screen)
        fputs("\x1b[H\x1b[2J\x1b[3J", stdout);
}

unsigned terminal_rows(const struct terminal *terminal) {
    struct winsize size;
    return terminal->has_screen && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

int terminal_key(const struct terminal *terminal) {
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char key;
    if (!terminal->has_keys || poll(&ready, 1, 0) != 1)
        return 0;
    return read(STDIN_FILENO, &key, 1) == 1 ? key : -1;
}

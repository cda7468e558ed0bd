/* Wraps, aligns and colours text for a terminal or a pipe. */
#include "grader/terminal/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/base/text.h"

enum {
    LABEL_COLUMNS = 14,
    ROW_WIDEST = 76, /* the eye does not find its way over more */
    CODE_ROWS = 4,   /* of one line of code, at most */
    DEEP = 4,        /* from this indent on, lines stay lines for a taker */
};

static unsigned find_width(FILE *out) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    unsigned long width = PAGE_USUAL;
    if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        width = size.ws_col;
    else if (columns && *columns)
        width = strtoul(columns, NULL, 10);
    return width < PAGE_NARROWEST ? PAGE_NARROWEST
           : width > PAGE_WIDEST  ? PAGE_WIDEST
                                  : (unsigned)width;
}

void page_init(struct page *page, FILE *out, enum page_colour choice) {
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool is_able = isatty(fileno(out)) && !(no_colour && *no_colour) &&
                   !(terminal && strcmp(terminal, "dumb") == 0);
    *page = (struct page){
        .out = out,
        .width = find_width(out),
        .has_colour = choice == PAGE_COLOUR_ALWAYS || (choice == PAGE_COLOUR_AUTO && is_able),
    };
}

/* What the terminal is told before text of each style; colours that light and dark themes know. */
static const char *style_code(enum page_style style) {
    static const char *const codes[] = {
        [PAGE_PLAIN] = "",   [PAGE_STRONG] = "1",   [PAGE_FAINT] = "2", [PAGE_GOOD] = "32",
        [PAGE_BAD] = "1;31", [PAGE_WAITING] = "33", [PAGE_BAR] = "36",
    };
    return codes[style];
}

static void put(const struct page *page, enum page_style style, const char *text, size_t bytes) {
    const char *code = page->has_colour ? style_code(style) : "";
    if (bytes == 0)
        return;
    if (*code)
        fprintf(page->out, "\x1b[%sm", code);
    fwrite(text, 1, bytes, page->out);
    if (*code)
        fputs("\x1b[0m", page->out);
}

static unsigned columns_of(const char *text, size_t bytes) {
    unsigned columns = 0;
    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

/* Bytes of the first `columns` characters of a text. */
static size_t bytes_of(const char *text, size_t bytes, unsigned columns) {
    size_t i = 0;
    while (i < bytes && (columns > 0 || ((unsigned char)text[i] & 0xc0) == 0x80)) {
        columns -= ((unsigned char)text[i] & 0xc0) != 0x80;
        i++;
    }
    return i;
}

void page_blank(const struct page *page) {
    fputc('\n', page->out);
}

/* Where a wrapped paragraph stands. */
struct cursor {
    const struct page *page;
    unsigned column, hang;
    unsigned spaces; /* that are due before the next word; dropped at a line's end */
    bool is_at_start;
};

static void begin_line(struct cursor *cursor) {
    fprintf(cursor->page->out, "\n%*s", (int)cursor->hang, "");
    cursor->column = cursor->hang;
    cursor->spaces = 0;
    cursor->is_at_start = true;
}

/* Puts a word; `glued` columns of other spans follow it without a space, as a full stop does. */
static void put_word(struct cursor *cursor, enum page_style style, const char *word, size_t bytes,
                     unsigned glued) {
    unsigned columns = columns_of(word, bytes), width = cursor->page->width;
    if (!cursor->is_at_start && cursor->spaces > 0 &&
        cursor->column + cursor->spaces + columns + glued > width)
        begin_line(cursor);
    fprintf(cursor->page->out, "%*s", (int)cursor->spaces, "");
    cursor->column += cursor->spaces;
    cursor->spaces = 0;
    while (cursor->column + columns > width && width > cursor->hang) { /* longer than a line */
        size_t part = bytes_of(word, bytes, width - cursor->column);
        put(cursor->page, style, word, part);
        columns -= columns_of(word, part);
        word += part;
        bytes -= part;
        begin_line(cursor);
    }
    put(cursor->page, style, word, bytes);
    cursor->column += columns;
    cursor->is_at_start = false;
}

/* Columns up to the first space of some spans. */
static unsigned columns_to_space(const struct page_span *spans, size_t n) {
    unsigned columns = 0;
    for (size_t i = 0; i < n; i++) {
        size_t bytes = spans[i].text ? strcspn(spans[i].text, " \n") : 0;
        columns += bytes > 0 ? columns_of(spans[i].text, bytes) : 0;
        if (spans[i].text && spans[i].text[bytes])
            break;
    }
    return columns;
}

static void flow(struct cursor *cursor, const struct page_span *spans, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (const char *at = spans[i].text; at && *at;) {
            size_t bytes = strcspn(at, " \n");
            if (*at == '\n')
                begin_line(cursor);
            else if (*at == ' ')
                cursor->spaces++;
            else
                put_word(cursor, spans[i].style, at, bytes,
                         at[bytes] ? 0 : columns_to_space(spans + i + 1, n - i - 1));
            at += bytes > 0 ? bytes : 1;
        }
    }
}

/* Gives the spans to the page's taker as one text. */
static void give(const struct page *page, unsigned indent, const char *label,
                 const struct page_span *spans, size_t n) {
    bool is_line = indent >= DEEP;
    OWNED char *text = text_format("%*s", is_line ? (int)(indent - DEEP) : 0, "");
    for (size_t i = 0; i < n; i++)
        text_add(&text, "%s", spans[i].text ? spans[i].text : "");
    if (is_line)
        page->taker->line(page->to, text);
    else
        page->taker->text(page->to, label, text);
}

void page_spans(const struct page *page, unsigned indent, unsigned hang,
                const struct page_span *spans, size_t n) {
    if (page->taker) {
        give(page, indent, "", spans, n);
        return;
    }
    struct cursor cursor = {.page = page, .column = indent, .hang = hang, .is_at_start = true};
    fprintf(page->out, "%*s", (int)indent, "");
    flow(&cursor, spans, n);
    fputc('\n', page->out);
}

void page_text(const struct page *page, unsigned indent, enum page_style style, const char *format,
               ...) {
    va_list args;
    va_start(args, format);
    char *text = text_vformat(format, args);
    va_end(args);
    struct page_span span = {style, text};
    page_spans(page, indent, indent, &span, 1);
    free(text);
}

/* Puts a label; returns how many blanks are due before the text in the column beside it. */
static unsigned put_label(const struct page *page, unsigned indent, const char *label) {
    unsigned columns = (unsigned)text_columns(label);
    fprintf(page->out, "%*s", (int)indent, "");
    put(page, PAGE_FAINT, label, strlen(label));
    return columns < LABEL_COLUMNS ? LABEL_COLUMNS - columns : 1;
}

void page_labelled(const struct page *page, unsigned indent, const char *label,
                   const struct page_span *spans, size_t n) {
    if (page->taker) {
        give(page, 0, label, spans, n);
        return;
    }
    unsigned gap = put_label(page, indent, label);
    unsigned column = indent + (unsigned)text_columns(label) + gap;
    fprintf(page->out, "%*s", (int)gap, "");
    struct cursor cursor = {
        .page = page, .column = column, .hang = indent + LABEL_COLUMNS, .is_at_start = true};
    flow(&cursor, spans, n);
    fputc('\n', page->out);
}

void page_over(const struct page *page, unsigned indent, const char *label) {
    struct page_span span = {PAGE_FAINT, label};
    if (page->taker)
        page->taker->text(page->to, label, "");
    else
        page_spans(page, indent, indent, &span, 1);
}

void page_part(const struct page *page) {
    if (page->taker)
        page->taker->text(page->to, "", "");
}

void page_row(const struct page *page, unsigned indent, const struct page_span *spans, size_t n,
              struct page_span right) {
    unsigned columns = indent, right_columns = (unsigned)text_columns(right.text);
    unsigned width = page->width < ROW_WIDEST ? page->width : ROW_WIDEST;
    for (size_t i = 0; i < n; i++)
        columns += spans[i].text ? (unsigned)text_columns(spans[i].text) : 0;
    if (columns + 1 + right_columns > width) {
        page_spans(page, indent, indent + 2, spans, n);
        columns = 0;
    } else {
        fprintf(page->out, "%*s", (int)indent, "");
        for (size_t i = 0; i < n; i++)
            put(page, spans[i].style, spans[i].text, spans[i].text ? strlen(spans[i].text) : 0);
    }
    if (right_columns > 0)
        fprintf(page->out, "%*s", (int)(width - columns - right_columns), "");
    put(page, right.style, right.text, strlen(right.text));
    fputc('\n', page->out);
}

void page_verbatim(const struct page *page, unsigned indent, const char *prefix,
                   enum page_style style, const char *text, size_t bytes) {
    if (page->taker) {
        OWNED char *line = text_format("%s%.*s", prefix, (int)bytes, text);
        give(page, indent > DEEP ? indent : DEEP, "", &(struct page_span){style, line}, 1);
        return;
    }
    unsigned used = indent + (unsigned)text_columns(prefix);
    unsigned room = page->width > used ? page->width - used : 1;
    bool is_cut = columns_of(text, bytes) > room;
    fprintf(page->out, "%*s", (int)indent, "");
    put(page, PAGE_FAINT, prefix, strlen(prefix));
    put(page, style, text, is_cut ? bytes_of(text, bytes, room - 1) : bytes);
    if (is_cut)
        put(page, PAGE_FAINT, "…", strlen("…"));
    fputc('\n', page->out);
}

/* Bytes of a row of code: up to the last blank that leaves at least half a row, where there is one.
 */
static size_t row_bytes(const char *text, size_t bytes, unsigned room) {
    size_t whole = bytes_of(text, bytes, room);
    if (whole == bytes)
        return bytes;
    for (size_t at = whole; at > whole / 2; at--) {
        if (text[at] == ' ')
            return at;
    }
    return whole;
}

/* Bytes of code in front of a comment, which may be cut. */
static size_t code_bytes(const char *text, size_t bytes) {
    size_t at = 0;
    while (at + 1 < bytes && !(text[at] == '/' && text[at + 1] == '/'))
        at++;
    return at + 1 < bytes ? at : bytes;
}

void page_code(const struct page *page, unsigned indent, const char *prefix, enum page_style style,
               const char *text, size_t bytes) {
    unsigned before = (unsigned)text_columns(prefix), used = indent + before;
    size_t blanks = 0;
    while (blanks < bytes && text[blanks] == ' ')
        blanks++;
    unsigned room = page->width > used ? page->width - used : 1;
    unsigned hang = (unsigned)blanks + 4 < room / 2 ? (unsigned)blanks + 4 : room / 2;
    if (page->taker || columns_of(text, code_bytes(text, bytes)) <= room) {
        page_verbatim(page, indent, prefix, style, text, bytes);
        return;
    }
    size_t done = row_bytes(text, bytes, room);
    page_verbatim(page, indent, prefix, style, text, done);
    for (unsigned row = 1; done < bytes; row++) {
        while (text[done] == ' ' && done + 1 < bytes)
            done++;
        size_t part =
            row + 1 < CODE_ROWS ? row_bytes(text + done, bytes - done, room - hang) : bytes - done;
        OWNED char *bar = text_format("%*s│ %*s", (int)before - 2, "", (int)hang, "");
        page_verbatim(page, indent, bar, style, text + done, part);
        done += part;
    }
}

/* Bytes of a command's first piece: a word, or an option with the word that follows it. */
static size_t piece_bytes(const char *command) {
    size_t bytes = strcspn(command, " ");
    if (command[0] == '-' && command[bytes] == ' ' && command[bytes + 1] != '-')
        bytes += 1 + strcspn(command + bytes + 1, " ");
    return bytes;
}

void page_command(const struct page *page, unsigned indent, const char *label,
                  const char *command) {
    if (page->taker) {
        page->taker->command(page->to, label, command);
        return;
    }
    unsigned gap = put_label(page, indent, label);
    unsigned start = indent + (unsigned)text_columns(label) + gap;
    bool fits = start + text_columns(command) <= page->width;
    start = fits ? start : indent + 2;
    fprintf(page->out, "%s%*s", fits ? "" : "\n", (int)(fits ? gap : start), "");
    for (unsigned column = start; *command;) {
        size_t bytes = piece_bytes(command);
        unsigned columns = columns_of(command, bytes);
        bool is_last = command[bytes] == '\0';
        if (column > start && column + 1 + columns + (is_last ? 0 : 2) > page->width) {
            fprintf(page->out, " \\\n%*s", (int)start + 2, "");
            column = start + 2;
        } else if (column > start) {
            fputc(' ', page->out);
            column++;
        }
        put(page, PAGE_STRONG, command, bytes);
        column += columns;
        command += bytes + !is_last;
    }
    fputc('\n', page->out);
}

/* Archives that mean well, and the attacks that an archive can be. */
#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/class/intake/unpack/archive.h"
#include "grader/class/intake/unpack/entry.h"
#include "grader/tests/support.h"

static char *folder, *path, *out;
static struct archive *writer;
static struct notes notes;

static void set_up(void) {
    folder = support_folder();
    out = text_format("%s/out", folder);
    cr_assert_eq(mkdir(out, 0700), 0);
    path = text_format("%s/class.zip", folder);
}

static void tear_down(void) {
    notes_finish(&notes);
    free(out);
    free(path);
    support_remove(folder);
}

TestSuite(archive, .init = set_up, .fini = tear_down);

static void begin(const char *file, bool is_zip) {
    writer = archive_write_new();
    if (is_zip) {
        archive_write_set_format_zip(writer);
        archive_write_set_options(writer, "hdrcharset=UTF-8");
    } else {
        archive_write_set_format_gnutar(writer);
        archive_write_add_filter_gzip(writer);
        archive_write_set_options(writer, "compression-level=1");
    }
    cr_assert_eq(archive_write_open_filename(writer, file), ARCHIVE_OK);
}

static void end(void) {
    cr_assert_eq(archive_write_close(writer), ARCHIVE_OK);
    archive_write_free(writer);
}

static void add_data(const char *name, int type, const void *bytes, size_t n) {
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, (unsigned)type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, 1700000000, 0);
    archive_entry_set_size(entry, type == AE_IFREG ? (la_int64_t)n : 0);
    if (type == AE_IFLNK)
        archive_entry_set_symlink(entry, bytes);
    cr_assert_geq(archive_write_header(writer, entry), ARCHIVE_WARN, "%s",
                  archive_error_string(writer));
    if (type == AE_IFREG)
        archive_write_data(writer, bytes, n);
    archive_entry_free(entry);
}

/* Adds what lies at a path. */
static void add_file(const char *name, const char *file) {
    OWNED char *bytes = NULL;
    size_t n_bytes;
    cr_assert_eq(file_read(file, 1 << 24, &bytes, &n_bytes, NULL), GRADER_OK);
    add_data(name, AE_IFREG, bytes, n_bytes);
}

static void add(const char *name) {
    add_data(name, AE_IFREG, "int x;\n", 7);
}

static enum grader_status unpack(void) {
    struct diag diag = {0};
    return archive_unpack(path, out, -1, &notes, &diag);
}

/* Ends the archive, which is then unpacked. */
static void end_and_unpack(void) {
    end();
    cr_expect_eq(unpack(), GRADER_OK);
}

static bool is_there(const char *below) {
    return file_is_regular(support_text("%s/%s", out, below));
}

static void expect_note(const char *word) {
    for (size_t i = 0; i < notes.n; i++) {
        if (strstr(notes.items[i], word))
            return;
    }
    cr_expect(false, "no note says «%s»", word);
}

static time_t time_of(const char *below) {
    char *file = support_text("%s/%s", out, below);
    struct stat status;
    cr_assert_eq(stat(file, &status), 0, "%s", file);
    return status.st_mtime;
}

Test(archive, unpacks_files_and_believes_no_time_in_it) {
    begin(path, true);
    add("ann/alpha.cu");
    add("ben/01-alpha/alpha.cu");
    end_and_unpack();
    cr_expect(is_there("ann/alpha.cu") && is_there("ben/01-alpha/alpha.cu"));
    cr_expect_eq(time_of("ann/alpha.cu"), 0);
    cr_expect_eq(notes.n, 0);
}

Test(archive, refuses_names_that_lead_out_and_keeps_the_rest) {
    begin(path, false);
    add("../evil.cu");
    add("ann/../../evil.cu");
    add("/tmp/warpbook-evil.cu");
    add("c:\\evil.cu");
    add("..\\evil.cu");
    add("ann/alpha.cu");
    end_and_unpack();
    char *evil = support_text("%s/evil.cu", folder);
    cr_expect_not(file_exists(evil));
    cr_expect_not(file_exists("/tmp/warpbook-evil.cu"));
    cr_expect(is_there("ann/alpha.cu"));
    cr_expect_eq(notes.n, 5);
    expect_note("leads out");
    expect_note("absolute");
}

Test(archive, refuses_links_devices_and_what_goes_through_them) {
    begin(path, false);
    add_data("ann", AE_IFLNK, "/etc", 0);
    add("ann/passwd");
    add_data("pipe", AE_IFIFO, NULL, 0);
    add_data("device", AE_IFCHR, NULL, 0);
    struct archive_entry *hard = archive_entry_new();
    archive_entry_set_pathname(hard, "ben/alpha.cu");
    archive_entry_set_filetype(hard, AE_IFREG);
    archive_entry_set_hardlink(hard, "/etc/passwd");
    archive_write_header(writer, hard);
    archive_entry_free(hard);
    add("cy/alpha.cu");
    end_and_unpack();
    cr_expect(is_there("cy/alpha.cu"));
    cr_expect(is_there("ann/passwd"), "in a folder of its own");
    cr_expect_not(is_there("ben/alpha.cu"));
    cr_expect_eq(notes.n, 4);
    expect_note("a symbolic link");
    expect_note("a link to another file");
    expect_note("a device");
}

Test(archive, keeps_the_first_of_one_name_and_all_that_differ_by_case) {
    begin(path, true);
    add("ann/alpha.cu");
    add_data("ann/alpha.cu", AE_IFREG, "int y;", 6);
    add_data("ANN/alpha.cu", AE_IFREG, "int z;", 6);
    add("ben/alpha.cu");
    end_and_unpack();
    char *file = support_text("%s/ann/alpha.cu", out), *text = support_read(file);
    cr_expect_str_eq(text, "int x;\n");
    cr_expect(is_there("ANN/alpha.cu"), "another student");
    cr_expect(is_there("ben/alpha.cu"));
    cr_expect_eq(notes.n, 1);
}

Test(archive, cleans_odd_names) {
    char name[320] = "";
    memset(name, 'x', 300);
    strcat(name, "/alpha.cu");
    begin(path, false);
    add(name);
    add("a\nb/alpha.cu");
    add("-rf/alpha.cu");
    add("\xff\xfe/alpha.cu");
    add("gpj.\xe2\x80\xae"
        "exe/alpha.cu");
    end_and_unpack();
    cr_expect_eq(notes.n, 5, "%zu", notes.n);
    for (size_t i = 0; i < notes.n; i++)
        cr_expect(strstr(notes.items[i], "was cleaned"), "%s", notes.items[i]);
}

Test(archive, stops_at_a_bomb_and_keeps_what_came_before) {
    size_t n = (size_t)ARCHIVE_FILE_BYTES - 1;
    OWNED char *zeros = calloc(1, n);
    char *inner = support_text("%s/inner.zip", folder);
    begin(inner, true);
    add("alpha.cu");
    for (int i = 0; i < 3; i++)
        add_data(support_text("%d", i), AE_IFREG, zeros, n);
    end();
    begin(path, true);
    add_file("bomb/work.zip", inner);
    add("zoe/alpha.cu");
    end_and_unpack();
    cr_expect(is_there("bomb/work/alpha.cu") && is_there("zoe/alpha.cu"));
    expect_note("as only a bomb does");
    cr_expect_not(is_there("bomb/work/1"));
    cr_expect_not(notes.has_losses);
}

Test(archive, leaves_out_a_file_that_is_too_large) {
    size_t n = (size_t)ARCHIVE_FILE_BYTES + 1;
    OWNED char *zeros = calloc(1, n);
    begin(path, true);
    archive_write_zip_set_compression_store(writer); /* else it were a bomb */
    add_data("ann/alpha.cu", AE_IFREG, zeros, n);
    add("ben/alpha.cu");
    end_and_unpack();
    cr_expect_not(is_there("ann/alpha.cu"));
    cr_expect(is_there("ben/alpha.cu"));
    expect_note("is larger than 64 MiB");
}

Test(archive, unpacks_archives_within_but_not_for_ever) {
    char *inner = support_text("%s/inner.zip", folder);
    begin(path, true);
    add("alpha.cu");
    for (int i = 0; i < 5; i++) {
        end();
        cr_assert_eq(rename(path, inner), 0);
        begin(path, true);
        add_file(i < 4 ? "in.zip" : "doejane_12_900_work.zip", inner);
        add_data("beta.cu", AE_IFREG, "int y;", 6);
    }
    end_and_unpack();
    cr_expect(is_there("doejane_12_900_work/in/beta.cu"));
    expect_note("too deep in archives");
}

Test(archive, stops_where_it_is_interrupted) {
    struct diag diag = {0};
    int fds[2];
    begin(path, true);
    add("ann/alpha.cu");
    end();
    cr_assert(pipe(fds) == 0 && write(fds[1], "", 1) == 1);
    cr_expect_eq(archive_unpack(path, out, fds[0], &notes, &diag), GRADER_INTERRUPTED);
    cr_expect_not(is_there("ann/alpha.cu"));
}

Test(archive, takes_what_is_before_the_damage) {
    struct stat whole;
    begin(path, false);
    for (int i = 0; i < 2000; i++)
        add(support_text("s%d/alpha.cu", i));
    end();
    cr_assert_eq(stat(path, &whole), 0);
    cr_assert_eq(truncate(path, whole.st_size / 2), 0);
    cr_expect_eq(unpack(), GRADER_OK);
    cr_expect(is_there("s0/alpha.cu"));
    cr_expect(notes.n > 0 && notes.has_losses, "others lose theirs");
}

Test(archive, refuses_what_is_no_archive) {
    support_write(folder, "class.zip", "PK? no.");
    cr_expect_eq(unpack(), GRADER_BAD_INPUT);
}

Test(archive, unpacks_what_lies_in_a_folder_and_leaves_that_as_it_is) {
    char *class = support_text("%s/spring", folder);
    OWNED char *ben = NULL;
    OWNED char *link = NULL;
    OWNED char *hers = NULL;
    support_write(folder, "spring/ann/alpha.cu", "int x;\n");
    ben = support_write(folder, "spring/ben/work.zip", "");
    begin(ben, true);
    add("alpha.cu");
    add("../../evil.cu");
    end();
    struct timespec handed[2] = {{.tv_sec = 1800000000}, {.tv_sec = 1800000000}};
    cr_assert_eq(utimensat(AT_FDCWD, ben, handed, 0), 0);
    link = text_format("%s/cy", class);
    cr_assert_eq(symlink("/etc", link), 0);
    cr_expect(archive_is_below(class));
    struct diag diag = {0};
    cr_expect_eq(archive_unpack_folder(class, out, -1, &notes, &diag), GRADER_OK, "%s",
                 diag.message);
    cr_expect(is_there("ann/alpha.cu") && is_there("ben/work/alpha.cu"));
    cr_expect_eq(time_of("ben/work/alpha.cu"), 1800000000, "as the archive, not as it says");
    cr_expect_not(is_there("cy/passwd") || is_there("ben/work.zip") || is_there("evil.cu"));
    expect_note("leads out");
    expect_note("cy is a symbolic link");
    cr_expect_eq(notes.n, 2);
    cr_expect(file_is_regular(ben));
    hers = text_format("%s/ann", class);
    cr_expect_not(archive_is_below(hers));
}

Test(archive, unpacks_an_archive_into_the_folder_of_its_name) {
    char *class = support_text("%s/spring", folder);
    support_write(folder, "spring/ann/alpha.cu", "int x;\n");
    OWNED char *work = support_write(folder, "spring/ann.zip", "");
    begin(work, true);
    add("beta.cu");
    end();
    support_write(folder, "spring/ben", "int x;\n");
    OWNED char *other = support_write(folder, "spring/ben.zip", "");
    begin(other, true);
    add("beta.cu");
    end();
    struct diag diag = {0};
    cr_expect_eq(archive_unpack_folder(class, out, -1, &notes, &diag), GRADER_OK, "%s",
                 diag.message);
    cr_expect(is_there("ann/alpha.cu") && is_there("ann/ann/beta.cu"));
    expect_note("ben.zip was not unpacked: Not a directory");
    cr_expect_eq(notes.n, 1);
}

Test(archive, leaves_out_what_is_encrypted) {
    begin(path, true);
    if (archive_write_set_options(writer, "encryption=traditional") != ARCHIVE_OK ||
        archive_write_set_passphrase(writer, "secret") != ARCHIVE_OK) {
        end();
        cr_skip("this libarchive cannot encrypt");
    }
    add("ann/alpha.cu");
    end_and_unpack();
    cr_expect_not(is_there("ann/alpha.cu"));
    expect_note("encrypted");
}

/* Files of nothing, in a folder. */
static void add_many(const char *within, int n) {
    for (int i = 0; i < n; i++)
        add_data(support_text("%s/%d", within, i), AE_IFREG, "", 0);
}

Test(archive, leaves_others_room_when_one_has_too_many_files) {
    begin(path, false);
    add("export/ann/alpha.cu");
    add_many("export/hog", BUDGET_FILES + 2);
    add("export/zoe/alpha.cu");
    end_and_unpack();
    char *last = support_text("export/hog/%d", BUDGET_FILES - 1);
    char *beyond = support_text("export/hog/%d", BUDGET_FILES);
    cr_expect(is_there(last));
    cr_expect_not(is_there(beyond));
    cr_expect(is_there("export/ann/alpha.cu") && is_there("export/zoe/alpha.cu"));
    cr_expect_eq(notes.n, 1);
    expect_note("hog has more files than a student may have");
    cr_expect_not(notes.has_losses);
}

/* Adds an archive of so many files to the one in the making. */
static void add_archive(const char *name, int n) {
    char *inner = support_text("%s/inner.zip", folder);
    struct archive *outer = writer;
    begin(inner, true);
    add("alpha.cu");
    add_many("more", n);
    end();
    writer = outer;
    add_file(name, inner);
}

Test(archive, leaves_others_room_when_ones_own_archives_have_too_many_files) {
    begin(path, true);
    add_archive("doejane_12_900_work.zip", BUDGET_FILES / 2);
    add_archive("doejane_12_901_work-1.zip", BUDGET_FILES);
    add_archive("doejane_12_902_work-2.zip", BUDGET_FILES);
    add_archive("roejon_13_903_work.zip", 1);
    end_and_unpack();
    cr_expect(is_there("doejane_12_901_work-1/alpha.cu"));
    cr_expect(is_there("roejon_13_903_work/alpha.cu"));
    expect_note("12 has more files than a student may have");
    cr_expect_eq(notes.n, 1);
}

Test(archive, takes_an_archive_that_is_all_of_a_class_for_the_classs) {
    begin(path, true);
    for (int i = 0; i < 3; i++)
        add_many(support_text("s%d", i), BUDGET_FILES / 2 + 1);
    end();
    char *class = support_text("%s/spring", folder), *inner = support_text("%s/in.zip", class);
    cr_assert(file_make_folders(class));
    cr_assert_eq(rename(path, inner), 0);
    struct diag diag = {0};
    cr_expect_eq(archive_unpack_folder(class, out, -1, &notes, &diag), GRADER_OK, "%s",
                 diag.message);
    char *last = support_text("in/s2/%d", BUDGET_FILES / 2);
    cr_expect(is_there(last));
    cr_expect_eq(notes.n, 0);
}

Test(archive, leaves_others_room_when_one_has_too_many_bytes) {
    size_t n = (size_t)ARCHIVE_FILE_BYTES - 1;
    OWNED char *zeros = calloc(1, n);
    begin(path, true);
    for (int i = 0; i < 6; i++)
        add_data(support_text("hog/%d", i), AE_IFREG, zeros, n);
    add("zoe/alpha.cu");
    end_and_unpack();
    cr_expect(is_there("hog/3") && is_there("zoe/alpha.cu"));
    cr_expect_not(is_there("hog/4") || is_there("hog/5"));
    expect_note("hog has more bytes than a student may have");
}

Test(archive, leaves_out_what_lies_too_deep) {
    char deep[2 * ARCHIVE_DEPTH + 32] = "";
    for (int i = 0; i <= ARCHIVE_DEPTH; i++)
        strcat(deep, "d/");
    strcat(deep, "alpha.cu");
    begin(path, false);
    add(deep);
    add(deep + 4);
    end_and_unpack();
    cr_expect_not(is_there(deep));
    cr_expect(is_there(deep + 4));
    cr_expect_eq(notes.n, 1);
}

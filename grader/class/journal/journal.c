/* The statements, and a lock beside the file that keeps a second grader out. */
#include "grader/class/journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/hmac.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/text.h"

struct journal {
    sqlite3 *db;
    char *path;
    int lock_fd;
    uint8_t secret[JOURNAL_SECRET_BYTES];
    pthread_mutex_t mutex; /* held over each use of `db`; recursive, for journal_begin */
};

static const char tables[] =
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS wanted (lab TEXT NOT NULL, file TEXT NOT NULL,"
    " generation INTEGER NOT NULL, UNIQUE (lab, file, generation)) STRICT;"
    "CREATE TABLE IF NOT EXISTS result (id INTEGER PRIMARY KEY, lab TEXT NOT NULL,"
    " file TEXT NOT NULL, tests TEXT NOT NULL, grader TEXT NOT NULL, backend TEXT NOT NULL,"
    " generation INTEGER NOT NULL, verdict TEXT NOT NULL, points INTEGER NOT NULL,"
    " max_points INTEGER NOT NULL, record TEXT NOT NULL, at TEXT NOT NULL,"
    " UNIQUE (lab, file, tests, grader, backend, generation)) STRICT;"
    "CREATE TABLE IF NOT EXISTS grade (id INTEGER PRIMARY KEY, student TEXT NOT NULL,"
    " lab TEXT NOT NULL, result INTEGER NOT NULL REFERENCES result (id), at TEXT NOT NULL,"
    " UNIQUE (student, lab, result)) STRICT;"
    "CREATE TABLE IF NOT EXISTS cause (result INTEGER PRIMARY KEY REFERENCES result (id),"
    " causes TEXT NOT NULL, at TEXT NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS failure (id INTEGER PRIMARY KEY, lab TEXT NOT NULL,"
    " file TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL) STRICT;";

#define NOW "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"
#define OF_KEY                                                                                     \
    "lab = ?1 AND file = ?2 AND tests = ?3 AND grader = ?4 AND backend = ?5 AND generation = ?6"

/* What to do about SQLite's error, to stand behind it. */
static const char *advice(int code) {
    switch (code) {
    case SQLITE_FULL:
        return "; what it holds is safe: make room, and the same command goes on";
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
        return "; --journal FILE names another";
    default:
        return "";
    }
}

static enum grader_status fail(const struct journal *journal, struct diag *diag) {
    int code = journal->db ? sqlite3_errcode(journal->db) & 0xff : SQLITE_OK;
    diag_set(diag, journal->path, 0, "the journal cannot be used: %s%s",
             journal->db ? sqlite3_errmsg(journal->db) : strerror(errno), advice(code));
    return code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? GRADER_BAD_INPUT : GRADER_FAILED;
}

static enum grader_status execute(struct journal *journal, const char *sql, struct diag *diag) {
    return sqlite3_exec(journal->db, sql, NULL, NULL, NULL) == SQLITE_OK ? GRADER_OK
                                                                         : fail(journal, diag);
}

static sqlite3_stmt *prepare(struct journal *journal, const char *sql) {
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(journal->db, sql, -1, &statement, NULL);
    return statement; /* NULL steps as SQLITE_MISUSE, and is reported with the database's words */
}

/* A statement of which this thread is the only one that uses the database, until its end. */
struct query {
    struct journal *journal;
    sqlite3_stmt *statement;
};

static void query_end(struct query *query) {
    sqlite3_finalize(query->statement);
    pthread_mutex_unlock(&query->journal->mutex);
}

static void bind_text(const struct query *query, int at, const char *text) {
    sqlite3_bind_text(query->statement, at, text, -1, SQLITE_TRANSIENT);
}

/* Its first `n` parameters are these texts. */
static struct query query_begin(struct journal *journal, const char *sql, int n, ...) {
    va_list texts;
    pthread_mutex_lock(&journal->mutex);
    struct query query = {journal, prepare(journal, sql)};
    va_start(texts, n);
    for (int i = 1; i <= n; i++)
        bind_text(&query, i, va_arg(texts, const char *));
    va_end(texts);
    return query;
}

/* Its first five parameters are those of a key, its sixth the generation. */
static struct query query_of_key(struct journal *journal, const char *sql,
                                 const struct journal_key *key) {
    struct query query =
        query_begin(journal, sql, 5, key->lab, key->file, key->tests, key->grader, key->backend);
    sqlite3_bind_int64(query.statement, 6, key->generation);
    return query;
}

/* There is a (first) row. */
static bool has_row(const struct query *query) {
    return query->statement && sqlite3_step(query->statement) == SQLITE_ROW;
}

/* Runs a statement that gives no rows. */
static enum grader_status run(const struct query *query, struct diag *diag) {
    bool ok = query->statement && sqlite3_step(query->statement) == SQLITE_DONE;
    return ok ? GRADER_OK : fail(query->journal, diag);
}

/* Takes the lock: only one process may write. The lock is the kernel's (flock), so it ends when its
 * process ends. */
static enum grader_status lock(struct journal *journal, struct diag *diag) {
    OWNED char *path = text_format("%s-lock", journal->path);
    char holder[32] = "";
    enum grader_status status = GRADER_OK;
    journal->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (journal->lock_fd < 0) {
        diag_set(diag, path, 0,
                 "no journal can be made here: %s (--journal FILE puts it elsewhere)",
                 strerror(errno));
        status = GRADER_FAILED;
    } else if (flock(journal->lock_fd, LOCK_EX | LOCK_NB) != 0) {
        ssize_t n = pread(journal->lock_fd, holder, sizeof holder - 1, 0);
        holder[n > 0 ? strspn(holder, "0123456789") : 0] = '\0';
        diag_set(diag, journal->path, 0,
                 "another grader (process %s) is at work with this journal; wait for it, or end it",
                 holder);
        status = GRADER_BAD_INPUT;
    } else {
        int n = snprintf(holder, sizeof holder, "%ld\n", (long)getpid());
        if (ftruncate(journal->lock_fd, 0) == 0 &&
            pwrite(journal->lock_fd, holder, (size_t)n, 0) != n)
            diag_set(diag, path, 0, "the lock has no number"); /* of no consequence */
    }
    return status;
}

/* Reads the secret, or makes one. */
static enum grader_status load_secret(struct journal *journal, const uint64_t *seed,
                                      struct diag *diag) {
    OWNED_BY(query_end)
    struct query find = query_begin(journal, "SELECT value FROM meta WHERE name = 'secret'", 0);
    if (has_row(&find) && sqlite3_column_bytes(find.statement, 0) == JOURNAL_SECRET_BYTES) {
        memcpy(journal->secret, sqlite3_column_blob(find.statement, 0), JOURNAL_SECRET_BYTES);
        return GRADER_OK;
    }
    if (!seed && getrandom(journal->secret, JOURNAL_SECRET_BYTES, 0) != JOURNAL_SECRET_BYTES) {
        diag_set(diag, NULL, 0, "the system has no random numbers for a secret");
        return GRADER_FAILED;
    }
    if (seed)
        memcpy(journal->secret, seed, sizeof *seed);
    OWNED_BY(query_end)
    struct query add = query_begin(journal, "INSERT INTO meta VALUES ('secret', ?1)", 0);
    sqlite3_bind_blob(add.statement, 1, journal->secret, JOURNAL_SECRET_BYTES, SQLITE_TRANSIENT);
    return run(&add, diag);
}

static enum grader_status check_version(struct journal *journal, struct diag *diag) {
    OWNED_BY(query_end) struct query find = query_begin(journal, "PRAGMA user_version", 0);
    int version = has_row(&find) ? sqlite3_column_int(find.statement, 0) : -1;
    if (version < 0)
        return fail(journal, diag);
    if (version == 0 || version == JOURNAL_VERSION)
        return GRADER_OK;
    diag_set(diag, journal->path, 0, "this journal is of version %d; this program knows version %d",
             version, JOURNAL_VERSION);
    return GRADER_BAD_INPUT;
}

enum grader_status journal_open(const char *path, const uint64_t *seed, struct journal **result,
                                struct diag *diag) {
    struct journal *journal = make_zeroed(1, sizeof *journal);
    pthread_mutexattr_t attributes;
    *journal = (struct journal){.path = text_format("%s", path), .lock_fd = -1};
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&journal->mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    *result = journal;
    enum grader_status status = lock(journal, diag);
    if (status != GRADER_OK)
        return status;
    mode_t mask = umask(077); /* it holds a secret, and grades */
    int code =
        sqlite3_open_v2(path, &journal->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    umask(mask);
    if (code != SQLITE_OK)
        return fail(journal, diag);
    sqlite3_busy_timeout(journal->db, 10000);
    if (file_is_remote(path)) /* then WAL needs no memory that processes share */
        status = execute(journal, "PRAGMA locking_mode = EXCLUSIVE", diag);
    if (status == GRADER_OK)
        status = execute(journal, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;", diag);
    if (status == GRADER_OK)
        status = check_version(journal, diag);
    if (status == GRADER_OK)
        status = execute(journal, "BEGIN IMMEDIATE", diag);
    if (status == GRADER_OK)
        status = execute(journal, tables, diag);
    if (status == GRADER_OK)
        status = load_secret(journal, seed, diag);
    if (status == GRADER_OK)
        status = execute(journal, "PRAGMA user_version = 1; COMMIT", diag);
    return status;
}

void journal_close(struct journal *journal) {
    if (!journal)
        return;
    sqlite3_close(journal->db);
    if (journal->lock_fd >= 0)
        close(journal->lock_fd);
    pthread_mutex_destroy(&journal->mutex);
    free(journal->path);
    free(journal);
}

uint64_t journal_seed(struct journal *journal, const struct journal_key *key) {
    struct hmac_sha256_ctx hmac;
    uint64_t seed;
    OWNED char *text = text_format("%s %s %s %s %lld", key->lab, key->file, key->tests,
                                   key->backend, (long long)key->generation);
    hmac_sha256_set_key(&hmac, sizeof journal->secret, journal->secret);
    hmac_sha256_update(&hmac, strlen(text), (const uint8_t *)text);
    hmac_sha256_digest(&hmac, sizeof seed, (uint8_t *)&seed);
    return seed;
}

int64_t journal_generation(struct journal *journal, const char *lab, const char *file) {
    OWNED_BY(query_end)
    struct query find = query_begin(
        journal, "SELECT max(generation) FROM wanted WHERE lab = ?1 AND file = ?2", 2, lab, file);
    return has_row(&find) ? sqlite3_column_int64(find.statement, 0) : 0;
}

enum grader_status journal_regrade(struct journal *journal, struct journal_key *key,
                                   struct diag *diag) {
    OWNED_BY(query_end)
    struct query add = query_begin(journal, "INSERT OR IGNORE INTO wanted VALUES (?1, ?2, ?3)", 2,
                                   key->lab, key->file);
    key->generation = journal_generation(journal, key->lab, key->file);
    json_auto_t *there = journal_find(journal, key);
    if (!there)
        return GRADER_OK;
    sqlite3_bind_int64(add.statement, 3, ++key->generation);
    return run(&add, diag);
}

/* The document that a query has for a key, a new reference, or NULL. */
static json_t *find_document(struct journal *journal, const struct journal_key *key,
                             const char *sql) {
    OWNED_BY(query_end) struct query find = query_of_key(journal, sql, key);
    return has_row(&find)
               ? json_loads((const char *)sqlite3_column_text(find.statement, 0), 0, NULL)
               : NULL;
}

json_t *journal_find(struct journal *journal, const struct journal_key *key) {
    return find_document(journal, key, "SELECT record FROM result WHERE " OF_KEY);
}

json_t *journal_causes(struct journal *journal, const struct journal_key *key) {
    return find_document(journal, key,
                         "SELECT causes FROM cause JOIN result ON result = id WHERE " OF_KEY);
}

enum grader_status journal_explain(struct journal *journal, const struct journal_key *key,
                                   const json_t *causes, struct diag *diag) {
    OWNED char *text = json_dumps(causes, JSON_COMPACT);
    OWNED_BY(query_end)
    struct query add = query_of_key(journal,
                                    "INSERT OR IGNORE INTO cause (result, causes, at)"
                                    " SELECT id, ?7, " NOW " FROM result WHERE " OF_KEY,
                                    key);
    bind_text(&add, 7, text);
    return run(&add, diag);
}

enum grader_status journal_add(struct journal *journal, const struct journal_key *key,
                               const json_t *record, struct diag *diag) {
    OWNED char *text = json_dumps(record, JSON_COMPACT);
    OWNED_BY(query_end)
    struct query add =
        query_of_key(journal,
                     "INSERT OR IGNORE INTO result (lab, file, tests, grader, backend, generation,"
                     " verdict, points, max_points, record, at)"
                     " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, " NOW ")",
                     key);
    bind_text(&add, 7, json_string_value(json_object_get(record, "verdict")));
    sqlite3_bind_int64(add.statement, 8, json_integer_value(json_object_get(record, "points")));
    sqlite3_bind_int64(add.statement, 9, json_integer_value(json_object_get(record, "max_points")));
    bind_text(&add, 10, text);
    return run(&add, diag);
}

enum grader_status journal_grade(struct journal *journal, const char *student,
                                 const struct journal_key *key, struct diag *diag) {
    OWNED_BY(query_end)
    struct query add = query_of_key(journal,
                                    "INSERT OR IGNORE INTO grade (student, lab, result, at)"
                                    " SELECT ?7, ?1, id, " NOW " FROM result WHERE " OF_KEY,
                                    key);
    bind_text(&add, 7, student);
    return run(&add, diag);
}

void journal_fail(struct journal *journal, const struct journal_key *key, const char *reason) {
    OWNED_BY(query_end)
    struct query add = query_begin(journal,
                                   "INSERT INTO failure (lab, file, reason, at)"
                                   " VALUES (?1, ?2, ?3, " NOW ")",
                                   3, key->lab, key->file, reason);
    run(&add, NULL);
}

enum grader_status journal_begin(struct journal *journal, struct diag *diag) {
    pthread_mutex_lock(&journal->mutex);
    enum grader_status status = execute(journal, "BEGIN IMMEDIATE", diag);
    if (status != GRADER_OK)
        pthread_mutex_unlock(&journal->mutex);
    return status;
}

enum grader_status journal_end(struct journal *journal, struct diag *diag) {
    enum grader_status status = execute(journal, "COMMIT", diag);
    if (status != GRADER_OK)
        sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
    pthread_mutex_unlock(&journal->mutex);
    return status;
}

/* Copies into the new journal, attached as `part`, what is known of one file. */
static enum grader_status copy_known(struct journal *journal, const struct journal_key *key,
                                     struct diag *diag) {
    OWNED_BY(query_end)
    struct query copy = query_begin(journal,
                                    "INSERT OR IGNORE INTO part.result SELECT * FROM"
                                    " main.result WHERE lab = ?1 AND file = ?2",
                                    2, key->lab, key->file);
    return run(&copy, diag);
}

static enum grader_status attach(struct journal *journal, const char *path, struct diag *diag) {
    OWNED_BY(query_end) struct query query = query_begin(journal, "ATTACH ?1 AS part", 1, path);
    return run(&query, diag);
}

enum grader_status journal_part(struct journal *journal, const char *path,
                                const struct journal_key *keys, size_t n, struct diag *diag) {
    static const char head[] = "BEGIN IMMEDIATE;"
                               "UPDATE part.meta SET value = (SELECT value FROM main.meta WHERE"
                               " name = 'secret') WHERE name = 'secret';"
                               "INSERT INTO part.wanted SELECT * FROM main.wanted;";
    struct journal *part = NULL;
    enum grader_status status = journal_open(path, NULL, &part, diag);
    journal_close(part);
    if (status != GRADER_OK)
        return status;
    pthread_mutex_lock(&journal->mutex);
    status = attach(journal, path, diag);
    if (status == GRADER_OK)
        status = execute(journal, head, diag);
    for (size_t i = 0; i < n && status == GRADER_OK; i++)
        status = copy_known(journal, &keys[i], diag);
    if (status == GRADER_OK)
        status = execute(journal, "COMMIT", diag);
    if (status != GRADER_OK)
        sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_exec(journal->db, "DETACH part", NULL, NULL, NULL);
    pthread_mutex_unlock(&journal->mutex);
    return status;
}

static char *text_of(const struct query *row, int column) {
    return text_format("%s", (const char *)sqlite3_column_text(row->statement, column));
}

json_t *journal_verdict(struct journal *part, const struct journal_key *key, char **grader,
                        char **backend) {
    OWNED_BY(query_end)
    struct query find =
        query_begin(part,
                    "SELECT r.record, r.grader, r.backend FROM grade g JOIN result r"
                    " ON r.id = g.result WHERE r.lab = ?1 AND r.file = ?2 AND r.tests = ?3"
                    " AND r.generation = ?4 ORDER BY g.id DESC LIMIT 1",
                    3, key->lab, key->file, key->tests);
    sqlite3_bind_int64(find.statement, 4, key->generation);
    if (!has_row(&find))
        return NULL;
    *grader = text_of(&find, 1);
    *backend = text_of(&find, 2);
    return json_loads((const char *)sqlite3_column_text(find.statement, 0), 0, NULL);
}

char *journal_failure(struct journal *journal, const struct journal_key *key) {
    OWNED_BY(query_end)
    struct query find = query_begin(journal,
                                    "SELECT reason FROM failure WHERE lab = ?1 AND file = ?2"
                                    " ORDER BY id DESC LIMIT 1",
                                    2, key->lab, key->file);
    return has_row(&find) ? text_of(&find, 0) : NULL;
}

/* Preloaded into a server: keeps a journal of what its files were before each write, and of each
   fsync, so that afterwards the power can be cut: what was not synced may be undone (power.py). */

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE = 2, SYNC = 3 };

struct record {
    uint32_t kind, path;       /* bytes of the path behind this */
    uint64_t offset, length;   /* what is written, or the new size */
    uint64_t size, old;        /* of the file before; bytes that were there, behind the path */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The path of a database or of its write-ahead log; 0 for all other files. */
static ssize_t name_of(int fd, char *path, size_t room)
{
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, room - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    size_t end = (size_t)length;
    int is_ours = (end > 3 && !strcmp(path + end - 3, ".db"))
        || (end > 7 && !strcmp(path + end - 7, ".db-wal"));
    return is_ours ? length : 0;
}

static void note(uint32_t kind, int fd, uint64_t offset, uint64_t length)
{
    static int journal = -1;
    const char *where = getenv("CROSSROOM_CUT");
    char path[4096];
    ssize_t named = where ? name_of(fd, path, sizeof path) : 0;
    if (!named) return;
    struct stat now;
    if (fstat(fd, &now)) abort();
    struct record record = {kind, (uint32_t)named, offset, length, (uint64_t)now.st_size, 0};
    uint64_t end = kind == WRITE ? offset + length : record.size;
    if (end > record.size) end = record.size;
    if (kind != SYNC && end > offset) record.old = end - offset;
    char *old = malloc(record.old + 1);
    if (!old || pread(fd, old, record.old, (off_t)offset) != (ssize_t)record.old) abort();
    struct iovec parts[] = {
        {&record, sizeof record}, {path, (size_t)named}, {old, record.old},
    };
    ssize_t all = (ssize_t)(sizeof record + (size_t)named + record.old);
    pthread_mutex_lock(&lock);
    if (journal < 0) journal = open(where, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (journal < 0 || writev(journal, parts, 3) != all) abort();
    pthread_mutex_unlock(&lock);
    free(old);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset)
{
    note(WRITE, fd, (uint64_t)offset, length);
    return syscall(SYS_pwrite64, fd, bytes, length, offset);
}

int ftruncate64(int fd, off64_t size)
{
    note(TRUNCATE, fd, (uint64_t)size, 0);
    return (int)syscall(SYS_ftruncate, fd, size);
}

static int synced(int fd, long result)
{
    if (result == 0) note(SYNC, fd, 0, 0);
    return (int)result;
}

int fdatasync(int fd)
{
    return synced(fd, syscall(SYS_fdatasync, fd));
}

int fsync(int fd)
{
    return synced(fd, syscall(SYS_fsync, fd));
}

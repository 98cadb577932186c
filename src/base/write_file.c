/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write_file.c - writes whole files and gives them their names. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"

bool p3d_write_bytes(int fd, const char *data, size_t n)
{
    while (n > 0) {
        const ssize_t done = write(fd, data, n);

        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            data += done;
            n -= (size_t)done;
        }
    }
    return true;
}

/* For file systems without hard links: the name is taken by an empty file,
 * which is replaced at once. */
static bool take_by_empty_file(const char *part, const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    return fd >= 0 && close(fd) == 0 && rename(part, path) == 0;
}

/* link() fails where the name exists, rename() replaces it. */
bool p3d_take_name(const char *part, const char *path, bool force)
{
    if (force)
        return rename(part, path) == 0;
    if (link(part, path) == 0)
        return unlink(part) == 0;
    return (errno == EPERM || errno == EOPNOTSUPP) &&
           take_by_empty_file(part, path);
}

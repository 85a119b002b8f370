/* cli/spread.c: process k of `jobs` does the pieces k, k + jobs, ... and writes
 * their records to a pipe, in this order. */
#include "cli/spread.h"
#include "base/panic.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_JOBS = 256 };

typedef struct child {
  pid_t pid;
  int pipe;
} child;

static bool write_all(int pipe, const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t done = write(pipe, bytes, n);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    bytes += done;
    n -= (size_t)done;
  }
  return true;
}

static bool read_all(int pipe, char *bytes, size_t n) {
  while (n > 0) {
    ssize_t got = read(pipe, bytes, n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    bytes += got;
    n -= (size_t)got;
  }
  return true;
}

static child start(spread_work work, void *context, char *records, size_t size,
                   size_t n, size_t k, size_t jobs) {
  int ends[2];
  if (pipe(ends) != 0)
    panic("cannot make a pipe: %s", strerror(errno));
  child c = {.pid = fork(), .pipe = ends[0]};
  if (c.pid < 0)
    panic("cannot start a process: %s", strerror(errno));
  if (c.pid > 0) {
    close(ends[1]);
    return c;
  }
  close(ends[0]);
  for (size_t i = k; i < n; i += jobs) {
    work(context, i, records + i * size);
    if (!write_all(ends[1], records + i * size, size))
      _exit(1);
  }
  _exit(0);
}

static bool collect(child c, char *records, size_t size, size_t n, size_t k,
                    size_t jobs) {
  bool complete = true;
  int status = 0;
  for (size_t i = k; i < n && complete; i += jobs)
    complete = read_all(c.pipe, records + i * size, size);
  close(c.pipe);
  while (waitpid(c.pid, &status, 0) < 0 && errno == EINTR)
    continue;
  return complete && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool spread_run(spread_work work, void *context, void *records, size_t size,
                size_t n, size_t jobs) {
  child children[MOST_JOBS];
  bool complete = true;
  jobs = jobs > n ? n : jobs;
  jobs = jobs > MOST_JOBS ? MOST_JOBS : jobs;
  if (jobs <= 1) {
    for (size_t i = 0; i < n; i++)
      work(context, i, (char *)records + i * size);
    return true;
  }
  fflush(NULL);
  for (size_t k = 0; k < jobs; k++)
    children[k] = start(work, context, records, size, n, k, jobs);
  for (size_t k = 0; k < jobs; k++)
    complete = collect(children[k], records, size, n, k, jobs) && complete;
  if (!complete)
    fprintf(stderr, "tilecheck: a process ended before its work was done\n");
  return complete;
}

size_t spread_jobs(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores > 1 ? (size_t)cores : 1;
}

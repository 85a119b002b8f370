/* cli/workers.c: one process for each file.
 *
 * The parent reads a file, forks, and collects what the child writes to a
 * pipe: the file's report as bytes. A child that dies is followed by a second
 * one that only lists the accesses, as unknown; when that dies too, the file
 * has a finding that says so. One that takes too long is killed; solvers
 * sometimes ignore their limits. Results go to the place of their input, so the
 * order of finishing shows nowhere. */
#include "base/panic.h"
#include "cli/checker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

typedef struct worker {
  pid_t pid;
  int pipe;
  size_t input;
  const source *source;
  bool again; /* a second attempt, after `loss` */
  loss loss;
  time_t started;
  bool killed;  /* for taking too long */
  arena *arena; /* of the bytes */
  strbuf bytes;
} worker;

typedef struct crew {
  arena *run;
  const settings *settings;
  file_checker check;
  const input_vec *inputs;
  file_report *out;
  worker *at;
  size_t count, room;
  size_t next; /* input to start */
} crew;

enum { MOST_SECONDS = 600, TICK_MS = 1000 };

static time_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

static void write_all(int pipe, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t n = write(pipe, bytes, length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      _exit(1);
    bytes += n;
    length -= (size_t)n;
  }
}

static _Noreturn void work(const crew *c, const worker *w, int pipe) {
  arena *own = arena_create();
  strbuf bytes = strbuf_make(own);
  file_report file =
      c->check(own, w->source, c->settings, w->again ? &w->loss : NULL);
  wire_write(&file, &bytes);
  write_all(pipe, bytes.text, bytes.length);
  _exit(0);
}

/* Nobody wants the results of a worker whose parent was killed. */
static void die_with_parent(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static void start(crew *c, size_t input, const source *source,
                  const loss *after) {
  assert(c->count < c->room);
  int ends[2];
  if (pipe(ends) != 0)
    panic("cannot make a pipe: %s", strerror(errno));
  worker w = {.pipe = ends[0],
              .input = input,
              .source = source,
              .again = after != NULL,
              .loss = after ? *after : (loss){0},
              .started = now(),
              .arena = arena_create()};
  w.bytes = strbuf_make(w.arena);
  w.pid = fork();
  if (w.pid < 0)
    panic("cannot start a worker: %s", strerror(errno));
  if (w.pid == 0) {
    die_with_parent();
    close(ends[0]);
    work(c, &w, ends[1]);
  }
  close(ends[1]);
  c->at[c->count++] = w;
}

/* Starts inputs until the crew is full. Files without kernels are done at
 * once. */
static void start_more(crew *c) {
  while (c->count < c->room && c->next < c->inputs->count) {
    size_t i = c->next++;
    arena_mark mark = arena_save(c->run);
    const source *source = pipeline_read(c->run, &c->inputs->at[i], &c->out[i]);
    if (!source)
      continue;
    if (pipeline_concerns(source)) {
      start(c, i, source, NULL);
      continue;
    }
    arena_rewind(c->run, mark);
    c->out[i] = (file_report){.path = c->inputs->at[i].path};
  }
}

static const char *how_it_ended(arena *arena, const worker *w, int status) {
  if (w->killed)
    return arena_printf(arena, "the analysis of this file took over %d seconds",
                        MOST_SECONDS);
  if (WIFSIGNALED(status))
    return arena_printf(arena,
                        "the analysis of this file was ended by signal "
                        "%d",
                        WTERMSIG(status));
  return arena_printf(arena, "the analysis of this file ended with status %d",
                      WIFEXITED(status) ? WEXITSTATUS(status) : status);
}

static void report_loss(crew *c, const worker *w) {
  const char *how = w->loss.how;
  file_report *file = &c->out[w->input];
  finding *f = ARENA_NEW(c->run, finding);
  verdict *v = ARENA_NEW(c->run, verdict);
  kernel_report *k = ARENA_NEW(c->run, kernel_report);
  *f = (finding){.code = CHECK_904,
                 .message = how,
                 .effect = "nothing in it is decided: please report this"};
  *v = (verdict){.code = CHECK_101,
                 .kind = VERDICT_UNKNOWN,
                 .kernel = "?",
                 .message = "accesses of this file are outside their tensors",
                 .why = w->loss.why,
                 .why_detail = how};
  *k = (kernel_report){
      .name = "?", .helper = true, .verdicts = v, .verdict_count = 1};
  *file = (file_report){.path = w->source->path,
                        .source = w->source,
                        .findings = f,
                        .finding_count = 1,
                        .kernels = k,
                        .kernel_count = 1};
}

/* Adds to the results of the second attempt why there was one. */
static void add_loss(crew *c, file_report *file, const char *how) {
  finding *findings = ARENA_ARRAY(c->run, finding, file->finding_count + 1);
  findings[0] = (finding){.code = CHECK_904,
                          .message = how,
                          .effect = "its accesses stay undecided: please "
                                    "report this"};
  for (size_t i = 0; i < file->finding_count; i++)
    findings[i + 1] = file->findings[i];
  file->findings = findings;
  file->finding_count++;
}

static void finish(crew *c, worker w) {
  int status = 0;
  close(w.pipe);
  while (waitpid(w.pid, &status, 0) < 0 && errno == EINTR)
    continue;
  bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const file_report *got =
      well ? wire_read(c->run, w.bytes.text, w.bytes.length) : NULL;
  arena_destroy(w.arena);
  if (got) {
    file_report *file = &c->out[w.input];
    *file = *got;
    file->path = w.source->path;
    file->source = w.source;
    if (w.again)
      add_loss(c, file, w.loss.how);
  } else if (!w.again) {
    loss lost = {.why = w.killed ? REASON_DEADLINE : REASON_RESOURCE,
                 .how = how_it_ended(c->run, &w, status)};
    start(c, w.input, w.source, &lost);
  } else {
    report_loss(c, &w);
  }
}

/* Takes what a pipe holds; false at its end. */
static bool receive(worker *w) {
  char chunk[1 << 14];
  ssize_t n = read(w->pipe, chunk, sizeof chunk);
  if (n > 0)
    strbuf_put_n(&w->bytes, chunk, (size_t)n);
  return n > 0 || (n < 0 && errno == EINTR);
}

static void kill_late(crew *c) {
  for (size_t i = 0; i < c->count; i++) {
    worker *w = &c->at[i];
    if (w->killed || now() - w->started <= MOST_SECONDS)
      continue;
    w->killed = true;
    kill(w->pid, SIGKILL);
  }
}

static void serve(crew *c, struct pollfd *polled) {
  size_t count = c->count;
  for (size_t i = 0; i < count; i++)
    polled[i] = (struct pollfd){.fd = c->at[i].pipe, .events = POLLIN};
  kill_late(c);
  if (poll(polled, (nfds_t)count, TICK_MS) < 0) {
    if (errno != EINTR)
      panic("cannot wait for workers: %s", strerror(errno));
    return;
  }
  /* From the last on: a finished worker's place is taken by the last one. */
  for (size_t i = count; i > 0; i--) {
    if (!polled[i - 1].revents || receive(&c->at[i - 1]))
      continue;
    worker done = c->at[i - 1];
    c->at[i - 1] = c->at[--c->count];
    finish(c, done);
  }
}

void workers_run(arena *run, const settings *s, const input_vec *inputs,
                 size_t jobs, file_checker check, file_report *out) {
  crew c = {.run = run,
            .settings = s,
            .check = check,
            .inputs = inputs,
            .out = out,
            .at = ARENA_ARRAY(run, worker, jobs),
            .room = jobs};
  struct pollfd *polled = ARENA_ARRAY(run, struct pollfd, jobs);
  assert(jobs > 0);
  fflush(NULL);
  for (start_more(&c); c.count > 0; start_more(&c))
    serve(&c, polled);
}

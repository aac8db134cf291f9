#pragma once
#include <sys/socket.h>

// MARK: SystemRuntime
// Variadic calls, macros and functions that glibc hides without _GNU_SOURCE, which the Swift
// importer does not define. The symbols are in libc all the same, so own prototypes suffice.

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char *_Nullable *_Nullable environ;
extern int mkostemp(char *_Nonnull, int);
extern int pipe2(int *_Nonnull, int);
extern int pthread_setname_np(pthread_t, const char *_Nonnull);
extern int posix_spawn_file_actions_addchdir_np(
    posix_spawn_file_actions_t *_Nonnull, const char *_Nonnull);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *_Nonnull, int);

// The list of NAME=value strings of the process, ended by NULL.
static inline char *_Nullable *_Nullable till_environ(void) { return environ; }

// A pipe whose ends no other child inherits: fds[0] to read, fds[1] to write.
static inline int till_pipe(int *_Nonnull fds) { return pipe2(fds, O_CLOEXEC); }

// Names the calling thread for top, gdb and crash reports; the kernel keeps 15 bytes.
static inline void till_name_thread(const char *_Nonnull name) {
  pthread_setname_np(pthread_self(), name);
}

// Columns of the terminal behind fd, 0 if it is none.
static inline int till_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Makes writes to fd fail with EAGAIN where they would wait.
static inline int till_set_nonblocking(int fd) {
  return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

// A descriptor that becomes readable when the process ends. CLOEXEC is always set on it.
static inline int till_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// Exit code of a wait status, or the signal that ended the process as a negative number.
static inline int till_exit_code(int status) {
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

// Starts a program as the leader of a process group of its own, with default signal handling and
// no descriptors but 0, 1 and 2. Gives 0 or an errno. err_fd < 0 leaves standard error as it is.
static inline int till_spawn(
    pid_t *_Nonnull pid, const char *_Nonnull path, char *_Nullable const *_Nonnull argv,
    char *_Nullable const *_Nonnull envp, const char *_Nullable directory, int in_fd, int out_fd,
    int err_fd) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int failed = posix_spawn_file_actions_init(&actions);
  if (failed) return failed;
  failed = posix_spawnattr_init(&attributes);
  if (failed) {
    posix_spawn_file_actions_destroy(&actions);
    return failed;
  }
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (!failed && directory) failed = posix_spawn_file_actions_addchdir_np(&actions, directory);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, in_fd, 0);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, out_fd, 1);
  if (!failed && err_fd >= 0) failed = posix_spawn_file_actions_adddup2(&actions, err_fd, 2);
  if (!failed) failed = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (!failed) failed = posix_spawn(pid, path, &actions, &attributes, argv, envp);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

// Where the signal handler writes the number of each signal, or -1. A static of a header exists
// once for each object file that uses it, so one Swift file alone (SignalWatch) calls the two
// functions below.
static volatile sig_atomic_t till_signal_pipe = -1;

// Only what POSIX allows in a handler: write(2), errno restored.
static void till_on_signal(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  if (till_signal_pipe >= 0) (void)!write(till_signal_pipe, &byte, 1);
  errno = saved;
}

// Routes a signal to the pipe. fd < 0 gives the signal its default action again.
static inline int till_route_signal(int number, int fd) {
  struct sigaction action = {0};
  if (fd >= 0) till_signal_pipe = fd;
  action.sa_handler = fd >= 0 ? till_on_signal : SIG_DFL;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, NULL);
}

// A write to a peer that has left fails with EPIPE instead of ending the process.
static inline void till_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }
// MARK: end of SystemRuntime

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

// A write to a peer that has left fails with EPIPE, and one beyond the limit of a file's size with
// EFBIG, instead of ending the process.
static inline void till_ignore_write_signals(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}
// MARK: end of SystemRuntime

// MARK: HTTPListener

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

// The prototype is hidden without _GNU_SOURCE, which a header read by the Clang importer does not
// get; the symbol is always there.
extern int accept4(int fd, struct sockaddr *_Nullable address, socklen_t *_Nullable length,
                   int flags);

// A listening TCP socket on a numeric IPv4 or IPv6 address, or -errno (-EINVAL: not an address).
// sockaddr casts are clumsy from Swift. "::" also takes IPv4, whatever the system's default is.
static inline int till_listen(const char *_Nonnull address, uint16_t port, int backlog,
                              uint16_t *_Nonnull bound_port) {
  struct sockaddr_storage storage;
  memset(&storage, 0, sizeof storage);
  struct sockaddr_in *v4 = (struct sockaddr_in *)&storage;
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&storage;
  socklen_t length;
  if (inet_pton(AF_INET, address, &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    length = sizeof *v4;
  } else if (inet_pton(AF_INET6, address, &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    length = sizeof *v6;
  } else {
    return -EINVAL;
  }
  int fd = socket(storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  int on = 1, off = 0;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (storage.ss_family == AF_INET6)
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (bind(fd, (struct sockaddr *)&storage, length) || listen(fd, backlog) ||
      getsockname(fd, (struct sockaddr *)&storage, &length)) {
    int error = errno;
    close(fd);
    return -error;
  }
  *bound_port = ntohs(storage.ss_family == AF_INET ? v4->sin_port : v6->sin6_port);
  return fd;
}

enum { TILL_ADDRESS_TEXT_MAX = INET6_ADDRSTRLEN };

// Accepts a connection, non-blocking, without Nagle's delay; -errno if there is none. `text` gets
// the peer's address, a mapped IPv4 address as a.b.c.d. `network` gets what connection limits are
// counted by: the whole IPv4 address, or the /64 that one IPv6 host commonly owns.
static inline int till_accept(int fd, char *_Nonnull text, uint64_t *_Nonnull network) {
  struct sockaddr_storage storage;
  socklen_t length = sizeof storage;
  int peer = accept4(fd, (struct sockaddr *)&storage, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (peer < 0) return -errno;
  int on = 1;
  setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const struct in6_addr *v6 = &((struct sockaddr_in6 *)&storage)->sin6_addr;
  struct in_addr v4 = ((struct sockaddr_in *)&storage)->sin_addr;
  int is_v4 = storage.ss_family == AF_INET;
  if (!is_v4 && IN6_IS_ADDR_V4MAPPED(v6)) {
    memcpy(&v4, v6->s6_addr + 12, 4);
    is_v4 = 1;
  }
  if (is_v4) {
    *network = v4.s_addr;
    inet_ntop(AF_INET, &v4, text, TILL_ADDRESS_TEXT_MAX);
  } else {
    memcpy(network, v6->s6_addr, 8);
    inet_ntop(AF_INET6, v6, text, TILL_ADDRESS_TEXT_MAX);
  }
  return peer;
}

// epoll_event holds a union in a packed struct, which Swift reads badly.
typedef struct {
  uint64_t id;
  uint32_t events;
} till_event;

enum {
  TILL_READABLE = EPOLLIN,
  TILL_WRITABLE = EPOLLOUT,
  TILL_PEER_CLOSED = EPOLLRDHUP,
  TILL_BROKEN = EPOLLHUP | EPOLLERR,
  TILL_EVENTS_MAX = 256,
  TILL_CLOSE_ON_EXEC = EPOLL_CLOEXEC,
  TILL_WAKEUP_FLAGS = EFD_NONBLOCK | EFD_CLOEXEC,
  TILL_WATCH_ADD = EPOLL_CTL_ADD,
  TILL_WATCH_CHANGE = EPOLL_CTL_MOD,
};

// The union again, with errno as the result.
static inline int till_epoll_set(int epoll, int operation, int fd, uint32_t events, uint64_t id) {
  struct epoll_event event = {.events = events, .data = {.u64 = id}};
  return epoll_ctl(epoll, operation, fd, &event) ? -errno : 0;
}

// Fills at most TILL_EVENTS_MAX events; -errno on failure.
static inline int till_epoll_wait(int epoll, till_event *_Nonnull out, int timeout_ms) {
  struct epoll_event events[TILL_EVENTS_MAX];
  int count = epoll_wait(epoll, events, TILL_EVENTS_MAX, timeout_ms);
  for (int i = 0; i < count; i++) {
    out[i].id = events[i].data.u64;
    out[i].events = events[i].events;
  }
  return count < 0 ? -errno : count;
}

// A count, 0 at end of input, or -errno: errno read from Swift may be another call's.
static inline ssize_t till_receive(int fd, void *_Nonnull bytes, size_t count) {
  ssize_t result = recv(fd, bytes, count, 0);
  return result < 0 ? -errno : result;
}

// As till_receive, and a peer that has gone is an error, never SIGPIPE.
static inline ssize_t till_send(int fd, const void *_Nonnull bytes, size_t count) {
  ssize_t result = send(fd, bytes, count, MSG_NOSIGNAL);
  return result < 0 ? -errno : result;
}

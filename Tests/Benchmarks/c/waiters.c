// W3 client. waiters PORT N WAIT COMMIT CHANGED: opens N/10, then N connections that send WAIT, a whole request that is
// not answered yet, printing "ready COUNT" after each step and waiting for a line on stdin; then sends COMMIT, a request
// that changes what they wait for, and times the answers, which must hold the text CHANGED.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

// A server may send head and body apart, so each connection keeps what it got. 1: whole; 0: not yet; -1: closed.
struct answer { int length; char text[4096]; };

static int receive(int s, struct answer *a) {
    ssize_t got = read(s, a->text + a->length, sizeof a->text - 1 - a->length);
    if (got <= 0) return -1;
    a->text[a->length += got] = 0;
    char *body = strstr(a->text, "\r\n\r\n");
    return body && body[4] && a->text[a->length - 1] == '}';
}

static int dial(int port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int s = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    if (s < 0 || connect(s, (void *)&a, sizeof a)) perror("connect"), exit(1);
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return s;
}

int main(int argc, char **argv) {
    if (argc < 6) return 2;
    int port = atoi(argv[1]), n = atoi(argv[2]), opened = 0, epoll = epoll_create1(0);
    const char *request = argv[3], *commit = argv[4], *changed = argv[5];
    static struct answer answers[65536]; // by file descriptor
    char line[64];
    int length = strlen(request);
    for (int step = 0; step < 2; step++) {
        for (int target = step ? n : n / 10; opened < target; opened++) {
            int s = dial(port);
            struct epoll_event e = {.events = EPOLLIN, .data.fd = s};
            epoll_ctl(epoll, EPOLL_CTL_ADD, s, &e);
            if (write(s, request, length) != length) perror("write"), exit(1);
        }
        struct epoll_event e;
        if (epoll_wait(epoll, &e, 1, 1500) > 0) { // nothing may be answered yet
            receive(e.data.fd, &answers[e.data.fd]);
            fprintf(stderr, "early answer: %s\n", answers[e.data.fd].text);
            return 1;
        }
        printf("ready %d\n", opened);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) return 1;
    }
    int s = dial(port);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = s}, ready[256];
    epoll_ctl(epoll, EPOLL_CTL_ADD, s, &e);
    double start = now(), touched = 0, first = 0, last = 0;
    int answered = 0, bad = 0;
    if (write(s, commit, strlen(commit)) != (ssize_t)strlen(commit)) return 1;
    while (answered + bad < n || !touched) {
        int k = epoll_wait(epoll, ready, 256, 10000);
        if (k <= 0) break;
        for (int i = 0; i < k; i++) {
            int fd = ready[i].data.fd, whole = receive(fd, &answers[fd]);
            if (!whole) continue;
            double t = now();
            bool good = whole > 0 && strstr(answers[fd].text, " 200 ") && strstr(answers[fd].text, changed);
            epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL);
            if (fd == s) {
                touched = t;
                if (whole < 0 || !strstr(answers[fd].text, " 20")) return fprintf(stderr, "commit: %s\n", answers[fd].text), 1;
                continue;
            }
            if (good) answered++;
            else bad++;
            if (!first) first = t;
            last = t;
        }
    }
    printf("{\"answered\": %d, \"bad\": %d, \"commit_ms\": %.2f, \"first_ms\": %.2f, \"last_ms\": %.2f}\n", answered, bad,
           (touched - start) * 1e3, (first - start) * 1e3, (last - start) * 1e3);
    return answered != n;
}

/* Makes system calls of known kinds, and prints a line "call NAME NS SWITCHES" for each slow one: how long it took, and
 * how often the thread was taken off its CPU during it without waiting.
 *
 *     slow_calls slow COUNT      sleeps COUNT times, 0.5 to 4 ms
 *     slow_calls many COUNT      makes COUNT quick calls (getppid), and now and then sleeps for 2 ms
 *     slow_calls files DIR       waits 3 ms in reads of: a pipe, a FIFO in DIR, sockets, and writes to a file there: a
 *                                line "file NAME" for each, as it should be called
 *     slow_calls names DIR       calls that are about paths and descriptors, and returns at once from each: a line
 *                                "name CALL FILE" for each, as it should be called
 *     slow_calls opens FIFO      opens FIFO for reading, which waits for a writer, below 21 calls of a function
 *     slow_calls busy COUNT      makes COUNT calls that only need the CPU, for some milliseconds
 *     slow_calls wait COUNT      reads from a pipe COUNT times, for 3 ms
 *     slow_calls errors          100 calls that fail with ENOENT, 50 with EBADF, 30 with EAGAIN, and 70 that do not fail
 *     slow_calls hang FIFO       reads from FIFO, until somebody writes to it
 *     slow_calls killed COUNT    COUNT threads read from a pipe, in which nothing is, until exit_group(2) ends them
 *     slow_calls restart COUNT   reads from a pipe, and COUNT signals interrupt that
 *     slow_calls compat COUNT    COUNT times getpid(2) as a 32-bit program calls it; a line "no" if the kernel has none
 *     slow_calls exec            a thread that is not the first executes "slow_calls slow 3" */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000 };

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void nap(long ns)
{
	struct timespec t = { 0, ns };

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
		;
}

static uint64_t seen[1000];
static const char *names[1000];
static long switched[1000], switches_before;
static unsigned count_seen;

static long switches(void)
{
	struct rusage used;

	getrusage(RUSAGE_THREAD, &used);
	return used.ru_nivcsw;
}

/* Begin a call that note() will report. */
static uint64_t begin(void)
{
	switches_before = switches();
	return now();
}

static void note(const char *name, uint64_t start)
{
	if (count_seen < 1000) {
		seen[count_seen] = now() - start;
		switched[count_seen] = switches() - switches_before;
		names[count_seen++] = name;
	}
}

static void tell(void)
{
	for (unsigned i = 0; i < count_seen; i++)
		printf("call %s %" PRIu64 " %ld\n", names[i], seen[i], switched[i]);
}

__attribute__((noinline)) static void sleep_once(long ns)
{
	struct timespec t = { 0, ns };
	uint64_t start = begin();

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, NULL);
	note("clock_nanosleep", start);
}

__attribute__((noinline)) static void sleep_often(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		sleep_once(MS / 2 + (long)(i % 8) * MS / 2);
}

__attribute__((noinline)) static void call_often(unsigned count)
{
	uint64_t start = now();

	for (unsigned i = 0; i < count; i++) {
		syscall(SYS_getppid);
		if (i % 50000 == 0)
			sleep_once(2 * MS);
	}
	printf("took %" PRIu64 "\n", now() - start);
}

/* ---- files ---- */

static struct { /* the descriptor to which a thread writes a while later */
	int fd;
	struct sockaddr *to; /* NULL: it is connected */
	socklen_t len;
} later;

static void *write_later(void *unused)
{
	(void)unused;
	nap(3 * MS);
	if (sendto(later.fd, "x", 1, 0, later.to, later.len) != 1 && write(later.fd, "x", 1) != 1)
		die("write");
	return NULL;
}

/* Read a byte from fd; it is written to `to` 3 ms later. */
__attribute__((noinline)) static void read_late(int fd, int to)
{
	pthread_t other;
	uint64_t start;
	char byte;

	later.fd = to;
	pthread_create(&other, NULL, write_later, NULL);
	start = begin();
	if (read(fd, &byte, 1) != 1)
		die("read");
	note("read", start);
	pthread_join(other, NULL);
}

static void print_address(int fd, int (*of)(int, struct sockaddr *, socklen_t *), const char *before)
{
	struct sockaddr_storage a = { 0 };
	socklen_t len = sizeof(a);
	char text[INET6_ADDRSTRLEN];

	if (of(fd, (void *)&a, &len))
		die("address");
	if (a.ss_family == AF_INET) {
		struct sockaddr_in *in = (void *)&a;

		printf("%s%s:%d", before, inet_ntop(AF_INET, &in->sin_addr, text, sizeof(text)), ntohs(in->sin_port));
	} else {
		struct sockaddr_in6 *in = (void *)&a;

		printf("%s[%s]:%d", before, inet_ntop(AF_INET6, &in->sin6_addr, text, sizeof(text)),
		       ntohs(in->sin6_port));
	}
}

static void internet(int family, int type)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr *address = family == AF_INET ? (void *)&in : (void *)&in6;
	socklen_t len = family == AF_INET ? sizeof(in) : sizeof(in6);
	int a = socket(family, type, 0), b = socket(family, type, 0);

	if (a < 0 || b < 0 || bind(a, address, len)) {
		printf("without %d\n", family);
		return;
	}
	getsockname(a, address, &len);
	if (type == SOCK_STREAM && listen(a, 1))
		die("listen");
	if (connect(b, address, len))
		die("connect");
	if (type == SOCK_STREAM)
		a = accept(a, NULL, NULL);
	print_address(a, getsockname, type == SOCK_STREAM ? "file tcp " : "file udp ");
	if (type == SOCK_STREAM)
		print_address(a, getpeername, "->");
	puts("");
	read_late(a, b);
}

static void local(const char *dir)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int a = socket(AF_UNIX, SOCK_STREAM, 0), b = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", dir);
	unlink(address.sun_path);
	if (bind(a, (void *)&address, sizeof(address)) || listen(a, 1) || connect(b, (void *)&address, sizeof(address)))
		die("unix");
	printf("file unix %s\n", address.sun_path);
	read_late(accept(a, NULL, NULL), b);
}

static void wait_for_files(const char *dir)
{
	char path[4096];
	struct stat st;
	int ends[2], fd;

	if (pipe(ends) || fstat(ends[0], &st))
		die("pipe");
	printf("file pipe:[%lu]\n", (unsigned long)st.st_ino);
	read_late(ends[0], ends[1]);
	snprintf(path, sizeof(path), "%s/a fifo", dir);
	if (mkfifo(path, 0600) || (fd = open(path, O_RDWR)) < 0)
		die(path);
	printf("file %s\n", path);
	read_late(fd, fd);
	internet(AF_INET, SOCK_STREAM);
	internet(AF_INET6, SOCK_STREAM);
	internet(AF_INET, SOCK_DGRAM);
	internet(AF_INET6, SOCK_DGRAM);
	local(dir);
}

/* ---- calls with paths, and calls that wait ---- */

static void use_paths(const char *dir)
{
	char path[4096], other[4096];
	struct stat st;
	long fd;

	if (chdir(dir))
		die(dir);
	printf("name chdir %s\n", dir);
	syscall(SYS_openat, AT_FDCWD, "not there", O_RDONLY);
	puts("name openat not there");
	syscall(SYS_openat, AT_FDCWD, "two\nlines\033[1m", O_RDONLY);
	puts("name openat two?lines?[1m");
	snprintf(path, sizeof(path), "%s/closed", dir);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	printf("name openat %s\n", path);
	syscall(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH);
	printf("name newfstatat %s\n", path);
	close((int)fd);
	printf("name close %s\n", path);
	syscall(SYS_newfstatat, AT_FDCWD, "closed", &st, 0);
	puts("name newfstatat closed");
	snprintf(other, sizeof(other), "%s/renamed", dir);
	syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 0);
	printf("name renameat2 %s -> %s\n", path, other);
	syscall(SYS_unlinkat, AT_FDCWD, "renamed", 0);
	puts("name unlinkat renamed");
	fd = syscall(SYS_openat, AT_FDCWD, "removed", O_CREAT | O_WRONLY, 0600);
	printf("name openat %s/removed\n", dir);
	syscall(SYS_unlinkat, AT_FDCWD, "removed", 0);
	close((int)fd);
	printf("name close %s/removed\n", dir);
	memset(path, 'a', 1000);
	path[1000] = 0;
	syscall(SYS_unlinkat, AT_FDCWD, path, 0);
	printf("name unlinkat %.639s...\n", path);
}

/* Ends of `count` pipes, for reading. */
static int *open_pipes(int *ends, int count)
{
	int both[2];

	for (int i = 0; i < count; i++) {
		if (pipe(both))
			die("pipe");
		ends[i] = both[0];
	}
	return ends;
}

static void print_some(const char *name, const int *ends, int count)
{
	struct stat st;

	if (count == 1) {
		fstat(ends[0], &st);
		printf("name %s pipe:[%lu]\n", name, (unsigned long)st.st_ino);
		return;
	}
	printf("name %s descriptors %d", name, ends[0]);
	for (int i = 1; i < count && i < 8; i++)
		printf(",%d", ends[i]);
	if (count > 8)
		printf(",... (%d)", count);
	puts("");
}

static void wait_for(const int *ends, int count)
{
	struct timespec soon = { 0, MS };
	struct pollfd polled[16];
	struct epoll_event event = { .events = EPOLLIN };
	int queue = epoll_create1(0);
	fd_set set;

	FD_ZERO(&set);
	for (int i = 0; i < count; i++) {
		polled[i] = (struct pollfd){ ends[i], POLLIN, 0 };
		FD_SET(ends[i], &set);
		epoll_ctl(queue, EPOLL_CTL_ADD, ends[i], &event);
	}
	syscall(SYS_ppoll, polled, count, &soon, NULL, 0);
	print_some("ppoll", ends, count);
	soon = (struct timespec){ 0, MS };
	syscall(SYS_pselect6, ends[count - 1] + 1, &set, NULL, NULL, &soon, NULL);
	print_some("pselect6", ends, count);
	syscall(SYS_epoll_pwait, queue, &event, 1, 1, NULL, 0);
	if (count <= 8) /* if there were more, it would not be known which come first */
		print_some("epoll_pwait", ends, count);
	close(queue);
}

/* The program that is executed at last is this one again, which ends at once. */
static void use_names(char *self, const char *dir)
{
	int ends[12];

	puts("name close anon_inode:[eventpoll]");
	wait_for(open_pipes(ends, 12), 1);
	wait_for(ends, 3);
	wait_for(ends, 12);
	use_paths(dir);
	execl("not there", self, NULL);
	puts("name execve not there");
	printf("name execve %s\n", self);
	fflush(stdout);
	execl(self, self, "slow", "0", NULL);
}

__attribute__((noinline)) static int open_below(const char *path, unsigned depth)
{
	int fd = depth ? open_below(path, depth - 1) : open(path, O_RDONLY);

	if (fd < 0)
		die(path);
	return fd + (int)depth;
}

/* ---- where the time goes ---- */

__attribute__((noinline)) static void keep_busy(unsigned count)
{
	size_t size = 64 << 20;
	char *bytes = malloc(size);
	int fd = open("/dev/zero", O_RDONLY);

	memset(bytes, 1, size);
	for (unsigned i = 0; i < count; i++) {
		uint64_t start = begin();

		if (read(fd, bytes, size) != (ssize_t)size)
			die("read");
		note("read", start);
	}
}

static void wait_often(unsigned count)
{
	int ends[2];

	if (pipe(ends))
		die("pipe");
	for (unsigned i = 0; i < count; i++)
		read_late(ends[0], ends[1]);
}

/* ---- ends of other kinds ---- */

static void fail(void)
{
	int ends[2];
	char byte;

	if (pipe2(ends, O_NONBLOCK))
		die("pipe");
	for (int i = 0; i < 100; i++)
		syscall(SYS_openat, AT_FDCWD, "/nothing/there", O_RDONLY);
	for (int i = 0; i < 50; i++)
		syscall(SYS_fchdir, -1);
	for (int i = 0; i < 30; i++)
		syscall(SYS_read, ends[0], &byte, 1);
	for (int i = 0; i < 70; i++)
		syscall(SYS_getppid);
}

__attribute__((noinline)) static void hang(const char *path)
{
	int fd = open(path, O_RDWR);
	char byte;

	if (fd < 0 || read(fd, &byte, 1) != 1)
		die(path);
}

static int empty[2];
static volatile unsigned reading;

static void *read_for_ever(void *unused)
{
	char byte;

	(void)unused;
	__sync_fetch_and_add(&reading, 1);
	return read(empty[0], &byte, 1) < 0 ? NULL : &empty;
}

static void end_threads(unsigned count)
{
	pthread_t thread;

	if (pipe(empty))
		die("pipe");
	for (unsigned i = 0; i < count; i++)
		pthread_create(&thread, NULL, read_for_ever, NULL);
	while (reading < count)
		nap(MS);
	nap(20 * MS); /* so that the last thread is in read(2), too */
	syscall(SYS_exit_group, 0);
}

static pthread_t reader;
static volatile unsigned signals;

static void on_signal(int signal)
{
	(void)signal;
	signals++;
}

static void *interrupt(void *count)
{
	for (unsigned i = 0; i < *(unsigned *)count; i++) {
		nap(3 * MS);
		pthread_kill(reader, SIGUSR1);
		while (signals <= i)
			nap(MS);
	}
	nap(3 * MS);
	return write(empty[1], "x", 1) == 1 ? NULL : &empty;
}

static void be_interrupted(unsigned count)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	pthread_t other;
	uint64_t start;
	char byte;

	sigaction(SIGUSR1, &action, NULL);
	reader = pthread_self();
	if (pipe(empty))
		die("pipe");
	pthread_create(&other, NULL, interrupt, &count);
	start = begin();
	if (read(empty[0], &byte, 1) != 1)
		die("read");
	note("read", start);
	pthread_join(other, NULL);
}

static void on_fault(int signal)
{
	(void)signal;
	if (write(1, "no\n", 3) == 3)
		_exit(0);
}

static void call_as_32_bits(unsigned count)
{
	signal(SIGSEGV, on_fault);
#ifdef __x86_64__
	for (unsigned i = 0; i < count; i++) {
		int pid = 20; /* getpid in asm/unistd_32.h */

		__asm__ volatile("int $0x80" : "+a"(pid) : : "memory", "r8", "r9", "r10", "r11");
		if (pid != getpid()) {
			puts("no");
			return;
		}
	}
#else
	(void)count;
	puts("no");
#endif
}

static void *execute(void *self)
{
	execl(self, self, "slow", "3", NULL);
	return NULL;
}

static void be_replaced(char *self)
{
	pthread_t other;

	pthread_create(&other, NULL, execute, self);
	pthread_join(other, NULL);
	die(self);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "", *operand = argc > 2 ? argv[2] : "0";
	unsigned count = (unsigned)atoi(operand);

	if (!strcmp(what, "slow"))
		sleep_often(count);
	else if (!strcmp(what, "many"))
		call_often(count);
	else if (!strcmp(what, "files"))
		wait_for_files(operand);
	else if (!strcmp(what, "names"))
		use_names("/proc/self/exe", operand);
	else if (!strcmp(what, "opens"))
		open_below(operand, 20);
	else if (!strcmp(what, "busy"))
		keep_busy(count);
	else if (!strcmp(what, "wait"))
		wait_often(count);
	else if (!strcmp(what, "errors"))
		fail();
	else if (!strcmp(what, "hang"))
		hang(operand);
	else if (!strcmp(what, "killed"))
		end_threads(count);
	else if (!strcmp(what, "restart"))
		be_interrupted(count);
	else if (!strcmp(what, "compat"))
		call_as_32_bits(count);
	else if (!strcmp(what, "exec"))
		be_replaced("/proc/self/exe");
	else
		return 2;
	tell();
	return 0;
}

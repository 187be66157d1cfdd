/* jit_again: makes code at run time, and then other code in its place, like a JIT compiler; each is called by a
 * function whose name says which code is right:
 *
 *     phase_one -> first    phase_two -> second, where first was    phase_three -> second, moved
 *
 *     jit_again dump DIR SECONDS   tells of them in DIR/jit-PID.dump (PID as the process sees itself)
 *     jit_again map SECONDS        in /tmp/perf-PID.map: adds a line; writes it anew for phase three.
 *                                  Goes on once its parent, the collector, has opened the map again:
 *                                  other collectors of a machine open it, too.
 *
 * SECONDS of CPU for each.  The file is left behind; its name is printed as soon as it has something. */
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { MACHINE = 62 };
/* sub $24,%rsp; 1: dec %rdi; jnz 1b; add $24,%rsp; ret: without a frame pointer */
static const unsigned char code[] = { 0x48, 0x83, 0xec, 0x18, 0x48, 0xff, 0xcf, 0x75, 0xfb,
				      0x48, 0x83, 0xc4, 0x18, 0xc3 };
/* CIE: version 1, "zR", factors 1 and -8, return address 16, pointers relative, 4 bytes;
 * CFA is rsp + 8, the return address below it.  FDE: CFA is rsp + 32 between sub and add.
 * The code, 16 bytes with padding, is just before it. */
static const unsigned char eh_frame[] = {
	20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 12, 7, 8, 0x90, 1, 0, 0,
	20, 0, 0, 0, 28, 0, 0, 0, 0xd0, 0xff, 0xff, 0xff, 14, 0, 0, 0, 0,
	0x44, 14, 32, 0x49, 14, 8, 0,
};
#elif defined(__aarch64__)
enum { MACHINE = 183 };
/* stp x29,x30,[sp,-16]!; mov x29,sp; 1: subs x0,x0,1; b.ne 1b; ldp x29,x30,[sp],16; ret */
static const uint32_t code[] = { 0xa9bf7bfd, 0x910003fd, 0xf1000400, 0x54ffffe1, 0xa8c17bfd, 0xd65f03c0 };
static const unsigned char eh_frame[1];
#endif

enum { PAGE = 4096, LOAD = 0, MOVE = 1, DEBUG_INFO = 2, CLOSE = 3, UNWINDING = 4 };

typedef void function(uint64_t);

static FILE *out;
static char path[4096];
static unsigned char *memory;
static double seconds;
static int watch;

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void run(unsigned char *at)
{
	double until = cpu_s() + seconds;

	while (cpu_s() < until)
		((function *)(uintptr_t)at)(1000000);
}

#define PHASE(name)                                                          \
	__attribute__((noinline)) static void name(unsigned char *at)        \
	{                                                                    \
		run(at);                                                     \
		__asm__ volatile("");                                        \
	}
PHASE(phase_one)
PHASE(phase_two)
PHASE(phase_three)

static void tell_path(void)
{
	printf("%s\n", path);
	fflush(stdout);
}

/* ---- a dump ------------------------------------------------------------------------ */

static void put_u32(uint32_t n) { fwrite(&n, 4, 1, out); }
static void put_u64(uint64_t n) { fwrite(&n, 8, 1, out); }

static void put_prefix(uint32_t id, size_t size)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	put_u32(id);
	put_u32((uint32_t)size);
	put_u64((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
}

static void put_load(const char *name, uint64_t index)
{
	put_prefix(DEBUG_INFO, 32 + 16 + sizeof("again.js"));
	put_u64((uintptr_t)memory);
	put_u64(1);
	put_u64((uintptr_t)memory);
	put_u64(7 + index);
	fwrite("again.js", sizeof("again.js"), 1, out);
	if (sizeof(eh_frame) > 1) {
		put_prefix(UNWINDING, 40 + sizeof(eh_frame));
		put_u64(sizeof(eh_frame));
		put_u64(0);
		put_u64(0);
		fwrite(eh_frame, sizeof(eh_frame), 1, out);
	}
	put_prefix(LOAD, 56 + strlen(name) + 1 + sizeof(code));
	put_u32((uint32_t)getpid());
	put_u32((uint32_t)getpid());
	put_u64((uintptr_t)memory);
	put_u64((uintptr_t)memory);
	put_u64(sizeof(code));
	put_u64(index);
	fwrite(name, strlen(name) + 1, 1, out);
	fwrite(code, sizeof(code), 1, out);
	fflush(out);
}

static void put_move(uint64_t index, unsigned char *to)
{
	put_prefix(MOVE, 64);
	put_u32((uint32_t)getpid());
	put_u32((uint32_t)getpid());
	put_u64((uintptr_t)to);
	put_u64((uintptr_t)memory);
	put_u64((uintptr_t)to);
	put_u64(sizeof(code));
	put_u64(index);
	fflush(out);
}

static void begin_dump(const char *dir)
{
	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, (int)getpid());
	out = fopen(path, "w+");
	if (!out)
		exit(1);
	put_u32(0x4a695444);
	put_u32(1);
	put_u32(40);
	put_u32(MACHINE);
	put_u32(0);
	put_u32((uint32_t)getpid());
	put_u64(0);
	put_u64(0);
	fflush(out);
	if (mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(out), 0) == MAP_FAILED)
		exit(1);
}

static void do_dump(const char *dir)
{
	unsigned char *other = memory + 2 * PAGE;

	begin_dump(dir);
	put_load("first", 1);
	tell_path();
	phase_one(memory);
	/* A compiler that write-protects its code, so that the kernel reports a mapping. */
	mprotect(memory, PAGE, PROT_READ | PROT_WRITE);
	mprotect(memory, PAGE, PROT_READ | PROT_EXEC);
	put_load("second", 2);
	phase_two(memory);
	memcpy(other, code, sizeof(code));
	put_move(2, other);
	phase_three(other);
	put_prefix(CLOSE, 16);
}

/* ---- a map ------------------------------------------------------------------------- */

static void begin_map(void)
{
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	out = fopen(path, "w");
	watch = fanotify_init(FAN_CLOEXEC | FAN_NONBLOCK, O_RDONLY);
	if (!out || watch < 0 || fanotify_mark(watch, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, path)) {
		perror(path);
		exit(1);
	}
}

/* Returns how often the parent has opened the map since the last call. */
static int opened(void)
{
	struct fanotify_event_metadata events[64], *event = events;
	ssize_t len = read(watch, events, sizeof(events));
	int times = 0;

	for (; FAN_EVENT_OK(event, len); event = FAN_EVENT_NEXT(event, len)) {
		times += event->pid == getppid();
		close(event->fd);
	}
	return times;
}

/* Wait until a look at the map has begun and ended after this moment.  Another look may be under way; what is written
 * next is seen by that look, or by the one after it. */
static void wait_for_reader(void)
{
	struct pollfd event = { .fd = watch, .events = POLLIN };

	while (poll(&event, 1, 0) > 0)
		opened();
	for (int times = 0; times < 3; times += opened())
		poll(&event, 1, -1);
}

static void put_line(unsigned char *at, const char *name)
{
	fprintf(out, "%lx %zx %s\n", (unsigned long)at, sizeof(code), name);
	fflush(out);
}

static void do_map(void)
{
	begin_map();
	put_line(memory, "first");
	tell_path();
	phase_one(memory);
	wait_for_reader();
	put_line(memory, "second");
	phase_two(memory);
	wait_for_reader();
	out = freopen(path, "w", out);
	put_line(memory + 2 * PAGE, "elsewhere");
	put_line(memory, "third");
	phase_three(memory);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	alarm(300); /* nobody looks */
	seconds = atof(argv[argc - 1]);
	memory = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	memcpy(memory, code, sizeof(code));
	if (!strcmp(argv[1], "dump"))
		do_dump(argv[2]);
	else
		do_map();
	return 0;
}

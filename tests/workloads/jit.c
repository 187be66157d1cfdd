/* jit: runs code that it makes at run time, as a JIT compiler does, and names it in
 * /tmp/perf-PID.map (PID as the process sees itself).
 *
 *     jit SECONDS [NAME]
 *
 * The function made is called NAME ["jitted_loop"]; the map is left behind. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
/* push %rbp; mov %rsp,%rbp; 1: dec %rdi; jnz 1b; pop %rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf,
				      0x75, 0xfb, 0x5d, 0xc3 };
#elif defined(__aarch64__)
/* stp x29,x30,[sp,-16]!; mov x29,sp; 1: subs x0,x0,1; b.ne 1b; ldp x29,x30,[sp],16; ret */
static const uint32_t code[] = { 0xa9bf7bfd, 0x910003fd, 0xf1000400, 0x54ffffe1, 0xa8c17bfd, 0xd65f03c0 };
#endif

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

__attribute__((noinline)) static void call(void (*function)(uint64_t), double until)
{
	while (now_s() < until)
		function(50000000);
}

int main(int argc, char **argv)
{
	double until = now_s() + (argc > 1 ? atof(argv[1]) : 1);
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *map;

	memcpy(memory, code, sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "w");
	if (!map || memory == MAP_FAILED)
		return 1;
	fprintf(map, "%lx %zx %s\n", (unsigned long)memory, sizeof(code), argc > 2 ? argv[2] : "jitted_loop");
	fclose(map);
	printf("%s\n", path);
	fflush(stdout);
	call((void (*)(uint64_t))memory, until);
	return 0;
}

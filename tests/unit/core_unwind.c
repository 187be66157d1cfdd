/* Walks of our own stacks: every entry is that of libdw's walker, and of libgcc's. */
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <gelf.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/auxv.h>

#include "core/symbols/elf/elf_file.h"
#include "tests/unit/check.h"

#if defined(__x86_64__)

#include "tests/unit/unwind_own.h"

static struct own own;
static struct own_reference reference;
static const void *stack_end; /* the top of this thread's stack; memory above it is not copied */

/* Take the stack here, and walk it in three ways.  Returns false, after a message, if they differ. */
static bool same_as_reference(const struct own_stack *s, const char *what)
{
	static uint64_t ours[UNWIND_MAX], theirs[UNWIND_MAX];
	enum unwind_end end;
	uint32_t stopped;
	size_t n = own_unwind(&own, s, s->len, 2 * s->len, ours, &end, &stopped);
	size_t wanted = own_reference_walk(&reference, s, theirs);

	if (n == wanted && !memcmp(ours, theirs, n * sizeof(*ours)) && end == UNWIND_COMPLETE && stopped == UINT32_MAX)
		return true;
	printf("# %s: end %d, module %d: %zu entries, wanted %zu\n", what, (int)end, (int)stopped, n, wanted);
	for (size_t i = 0; i < n || i < wanted; i++)
		printf("#   %#18lx %#18lx\n", i < n ? ours[i] : 0, i < wanted ? theirs[i] : 0);
	return false;
}

/* libgcc's walker sees the same callers, below the frames between it and here. */
static bool same_as_backtrace(const struct own_stack *s, void *const *trace, int count)
{
	static uint64_t ours[UNWIND_MAX];
	enum unwind_end end;
	uint32_t stopped;
	size_t n = own_unwind(&own, s, s->len, 2 * s->len, ours, &end, &stopped);
	uint64_t first = ours[1] == (uint64_t)PERF_CONTEXT_USER ? ours[2] : ours[1];
	int at = 0;

	while (at < count && first != (uint64_t)(uintptr_t)trace[at])
		at++;
	for (size_t i = 1; i < n; i++) {
		if (ours[i] == (uint64_t)PERF_CONTEXT_USER)
			continue;
		if (at >= count || ours[i] != (uint64_t)(uintptr_t)trace[at])
			return false;
		at++;
	}
	return n > 1 && at == count;
}

static bool good;

__attribute__((noinline)) static void look(void)
{
	struct own_stack s;
	ucontext_t context;
	void *trace[1000];
	int count;

	getcontext(&context);
	own_set_registers(&s, &context);
	own_copy_stack(&s, stack_end);
	count = backtrace(trace, 1000);
	good = same_as_reference(&s, "libdw") && same_as_backtrace(&s, trace, count);
	free(s.bytes);
}

/* ---- ways to come there ------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	look();
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static int recurse(int depth)
{
	volatile char room[100];

	room[depth % 100] = 1;
	if (!depth)
		look();
	else
		recurse(depth - 1);
	return room[depth % 100];
}

static jmp_buf back;

__attribute__((noinline, noreturn)) static void never_return(void)
{
	look();
	longjmp(back, 1);
}

/* The last instruction is a call, so the return address is in whatever follows. */
__attribute__((noinline, noreturn)) static void ends_with_call(int depth)
{
	volatile char room[1000];

	room[depth] = 1;
	if (room[depth])
		never_return();
	never_return();
}

static void handle(int number)
{
	(void)number;
	look();
}

static void *run_thread(void *argument)
{
	(void)argument;
	stack_end = (const char *)__builtin_frame_address(0) + 512;
	recurse(3);
	return NULL;
}

/* ---- copies that end early, and garbage ---------------------------------------------- */

static struct own_stack deep; /* of a recursion, in a qsort() */
static uint64_t whole[UNWIND_MAX];
static size_t whole_count;

__attribute__((noinline)) static void keep_stack(void)
{
	ucontext_t context;
	enum unwind_end end;
	uint32_t stopped;

	getcontext(&context);
	own_set_registers(&deep, &context);
	own_copy_stack(&deep, stack_end);
	whole_count = own_unwind(&own, &deep, deep.len, 2 * deep.len, whole, &end, &stopped);
}

__attribute__((noinline)) static int recurse_and_keep(int depth)
{
	volatile int one = 1;

	if (!depth)
		keep_stack();
	else
		recurse_and_keep(depth - 1);
	return one;
}

static bool is_prefix(const uint64_t *chain, size_t n)
{
	return n && n <= whole_count && !memcmp(chain, whole, n * sizeof(*chain));
}

/* The part that is there is walked, and the result tells what ended the walk. */
static void try_short_copies(void)
{
	static uint64_t chain[UNWIND_MAX];
	size_t shorter = 0, last = 0;
	bool prefix = true, ends = true;
	enum unwind_end end;
	uint32_t stopped;

	CHECK(own_unwind(&own, &deep, 0, 8, chain, &end, &stopped) == 1 && end == UNWIND_NO_REGISTERS);
	for (size_t len = 8; len < deep.len; len += 8) {
		size_t n = own_unwind(&own, &deep, len, len, chain, &end, &stopped);

		prefix = prefix && is_prefix(chain, n) && n >= last;
		ends = ends && end == (n == whole_count ? UNWIND_COMPLETE : UNWIND_TRUNCATED);
		shorter += n < whole_count;
		last = n;
		n = own_unwind(&own, &deep, len, len + 8, chain, &end, &stopped);
		prefix = prefix && n == last;
		ends = ends && end == (n == whole_count ? UNWIND_COMPLETE : UNWIND_BROKEN);
	}
	CHECK(whole_count > 40);
	CHECK(shorter > 100);
	CHECK(prefix);
	CHECK(ends);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* A plausible number on a stack: an address of the stack, an address of code, or anything. */
static uint64_t random_number(uint64_t *state)
{
	uint64_t kind = next_random(state) % 4, number = next_random(state);

	if (kind == 0)
		return deep.start + number % deep.len;
	if (kind == 1)
		return (deep.start + number % deep.len) & ~(uint64_t)7;
	return kind == 2 ? whole[number % whole_count] + number % 64 : number;
}

static void try_garbage(void)
{
	static uint64_t chain[UNWIND_MAX];
	size_t seen[UNWIND_ENDS] = { 0 };
	uint64_t state = 88172645463325252;
	struct own_stack s = deep;
	bool sane = true;

	s.bytes = xmalloc(deep.len);
	for (int i = 0; i < 10000; i++) {
		enum unwind_end end;
		uint32_t stopped;
		size_t n;

		memcpy(s.bytes, deep.bytes, deep.len);
		memcpy(s.regs, deep.regs, sizeof(s.regs));
		for (uint64_t k = next_random(&state) % 8; k; k--) {
			uint64_t number = random_number(&state);

			memcpy(s.bytes + next_random(&state) % (deep.len - 8), &number, 8);
		}
		if (i % 2)
			s.regs[next_random(&state) % 17] = random_number(&state);
		n = own_unwind(&own, &s, deep.len, deep.len, chain, &end, &stopped);
		sane = sane && n && n <= UNWIND_MAX && chain[0] == s.regs[8] && end < UNWIND_ENDS;
		seen[end]++;
	}
	printf("# ends:");
	for (int i = 0; i < UNWIND_ENDS; i++)
		printf(" %zu", seen[i]);
	printf("\n");
	CHECK(sane);
	CHECK(seen[UNWIND_COMPLETE] > 1000);
	CHECK(seen[UNWIND_BROKEN] > 100);
	CHECK(seen[UNWIND_UNMAPPED] > 100);
	free(s.bytes);
}

/* ---- code that is never met by chance ------------------------------------------------- */

/* The walk from pc, just after a call, is the walk of its caller, with pc in front. */
static bool walks_from(uint64_t pc, const uint64_t *pushed, size_t count)
{
	static uint64_t chain[UNWIND_MAX];
	struct own_stack s = own_call(&deep, pc, pushed, count);
	enum unwind_end end;
	uint32_t stopped;
	size_t n = own_unwind(&own, &s, s.len, 2 * s.len, chain, &end, &stopped);

	free(s.bytes);
	return end == UNWIND_COMPLETE && n == whole_count + 1 && chain[0] == pc &&
	       !memcmp(chain + 1, whole, whole_count * sizeof(*chain));
}

/* The first bytes of an entry of the PLT: jmp, push of a number, jmp. */
static void try_plt(void)
{
	extern const char image[] __asm__("__executable_start"); /* by the linker: where offset 0 is */
	const uint64_t number = 3;
	struct elf_segments segments;
	struct elf_file file;
	Elf_Scn *section = NULL;
	uint64_t plt = 0, offset = 0;
	size_t names;
	GElf_Shdr header;

	if (elf_file_open_fd(&file, open("/proc/self/exe", O_RDONLY)))
		return;
	segments = file.segments;
	elf_getshdrstrndx(file.elf, &names);
	while ((section = elf_nextscn(file.elf, section))) {
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(file.elf, names, header.sh_name) : "";

		if (!strcmp(name, ".plt") && header.sh_entsize == 16)
			plt = header.sh_addr + 16; /* the first is another one */
	}
	elf_file_close(&file);
	if (!plt || !elf_to_offset(&segments, plt, &offset)) {
		printf("ok - PLT # SKIP none in this program\n");
		return;
	}
	plt = (uint64_t)(uintptr_t)image + offset;
	CHECK(walks_from(plt, NULL, 0));
	CHECK(walks_from(plt + 6, NULL, 0));
	CHECK(walks_from(plt + 11, &number, 1));
}

static void try_vdso(void)
{
	const char *image = (const char *)getauxval(AT_SYSINFO_EHDR); // NOLINT: the kernel gives a number
	const Elf64_Ehdr *header = (const void *)image;
	uint64_t function = 0;

	for (int i = 0; image && i < header->e_shnum; i++) {
		const Elf64_Shdr *s = (const void *)(image + header->e_shoff + (size_t)i * header->e_shentsize);
		const Elf64_Sym *symbols = (const void *)(image + s->sh_offset);

		for (size_t k = 0; s->sh_type == SHT_DYNSYM && k < s->sh_size / sizeof(*symbols); k++) {
			if (ELF64_ST_TYPE(symbols[k].st_info) == STT_FUNC)
				function = (uint64_t)(uintptr_t)image + symbols[k].st_value;
		}
	}
	if (function)
		CHECK(walks_from(function, NULL, 0));
	else
		printf("ok - vdso # SKIP none here\n");
}

/* ---- registers that make no sense ----------------------------------------------------- */

static void try_registers(void)
{
	static uint64_t chain[UNWIND_MAX];
	struct own_stack s = deep;
	struct unwind_sample none = { .abi = PERF_SAMPLE_REGS_ABI_32,
				      .regs = (const uint8_t *)s.regs,
				      .regs_mask = OWN_MASK,
				      .space = spaces_find(&own.spaces, getpid(), 2) };
	enum unwind_end end;
	uint32_t stopped;

	CHECK(unwind(own.unwinder, &none, chain, &end, &stopped) == 0 && end == UNWIND_NO_REGISTERS);
	none.abi = PERF_SAMPLE_REGS_ABI_64;
	none.regs_mask = 1; /* no pc, no stack pointer */
	CHECK(unwind(own.unwinder, &none, chain, &end, &stopped) == 0 && end == UNWIND_NO_REGISTERS);
	none.regs_mask = OWN_MASK;
	CHECK(unwind(own.unwinder, &none, chain, &end, &stopped) == 1 && end == UNWIND_TRUNCATED);
	none.space = NULL;
	CHECK(unwind(own.unwinder, &none, chain, &end, &stopped) == 1 && end == UNWIND_UNMAPPED);

	s.regs[6]++; /* of whichever the CFA is counted from */
	s.regs[7]++;
	CHECK(own_unwind(&own, &s, s.len, s.len, chain, &end, &stopped) == 1 && end == UNWIND_BROKEN);
	s = deep;
	s.regs[8] = 0; /* a call through a null pointer */
	CHECK(own_unwind(&own, &s, s.len, s.len, chain, &end, &stopped) == 1 && end == UNWIND_UNMAPPED);
	CHECK(stopped == UINT32_MAX && chain[0] == 0);
}

static void handle_elsewhere(int number)
{
	static uint64_t chain[UNWIND_MAX];
	struct own_stack s;
	ucontext_t context;
	enum unwind_end end;
	uint32_t stopped;
	size_t n;

	(void)number;
	getcontext(&context);
	own_set_registers(&s, &context);
	own_copy_stack(&s, stack_end);
	n = own_unwind(&own, &s, s.len, s.len, chain, &end, &stopped);
	/* The handler, the code to which it returns, and the interrupted code; the copy has no more. */
	good = n >= 5 && end == UNWIND_OTHER_STACK && chain[1] == (uint64_t)PERF_CONTEXT_USER &&
	       chain[3] == (uint64_t)PERF_CONTEXT_USER;
	free(s.bytes);
}

/* A handler on a stack of its own. */
static void try_other_stack(void)
{
	static char room[64 * 1024];
	const stack_t other = { .ss_sp = room, .ss_size = sizeof(room) }, none = { .ss_flags = SS_DISABLE };
	const struct sigaction action = { .sa_handler = handle_elsewhere, .sa_flags = SA_ONSTACK };

	stack_end = room + sizeof(room);
	sigaltstack(&other, NULL);
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR2);
	sigaltstack(&none, NULL);
	CHECK(good);
}

int main(void)
{
	int numbers[] = { 3, 1, 2 }, key = 2;
	pthread_t thread;

	stack_end = (const char *)__builtin_frame_address(0) + 1024;
	own_init(&own);
	CHECK(own_reference_init(&reference));
	look();
	CHECK(good);
	recurse(500);
	CHECK(good);
	qsort(numbers, 3, sizeof(*numbers), compare);
	CHECK(good);
	bsearch(&key, numbers, 3, sizeof(*numbers), compare);
	CHECK(good);
	good = false;
	if (!setjmp(back))
		ends_with_call(5);
	CHECK(good);
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
	CHECK(good);
	pthread_create(&thread, NULL, run_thread, NULL);
	pthread_join(thread, NULL);
	CHECK(good);
	stack_end = (const char *)__builtin_frame_address(0) + 1024;
	recurse_and_keep(40);
	try_short_copies();
	try_garbage();
	try_plt();
	try_vdso();
	try_registers();
	try_other_stack();
	free(deep.bytes);
	dwfl_end(reference.dwfl);
	own_free(&own);
	return check_done();
}

#else

int main(void)
{
	printf("ok - own stacks # SKIP made for x86-64\n");
	return 0;
}

#endif

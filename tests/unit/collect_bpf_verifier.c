/* bpf_verifier: messages about programs that the kernel's verifier refuses, with logs made here. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_verifier.h"
#include "tests/unit/check.h"

#define PROCESSED(n) \
	"processed " #n " insns (limit 1000000) max_states_per_insn 4 total_states 9 peak_states 9 mark_read 5\n"
#define LARGE "BPF program is too large. Processed 1000001 insn"
#define JUMPS "The sequence of 8193 jumps is too complex."

static const struct {
	const char *log, *said; /* NULL: nothing of this */
} rows[] = {
	{ "0: R1=ctx()\n" LARGE "\n" PROCESSED(1000001), LARGE },
	{ JUMPS "\n" PROCESSED(20000), JUMPS },
	{ "12: (85) call 6\n" JUMPS, JUMPS },
	{ "R1 invalid mem access 'inv'\n" PROCESSED(12), NULL },
	{ PROCESSED(999999), NULL },
	{ "combined stack size of 2 calls is 544. Too large\n", NULL },
	{ "", NULL },
};

static void say(libbpf_print_fn_t print, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(LIBBPF_WARN, format, args);
	va_end(args);
}

/* libbpf 1.1's output for a program that is too complex, for which Linux 6.1 returns ENOMEM. */
static void print_refusal(libbpf_print_fn_t print)
{
	static char log[100000]; /* the reason is at its end */

	memset(log, 'x', sizeof(log) - 1);
	say(print, "libbpf: prog '%s': BPF program load failed: %s\n", "syscalls_exit", "Cannot allocate memory");
	say(print, "libbpf: prog '%s': -- BEGIN PROG LOAD LOG --\n%s\n" JUMPS "\n%s-- END PROG LOAD LOG --\n",
	    "syscalls_exit", log, PROCESSED(20000));
}

/* What bpf_load_failure() prints, in `text`. */
static void failure(char *text, size_t size)
{
	FILE *to = tmpfile();
	int before = dup(2);
	size_t len;

	dup2(fileno(to), 2);
	bpf_load_failure("syscalls", NULL, ENOMEM, "--max-threads");
	fflush(stderr);
	dup2(before, 2);
	rewind(to);
	len = fread(text, 1, size - 1, to);
	text[len] = 0;
	fclose(to);
}

int main(void)
{
	libbpf_print_fn_t ours;
	char text[1024];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t len = 0;
		const char *said = verifier_too_complex(rows[i].log, &len);
		char got[128];

		snprintf(got, sizeof(got), "%.*s", (int)len, said ? said : "");
		CHECK_TEXT(got, rows[i].said ? rows[i].said : "");
	}
	unsetenv("PYROGRAPH_BPF_LOG");
	bpf_obstacle(); /* makes libbpf talk to us, if we have the rights */
	ours = libbpf_set_print(NULL);
	if (bpf_obstacle() && !strstr(bpf_obstacle(), "forbidden"))
		return printf("ok - what is said # SKIP %s\n", bpf_obstacle()), check_done();
	print_refusal(ours);
	failure(text, sizeof(text));
	CHECK(strstr(text, "syscalls: this kernel's verifier gives its program up"));
	CHECK(strstr(text, JUMPS));
	CHECK(strstr(text, "PYROGRAPH_BPF_LOG=1"));
	CHECK(!strstr(text, "memory"));
	return check_done();
}

/* refusal: which commands are offered to which users, on kernels other than this machine's. */
#include "collect/recording/refusal.h"
#include "tests/unit/check.h"

#define SYSCTL(n) "\n  sudo sysctl kernel.perf_event_paranoid=" #n
#define SETCAP(c) "\n  sudo setcap " c "+ep /p"
#define OPEN_AND(c) SYSCTL(2) " && sudo setcap " c "+ep /p"
#define SAMPLE "cap_perfmon,cap_sys_ptrace,cap_syslog"
#define BPF "cap_bpf," SAMPLE
#define ADMIN "cap_sys_admin,cap_sys_ptrace,cap_syslog"
#define AGAIN "\n  sudo /d collect ..."

/* A user without capabilities, and one with those in README.md, on a plain kernel and on Debian's. */
static const struct rights plain = { .paranoid = 2 };
static const struct rights debian = { .paranoid = 3, .closed = true };
static const struct rights debian_sample = { .paranoid = 3, .closed = true, .perfmon = true };
static const struct rights debian_bpf = { .paranoid = 3, .closed = true, .perfmon = true, .bpf = true };
static const struct rights ubuntu = { .paranoid = 4, .closed = true };
static const struct rights plain_three = { .paranoid = 3 }; /* which means no more than 2 there */

static const struct {
	enum wanted wanted;
	const struct rights *have;
	const char *ways;
} rows[] = {
	{ WANT_OWN, &plain, SYSCTL(1) SETCAP(SAMPLE) AGAIN },
	{ WANT_MACHINE, &plain, SYSCTL(0) SETCAP(SAMPLE) AGAIN },
	{ WANT_TRACEPOINTS, &plain, SYSCTL(-1) SETCAP(SAMPLE) AGAIN },
	{ WANT_OTHERS, &plain, SETCAP(SAMPLE) AGAIN },
	{ WANT_BPF, &plain, SETCAP(BPF) AGAIN },
	{ WANT_UPROBES, &plain, SETCAP(ADMIN) AGAIN },
	{ WANT_MACHINE, &plain_three, SYSCTL(0) SETCAP(SAMPLE) AGAIN },
	{ WANT_BPF, &plain_three, SETCAP(BPF) AGAIN },
	{ WANT_OWN_USER, &debian, SYSCTL(2) SETCAP(ADMIN) AGAIN },
	{ WANT_OWN, &debian, SYSCTL(1) OPEN_AND(SAMPLE) SETCAP(ADMIN) AGAIN },
	{ WANT_MACHINE, &debian, SYSCTL(0) OPEN_AND(SAMPLE) SETCAP(ADMIN) AGAIN },
	{ WANT_MACHINE, &ubuntu, SYSCTL(0) OPEN_AND(SAMPLE) SETCAP(ADMIN) AGAIN },
	{ WANT_MACHINE, &debian_sample, SYSCTL(2) SETCAP(ADMIN) AGAIN },
	{ WANT_BPF, &debian, OPEN_AND(BPF) SETCAP(ADMIN) AGAIN },
	{ WANT_BPF, &debian_sample, OPEN_AND(BPF) SETCAP(ADMIN) AGAIN },
	{ WANT_BPF, &debian_bpf, SYSCTL(2) SETCAP(ADMIN) AGAIN },
	{ WANT_UPROBES, &debian_bpf, SETCAP(ADMIN) AGAIN },
};

int main(void)
{
	struct rights root = { .paranoid = 3, .closed = true, .admin = true };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str got = { 0 };

		refusal_add_ways(&got, rows[i].wanted, rows[i].have, "/p", "/d collect");
		CHECK_TEXT(got.buf, rows[i].ways);
		str_free(&got);
	}
	CHECK(rights_closed_by_sysctl(&debian_bpf));
	CHECK(!rights_closed_by_sysctl(&plain_three));
	CHECK(!rights_closed_by_sysctl(&root)); /* something else refuses it */
	return check_done();
}

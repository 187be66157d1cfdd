/* heat_lines: makes hours of timed folded lines for "make bench" within seconds, the same ones in each run:
 *
 *   heat_lines [HOURS [STACKS [CPUS]]] >day.folded        24 hours, 20,000 stacks, 2 CPUs
 *
 * Each CPU has a sample each 1/99 s, some microseconds late.  For 55 % of the time, in stretches, it is idle; otherwise
 * one of 60 threads runs, a few of them often, most of them seldom.  A thread keeps a stack for some samples before it
 * has another one.  Stacks are 8 to 40 frames deep, and share their beginnings with others. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	RATE = 99,
	THREADS = 60,
	NAMES = 3000,
	DEPTH_MIN = 8,
	DEPTH_MAX = 40,
	TEXT_MAX = 4096,
	OUT_BYTES = 1 << 20,
	CPUS_MAX = 64
};

static const uint64_t START_NS = 1795255200000000000, SECOND_NS = 1000000000;

static const char IDLE[] = "common_startup_64_[k];start_secondary_[k];cpu_startup_entry_[k];do_idle_[k];"
			   "cpuidle_enter_state_[k];default_enter_idle_[k];pv_native_safe_halt_[k]";

struct stack {
	uint16_t names[DEPTH_MAX];
	unsigned depth, thread;
	char *text;
	size_t len;
};

struct cpu {
	uint64_t next_ns;
	int left;     /* samples until something else happens */
	size_t stack; /* SIZE_MAX: idle */
	char idle[sizeof(IDLE) + 64];
	size_t idle_len;
};

static char names[NAMES][32], out[OUT_BYTES + 2 * TEXT_MAX];
static size_t out_len;
static struct stack *stacks;
static size_t stack_count;
static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * 0x2545f4914f6cdd1du >> 16;
}

static double share(void)
{
	return (double)(next() & 0xffffffff) / 4294967296.0;
}

/* A number from 0 to count - 1; n has a probability of about 1 / (n + 1), so small numbers are the most frequent
 * ones. */
static size_t zipf(size_t count)
{
	size_t n = (size_t)(pow((double)count + 1, share())) - 1;

	return n < count ? n : count - 1;
}

static void make_names(void)
{
	static const char *const verbs[] = { "get",  "read",  "write", "find", "alloc", "walk",  "parse", "do",
					     "lock", "merge", "poll",  "hash", "sort",  "visit", "run",   "map" };
	static const char *const nouns[] = { "page",  "node", "entry", "table", "buf",  "queue", "timer", "key",
					     "inode", "path", "row",   "order", "task", "event", "block", "list" };

	for (unsigned i = 0; i < NAMES; i++)
		snprintf(names[i], sizeof(names[i]), "%s_%s%s%u", verbs[i % 16], nouns[i / 16 % 16],
			 i % 3 ? "_" : "::", i / 256);
}

/* Stack i has the same beginning as one of the stacks before it. */
static void make_stack(size_t i, unsigned cpu)
{
	const struct stack *like = i ? &stacks[next() % i] : NULL;
	struct stack *s = &stacks[i];
	char text[TEXT_MAX];
	size_t len;

	s->depth = DEPTH_MIN + (unsigned)zipf(DEPTH_MAX - DEPTH_MIN + 1);
	s->thread = (unsigned)zipf(THREADS);
	for (unsigned d = 0, shared = like ? (unsigned)(next() % like->depth) : 0; d < s->depth; d++)
		s->names[d] = d < shared ? like->names[d] : (uint16_t)zipf(NAMES);
	len = (size_t)snprintf(text, sizeof(text), "server-%u;server-%u/worker-%u;cpu%u;start_thread",
			       400 + s->thread % 5, 400 + s->thread % 5, s->thread, cpu);
	for (unsigned d = 0; d < s->depth; d++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, ";%s%s", names[s->names[d]],
					d > s->depth * 2 / 3 ? "_[k]" : "");
	len += (size_t)snprintf(text + len, sizeof(text) - len, " 1\n");
	s->text = strdup(text);
	s->len = len;
}

static void go_on(struct cpu *c, unsigned number, unsigned cpus)
{
	if (share() < 0.55) {
		c->stack = SIZE_MAX;
		c->left = 1 + (int)zipf(40);
		return;
	}
	c->stack = zipf(stack_count / cpus) * cpus + number;
	if (c->stack >= stack_count)
		c->stack = number;
	c->left = 1 + (int)zipf(40);
}

static void put_line(const struct cpu *c, uint64_t at)
{
	char *to = out + out_len;
	uint64_t seconds = at / SECOND_NS, ns = at % SECOND_NS;

	*to = '@';
	for (int i = 10; i; i--, seconds /= 10)
		to[i] = (char)('0' + seconds % 10);
	to[11] = '.';
	for (int i = 20; i > 11; i--, ns /= 10)
		to[i] = (char)('0' + ns % 10);
	to[21] = ' ';
	if (c->stack == SIZE_MAX)
		memcpy(to + 22, c->idle, c->idle_len);
	else
		memcpy(to + 22, stacks[c->stack].text, stacks[c->stack].len);
	out_len += 22 + (c->stack == SIZE_MAX ? c->idle_len : stacks[c->stack].len);
	if (out_len >= OUT_BYTES) {
		fwrite(out, 1, out_len, stdout);
		out_len = 0;
	}
}

static void put_header(double hours, unsigned cpus)
{
	printf("# pyrograph: host=bench event=cpu-clock rate=%dHz from=2026-11-21T10:00:00.000000000Z "
	       "to=2026-11-%02dT%02d:%02d:00.000000000Z cpus=0-%u root=pid,thread,cpu lost=0/1 unit=samples\n",
	       RATE, 21 + (int)((hours + 10) / 24), (int)(hours + 10) % 24, (int)(hours * 60) % 60, cpus - 1);
}

static void run(double hours, unsigned cpus)
{
	static struct cpu all[CPUS_MAX];
	uint64_t end = START_NS + (uint64_t)(hours * 3600 * (double)SECOND_NS);

	for (unsigned i = 0; i < cpus; i++) {
		all[i].next_ns = START_NS + next() % (SECOND_NS / RATE);
		all[i].idle_len = (size_t)sprintf(all[i].idle, "swapper-0;swapper-0/swapper;cpu%u;%s 1\n", i, IDLE);
	}
	for (;;) {
		struct cpu *c = &all[0];
		uint64_t late;

		for (unsigned i = 1; i < cpus; i++)
			c = all[i].next_ns < c->next_ns ? &all[i] : c;
		if (c->next_ns >= end)
			break;
		if (!c->left--)
			go_on(c, (unsigned)(c - all), cpus);
		put_line(c, c->next_ns);
		late = 1 + zipf(20000);
		c->next_ns += SECOND_NS / RATE - 4000 + late;
	}
	fwrite(out, 1, out_len, stdout);
}

int main(int argc, char **argv)
{
	double hours = argc > 1 ? atof(argv[1]) : 24;
	unsigned cpus = argc > 3 ? (unsigned)atoi(argv[3]) : 2;

	stack_count = argc > 2 ? (size_t)atol(argv[2]) : 20000;
	if (!(hours > 0) || !cpus || cpus > CPUS_MAX || stack_count < cpus) {
		fprintf(stderr, "usage: heat_lines [HOURS [STACKS [CPUS]]] >timed.folded\n");
		return 2;
	}
	stacks = calloc(stack_count, sizeof(*stacks));
	make_names();
	for (size_t i = 0; i < stack_count; i++)
		make_stack(i, (unsigned)(i % cpus));
	put_header(hours, cpus);
	run(hours, cpus);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}

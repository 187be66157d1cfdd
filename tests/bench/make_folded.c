/* make_folded: makes profiles for "make bench" that are larger than those of a minute's recording, in a fraction of
 * that time; each run makes the same profile:
 *
 *   make_folded big >big.folded
 *
 * First, the functions of a program are chosen at random, with names in the style of five languages.  Each calls a few
 * dozen others, some of them often, most of them rarely, so the same calls occur in many stacks, as in a real profile.
 * The stacks are grown from the root: a frame's share of the stacks still to be made is split among its callees until
 * one is left.  Callees are taken in the order of their names' bytes, and no name is the beginning of another, so the
 * lines come out sorted like those of "LC_ALL=C sort", and only the current line is kept in memory. */
#include <assert.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { NAME_MAX_BYTES = 160, LINE_MAX_BYTES = 64 * 1024, CALLEES_MAX = 40, BRANCHES_MAX = 16 };

enum language { C, KERNEL, CXX, JAVA, RUST, LANGUAGES };

/* %m module, %v verb, %n noun; %N a noun with its first letter in upper case. */
static const char *const templates[LANGUAGES][6] = {
	[C] = { "%m_%v_%n", "%m_%n_%v", "%m_%v_%n.part.0", "%m%v%N", "_%v_%n", "%v_%n" },
	[KERNEL] = { "%m_%v_%n_[k]", "__%m_%v_%n_[k]", "%m_%n_%v_[k]", "do_%v_%n_[k]", "%m_%v_[k]",
		     "%m_%v_%n.isra.0_[k]" },
	[CXX] = { "%m::%N%N::%v%N", "%m::%n::%N::%v_%n", "std::vector<%m::%N, std::allocator<%m::%N> >::_M_%v_%n",
		  "%m::(anonymous namespace)::%N%N::%v%N",
		  "std::_Function_handler<void (%m::%N&), %m::%N::%v()::{lambda()#1}>::_M_invoke",
		  "%m::%N<%m::%N>::%v" },
	[JAVA] = { "com.example.%m.%n.%N%NService.%v%N%N", "org.apache.%m.%n.%N%NImpl.%v%N",
		   "org.hibernate.%m.%NInterceptor.%v%N", "java.util.concurrent.%N%N$%N.%v%N",
		   "com.example.%m.%N%NRepository.%v%N", "io.netty.%m.%n.%NHandler.%v%N%N" },
	[RUST] = { "%m::%n::%N<%N>::%v_%n", "<%m::%n::%N as core::iter::Iterator>::%v",
		   "core::ptr::drop_in_place<alloc::vec::Vec<%m::%N>>", "%m::%n::%v_%n::{{closure}}", "%m::%n::%v_%n",
		   "alloc::%n::%N<%m::%N>::%v" },
};

static const char *const modules[LANGUAGES][20] = {
	[C] = { "sqlite3", "ssl",   "json", "lua", "git",  "buf", "hash", "png",  "xml",  "evp",
		"heap",    "pcre2", "curl", "tar", "lzma", "gc",  "utf8", "zstd", "tree", "ev" },
	[KERNEL] = { "ext4",  "tcp",   "vfs",  "mm",  "sched", "rcu",    "blk",    "page", "skb", "inet",
		     "futex", "timer", "perf", "xfs", "nvme",  "cgroup", "dentry", "slab", "ip",  "wq" },
	[CXX] = { "rocksdb", "llvm",    "v8::internal", "clang",   "boost::asio", "grpc_core", "absl",
		  "arrow",   "icu_72",  "folly",        "Qt",      "node",        "re2",       "proxygen",
		  "WTF",     "mozilla", "leveldb",      "fmt::v9", "tbb",         "seastar" },
	[JAVA] = { "order",   "billing", "catalog",   "kafka",   "transaction", "web.servlet", "security",
		   "cache",   "channel", "hibernate", "tomcat",  "beans",       "shipping",    "lucene",
		   "pricing", "commons", "http",      "session", "audit",       "search" },
	[RUST] = { "tokio::runtime",
		   "hyper::proto",
		   "rustc_middle::ty",
		   "serde_json",
		   "regex_automata",
		   "rayon",
		   "hashbrown::raw",
		   "alloc::vec",
		   "core::str",
		   "axum",
		   "tracing",
		   "rustc_query_system",
		   "std::sys::unix",
		   "bytes",
		   "tower",
		   "h2",
		   "mio",
		   "syn",
		   "ring",
		   "indexmap" },
};

static const char *const verbs[] = {
	"get",   "find",    "read",   "write",   "open",  "close",  "alloc",  "release",  "insert", "erase",
	"walk",  "parse",   "encode", "decode",  "lock",  "wait",   "wake",   "submit",   "flush",  "commit",
	"merge", "split",   "visit",  "resolve", "map",   "poll",   "handle", "dispatch", "invoke", "apply",
	"copy",  "compare", "hash",   "sort",    "check", "update", "init",   "load",     "store",  "scan",
};

static const char *const nouns[] = {
	"page",     "entry",   "node",       "table",       "column",   "cursor",      "buffer",   "frame",
	"packet",   "socket",  "queue",      "task",        "thread",   "timer",       "event",    "request",
	"response", "header",  "session",    "token",       "string",   "value",       "key",      "index",
	"block",    "segment", "extent",     "inode",       "file",     "path",        "region",   "range",
	"bitmap",   "list",    "batch",      "stream",      "record",   "message",     "context",  "state",
	"symbol",   "type",    "expression", "module",      "function", "instruction", "register", "object",
	"field",    "array",   "slot",       "bucket",      "chunk",    "cache",       "pool",     "order",
	"customer", "account", "invoice",    "transaction",
};

struct root {
	const char *name; /* sorted bytewise in their list */
	enum language language;
};

static const struct root system_roots[] = {
	{ "ThreadPoolForeg", CXX },
	{ "cargo", RUST },
	{ "cc1plus", CXX },
	{ "dd", C },
	{ "git", C },
	{ "java", JAVA },
	{ "javac", JAVA },
	{ "ksoftirqd/0", KERNEL },
	{ "kswapd0", KERNEL },
	{ "ld.lld", CXX },
	{ "nginx", C },
	{ "node", CXX },
	{ "openssl", C },
	{ "postgres", C },
	{ "python3", C },
	{ "rustc", RUST },
	{ "sqlite3", C },
	{ "swapper", KERNEL },
	{ "tokio-worker", RUST },
	{ "xz", C },
};

static const struct root service_roots[] = {
	{ "ForkJoinPool.commonPool-worker-1", JAVA },
	{ "HikariPool-1 housekeeper", JAVA },
	{ "http-nio-8080-exec-1;java.lang.Thread.run", JAVA },
	{ "http-nio-8080-exec-2;java.lang.Thread.run", JAVA },
	{ "http-nio-8080-exec-3;java.lang.Thread.run", JAVA },
	{ "http-nio-8080-exec-4;java.lang.Thread.run", JAVA },
	{ "kafka-consumer-0;java.lang.Thread.run", JAVA },
	{ "kafka-consumer-1;java.lang.Thread.run", JAVA },
	{ "scheduling-1", JAVA },
};

static const struct root plain_roots[] = {
	{ "bash", C },    { "dd", C },       { "git", C },     { "kswapd0", KERNEL }, { "nginx", C },
	{ "openssl", C }, { "postgres", C }, { "python3", C }, { "sqlite3", C },      { "swapper", KERNEL },
};

struct profile {
	const char *name;
	uint64_t seed;
	unsigned stacks; /* distinct ones, lines */
	const struct root *roots;
	unsigned roots_count;
	unsigned functions[LANGUAGES];   /* names to draw; a few fall out */
	unsigned kernel_per_mille;       /* how often user code calls the kernel */
	unsigned chain_percent;          /* share of frames that get a single callee, while stacks are split */
	unsigned branches;               /* the others have 2 to so many */
	unsigned tail_min, tail_range;   /* frames below the last split */
	unsigned depth_min, depth_range; /* instead, if set: a stack's whole depth */
	unsigned depth_chains;           /* no such chains below this depth */
	unsigned skew;                   /* 4: stacks of 2^n samples have a probability of 1/2^n */
	unsigned period;                 /* a sample's weight */
};

static const struct profile profiles[] = {
	{ .name = "big",
	  .seed = 8,
	  .stacks = 138414,
	  .roots = system_roots,
	  .roots_count = COUNT(system_roots),
	  .functions = { 6000, 5000, 8000, 5000, 4000 },
	  .kernel_per_mille = 40,
	  .chain_percent = 58,
	  .branches = 6,
	  .tail_min = 1,
	  .tail_range = 6,
	  .depth_chains = 120,
	  .skew = 5,
	  .period = 1001001 },
	{ .name = "wide",
	  .seed = 7,
	  .stacks = 1000000,
	  .roots = service_roots,
	  .roots_count = COUNT(service_roots),
	  .functions = { 0, 500, 0, 20000, 0 },
	  .kernel_per_mille = 5,
	  .chain_percent = 20,
	  .branches = 8,
	  .depth_min = 20,
	  .depth_range = 38,
	  .depth_chains = 30,
	  .skew = 4,
	  .period = 1 },
	{ .name = "million",
	  .seed = 6,
	  .stacks = 305000,
	  .roots = plain_roots,
	  .roots_count = COUNT(plain_roots),
	  .functions = { 12000, 8000, 0, 0, 0 },
	  .kernel_per_mille = 50,
	  .chain_percent = 0,
	  .branches = 16,
	  .tail_min = 0,
	  .tail_range = 6,
	  .depth_chains = 60,
	  .skew = 4,
	  .period = 1 },
};

struct function {
	char name[NAME_MAX_BYTES];
	enum language language;
};

static const struct profile *profile;
static uint64_t random_state;
static struct function *functions; /* by name */
static unsigned functions_count;
static unsigned *by_language[LANGUAGES]; /* numbers of functions */
static unsigned language_count[LANGUAGES];
static char line[LINE_MAX_BYTES];
static size_t line_bytes;

/* ---- chance ---------------------------------------------------------------- */

/* splitmix64's last steps: https://prng.di.unimi.it/splitmix64.c */
static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static uint64_t next_random(void)
{
	return mix(random_state += 0x9e3779b97f4a7c15);
}

/* A random number from 0 to below - 1; 0 if below is 0. */
static unsigned below(unsigned below)
{
	return below ? (unsigned)(next_random() % below) : 0;
}

/* ---- functions -------------------------------------------------------------- */

static const char *draw_word(char kind, enum language language)
{
	switch (kind) {
	case 'm': return modules[language][below(COUNT(modules[language]))];
	case 'v': return verbs[below(COUNT(verbs))];
	default: return nouns[below(COUNT(nouns))];
	}
}

static void draw_name(char *name, enum language language)
{
	const char *template = templates[language][below(COUNT(templates[language]))];
	char *at = name;

	for (const char *t = template; *t; t++) {
		if (*t != '%') {
			*at++ = *t;
			continue;
		}
		char *word = at;
		at = stpcpy(at, draw_word(*++t, language));
		if (*t == 'N')
			*word -= 'a' - 'A';
	}
	*at = '\0';
	assert(at < name + NAME_MAX_BYTES);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct function *)a)->name, ((const struct function *)b)->name);
}

/* Choose the profile's functions, sorted by name; no name is the beginning of another. */
static void draw_functions(void)
{
	unsigned drawn = 0, wanted = 0;

	for (int i = 0; i < LANGUAGES; i++)
		wanted += profile->functions[i];
	functions = calloc(wanted, sizeof(*functions));
	assert(functions);
	for (int i = 0; i < LANGUAGES; i++) {
		by_language[i] = calloc(profile->functions[i] + 1, sizeof(*by_language[i]));
		assert(by_language[i]);
		for (unsigned n = 0; n < profile->functions[i]; n++, drawn++) {
			functions[drawn].language = (enum language)i;
			draw_name(functions[drawn].name, (enum language)i);
		}
	}
	qsort(functions, drawn, sizeof(*functions), by_name);
	for (unsigned i = 0; i < drawn; i++) {
		const char *name = functions[i].name;

		if (i + 1 < drawn && !strncmp(name, functions[i + 1].name, strlen(name)))
			continue;
		functions[functions_count] = functions[i];
		enum language language = functions[i].language;
		by_language[language][language_count[language]++] = functions_count++;
	}
}

/* The n-th function that caller calls, which is the same each time. */
static unsigned callee(unsigned caller, enum language language, unsigned n)
{
	uint64_t h = mix(((uint64_t)caller << 8 | n) * 0x9e3779b97f4a7c15 + profile->seed);

	if (language != KERNEL && h % 1000 < profile->kernel_per_mille)
		language = KERNEL;
	return by_language[language][(h >> 16) % language_count[language]];
}

/* Frequent callees have low numbers. */
static unsigned draw_callee(unsigned caller, enum language language)
{
	return callee(caller, language, below(1 + below(CALLEES_MAX)));
}

/* ---- stacks ----------------------------------------------------------------- */

static void push(const char *name)
{
	size_t bytes = strlen(name);

	assert(line_bytes + bytes + 32 < sizeof(line));
	if (line_bytes)
		line[line_bytes++] = ';';
	memcpy(line + line_bytes, name, bytes);
	line_bytes += bytes;
}

/* Write the current stack.  Half of the stacks have 1 sample, and a few stacks have most of the samples. */
static void write_stack(void)
{
	uint64_t least = 1ull << __builtin_ctzll(next_random() | 1ull << 20) * profile->skew / 4;
	uint64_t samples = least + next_random() % least;
	int bytes = sprintf(line + line_bytes, " %" PRIu64 "\n", samples * profile->period);

	fwrite(line, 1, line_bytes + (size_t)bytes, stdout);
}

/* Complete the last stack that is left below function, at depth. */
static void write_tail(unsigned function, unsigned depth)
{
	unsigned frames = profile->tail_min + below(profile->tail_range);
	size_t before = line_bytes;

	if (profile->depth_min) {
		unsigned wanted = profile->depth_min + below(profile->depth_range);

		frames = wanted > depth ? wanted - depth : 0;
	}
	for (; frames; frames--) {
		function = draw_callee(function, functions[function].language);
		push(functions[function].name);
	}
	write_stack();
	line_bytes = before;
}

static int by_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

/* Choose up to count different callees, sorted.  Returns how many there are. */
static unsigned draw_callees(unsigned *callees, unsigned count, unsigned caller)
{
	unsigned kept = 1;

	for (unsigned i = 0; i < count; i++)
		callees[i] = draw_callee(caller, functions[caller].language);
	qsort(callees, count, sizeof(*callees), by_number);
	for (unsigned i = 1; i < count; i++) {
		if (callees[i] != callees[kept - 1])
			callees[kept++] = callees[i];
	}
	return kept;
}

/* Split stacks into count shares of at least 1 that are very different. */
static void split(unsigned *shares, unsigned count, unsigned stacks)
{
	uint64_t sum = 0, left = stacks;

	for (unsigned i = 0; i < count; i++)
		sum += shares[i] = 1u << below(7);
	for (unsigned i = 0; i < count; i++) {
		shares[i] = 1 + (unsigned)((uint64_t)shares[i] * (stacks - count) / sum);
		left -= shares[i];
	}
	shares[below(count)] += (unsigned)left;
}

/* Write `stacks` stacks that begin with the frames of the line so far, whose last one is function. */
static void grow(unsigned function, unsigned depth, unsigned stacks)
{
	unsigned callees[BRANCHES_MAX], shares[BRANCHES_MAX], count = 1;
	size_t before = line_bytes;

	if (stacks == 1) {
		write_tail(function, depth);
		return;
	}
	if (depth > profile->depth_chains || below(100) >= profile->chain_percent) {
		count = 2 + below(profile->branches - 1);
		if (depth >= profile->depth_min && below(4) == 0) {
			write_stack(); /* self time */
			stacks--;
		}
	}
	count = draw_callees(callees, count < stacks ? count : stacks, function);
	split(shares, count, stacks);
	for (unsigned i = 0; i < count; i++) {
		push(functions[callees[i]].name);
		grow(callees[i], depth + 1, shares[i]);
		line_bytes = before;
	}
}

static void write_profile(void)
{
	unsigned shares[COUNT(system_roots)];

	split(shares, profile->roots_count, profile->stacks);
	for (unsigned i = 0; i < profile->roots_count; i++) {
		const struct root *root = &profile->roots[i];
		unsigned first = by_language[root->language][below(language_count[root->language])];

		push(root->name);
		push(functions[first].name);
		grow(first, 2, shares[i]);
		line_bytes = 0;
	}
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < COUNT(profiles); i++) {
		if (argc == 2 && !strcmp(argv[1], profiles[i].name))
			profile = &profiles[i];
	}
	if (!profile) {
		fputs("usage: make_folded big|wide|million\n", stderr);
		return 2;
	}
	random_state = profile->seed;
	draw_functions();
	write_profile();
	if (fflush(stdout) || ferror(stdout)) {
		perror("make_folded: stdout");
		return 1;
	}
	return 0;
}

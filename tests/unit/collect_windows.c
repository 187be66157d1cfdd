/* windows: what --between may say, and the windows that begins and ends make. */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/windows/between.h"
#include "collect/windows/window_counts.h"
#include "collect/windows/window_pairs.h"
#include "collect/windows/window_places.h"
#include "core/str.h"

#include "tests/unit/check.h"

/* ---- --between ---- */

static void add_event(struct str *out, const struct between_event *e)
{
	static const char *const kinds[] = { "function", "return", "usdt", "tracepoint" };

	str_addf(out, "%s %s|%s|%s", kinds[e->kind], e->file ? e->file : "-", e->group ? e->group : "-", e->name);
}

static const char *parsed(const char *text)
{
	static struct str out;
	struct between b = { 0 };

	str_clear(&out);
	between_parse(&b, text, NULL);
	add_event(&out, &b.begin);
	str_puts(&out, b.same ? " = " : ", ");
	add_event(&out, &b.end);
	str_puts(&out, b.whole_process ? " of a process" : "");
	between_free(&b);
	return str_text(&out);
}

/* The exit status of a child that parses the text. */
static int refused(const char *text, const char *of)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		struct between b = { 0 };

		fclose(stderr);
		between_parse(&b, text, of);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_between(void)
{
	CHECK_TEXT(parsed("handle"), "function -|-|handle, return -|-|handle");
	CHECK_TEXT(parsed("a,b"), "function -|-|a, function -|-|b");
	CHECK_TEXT(parsed("a,a"), "function -|-|a = function -|-|a");
	CHECK_TEXT(parsed("a,ab"), "function -|-|a, function -|-|ab");
	CHECK_TEXT(parsed("a:return,b"), "return -|-|a, function -|-|b");
	CHECK_TEXT(parsed("libssl:SSL_read"), "function libssl|-|SSL_read, return libssl|-|SSL_read");
	CHECK_TEXT(parsed("/usr/lib/x.so:f:return,f"), "return /usr/lib/x.so|-|f, function -|-|f");
	CHECK_TEXT(parsed("app::Server::handle"), "function -|-|app::Server::handle, return -|-|app::Server::handle");
	CHECK_TEXT(parsed("x:a::b<int, c::d>,g"), "function x|-|a::b<int, c::d>, function -|-|g");
	CHECK_TEXT(parsed("/bin/m:mysql:start,/bin/m:mysql:done"), "usdt /bin/m|mysql|start, usdt /bin/m|mysql|done");
	CHECK_TEXT(parsed("usdt:p:n,usdt:lib:p:n"), "usdt -|p|n, usdt lib|p|n");
	CHECK_TEXT(parsed("tracepoint:block:a,t:block:b"), "tracepoint -|block|a, tracepoint -|block|b");
	CHECK_TEXT(parsed("safepoint"), "function libjvm.so|-|SafepointSynchronize::begin, function "
					"libjvm.so|-|SafepointSynchronize::end of a process");
	CHECK(refused("a,b", NULL) == 0);
	CHECK(refused("a,b", "process") == 0);
	CHECK(refused("a,b", "cpu") == 2);
	CHECK(refused("", NULL) == 2);
	CHECK(refused("a,", NULL) == 2);
	CHECK(refused(",b", NULL) == 2);
	CHECK(refused("a,b,c", NULL) == 2);
	CHECK(refused(":a", NULL) == 2);
	CHECK(refused("a:", NULL) == 2);
	CHECK(refused("x:a:return:b", NULL) == 2);
	CHECK(refused("a:b:c:d:e:f", NULL) == 2);
	CHECK(refused("a:return", NULL) == 2); /* where does it end? */
	CHECK(refused("/bin/m:mysql:start", NULL) == 2);
	CHECK(refused("tracepoint:block:a", NULL) == 2);
	CHECK(refused("tracepoint:block,b", NULL) == 2);
}

/* ---- pairs ---- */

static struct str got;
static uint64_t now_ns;
static struct window_pairs pairs;

static void take(void *self, const struct window_pair *w)
{
	(void)self;
	str_addf(&got, "%s%u/%u %llu-%llu", got.len ? ", " : "", w->pid, w->tid, (unsigned long long)w->begin_ns,
		 (unsigned long long)w->end_ns);
	if (w->flags & RECORDING_WINDOW_CUT)
		str_puts(&got, " cut");
	if (w->open)
		str_puts(&got, " open");
}

static void begin(bool whole_process)
{
	window_pairs_free(&pairs);
	pairs = (struct window_pairs){ .whole_process = whole_process, .take = take };
	str_clear(&got);
	now_ns = 0;
}

/* One record of process 1 for each nanosecond: "A11 B11": a begin and an end by thread 11; X: both; G, P: the thread,
 * or the process, is gone; a, b: from a deeper call. */
static const char *made(const char *text)
{
	for (; *text; text += *text == ' ') {
		static const struct {
			char letter;
			uint32_t what;
			uint64_t sp;
		} kinds[] = { { 'A', WINDOW_BEGIN, 100 },     { 'a', WINDOW_BEGIN, 90 },
			      { 'B', WINDOW_END, 100 },       { 'b', WINDOW_END, 90 },
			      { 'N', WINDOW_BEGIN, 0 },       { 'X', WINDOW_BEGIN | WINDOW_END, 100 },
			      { 'G', WINDOW_THREAD_GONE, 0 }, { 'P', WINDOW_THREAD_GONE | WINDOW_PROCESS_GONE, 0 } };
		char letter = *text++, *end;
		struct window_record r = { .time_ns = ++now_ns, .pid = 1, .tid = (uint32_t)strtoul(text, &end, 10) };

		text = end;
		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
			if (kinds[i].letter == letter) {
				r.what = kinds[i].what;
				r.sp = kinds[i].sp;
			}
		}
		window_pairs_add(&pairs, &r);
	}
	window_pairs_finish(&pairs, 99);
	return str_text(&got);
}

static const char *of_threads(const char *text)
{
	begin(false);
	return made(text);
}

static const char *of_processes(const char *text)
{
	begin(true);
	return made(text);
}

#define COUNTS(n, o, r, s)                                                                                      \
	(pairs.counts[RECORDING_WINDOWS_nested] == (n) && pairs.counts[RECORDING_WINDOWS_overlapping] == (o) && \
	 pairs.counts[RECORDING_WINDOWS_replaced] == (r) && pairs.counts[RECORDING_WINDOWS_stray] == (s))

static void test_threads(void)
{
	CHECK_TEXT(of_threads("A2 B2 A2 B2"), "1/2 1-2, 1/2 3-4");
	CHECK(COUNTS(0, 0, 0, 0));
	CHECK_TEXT(of_threads("A2 A3 B2 B3"), "1/2 1-3, 1/3 2-4");
	CHECK_TEXT(of_threads("A2 a2 b2 B2"), "1/2 1-4");
	CHECK(COUNTS(1, 0, 0, 0));
	/* An end was missed. */
	CHECK_TEXT(of_threads("A2 A2 B2"), "1/2 2-3");
	CHECK(COUNTS(0, 0, 1, 0));
	/* The end of a nested window was missed: the next begin at the old depth shows that. */
	CHECK_TEXT(of_threads("A2 a2 B2 A2 B2"), "1/2 4-5");
	CHECK(COUNTS(1, 0, 1, 0));
	/* Without stack pointers nothing nests. */
	CHECK_TEXT(of_threads("N2 N2 B2 B2"), "1/2 2-3");
	CHECK(COUNTS(0, 0, 1, 1));
	CHECK_TEXT(of_threads("B2 A2 B3 B2 B2"), "1/2 2-4");
	CHECK(COUNTS(0, 0, 0, 3));
	CHECK_TEXT(of_threads("A2 G2 A2 B2"), "1/2 1-2 cut, 1/2 3-4");
	CHECK_TEXT(of_threads("A2 A3 P2 B3"), "1/2 1-3 cut");
	CHECK_TEXT(of_threads("A2"), "1/2 1-99 open");
	/* That another thread has ended was lost. */
	CHECK_TEXT(of_threads("A2 A3 P2"), "1/2 1-3 cut");
	CHECK_TEXT(of_threads("X2 X2 X3 X2"), "1/2 1-2, 1/2 2-4, 1/2 4-99 open, 1/3 3-99 open");
	CHECK_TEXT(of_threads(""), "");
	/* The flight recorder ends while it writes: open windows are given once. */
	CHECK_TEXT(of_threads("A2"), "1/2 1-99 open");
	CHECK_TEXT(made(""), "1/2 1-99 open");
}

static void test_processes(void)
{
	CHECK_TEXT(of_processes("A2 B2 A3 B3"), "1/2 1-2, 1/3 3-4");
	CHECK_TEXT(of_processes("A2 A3 B2 B3"), "1/3 1-4");
	CHECK(COUNTS(0, 1, 0, 0));
	CHECK_TEXT(of_processes("A2 a2 b2 B2"), "1/2 1-4");
	/* Another thread ends it. */
	CHECK_TEXT(of_processes("A2 B3 A2 B3"), "1/3 1-2, 1/3 3-4");
	CHECK(COUNTS(0, 0, 0, 0));
	/* Two are inside, others end them. */
	CHECK_TEXT(of_processes("A2 A3 B4 B4 A2 B2"), "1/4 1-4, 1/2 5-6");
	CHECK_TEXT(of_processes("A2 A3 B4 A2 B4 B4"), "1/4 1-6");
	CHECK_TEXT(of_processes("A2 A2 B2"), "1/2 2-3");
	CHECK(COUNTS(0, 0, 1, 0));
	CHECK_TEXT(of_processes("B2 A2 B2"), "1/2 2-3");
	CHECK(COUNTS(0, 0, 0, 1));
	/* A thread may end before its request does; the process may not. */
	CHECK_TEXT(of_processes("A2 G2 B3"), "1/3 1-3");
	CHECK_TEXT(of_processes("A2 P2 A2 B2"), "1/2 1-2 cut, 1/2 3-4");
	CHECK_TEXT(of_processes("X2 X3 X2"), "1/3 1-2, 1/2 2-3, 1/1 3-99 open");
	CHECK_TEXT(of_processes("A2"), "1/1 1-99 open");
	CHECK_TEXT(made(""), "1/1 1-99 open");
}

/* A limited number of processes are known, however many there were; open windows remain. */
static void test_many(bool whole_process)
{
	enum { PROCESSES = 100000, MOST = 20000 };
	struct window_record r = { .time_ns = 1, .pid = 1, .tid = 2, .sp = 100, .what = WINDOW_BEGIN };
	size_t most = 0;

	begin(whole_process);
	window_pairs_add(&pairs, &r);
	for (uint32_t i = 0; i < PROCESSES; i++) {
		r = (struct window_record){
			.time_ns = 2, .pid = 10 + i, .tid = 10 + i, .sp = 100, .what = WINDOW_BEGIN
		};
		window_pairs_add(&pairs, &r);
		r.what = WINDOW_END;
		window_pairs_add(&pairs, &r);
		r.what = WINDOW_THREAD_GONE | WINDOW_PROCESS_GONE;
		window_pairs_add(&pairs, &r);
		most = pairs.thread_count + pairs.process_count > most ? pairs.thread_count + pairs.process_count
								       : most;
		str_clear(&got);
	}
	r = (struct window_record){ .time_ns = 9, .pid = 1, .tid = 2, .sp = 100, .what = WINDOW_END };
	window_pairs_add(&pairs, &r);
	CHECK_TEXT(str_text(&got), "1/2 1-9");
	CHECK(most <= MOST);
	CHECK(COUNTS(0, 0, 0, 0));
}

/* What was counted in the time that a flight recorder keeps. */
static void test_counts(void)
{
	uint64_t counts[RECORDING_WINDOWS_COUNT] = { [RECORDING_WINDOWS_stray] = 5 };
	struct window_counts w = { 0 };

	CHECK(window_counts_at(&w, 100, RECORDING_WINDOWS_stray) == 0);
	for (uint64_t ns = 100; ns <= 1000; ns += 100, counts[RECORDING_WINDOWS_stray]++)
		window_counts_note(&w, ns, counts, ns - 100);
	CHECK(w.count == 2);
	CHECK(window_counts_at(&w, 900, RECORDING_WINDOWS_stray) == 13);
	CHECK(window_counts_at(&w, 999, RECORDING_WINDOWS_stray) == 13);
	CHECK(window_counts_at(&w, 2000, RECORDING_WINDOWS_stray) == 14);
	CHECK(window_counts_at(&w, 2000, RECORDING_WINDOWS_nested) == 0);
	window_counts_free(&w);
}

/* ---- places ---- */

static bool is_same_file(const char *a, const char *b)
{
	struct stat of_a, of_b;

	return !stat(a, &of_a) && !stat(b, &of_b) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* A process executes another program after its symbols were read and before the probe is set: the probe goes to the
 * first program. */
static void test_places(void)
{
	struct between b = { 0 };
	struct window_places places = { 0 };
	int go[2];
	char exe[40], c;
	pid_t child;

	CHECK(!pipe(go));
	child = fork();
	if (!child) {
		close(go[1]);
		c = (char)read(go[0], &c, 1);
		execlp("sleep", "sleep", "60", (char *)NULL);
		_exit(1);
	}
	between_parse(&b, "window_pairs_add", NULL);
	CHECK(!window_places_find(&places, &b, &(struct window_whose){ &child, 1, NULL }));
	CHECK(places.count == 2);
	close(go[1]);
	snprintf(exe, sizeof(exe), "/proc/%d/exe", (int)child);
	while (is_same_file(exe, "/proc/self/exe"))
		sched_yield();
	for (size_t i = 0; i < places.count; i++)
		CHECK(is_same_file(places.list[i].path, "/proc/self/exe"));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(go[0]);
	window_places_free(&places);
	between_free(&b);
}

int main(void)
{
	test_between();
	test_places();
	test_counts();
	test_threads();
	test_processes();
	test_many(false);
	test_many(true);
	window_pairs_free(&pairs);
	str_free(&got);
	return check_done();
}

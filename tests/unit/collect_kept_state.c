/* The names and mappings that one window of a continuous recording passes on to the next. */
#include "collect/recording/kept_state.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/recording/records.h"
#include "tests/unit/check.h"

/* A and C are numbers that no process can have; B and D are processes that wait. */
enum { A = 0x7ff00001, C = 0x7ff00003, HEADER = 104 };
static uint32_t B, D;

static char path[] = "/tmp/pyrograph-kept-state-XXXXXX";
static int fd;
static struct str file;

static void begin_file(void)
{
	uint64_t data = HEADER;

	str_clear(&file);
	for (int i = 0; i < HEADER; i++)
		str_addc(&file, '\0');
	memcpy(file.buf + 40, &data, sizeof(data));
}

static uint32_t start(void)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	return (uint32_t)pid;
}

static void stop(uint32_t pid)
{
	kill((pid_t)pid, SIGKILL);
	waitpid((pid_t)pid, NULL, 0);
}

static void add(uint32_t type, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	struct {
		struct perf_event_header header;
		uint32_t fields[4];
		struct recording_trailer trailer;
	} record = { .header = { .type = type, .size = sizeof(record) }, .fields = { a, b, c, d } };

	str_add(&file, (const char *)&record, sizeof(record));
}

static void comm(uint32_t pid, uint32_t tid)
{
	add(PERF_RECORD_COMM, pid, tid, 0, 0);
}
static void exec_of(uint32_t pid)
{
	struct perf_event_header *header;
	size_t at = file.len;

	comm(pid, pid);
	header = (struct perf_event_header *)(void *)(file.buf + at);
	header->misc = PERF_RECORD_MISC_COMM_EXEC;
}
static void map(uint32_t pid)
{
	static uint32_t address;

	add(PERF_RECORD_MMAP2, pid, pid, ++address, 0);
}
static void map_at_one_place(uint32_t pid)
{
	add(PERF_RECORD_MMAP2, pid, pid, 0, 1);
}
static void symbol(uint32_t address, bool goes)
{
	add(PERF_RECORD_KSYMBOL, address, 0, 100, goes ? PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER << 16 : 0);
}
static void sample(uint32_t pid)
{
	add(PERF_RECORD_SAMPLE, pid, pid, 0, 0);
}
static void fork_of(uint32_t pid, uint32_t parent)
{
	add(PERF_RECORD_FORK, pid, parent, pid, parent);
}
static void thread_of(uint32_t pid, uint32_t tid)
{
	add(PERF_RECORD_FORK, pid, pid, tid, pid);
}
static void end_of(uint32_t pid, uint32_t tid)
{
	add(PERF_RECORD_EXIT, pid, pid, tid, pid);
}

static char letter_of(uint32_t number)
{
	return (char)(number == A   ? 'A'
		      : number == B ? 'B'
		      : number == C ? 'C'
		      : number == D ? 'D'
				    : '0' + (int)number);
}

/* The file is a window that begins with the state: read it.  Returns what is kept, "CA CB MA ...": type, pid. */
static const char *taken(struct kept_state *k)
{
	static char text[400];
	struct records all;
	struct perf_event_header header;
	const uint8_t *record;
	uint32_t fields[4];

	CHECK(pwrite(fd, file.buf, file.len, 0) == (ssize_t)file.len && !ftruncate(fd, (off_t)file.len));
	kept_state_take(k, path, file.len);
	all = (struct records){ (const uint8_t *)k->out.buf, k->out.len, 0 };
	*text = '\0';
	while ((record = records_next(&all, &header))) {
		char *end = text + strlen(text);

		memcpy(fields, record + sizeof(header), sizeof(fields));
		snprintf(end, sizeof(text) - (size_t)(end - text), "%s%c%c", *text ? " " : "",
			 header.type == PERF_RECORD_COMM      ? 'C'
			 : header.type == PERF_RECORD_FORK    ? 'F'
			 : header.type == PERF_RECORD_EXIT    ? 'E'
			 : header.type == PERF_RECORD_KSYMBOL ? 'K'
							      : 'M',
			 letter_of(fields[0]));
	}
	/* the next window */
	begin_file();
	str_add(&file, k->out.buf, k->out.len);
	kept_state_written(k, file.len);
	return text;
}

static void test_ends(struct kept_state *k)
{
	comm(A, A);
	map(A);
	sample(A);
	comm(B, B);
	map(B);
	thread_of(B, B + 100);
	comm(B, B + 100);
	CHECK_TEXT(taken(k), "CA MA CB MB FB CB");
	sample(B);
	end_of(B, B + 100);
	end_of(A, A);
	CHECK_TEXT(taken(k), "CA MA CB MB FB CB EB EA"); /* their sums may still come */
	sample(A);
	CHECK_TEXT(taken(k), "CB MB");
	/* A child without an exec has the mappings of its parent. */
	fork_of(C, B);
	fork_of(D, C);
	end_of(B, B);
	stop(B);
	end_of(C, C);
	CHECK_TEXT(taken(k), "CB MB FC FD EB EC");
	CHECK_TEXT(taken(k), "CB MB FC FD EB EC");
	exec_of(D);
	CHECK_TEXT(taken(k), "CB MB FC FD EB EC CD"); /* it may have samples of before that */
	CHECK_TEXT(taken(k), "FD CD");
	end_of(D, D);
	CHECK_TEXT(taken(k), "FD CD ED");
	stop(D);
	CHECK_TEXT(taken(k), "");
	/* Our own pid: the process still exists, so only its main thread has ended. */
	B = (uint32_t)getpid();
	comm(B, B);
	end_of(B, B);
	taken(k);
	taken(k);
	CHECK_TEXT(taken(k), "CB EB");
}

/* What happens over months: lost EXIT records, threads that rename themselves many times, code that is mapped again. */
static void test_growth(struct kept_state *k)
{
	B = (uint32_t)getpid();
	for (int i = 0; i < 3; i++) {
		comm(A, A);
		map(A);
		comm(B, B);
		map_at_one_place(B);
		map(B);
	}
	CHECK_TEXT(taken(k), "CA MA CB MB MB CA MA CB MB MB CA MA CB MB MB");
	CHECK_TEXT(taken(k), "MB MB CB MB MB");
	exec_of(B);
	map_at_one_place(B);
	taken(k);
	CHECK_TEXT(taken(k), "CB MB");
	fork_of(B, 1);
	exec_of(B);
	end_of(B, B);
	CHECK_TEXT(taken(k), "CB MB FB CB EB");
	symbol(1, false);
	symbol(2, true); /* of another CPU: it comes before */
	symbol(2, false);
	symbol(3, false);
	symbol(3, true);
	symbol(3, false);
	taken(k);
	CHECK(strstr(taken(k), "K1 K3") && strlen(strstr(taken(k), "K1 K3")) == 5);
}

int main(void)
{
	struct kept_state k = { 0 };

	B = start();
	D = start();
	fd = mkstemp(path);
	begin_file();
	test_ends(&k);
	kept_state_free(&k);
	begin_file();
	test_growth(&k);
	kept_state_free(&k);
	str_free(&file);
	close(fd);
	unlink(path);
	return check_done();
}

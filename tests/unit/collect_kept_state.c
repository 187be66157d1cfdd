/* The names and mappings that a window of a continuous recording hands on to the next one. */
#include "collect/recording/kept_state.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/recording/records.h"
#include "tests/unit/check.h"

/* Pids that no process can have. */
enum { A = 0x7ff00001, B, C, D, HEADER = 104 };

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
static void map(uint32_t pid)
{
	add(PERF_RECORD_MMAP2, pid, pid, 0, 0);
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

/* The file is a window that begins with the state: take it.  Returns what is kept, "CA CB MA ...": type, pid. */
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
			 header.type == PERF_RECORD_COMM   ? 'C'
			 : header.type == PERF_RECORD_FORK ? 'F'
			 : header.type == PERF_RECORD_EXIT ? 'E'
							   : 'M',
			 (char)('A' + (int)(fields[0] - A)));
	}
	/* the next window */
	begin_file();
	str_add(&file, k->out.buf, k->out.len);
	kept_state_written(k, file.len);
	return text;
}

int main(void)
{
	struct kept_state k = { 0 };

	fd = mkstemp(path);
	begin_file();
	comm(A, A);
	map(A);
	sample(A);
	comm(B, B);
	map(B);
	thread_of(B, B + 100);
	comm(B, B + 100);
	CHECK_TEXT(taken(&k), "CA MA CB MB FB CB");
	sample(B);
	end_of(B, B + 100);
	end_of(A, A);
	CHECK_TEXT(taken(&k), "CA MA CB MB FB CB EB EA"); /* their sums may still come */
	sample(A);
	CHECK_TEXT(taken(&k), "CB MB");
	/* A child without an exec has the mappings of its parent. */
	fork_of(C, B);
	fork_of(D, C);
	end_of(B, B);
	end_of(C, C);
	CHECK_TEXT(taken(&k), "CB MB FC FD EB EC");
	CHECK_TEXT(taken(&k), "CB MB FC FD EB EC");
	end_of(D, D);
	CHECK_TEXT(taken(&k), "CB MB FC FD EB EC ED");
	CHECK_TEXT(taken(&k), "");
	/* Our own number: the process is there, so only its main thread has ended. */
	comm((uint32_t)getpid(), (uint32_t)getpid());
	end_of((uint32_t)getpid(), (uint32_t)getpid());
	taken(&k);
	taken(&k);
	CHECK(k.out.len == 2 * (sizeof(struct perf_event_header) + 16 + sizeof(struct recording_trailer)));
	kept_state_free(&k);
	str_free(&file);
	close(fd);
	unlink(path);
	return check_done();
}

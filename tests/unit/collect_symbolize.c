/* collect/recording/symbolize.c: what is counted of stacks. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/recording/losses.h"
#include "collect/recording/spans.h"
#include "collect/recording/symbolize.h"
#include "core/format/recording.h"
#include "core/symbols/kallsyms.h"
#include "tests/unit/check.h"

enum { FRAME = 0x401000, HEADER = 104 };

#define KERNEL_FRAME 0xffffffff81000000u
#define PROGRAM_FRAME 0xffffffffc7654320u

static uint64_t bytes[1024];
static size_t words = HEADER / 8;

static void add_sample(uint64_t id, const uint64_t *chain, size_t count)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	struct recording_sample sample = {
		.id = id, .ip = FRAME, .pid = 10, .tid = 10, .time_ns = 5, .chain_count = count
	};

	header.size = (uint16_t)(sizeof(header) + sizeof(sample) + count * 8);
	memcpy(&bytes[words], &header, sizeof(header));
	memcpy(&bytes[words + 1], &sample, sizeof(sample));
	if (count)
		memcpy(&bytes[words + 1 + sizeof(sample) / 8], chain, count * 8);
	words += header.size / 8;
}

/* A BPF program that is gone when names are looked up. */
static void add_program(void)
{
	struct {
		struct perf_event_header header;
		uint64_t address;
		uint32_t len;
		uint16_t type, flags;
		char name[32];
		struct recording_trailer trailer;
	} record = {
		.header = { PERF_RECORD_KSYMBOL, 0, sizeof(record) },
		.address = PROGRAM_FRAME - 32,
		.len = 64,
		.type = PERF_RECORD_KSYMBOL_TYPE_BPF,
		.name = "bpf_prog_a_that_is_gone",
		.trailer.time_ns = 4,
	};

	memcpy(&bytes[words], &record, sizeof(record));
	words += sizeof(record) / 8;
}

int main(void)
{
	const uint64_t user = (uint64_t)PERF_CONTEXT_USER, kernel = (uint64_t)PERF_CONTEXT_KERNEL;
	const uint64_t woken[] = { kernel,
				   KERNEL_FRAME,
				   user,
				   FRAME,
				   RECORDING_LABEL(RECORDING_LABEL_WAKER, 11u << 24 | 11),
				   user,
				   FRAME,
				   FRAME,
				   RECORDING_LABEL(RECORDING_LABEL_WAKER, 12u << 24 | 12),
				   kernel,
				   KERNEL_FRAME };
	const uint64_t traced[] = { kernel, PROGRAM_FRAME, KERNEL_FRAME };
	const uint64_t deep[] = { user, FRAME, FRAME, FRAME };
	char path[] = "/tmp/pyrograph-symbolize-XXXXXX";
	struct capture capture = { 0 };
	struct str section = { 0 }, code = { 0 }, build_ids = { 0 };
	struct kept_files kept = { 0 };
	struct jit_files jit = { 0 };
	int fd = mkstemp(path);

	add_sample(SPANS_FIRST_ID, woken, sizeof(woken) / sizeof(*woken));
	add_sample(1, deep, sizeof(deep) / sizeof(*deep));
	add_program();
	add_sample(1, traced, sizeof(traced) / sizeof(*traced));
	add_sample(1, NULL, 0); /* an address alone is no stack */
	bytes[40 / 8] = HEADER;
	bytes[48 / 8] = words * 8 - HEADER;
	CHECK(fd >= 0 && write(fd, bytes, words * 8) == (ssize_t)(words * 8));
	CHECK(symbolize(path, &kept, &jit, &section, &code, &build_ids, &capture) == 0);
	CHECK(capture.quality.stacks == 3);
	/* Frames of the sleeper, its waker, and the deep one: no module is mapped there. */
	CHECK(capture.quality.broken == 3 && capture.looks_broken == 3 && !capture.quality.cut);
	CHECK(capture.quality.frames == 11 && capture.quality.nameless >= 7);
	CHECK(!*capture.of_samples.module);
	CHECK(strstr(str_text(&section), "bpf_prog_a_that_is_gone") || !kallsyms_look_up("_text"));
	capture_free(&capture);
	unlink(path);
	close(fd);
	str_free(&section);
	str_free(&code);
	str_free(&build_ids);
	return check_done();
}

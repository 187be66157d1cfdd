/* span_parts: the time of a call or a fault by reason, as the BPF programs keep it (bpf/span_control.h). */
#include <string.h>

#include "bpf/span_control.h"
#include "collect/spans/span_parts.h"
#include "tests/unit/check.h"

/* The parts of a sum, in their order, as "reason:ns ". */
static void write_part(void *context, const struct span *part)
{
	uint64_t label = part->chain[part->chain_count - 1];
	unsigned reason = (unsigned)(label >> RECORDING_REASON_SHIFT) & 0x3f;
	char *text = context;

	sprintf(text + strlen(text), "%u:%d ", reason, (int)part->ns);
}

static void a_throttled_thread(void)
{
	const uint64_t ns[PARTS] = {
		[RECORDING_REASON_IO] = 10, [RECORDING_REASON_RUNNABLE] = 20, [PART_THROTTLED] = 30
	};
	struct span_parts p = span_parts_of_thread(ns);
	struct chain_builder chain = { 0 };
	struct span whole = { .ns = 100, .count = 1 };
	char text[100] = "", wanted[100];

	CHECK(p.ns[RECORDING_REASON_THROTTLED] == 30);
	CHECK(!p.ns[RECORDING_REASON_QUEUE]);
	CHECK(p.rest == RECORDING_REASON_CPU);
	span_parts_divide(&p, &whole, &chain, write_part, text);
	sprintf(wanted, "%d:10 %d:20 %d:30 %d:40 ", RECORDING_REASON_IO, RECORDING_REASON_RUNNABLE,
		RECORDING_REASON_THROTTLED, RECORDING_REASON_CPU);
	CHECK_TEXT(text, wanted);
	chain_builder_free(&chain);
}

int main(void)
{
	a_throttled_thread();
	return check_done();
}

/* Any bytes as a thread dump: every name that is found is in the dump, and belongs to a known thread. */
#include <stdio.h>

#include "collapse/perfdata/thread_dump.h"
#include "core/error.h"
#include "tests/fuzz/input.h"

enum { PID = 8513, FIRST_TID = 8530, THREADS = 12 };

static void check(int pid, int tid, uint64_t from_ns, uint32_t name, void *comms)
{
	const struct comms *c = comms;

	(void)from_ns;
	must(pid == PID && tid >= FIRST_TID && tid < FIRST_TID + THREADS && name < c->names.count);
	must(intern_len(&c->names, name));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in = { bytes, size };
	struct runtime_names names = { 0 };
	struct comms comms = { 0 };
	char given[64];
	int fd = input_file(&in);

	quiet = 1;
	for (int tid = FIRST_TID; tid < FIRST_TID + THREADS; tid++)
		comms_set(&comms, PID, tid, 0, "java", 4);
	snprintf(given, sizeof(given), "%s/proc/self/fd/%d", size & 1 ? "8513=" : "", fd);
	thread_dump_read(&names, &comms, given);
	runtime_names_each(&names, &comms, check, &comms);
	runtime_names_free(&names);
	comms_free(&comms);
	close(fd);
	return 0;
}

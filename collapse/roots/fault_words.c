#include "collapse/roots/fault_words.h"

#include "core/format/recording.h"

void fault_type_add(struct str *out, uint32_t fault)
{
	static const char *const kinds[] = { "", "-anonymous", "-file", "-copy-on-write", "-swap" };
	uint32_t kind = fault >> 3;

	str_puts(out, fault & RECORDING_FAULT_MAJOR ? "major" : "minor");
	if ((fault & RECORDING_FAULT_ACCESS) != RECORDING_FAULT_ACCESS)
		str_puts(out, fault & RECORDING_FAULT_EXEC    ? "-exec"
			      : fault & RECORDING_FAULT_WRITE ? "-write"
							      : "-read");
	if (kind < sizeof(kinds) / sizeof(*kinds))
		str_puts(out, kinds[kind]);
}

const char *fault_reason(uint32_t reason)
{
	static const char *const words[RECORDING_REASON_COUNT] = {
		[RECORDING_REASON_CPU] = "cpu",
		[RECORDING_REASON_IO] = "block-io",
		[RECORDING_REASON_MMAP_LOCK] = "mmap-lock",
		[RECORDING_REASON_RECLAIM] = "reclaim",
		[RECORDING_REASON_COMPACTION] = "compaction",
		[RECORDING_REASON_RUNNABLE] = "run-queue",
		[RECORDING_REASON_OTHER] = "blocked",
		[RECORDING_REASON_QUEUE] = "queue",
		[RECORDING_REASON_DEVICE] = "device",
	};

	return words[reason < RECORDING_REASON_COUNT ? reason : RECORDING_REASON_OTHER];
}

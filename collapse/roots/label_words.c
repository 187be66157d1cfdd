#include "collapse/roots/label_words.h"

#include <string.h>

#include "collapse/frames/frame.h"
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
		[RECORDING_REASON_THROTTLED] = "throttled",
	};

	return words[reason < RECORDING_REASON_COUNT ? reason : RECORDING_REASON_OTHER];
}

/* ---- io words ---- */

void io_operation_add(struct str *out, uint32_t io)
{
	static const char *const kinds[] = {
		[RECORDING_IO_READ] = "read",
		[RECORDING_IO_WRITE] = "write",
		[RECORDING_IO_FLUSH] = "cache-flush",
		[RECORDING_IO_DISCARD] = "discard",
		[RECORDING_IO_SECURE_ERASE] = "secure-erase",
		[RECORDING_IO_ZONE_APPEND] = "zone-append",
		[RECORDING_IO_WRITE_ZEROES] = "write-zeroes",
		[RECORDING_IO_EMPTY_FLUSH] = "flush",
	};
	uint32_t kind = io & RECORDING_IO_KIND;

	str_puts(out, kind < sizeof(kinds) / sizeof(*kinds) && kinds[kind] ? kinds[kind] : "other");
	if (kind == RECORDING_IO_READ)
		str_puts(out, io & RECORDING_IO_AHEAD ? "-ahead" : "");
	else if (kind == RECORDING_IO_WRITE)
		str_puts(out, io & RECORDING_IO_SYNC ? "-sync" : "");
	str_puts(out, io & RECORDING_IO_META ? "-meta" : "");
	str_puts(out, io & RECORDING_IO_PREFLUSH && kind != RECORDING_IO_FLUSH ? "-flush" : "");
	str_puts(out, io & RECORDING_IO_FUA ? "-fua" : "");
	str_puts(out, io & RECORDING_IO_FAILED ? "-failed" : "");
}

/* "254:0 vda requests 17 ..." */
void io_device_add(struct str *out, const char *text, size_t len)
{
	const char *name = memchr(text, ' ', len), *end;

	if (!name) {
		frame_add(out, text, len);
		return;
	}
	name++;
	len -= (size_t)(name - text);
	end = memchr(name, ' ', len);
	frame_add(out, name, end ? (size_t)(end - name) : len);
}

enum { NOTHING = 1, SMALLEST = 12 }; /* below 4 kB, all is one class */

uint32_t io_size_class(int64_t bytes)
{
	uint32_t power = bytes > 0 ? 63 - (uint32_t)__builtin_clzll((uint64_t)bytes) : 0;

	if (bytes <= 0)
		return bytes ? 0 : NOTHING;
	return NOTHING + 1 + (power < SMALLEST ? 0 : power - SMALLEST + 1);
}

/* "4k" */
static void add_power(struct str *out, uint32_t power)
{
	str_addf(out, "%u%c", 1u << power % 10, " kMGTPE"[power / 10]);
}

void io_size_add(struct str *out, uint32_t class)
{
	uint32_t power = class - NOTHING - 2 + SMALLEST;

	if (class <= NOTHING) {
		str_puts(out, class ? "0" : "");
	} else if (class == NOTHING + 1) {
		str_puts(out, "below-4k");
	} else {
		add_power(out, power);
		str_addc(out, '-');
		add_power(out, power + 1);
	}
}

/* ---- error word ---- */

/* Errors inside the kernel, which programs never see (include/linux/errno.h). */
enum { ERESTART_FIRST = 512 };

static const char *const restarts[] = { "ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD",
					"ERESTART_RESTARTBLOCK" };

enum { RESTARTS = sizeof(restarts) / sizeof(*restarts) };

void error_word_add(struct str *out, uint32_t error)
{
	const char *name =
		error - ERESTART_FIRST < RESTARTS ? restarts[error - ERESTART_FIRST] : strerrorname_np((int)error);

	if (name)
		str_puts(out, name);
	else
		str_addf(out, "errno_%u", error);
}

#include "collapse/roots/io_words.h"

#include <string.h>

#include "collapse/frames/frame.h"
#include "core/format/recording.h"

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

#include "collect/wakeup/wakeup_lines.h"

#include <inttypes.h>
#include <time.h>

#include "collect/machine/anchors.h"
#include "core/format/recording.h"
#include "core/printable.h"
#include "core/wallclock.h"

static const char *wakeup_lines_state_name(uint32_t state)
{
	switch (state) {
	case RECORDING_PREEMPTED: return "preempted";
	case RECORDING_QUANTUM: return "quantum-over";
	case RECORDING_YIELDED: return "yielded";
	default: return "woken";
	}
}

void wakeup_name_add(struct str *out, const char *name)
{
	size_t start = out->len;

	printable_add(out, name, strnlen(name, 15));
	for (size_t i = start; i < out->len; i++) {
		if (out->buf[i] == ' ')
			out->buf[i] = '_'; /* scripts split columns */
	}
	while (out->len < start + 16)
		str_addc(out, ' ');
}

static void wakeup_lines_add_clock(struct str *out, uint64_t ns)
{
	uint64_t epoch_ns = clock_ns(CLOCK_REALTIME) - monotonic_ns() + ns;
	struct tm local;
	char text[32];
	time_t seconds = (time_t)(epoch_ns / NS_PER_SEC);

	localtime_r(&seconds, &local);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &local);
	str_addf(out, "%s.%06u ", text, (unsigned)(epoch_ns % NS_PER_SEC / 1000));
}

static const char header[] =
	"TIME                       COMM            TID         LAT(us) STATE        BY_COMM         BY_TID  "
	"WAKER_COMM      WAKER_TID\n";

void wakeup_header_add(struct str *out)
{
	str_puts(out, header);
}

void wakeup_line_add(struct str *out, const struct wakeup_record *r, const struct usurper *by, bool interrupt)
{
	wakeup_lines_add_clock(out, r->end_ns);
	wakeup_name_add(out, r->name);
	str_addf(out, "%-7" PRIu32 " %11" PRIu64 " %-12s ", r->tid, (uint64_t)(r->end_ns - r->begin_ns) / 1000,
		 wakeup_lines_state_name(r->state));
	wakeup_name_add(out, by->name);
	str_addf(out, "%-7" PRIu32 " ", by->tid);
	if (r->state != RECORDING_WOKEN) {
		str_puts(out, "-               -\n");
	} else if (interrupt) {
		str_puts(out, "[interrupt]     -\n");
	} else {
		wakeup_name_add(out, r->waker_name);
		str_addf(out, "%" PRIu32 "\n", r->waker_tid);
	}
}

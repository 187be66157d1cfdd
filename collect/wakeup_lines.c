#include "collect/wakeup_lines.h"

#include <inttypes.h>
#include <time.h>

#include "collect/anchors.h"
#include "collect/recording.h"
#include "core/wallclock.h"

static const char *state_name(uint32_t state)
{
	switch (state) {
	case RECORDING_PREEMPTED:
		return "preempted";
	case RECORDING_QUANTUM:
		return "quantum-over";
	case RECORDING_YIELDED:
		return "yielded";
	default:
		return "woken";
	}
}

/* No blanks: scripts take columns apart. */
static char name_character(char c)
{
	if (c == ' ')
		return '_';
	return (unsigned char)c < ' ' || c == 0x7f ? '?' : c;
}

void wakeup_name_add(struct str *out, const char *name)
{
	size_t i = 0;

	for (; i < 15 && name[i]; i++)
		str_addc(out, name_character(name[i]));
	for (; i < 16; i++)
		str_addc(out, ' ');
}

static void add_clock(struct str *out, uint64_t ns)
{
	struct timespec real;
	uint64_t epoch_ns;
	struct tm local;
	char text[32];
	time_t seconds;

	clock_gettime(CLOCK_REALTIME, &real);
	epoch_ns = (uint64_t)real.tv_sec * NS_PER_SEC + (uint64_t)real.tv_nsec - monotonic_ns() + ns;
	seconds = (time_t)(epoch_ns / NS_PER_SEC);
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
	add_clock(out, r->end_ns);
	wakeup_name_add(out, r->name);
	str_addf(out, "%-7" PRIu32 " %11" PRIu64 " %-12s ", r->tid, (uint64_t)(r->end_ns - r->begin_ns) / 1000,
		 state_name(r->state));
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

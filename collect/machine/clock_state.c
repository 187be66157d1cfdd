#include "collect/machine/clock_state.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/machine/anchors.h"

enum { ANSWER_MS = 1000 };

/* The error bound grows by the kernel's drift allowance (500 us a second) from the last update on. */
void clock_state_kernel(struct str *out)
{
	struct timex t = { .modes = 0 };
	int state = adjtimex(&t);

	if (state < 0)
		return;
	str_addf(out, "%" PRIu64 " kernel %s %" PRIu64 " %" PRIu64 "\n", monotonic_ns(),
		 t.status & STA_UNSYNC || state == TIME_ERROR ? "unsynchronized" : "synchronized",
		 (uint64_t)t.maxerror * 1000, (uint64_t)t.esterror * 1000);
}

/* ---- chrony ----------------------------------------------------------------- */

/* Read what the process says, until it ends or the time is over. */
static void clock_state_read_answer(int fd, struct str *out)
{
	uint64_t until_ns = monotonic_ns() + ANSWER_MS * 1000000ull, now;
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char bytes[1024];
	ssize_t n;

	while (out->len < sizeof(bytes) && (now = monotonic_ns()) < until_ns &&
	       poll(&wait, 1, (int)((until_ns - now) / 1000000 + 1)) > 0 && (n = read(fd, bytes, sizeof(bytes))) > 0)
		str_add(out, bytes, (size_t)n);
}

static void clock_state_ask(struct str *answer)
{
	static char name[] = "chronyc", no_names[] = "-n", csv[] = "-c", command[] = "tracking";
	char *const argv[] = { name, no_names, csv, command, NULL };
	posix_spawn_file_actions_t actions;
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&child, name, &actions, NULL, argv, environ))
		child = 0;
	close(ends[1]);
	if (child) {
		clock_state_read_answer(ends[0], answer);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	posix_spawn_file_actions_destroy(&actions);
	close(ends[0]);
}

/* Number `field` (from 0) of a line of comma-separated values. */
static bool read_field(const char *line, int field, double *value)
{
	char *end;

	for (; field && line; field--)
		line = strchr(line, ',') ? strchr(line, ',') + 1 : NULL;
	if (!line)
		return false;
	*value = strtod(line, &end);
	return end != line && (*end == ',' || *end == '\n') && isfinite(*value);
}

/* chronyc -c tracking: address, name, stratum, reference time, system time, last offset, RMS offset, frequency, residual,
 * skew, root delay, root dispersion, update interval, leap status.  Its manual: the error is at most the offset of the
 * system time, the dispersion and half of the delay together. */
void clock_state_chrony(struct str *out)
{
	enum { SYSTEM_TIME = 4, RMS_OFFSET = 6, ROOT_DELAY = 10, ROOT_DISPERSION = 11 };
	double now, rms, delay, dispersion;
	struct str answer = { 0 };
	const char *text;
	bool unsynchronized;

	clock_state_ask(&answer);
	text = str_text(&answer);
	unsynchronized = strstr(text, "Not synchronised") != NULL;
	if (read_field(text, SYSTEM_TIME, &now) && read_field(text, RMS_OFFSET, &rms) &&
	    read_field(text, ROOT_DELAY, &delay) && read_field(text, ROOT_DISPERSION, &dispersion))
		str_addf(out, "%" PRIu64 " chrony %s %.0f %.0f\n", monotonic_ns(),
			 unsynchronized ? "unsynchronized" : "synchronized", (fabs(now) + dispersion + delay / 2) * 1e9,
			 fabs(rms) * 1e9);
	str_free(&answer);
}

#include "collect/run/completion.h"

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
#include "collect/machine/topology.h"
#include "collect/recording/features.h"
#include "collect/recording/symbolize.h"
#include "core/error.h"
#include "core/open_files.h"
#include "core/str.h"

/* --- how wrong the wall clock may be: the section RECORDING_CLOCK_STATE --- */

enum { ANSWER_MS = 1000 };

/* Append the kernel's line, from adjtimex(2); nothing if the call fails.  The error bound grows by the kernel's drift
 * allowance (500 us a second) from the last update on. */
static void clock_state_kernel(struct str *out)
{
	struct timex t = { .modes = 0 };
	int state = adjtimex(&t);

	if (state < 0)
		return;
	str_addf(out, "%" PRIu64 " kernel %s %" PRIu64 " %" PRIu64 "\n", monotonic_ns(),
		 t.status & STA_UNSYNC || state == TIME_ERROR ? "unsynchronized" : "synchronized",
		 (uint64_t)t.maxerror * 1000, (uint64_t)t.esterror * 1000);
}

/* Read chronyc's output until it ends or the time is over. */
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

/* Append the line of chronyd, if it runs here and chronyc is installed; waits up to a second for its answer.
 *
 * chronyc -c tracking: address, name, stratum, reference time, system time, last offset, RMS offset, frequency, residual,
 * skew, root delay, root dispersion, update interval, leap status.  Its manual: the error is at most the offset of the
 * system time, the dispersion and half of the delay together. */
static void clock_state_chrony(struct str *out)
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

/* --- the end of a recording --- */

/* Count losses that were not reported yet, because no record followed them. */
static void count_dropped(struct recording *r, const struct sampler *s)
{
	uint64_t *lost = &r->tally.losses[LOSS_lost_samples];
	uint64_t dropped = sampler_dropped(s);

	if (dropped > *lost)
		*lost = dropped;
}

/* Returns 0, or -1 after a message if symbols could not be read. */
static int completion_add_symbols(struct recording *r, const struct recording *read, struct kept_files *kept,
				  struct jit_maps *maps, struct str *build_ids)
{
	struct capture *capture = &r->tally.capture;
	struct str text = { 0 }, code = { 0 }, quality = { 0 };
	int status;

	kept_files_update(kept, read->path, read->data_end);
	jit_maps_update(maps, read->path, read->data_end, true);
	r->tally.losses[LOSS_bad_map_lines] = jit_files_bad(&maps->files);
	r->tally.losses[LOSS_unread_map_bytes] = jit_files_unread(&maps->files);
	capture->max_stack = r->tally.max_stack;
	status = symbolize(r->own_path, kept, &maps->files, &text, &code, build_ids, capture);
	if (!status) {
		recording_add_section(r, RECORDING_SYMBOLS, str_text(&text), text.len);
		if (code.len)
			recording_add_section(r, RECORDING_CODE, code.buf, code.len);
		quality_line(&capture->quality, &quality);
		str_addc(&quality, '\n');
		recording_add_section(r, RECORDING_QUALITY, quality.buf, quality.len);
		r->tally.losses[LOSS_total_frames] = capture->quality.frames;
		r->tally.losses[LOSS_unresolved_frames] = capture->quality.nameless;
		r->tally.losses[LOSS_short_stacks] = capture->looks_broken;
	} else {
		warn("%s: has no names of functions: collapse can only look them up where the files still are",
		     r->path);
	}
	capture_free(capture);
	str_free(&quality);
	str_free(&text);
	str_free(&code);
	return status;
}

int recording_complete(struct recording *r, const struct recording *read, const struct sampler *s,
		       struct kept_files *kept, struct jit_maps *maps)
{
	struct str text = { 0 }, build_ids = { 0 };
	int names, status;

	recording_flush(r); /* symbolize() reads the file */
	if (s)
		count_dropped(r, s);
	r->tally.losses[LOSS_clock_steps] = r->anchors.steps;
	names = completion_add_symbols(r, read, kept, maps, &build_ids);
	features_add(r, &build_ids);
	losses_format(r->tally.losses, &text);
	recording_add_section(r, RECORDING_LOSSES, text.buf, text.len);
	recording_add_section(r, RECORDING_CLOCKS, r->anchors.text.buf, r->anchors.text.len);
	str_clear(&text);
	clock_state_kernel(&text);
	clock_state_chrony(&text);
	if (text.len)
		recording_add_section(r, RECORDING_CLOCK_STATE, text.buf, text.len);
	str_clear(&text);
	topology_describe(&text, "");
	recording_add_section(r, RECORDING_TOPOLOGY, str_text(&text), text.len);
	str_clear(&text);
	str_addf(&text, "%d\n", r->own);
	recording_add_section(r, RECORDING_OWN, text.buf, text.len);
	status = recording_finish(r);
	str_free(&text);
	str_free(&build_ids);
	return open_files_tell() || names ? -1 : status;
}

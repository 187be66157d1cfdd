#include "ship/frames.h"

#include <string.h>

#include "core/format/folded.h"
#include "core/format/v8_mark.h"

static bool ship_frames_ends_in(const char *frame, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && !memcmp(frame + len - n, end, n);
}

/* The annotation at the end of a frame, and what replaces it. */
static void ship_frames_add_frame(const struct frames_style *style, const char *frame, size_t len, struct str *out)
{
	static const char *const jit[] = { FOLDED_JIT_FRAME, FOLDED_INTERPRETED_FRAME, FOLDED_QUICK_FRAME,
					   FOLDED_PYTHON_FRAME };
	size_t kept = len;
	const char *more = "";
	size_t tail = 0, mark = v8_mark(frame, len, &tail);
	bool compiled = false;

	if (!style->kernel && ship_frames_ends_in(frame, len, FOLDED_KERNEL_FRAME))
		kept -= strlen(FOLDED_KERNEL_FRAME);
	for (size_t i = 0; i < sizeof(jit) / sizeof(*jit); i++) {
		if (!ship_frames_ends_in(frame, len, jit[i]))
			continue;
		compiled = true;
		kept -= style->jit ? 0 : strlen(jit[i]);
	}
	if (!style->jit && ship_frames_ends_in(frame, len, FOLDED_LIKELY_FRAME)) {
		kept -= strlen(FOLDED_LIKELY_FRAME);
		more = FOLDED_INLINED_FRAME;
	}
	if (style->jit && compiled && mark) { /* a frame has one or the other */
		str_add(out, frame, mark);
		str_add(out, frame + tail, kept - tail);
	} else {
		str_add(out, frame, kept);
	}
	str_puts(out, more);
}

void frames_add(const struct frames_style *style, const char *text, size_t len, struct str *out)
{
	const char *end = text + len;
	size_t start = out->len;

	for (const char *at = text; at < end;) {
		const char *stop = memchr(at, ';', (size_t)(end - at));
		size_t n = (size_t)((stop ? stop : end) - at);
		bool inlined = ship_frames_ends_in(at, n, FOLDED_INLINED_FRAME) ||
			       ship_frames_ends_in(at, n, FOLDED_LIKELY_FRAME);

		if (style->no_wakers && n == strlen(FOLDED_CHAIN_FRAME) && !memcmp(at, FOLDED_CHAIN_FRAME, n))
			return;
		if (!inlined || !style->no_inlined) {
			if (out->len > start)
				str_addc(out, ';');
			ship_frames_add_frame(style, at, n, out);
		}
		at += n + 1;
	}
}

/* wakeup_lines: what collect wakeup --print writes. */
#ifndef COLLECT_WAKEUP_WAKEUP_LINES_H
#define COLLECT_WAKEUP_WAKEUP_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/wakeup.h"
#include "core/str.h"

/* The thread that had the CPU while another one waited. */
struct usurper {
	uint32_t tid;
	const char *name;
};

void wakeup_header_add(struct str *out);

/* Add a line.  interrupt: an interrupt was the waker. */
void wakeup_line_add(struct str *out, const struct wakeup_record *r, const struct usurper *by, bool interrupt);

/* Add a name, of any bytes, in 15 columns and a blank; blanks within the name become _. */
void wakeup_name_add(struct str *out, const char *name);

#endif

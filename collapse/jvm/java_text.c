#include "collapse/jvm/java_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/wallclock.h"

/* --- stacks ------------------------------------------------------------------------- */

void java_stack_add(struct java_stack *stack, uint32_t frame)
{
	stack->frames = xgrow(stack->frames, &stack->cap, stack->count + 1, sizeof(*stack->frames));
	stack->frames[stack->count++] = frame;
}

uint32_t java_stack_number(struct text_stacks *s, const struct java_stack *stack)
{
	uint32_t *root_first = xmalloc((stack->count + 1) * sizeof(*root_first)), number;

	for (size_t i = 0; i < stack->count; i++)
		root_first[i] = stack->frames[stack->count - 1 - i];
	number = text_stack(s, root_first, stack->count);
	free(root_first);
	return number;
}

void java_stack_free(struct java_stack *stack)
{
	free(stack->frames);
	*stack = (struct java_stack){ 0 };
}

/* --- words -------------------------------------------------------------------------- */

void java_skip_blanks(const char **text, size_t *len)
{
	while (*len && (**text == ' ' || **text == '\t')) {
		++*text;
		--*len;
	}
}

bool java_take(const char **text, size_t *len, const char *start)
{
	size_t n = strlen(start);

	if (*len < n || memcmp(*text, start, n) != 0)
		return false;
	*text += n;
	*len -= n;
	return true;
}

bool java_take_number(const char **text, size_t *len, uint64_t limit, uint64_t *number)
{
	bool hex = *len > 2 && (*text)[0] == '0' && ((*text)[1] | 0x20) == 'x';
	size_t start = hex ? 2 : 0, i = start;
	uint64_t n = 0;

	for (; i < *len && (hex ? isxdigit((unsigned char)(*text)[i]) : isdigit((unsigned char)(*text)[i])); i++) {
		int digit = isdigit((unsigned char)(*text)[i]) ? (*text)[i] - '0' : ((*text)[i] | 0x20) - 'a' + 10;

		n = n * (hex ? 16 : 10) + (uint64_t)digit;
		if (n > limit)
			return false;
	}
	if (i == start || (i < *len && (isalnum((unsigned char)(*text)[i]) || (*text)[i] == '_')))
		return false;
	*text += i;
	*len -= i;
	*number = n;
	return true;
}

bool java_date(const char *text, size_t len, uint64_t *epoch_ns)
{
	char copy[64];
	struct instant when;

	if (len < strlen("2026-11-24 10:15:02") || len >= sizeof(copy) || text[4] != '-' || text[7] != '-')
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (strlen(copy) != len || !instant_parse(copy, &when) || when.kind != INSTANT_EPOCH)
		return false;
	*epoch_ns = when.ns;
	return true;
}

/* --- frames ------------------------------------------------------------------------- */

void java_skip_module(const char **text, size_t *len)
{
	for (const char *slash; (slash = memchr(*text, '/', *len));) {
		size_t n = (size_t)(slash + 1 - *text);

		if (n == *len || isdigit((unsigned char)slash[1]))
			return;
		*text += n;
		*len -= n;
	}
}

/* "Thread.java:833" in parentheses; "Native Method" and "Unknown Source" are not places */
static void jvm_java_text_add_source(struct str *out, const char *text, size_t len)
{
	java_skip_module(&text, &len);
	if (!len || memchr(text, ' ', len))
		return;
	str_addc(out, ':');
	str_add(out, text, len);
}

static uint32_t frame_with_line(struct text_stacks *s, const char *name, size_t len, const char *rest, size_t rest_len)
{
	const char *close = memchr(rest, ')', rest_len);
	struct str text = { 0 };
	uint32_t frame;

	str_add(&text, name, len);
	if (close)
		jvm_java_text_add_source(&text, rest, (size_t)(close - rest));
	frame = text_frame(s, TEXT_PLAIN, text.buf, text.len);
	str_free(&text);
	return frame;
}

/* "(App.java:12)", "(Native Method)", "(Unknown Source)", "(App.kt)": prose has no such parentheses */
static bool is_source(const char *text, size_t len)
{
	enum { SOURCE_MAX = 1024 }; /* a limit, so that a line full of parentheses does not take forever */
	const char *close = memchr(text, ')', len < SOURCE_MAX ? len : SOURCE_MAX), *dot;
	size_t n = close ? (size_t)(close - text) : 0;

	if (java_take(&text, &len, "(Native Method)") || java_take(&text, &len, "(Unknown Source)"))
		return true;
	dot = n ? memchr(text, '.', n) : NULL;
	return dot && dot + 1 < close && isalpha((unsigned char)dot[1]) && !memchr(text, ' ', n);
}

size_t java_method_len(const char *text, size_t len)
{
	const char *paren = memchr(text, '(', len), *blank = paren ? memchr(text, ' ', (size_t)(paren - text)) : NULL;
	const char *dot = paren ? memchr(text, '.', (size_t)((blank ? blank : paren) - text)) : NULL, *end = text + len;

	if (!dot)
		return 0;
	while (blank && paren && (paren[-1] == ' ' || !is_source(paren, (size_t)(end - paren))))
		paren = memchr(paren + 1, '(', (size_t)(end - paren - 1));
	return paren ? (size_t)(paren - text) : 0;
}

bool java_frame(struct text_stacks *s, const char *text, size_t len, uint32_t *frame)
{
	const char *name = text, *paren;
	size_t name_len = java_method_len(text, len);
	uint32_t known;

	if (!name_len)
		return false;
	paren = text + name_len;
	if (text_known(s, text, len, frame, &known))
		return true;
	java_skip_module(&name, &name_len);
	*frame = s->setup->lines ? frame_with_line(s, name, name_len, paren + 1, (size_t)(text + len - paren - 1))
				 : text_frame(s, TEXT_PLAIN, name, name_len);
	text_is(s, known, *frame);
	return true;
}

/* --- states ------------------------------------------------------------------------- */

/* Native methods that wait, although the JVM reports the thread as RUNNABLE.  A method matches if its name contains the
 * text. */
static const struct {
	const char *method, *state;
} waits[] = {
	{ "epollWait", "POLLING" },
	{ "EPoll.wait", "POLLING" },
	{ "KQueue.poll", "POLLING" },
	{ "kqueueWait", "POLLING" },
	{ "sun.nio.ch.PollArrayWrapper.poll0", "POLLING" },
	{ "SubSelector.poll0", "POLLING" },
	{ "sun.nio.ch.Poll.poll", "POLLING" },
	{ "sun.nio.ch.Net.poll", "NETWORK" },
	{ "LinuxWatchService.poll", "POLLING" },
	{ "socketAccept", "NETWORK" },
	{ "accept0", "NETWORK" },
	{ "sun.nio.ch.Net.accept", "NETWORK" },
	{ "socketRead0", "NETWORK" },
	{ "SocketDispatcher.read0", "NETWORK" },
	{ "Reference.waitForReferencePendingList", "BACKGROUND" },
	{ "waitForProcessExit", "BACKGROUND" },
	{ "VirtualThread.takeVirtualThreadListToUnblock", "BACKGROUND" },
};

const char *java_state(const char *state, const char *leaf)
{
	if (!state || (!leaf && !strcmp(state, "RUNNABLE")))
		return "BACKGROUND";
	for (size_t i = 0; leaf && !strcmp(state, "RUNNABLE") && i < sizeof(waits) / sizeof(*waits); i++) {
		if (strstr(leaf, waits[i].method))
			return waits[i].state;
	}
	return state;
}

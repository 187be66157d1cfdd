/* pstack: stacks of processes, by pstack of Solaris and illumos; several dumps are several samples.
 *
 *     1234:	/usr/sbin/my daemon -f
 *     --------------------- thread# 1 / lwp# 1 ---------------------      or: lwp# 1 / thread# 1
 *      feef4f27 pollsys  (8046cd0, 1, 0, 0)
 *      08054a2c Server::run(int) (1, 8047dec) + 1c3
 *      0805396a ???????? (1, 8047e98)
 *
 * becomes
 *
 *     /usr/sbin/my;0x0805396a;Server::run;pollsys 1
 *
 * This is written from the tools' manuals, since they do not run on Linux. */
#include "collapse/parse/process_stacks.h"

/* "1234:	/usr/sbin/syslogd -f", "core 'core' of 1234:	./app" */
static bool pstack_take_process(struct text_span line, int32_t *pid, struct text_span *command)
{
	size_t of = span_begins(line, "core ") ? span_find(line, " of ") : line.len;
	uint64_t number;

	line = span_after(line, of < line.len ? of + 4 : 0);
	if (!span_number(&line, INT32_MAX, &number) || !span_skip(&line, ":") || !span_indent(line))
		return false;
	*pid = (int32_t)number;
	*command = span_word(&line);
	return command->len > 0;
}

/* Read " 08054a2c Server::run(int) (1, 8047dec) + 1c3"; the arguments follow the last " (". */
static bool pstack_take_frame(struct stack_builder *frames, struct text_span line)
{
	struct text_span address = span_word(&line), name = span_trim(line);
	size_t open = span_last(name, '(');
	struct str text = { 0 };

	if ((address.len != 8 && address.len != 16) || span_hex(address) != address.len || open == name.len || !open)
		return false;
	name = span_trim_end((struct text_span){ name.text, open });
	if (!name.len || !frames)
		return name.len > 0;
	if (name.text[0] == '?') {
		str_puts(&text, "0x");
		str_add(&text, address.text, address.len);
		stack_builder_add(frames, TEXT_PLAIN, (struct text_span){ text.buf, text.len });
	} else {
		stack_builder_add_function(frames, TEXT_PLAIN, name);
	}
	str_free(&text);
	return true;
}

static bool pstack_is_frame(struct text_span line)
{
	return span_indent(line) && span_trim(line).len;
}

static const struct process_stacks pstack = {
	.take_process = pstack_take_process,
	.thread = "lwp# ", /* that of the kernel */
	.is_frame = pstack_is_frame,
	.take_frame = pstack_take_frame,
	.wanted = "no address, function and arguments",
};

static void pstack_parse(const struct text_part *part)
{
	process_stacks_parse(&pstack, part);
}

static bool pstack_starts(struct text_span line)
{
	return process_stacks_start(&pstack, line);
}

static enum sniffed pstack_sniff(const char *text, size_t len)
{
	return process_stacks_sniff(&pstack, text, len);
}

const struct input_format pstack_format = {
	.name = "pstack",
	.holds = "stacks, names, pids and tids",
	.wanted = "'123: command', then frames ' ADDRESS function (...) + 1'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS,
	.sniff = pstack_sniff,
	.starts = pstack_starts,
	.parse = pstack_parse,
};

/* procstack: stacks of processes, by AIX's procstack; several dumps are several samples.
 *
 *     4522222: /usr/sbin/my daemon -f
 *     ---------- tid# 12345 (pthread ID:      1) ----------
 *     0xd01f43c0  __fd_select(??, ??, ??) + 0xcc
 *     0x10001234  Server::run(int) + 0x1c
 *     0x10000194  [a name that is not known]
 *
 * becomes
 *
 *     /usr/sbin/my;0x10000194;Server::run;__fd_select 1
 *
 * The root is the first word of the command, as in FlameGraph's stackcollapse-aix.pl. */
#include "collapse/parse/process_stacks.h"

/* "4522222: /usr/sbin/syslogd -f" */
static bool procstack_take_process(struct text_span line, int32_t *pid, struct text_span *command)
{
	uint64_t number;

	if (!span_number(&line, INT32_MAX, &number) || !span_skip(&line, ":"))
		return false;
	*pid = (int32_t)number;
	*command = span_word(&line);
	return command->len > 0;
}

/* Remove the arguments, as far as procstack knows them, from "__fd_select(??, ??, ??)". */
static struct text_span without_list(struct text_span name)
{
	size_t open = span_ends(name, ")") ? span_last(name, '(') : name.len;
	struct text_span before = { name.text, open }, list = span_after(name, open + (open < name.len));

	while (list.len > 1) {
		size_t hex = span_hex(list);

		if (!hex && !span_skip(&list, "??"))
			return name;
		list = span_after(list, hex);
		span_skip(&list, ", ");
	}
	return span_ends(before, "operator") || span_ends(before, " ") ? name : before;
}

/* "0xd01f43c0  __fd_select(??, ??, ??) + 0xcc" */
static bool procstack_take_frame(struct stack_builder *frames, struct text_span line)
{
	struct text_span address = span_word(&line), name = span_trim(line);
	size_t plus = span_find_last(name, " + 0x");

	if (!span_begins(address, "0x") || span_hex(address) != address.len || !name.len)
		return false;
	name.len = plus;
	if (frames && name.text[0] == '[' && span_ends(name, "]"))
		stack_builder_add(frames, TEXT_PLAIN, address);
	else if (frames)
		stack_builder_add_function(frames, TEXT_PLAIN, without_list(name));
	return true;
}

static bool procstack_is_frame(struct text_span line)
{
	return span_begins(line, "0x");
}

static const struct process_stacks procstack = {
	.take_process = procstack_take_process,
	.thread = "tid# ",
	.is_frame = procstack_is_frame,
	.take_frame = procstack_take_frame,
	.wanted = "no address and function",
};

static void procstack_parse(const struct text_part *part)
{
	process_stacks_parse(&procstack, part);
}

static bool procstack_starts(struct text_span line)
{
	return process_stacks_start(&procstack, line);
}

static enum sniffed procstack_sniff(const char *text, size_t len)
{
	return process_stacks_sniff(&procstack, text, len);
}

const struct input_format procstack_format = {
	.name = "procstack",
	.holds = "stacks, names, pids and tids",
	.wanted = "'123: command', then frames '0xADDRESS function(...) + 0x1'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS,
	.sniff = procstack_sniff,
	.starts = procstack_starts,
	.parse = procstack_parse,
};

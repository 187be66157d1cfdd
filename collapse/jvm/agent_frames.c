#include "collapse/jvm/agent_frames.h"

#include <string.h>

#include "collapse/jvm/java_text.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/span.h"
#include "core/str.h"

/* The number after the last of mark in a frame's line. */
static bool agent_frames_line_number(const char *text, size_t len, const char *mark, uint64_t *number)
{
	const char *at = memmem(text, len, mark, strlen(mark));

	if (!at)
		return false;
	at += strlen(mark);
	len -= (size_t)(at - text);
	return java_take_number(&at, &len, UINT32_MAX, number);
}

/* "com.example.App.read(byte[]) @bci=0, line=3 (Compiled frame)", and the same with " bci:" and " line:" */
static bool agent_frames_java_method(struct text_stacks *s, const char *text, size_t len, uint32_t *frame)
{
	struct text_span all = { text, len }, head = { text, span_find_last(all, " @bci=") };
	struct str name = { 0 };
	const char *paren;
	uint64_t line;

	if (head.len == len)
		head.len = span_find_last(all, " bci:");
	paren = text + span_opening(head);
	if (head.len == len || paren == text || paren == text + head.len)
		return false;
	str_add(&name, text, (size_t)(paren - text));
	if (s->setup->lines && (agent_frames_line_number(paren, len - name.len, " line=", &line) ||
				agent_frames_line_number(paren, len - name.len, " line:", &line)))
		str_addf(&name, ":%llu", (unsigned long long)line);
	*frame = text_frame(s, TEXT_PLAIN, name.buf, name.len);
	str_free(&name);
	return true;
}

/* "JavaThread::thread_main_inner() + 0x1af", "<StubRoutines>", "????????", "* Sl.spin() bci:3 ..." */
static bool mixed(struct text_stacks *s, const char *text, size_t len, uint32_t *frame)
{
	const char *offset;

	if (java_take(&text, &len, "* "))
		return agent_frames_java_method(s, text, len, frame);
	if (!len)
		return false;
	offset = memmem(text, len, " + 0x", 5);
	len = offset ? (size_t)(offset - text) : len;
	if (*text == '?')
		*frame = text_frame(s, TEXT_PLAIN, "[unknown]", strlen("[unknown]"));
	else
		*frame = text_frame(s, TEXT_PLAIN, text, *text == '<' ? len : function_name_len(text, len));
	return true;
}

bool agent_frame(struct text_stacks *s, const char *line, size_t len, uint32_t *frame)
{
	const char *tab;

	if (java_take(&line, &len, "- "))
		return agent_frames_java_method(s, line, len, frame);
	tab = len > 2 && line[0] == '0' && line[1] == 'x' ? memchr(line, '\t', len) : NULL;
	return tab && mixed(s, tab + 1, len - (size_t)(tab + 1 - line), frame);
}

/* The agent's names of states; a thread that is on its way to another state, "IN_VM_TRANS", runs. */
static const char *agent_frames_state_of(const char *text, size_t len)
{
	if (java_take(&text, &len, "BLOCKED)"))
		return "BLOCKED";
	return java_take(&text, &len, "NEW)") || java_take(&text, &len, "UNINITIALIZED)") ? "NEW" : "RUNNABLE";
}

bool agent_thread(const char *line, size_t len, uint64_t *tid, const char **state)
{
	static const char dashes[] = "----------------- ", native[] = ": (state = ";

	*state = "";
	if (java_take(&line, &len, dashes))
		return java_take_number(&line, &len, JAVA_TID_LIMIT, tid) && java_take(&line, &len, " ---");
	if (!java_take(&line, &len, "Thread ") || !java_take_number(&line, &len, JAVA_TID_LIMIT, tid) ||
	    !java_take(&line, &len, native))
		return false;
	*state = agent_frames_state_of(line, len);
	return true;
}

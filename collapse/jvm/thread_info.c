#include "collapse/jvm/thread_info.h"

#include <string.h>

#include "collapse/jvm/java_text.h"

static bool thread_info_is_state(const char *text, size_t len)
{
	static const char *const states[] = {
		"NEW", "RUNNABLE", "BLOCKED", "WAITING", "TIMED_WAITING", "TERMINATED",
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		if (strlen(states[i]) == len && !memcmp(states[i], text, len))
			return true;
	}
	return false;
}

/* " daemon prio=5 Id=31 RUNNABLE", " - Thread t@1": what follows a name */
static bool thread_info_read_tail(const char *tail, size_t len, struct thread_info *info)
{
	const char *blank;
	uint64_t priority;

	info->state = NULL;
	if (java_take(&tail, &len, " - Thread t@"))
		return java_take_number(&tail, &len, UINT32_MAX, &info->id) && !len;
	java_take(&tail, &len, " daemon");
	if (java_take(&tail, &len, " prio=") && !java_take_number(&tail, &len, UINT32_MAX, &priority))
		return false;
	if (!java_take(&tail, &len, " Id=") && !java_take(&tail, &len, " id="))
		return false;
	if (!java_take_number(&tail, &len, UINT32_MAX, &info->id) || !java_take(&tail, &len, " "))
		return false;
	java_take(&tail, &len, "in ");
	blank = memchr(tail, ' ', len);
	info->state = tail;
	info->state_len = blank ? (size_t)(blank - tail) : len;
	return thread_info_is_state(tail, info->state_len);
}

/* A name may have quotes in it, and what follows may name another thread: the first quote with such a tail ends it. */
bool thread_info_read(const char *line, size_t len, struct thread_info *info)
{
	const char *end = line + len;

	for (const char *quote = line; (quote = memchr(quote + 1, '"', (size_t)(end - quote - 1)));) {
		if (!thread_info_read_tail(quote + 1, (size_t)(end - quote - 1), info))
			continue;
		info->name = line + 1;
		info->name_len = (size_t)(quote - line - 1);
		return true;
	}
	return false;
}

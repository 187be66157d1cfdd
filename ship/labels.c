#include "ship/labels.h"

#include <string.h>

#include "core/format/folded.h"

const char *label_value(const char *labels, size_t len, const char *name, size_t name_len, size_t *value_len)
{
	const char *end = labels + len;

	for (const char *at = labels; at < end;) {
		const char *tab = memchr(at, '\t', (size_t)(end - at)), *stop = tab ? tab : end;

		if ((size_t)(stop - at) > name_len && at[name_len] == '=' && !memcmp(at, name, name_len)) {
			*value_len = (size_t)(stop - at) - name_len - 1;
			return at + name_len + 1;
		}
		at = stop + 1;
	}
	return NULL;
}

static bool labels_is(const char *a, size_t len, const char *b)
{
	return strlen(b) == len && !memcmp(a, b, len);
}

/* Does the word stand for the value?  One word stands for several states, or for a kind of wait. */
static bool labels_stands_for(const char *word, size_t word_len, const char *value, size_t len)
{
	static const struct {
		const char *word, *value;
	} known[] = {
#define WAIT(name, frame, word) { word, frame },
		FOLDED_WAIT_TABLE(WAIT)
#undef WAIT
			{ "runnable", "preempted" },
		{ "runnable", "quantum-over" },
		{ "runnable", "yielded" },
		{ "runnable", "woken" },
		{ "off-cpu", "sleeping" },
		{ "off-cpu", "blocked-io" },
		{ "off-cpu", "blocked" },
		{ "off-cpu", "stopped" },
		{ "off-cpu", "traced" },
		{ "off-cpu", "parked" },
		{ "off-cpu", "idle" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (labels_is(word, word_len, known[i].word) && labels_is(value, len, known[i].value))
			return true;
	}
	return false;
}

bool label_is_listed(const char *labels, size_t len, const char *name, const char *list)
{
	size_t value_len, n;
	const char *value = label_value(labels, len, name, strlen(name), &value_len);

	if (!value)
		return true;
	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if ((n == value_len && !memcmp(list, value, n)) || (n == 3 && !memcmp(list, "all", 3)) ||
		    labels_stands_for(list, n, value, value_len))
			return true;
	}
	return false;
}

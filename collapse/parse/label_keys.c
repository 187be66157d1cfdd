#include "collapse/parse/label_keys.h"

#include <string.h>

enum kind { LABEL_COMM, LABEL_TID, LABEL_PID, LABEL_CPU, LABEL_STATE };

static const struct {
	const char *key;
	enum kind kind;
} keys[] = {
	{ "thread", LABEL_COMM },
	{ "comm", LABEL_COMM },
	{ "thread_name", LABEL_COMM },
	{ "thread name", LABEL_COMM },
	{ "thread.name", LABEL_COMM },
	{ "tid", LABEL_TID },
	{ "thread_id", LABEL_TID },
	{ "thread id", LABEL_TID },
	{ "thread native id", LABEL_TID },
	{ "thread.id", LABEL_TID },
	{ "pid", LABEL_PID },
	{ "process_id", LABEL_PID },
	{ "process id", LABEL_PID },
	{ "process.pid", LABEL_PID },
	{ "cpu", LABEL_CPU },
	{ "cpu_id", LABEL_CPU },
	{ "cpu.logical_number", LABEL_CPU },
	{ "state", LABEL_STATE },
	{ "thread_state", LABEL_STATE },
	{ "thread.state", LABEL_STATE },
};

/* Names of OpenTelemetry's conventions, and of ours and others in pprof. */
static const struct {
	const char *key;
	enum text_owner owner;
} owner_keys[] = {
	{ "process.linux.cgroup", TEXT_CGROUP },
	{ "cgroup", TEXT_CGROUP },
	{ "container.id", TEXT_CONTAINER_ID },
	{ "container-id", TEXT_CONTAINER_ID },
	{ "container_id", TEXT_CONTAINER_ID },
	{ "container.name", TEXT_CONTAINER },
	{ "k8s.container.name", TEXT_CONTAINER },
	{ "container", TEXT_CONTAINER },
	{ "k8s.pod.uid", TEXT_POD_UID },
	{ "pod-uid", TEXT_POD_UID },
	{ "k8s.pod.name", TEXT_POD },
	{ "pod", TEXT_POD },
	{ "k8s.namespace.name", TEXT_NAMESPACE },
	{ "namespace", TEXT_NAMESPACE },
};

void label_set_owner(struct text_stacks *s, struct text_labels *labels, struct text_span key, struct text_span text)
{
	for (size_t i = 0; text.len && i < sizeof(owner_keys) / sizeof(*owner_keys); i++) {
		if (span_is(key, owner_keys[i].key))
			labels->owner[owner_keys[i].owner] = text_name(s, text.text, text.len);
	}
}

/* Read "4711", "4711 (java)", or for a CPU "cpu3"; UINT64_MAX: it is none of these, or larger than UINT32_MAX. */
static uint64_t label_keys_number_of(struct text_span text, enum kind kind)
{
	uint64_t n = 0;
	size_t i = 0, start;

	text = span_trim(text);
	if (kind == LABEL_CPU && text.len && text.text[0] != '-')
		while (i < text.len && !is_digit(text.text[i]))
			i++;
	for (start = i; i < text.len && is_digit(text.text[i]) && n <= UINT32_MAX; i++)
		n = n * 10 + (uint64_t)(text.text[i] - '0');
	return i > start && n <= UINT32_MAX && (i == text.len || text.text[i] == ' ') ? n : UINT64_MAX;
}

/* The tid in a label.  Text, or a large number, gets a stand-in; a negative number is not a tid. */
static int32_t label_keys_tid_of(struct text_span text, uint64_t number)
{
	if (text.len && text.text[0] == '-')
		return -1;
	if (number <= INT32_MAX)
		return (int32_t)number;
	if (text.len)
		return text_thread_number(text.text, text.len);
	return number <= INT64_MAX ? text_thread_number((const char *)&number, sizeof(number)) : -1;
}

void label_set(struct text_stacks *s, struct text_labels *labels, struct text_span key, struct text_span text,
	       uint64_t number)
{
	size_t i = 0;

	while (i < sizeof(keys) / sizeof(*keys) && !span_is(key, keys[i].key))
		i++;
	if (i == sizeof(keys) / sizeof(*keys)) {
		label_set_owner(s, labels, key, text);
		return;
	}
	if (text.len && keys[i].kind != LABEL_COMM && keys[i].kind != LABEL_STATE)
		number = label_keys_number_of(text, keys[i].kind);
	switch (keys[i].kind) {
	case LABEL_COMM:
		if (text.len)
			labels->comm = text_name(s, text.text, text.len);
		break;
	case LABEL_STATE:
		if (text.len)
			labels->state = text_name(s, text.text, text.len);
		break;
	case LABEL_TID: labels->tid = label_keys_tid_of(text, number); break;
	case LABEL_PID:
		if (number <= INT32_MAX)
			labels->pid = (int32_t)number;
		break;
	case LABEL_CPU:
		if (number < UINT32_MAX)
			labels->cpu = (uint32_t)number;
		break;
	}
}

void labels_complete(struct text_labels *labels)
{
	if (labels->tid < 0 && labels->comm == TEXT_NO_NAME)
		labels->tid = labels->pid;
	if (labels->pid < 0)
		labels->pid = labels->tid;
}

uint32_t unit_name(struct text_stacks *s, struct text_span unit, struct text_span of)
{
	if (span_is(unit, "nanoseconds"))
		unit = (struct text_span){ "ns", strlen("ns") };
	else if (span_is(unit, "count") || span_is(unit, "1"))
		unit = of;
	return unit.len ? text_name(s, unit.text, unit.len) : TEXT_NO_NAME;
}

uint32_t module_frame(struct text_stacks *s, struct text_span file)
{
	const char *slash = file.len ? memrchr(file.text, '/', file.len) : NULL;
	struct str name = { 0 };
	uint32_t frame;

	if (slash) {
		file.len -= (size_t)(slash + 1 - file.text);
		file.text = slash + 1;
	}
	if (!file.len) {
		str_puts(&name, "[unknown]");
	} else if (file.text[0] == '[') {
		str_add(&name, file.text, file.len);
	} else {
		str_addc(&name, '[');
		str_add(&name, file.text, file.len);
		str_addc(&name, ']');
	}
	frame = text_frame(s, TEXT_PLAIN, name.buf, name.len);
	str_free(&name);
	return frame;
}

uint32_t function_frame(struct text_stacks *s, enum text_kind kind, struct text_span name, struct text_span file,
			uint64_t line, struct text_span module)
{
	struct text_source at = { module.text, module.len, 0 };

	if (!name.len)
		return module_frame(s, module);
	if (file.len)
		at = (struct text_source){ file.text, file.len, line > UINT32_MAX ? 0 : (uint32_t)line };
	return text_frame_at(s, kind, name.text, name.len, at);
}

bool module_is_kernel(struct text_span file)
{
	static const char kernel[] = "[kernel";

	return file.len >= strlen(kernel) && !memcmp(file.text, kernel, strlen(kernel));
}

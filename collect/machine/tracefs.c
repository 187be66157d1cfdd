#include "collect/machine/tracefs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/procfs.h"
#include "core/error.h"
#include "core/opts.h"

/* Where tracefs is mounted; NULL if nowhere, or not readable. */
static const char *tracefs_path(void)
{
	static const char *const paths[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char events[64];

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		snprintf(events, sizeof(events), "%s/events", paths[i]);
		if (!access(events, X_OK))
			return paths[i];
	}
	return NULL;
}

static int no_tracefs(const char *text)
{
	if (access("/sys/kernel/tracing", X_OK) && errno == EACCES)
		return error("tracepoint %s: no right to read /sys/kernel/tracing; run as root", text);
	return error("tracepoint %s: tracefs is not mounted: "
		     "sudo mount -t tracefs tracefs /sys/kernel/tracing",
		     text);
}

int tracefs_event_id(const char *text, uint64_t *id)
{
	const char *root = tracefs_path(), *colon = strchr(text, ':');
	struct str path = { 0 }, content = { 0 };
	int status = -1, err;

	if (!colon || colon == text || !colon[1] || strchr(text, '/') || strchr(text, '.'))
		die_usage("'%s' is neither an event nor a tracepoint (subsystem:name)", text);
	if (!root)
		return no_tracefs(text);
	str_addf(&path, "%s/events/%.*s/%s/id", root, (int)(colon - text), text, colon + 1);
	err = read_whole(path.buf, &content);
	if (err == EACCES) {
		error("tracepoint %s: no right to read %s; run as root", text, path.buf);
	} else if (err) {
		error("this kernel has no tracepoint %s (see %s/events/)", text, root);
	} else {
		content.buf[strcspn(content.buf, "\n")] = '\0';
		if (parse_u64(content.buf, id))
			status = 0;
		else
			error("%s: not a number: %s", path.buf, content.buf);
	}
	str_free(&path);
	str_free(&content);
	return status;
}

static void tracefs_add_u32(struct str *out, uint32_t n)
{
	str_add(out, (const char *)&n, sizeof(n));
}

static void tracefs_add_u64(struct str *out, uint64_t n)
{
	str_add(out, (const char *)&n, sizeof(n));
}

/* Append a file's length in 8 bytes and its content; length 0 if it cannot be read. */
static void tracefs_add_file(struct str *out, const char *directory, const char *name)
{
	struct str path = { 0 }, content = { 0 };

	str_addf(&path, "%s/%s", directory, name);
	if (read_whole(path.buf, &content))
		str_clear(&content);
	tracefs_add_u64(out, content.len);
	str_add(out, str_text(&content), content.len);
	str_free(&path);
	str_free(&content);
}

/* Each tracepoint as a subsystem of its own: the format allows the same name twice. */
static void add_systems(const char *root, const char *const *names, size_t count, struct str *out)
{
	tracefs_add_u32(out, (uint32_t)count);
	for (size_t i = 0; i < count; i++) {
		const char *colon = strchr(names[i], ':');
		struct str directory = { 0 };

		str_addf(&directory, "%s/events/%.*s/%s", root, (int)(colon - names[i]), names[i], colon + 1);
		str_add(out, names[i], (size_t)(colon - names[i]));
		str_addc(out, '\0');
		tracefs_add_u32(out, 1);
		tracefs_add_file(out, directory.buf, "format");
		str_free(&directory);
	}
}

void tracefs_describe(const char *const *names, size_t count, struct str *out)
{
	static const char magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g', '0', '.', '6', 0 };
	const char *root = tracefs_path();
	struct str events = { 0 };

	if (!root)
		return;
	str_add(out, magic, sizeof(magic));
	str_addc(out, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	str_addc(out, sizeof(long));
	tracefs_add_u32(out, (uint32_t)sysconf(_SC_PAGESIZE));
	str_addf(&events, "%s/events", root);
	str_add(out, "header_page", 12);
	tracefs_add_file(out, events.buf, "header_page");
	str_add(out, "header_event", 13);
	tracefs_add_file(out, events.buf, "header_event");
	tracefs_add_u32(out, 0); /* events of ftrace itself */
	add_systems(root, names, count, out);
	tracefs_add_u32(out, 0); /* kallsyms: perf reads its own */
	tracefs_add_u32(out, 0); /* printk formats */
	tracefs_add_u64(out, 0); /* saved command lines */
	str_free(&events);
}

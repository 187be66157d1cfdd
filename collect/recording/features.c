#include "collect/recording/features.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "collect/machine/procfs.h"
#include "collect/machine/tracefs.h"
#include "core/memory.h"
#include "core/symbols/kernel_copy.h"

/* Bits and layouts: tools/perf/Documentation/perf.data-file-format.txt. */
enum {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_TOTAL_MEM = 10,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_CLOCKID = 23,
	FEATURE_CLOCK_DATA = 29,
};

enum { STRING_ALIGN = 64 };

static void features_add_bytes(struct str *out, const void *bytes, size_t len)
{
	str_add(out, bytes, len);
}

static void features_add_u32(struct str *out, uint32_t n)
{
	features_add_bytes(out, &n, sizeof(n));
}

/* A string is its length, the text, and zeros: perf pads its strings to 64 bytes. */
static void features_add_string(struct str *out, const char *text, size_t len)
{
	size_t padded = (len + STRING_ALIGN) / STRING_ALIGN * STRING_ALIGN;

	features_add_u32(out, (uint32_t)padded);
	str_add(out, text, len);
	for (; len < padded; len++)
		str_addc(out, '\0');
}

static void add_section(struct recording *r, int feature, struct str *content)
{
	recording_add_section(r, feature, str_text(content), content->len);
	str_free(content);
}

static void features_add_text(struct recording *r, int feature, const char *text)
{
	struct str out = { 0 };

	features_add_string(&out, text, strlen(text));
	add_section(r, feature, &out);
}

/* "model name	: AMD EPYC" */
static void add_cpu_name(struct recording *r)
{
	static const char key[] = "model name";
	struct str text = { 0 }, out = { 0 };
	const char *line, *value;

	read_whole("/proc/cpuinfo", &text);
	line = strstr(str_text(&text), key);
	value = line ? strchr(line, ':') : NULL;
	if (value) {
		value += strspn(value, ": \t");
		features_add_string(&out, value, strcspn(value, "\n"));
		add_section(r, FEATURE_CPUDESC, &out);
	}
	str_free(&text);
}

static void features_add_machine(struct recording *r)
{
	struct utsname name;
	struct str cpus = { 0 }, memory = { 0 };
	uint64_t memory_kb;

	uname(&name);
	features_add_text(r, FEATURE_HOSTNAME, name.nodename);
	features_add_text(r, FEATURE_OSRELEASE, name.release);
	features_add_text(r, FEATURE_ARCH, name.machine);
	features_add_text(r, FEATURE_VERSION, "pyrograph " PYROGRAPH_VERSION);
	add_cpu_name(r);
	features_add_u32(&cpus, (uint32_t)sysconf(_SC_NPROCESSORS_CONF));
	features_add_u32(&cpus, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
	add_section(r, FEATURE_NRCPUS, &cpus);
	memory_kb = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	features_add_bytes(&memory, &memory_kb, sizeof(memory_kb));
	add_section(r, FEATURE_TOTAL_MEM, &memory);
}

/* Take the arguments from the kernel, since our parser has reordered our copy. */
static void add_command_line(struct recording *r)
{
	struct str args = { 0 }, out = { 0 };
	uint32_t count = 0;

	read_whole("/proc/self/cmdline", &args);
	for (size_t i = 0; i < args.len; i += strlen(args.buf + i) + 1)
		count++;
	features_add_u32(&out, count);
	for (size_t i = 0; i < args.len; i += strlen(args.buf + i) + 1)
		features_add_string(&out, args.buf + i, strlen(args.buf + i));
	add_section(r, FEATURE_CMDLINE, &out);
	str_free(&args);
}

static void features_add_events(struct recording *r)
{
	struct str out = { 0 };

	features_add_u32(&out, (uint32_t)r->events->count);
	features_add_u32(&out, sizeof(struct perf_event_attr));
	for (size_t i = 0; i < r->events->count; i++) {
		const struct event *e = &r->events->list[i];

		features_add_bytes(&out, &e->attr, sizeof(e->attr));
		features_add_u32(&out, (uint32_t)e->id_count);
		features_add_string(&out, e->name, strlen(e->name));
		features_add_bytes(&out, e->ids, e->id_count * sizeof(*e->ids));
	}
	add_section(r, FEATURE_EVENT_DESC, &out);
}

static void add_tracepoints(struct recording *r)
{
	const char **names = xcalloc(r->events->count, sizeof(*names));
	struct str out = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < r->events->count; i++) {
		if (event_is_tracepoint(&r->events->list[i]))
			names[count++] = r->events->list[i].name;
	}
	if (count)
		tracefs_describe(names, count, &out);
	if (out.len)
		add_section(r, FEATURE_TRACING_DATA, &out);
	free(names);
}

static void features_add_times(struct recording *r)
{
	uint64_t range[] = { r->tally.first_ns, r->tally.last_ns };
	uint64_t resolution_ns = 1;
	struct {
		uint32_t version, clock;
		uint64_t realtime_ns, monotonic_ns;
	} reference = { 1, CLOCK_MONOTONIC, r->anchors.first.realtime_ns, r->anchors.first.monotonic_ns };

	recording_add_section(r, FEATURE_SAMPLE_TIME, (const char *)range, sizeof(range));
	recording_add_section(r, FEATURE_CLOCKID, (const char *)&resolution_ns, sizeof(resolution_ns));
	recording_add_section(r, FEATURE_CLOCK_DATA, (const char *)&reference, sizeof(reference));
}

void build_id_entry(struct str *out, uint16_t cpumode, int pid, const uint8_t *id, size_t len, const char *path)
{
	struct {
		struct perf_event_header header;
		int32_t pid;
		uint8_t id[20], len, reserved[3];
	} entry = { .pid = pid, .len = (uint8_t)len };
	size_t path_len = (strlen(path) + 1 + 7) & ~(size_t)7; /* padded with NULs to a multiple of 8 bytes */
	size_t end = out->len + sizeof(entry) + path_len;

	memcpy(entry.id, id, len);
	entry.header.misc = cpumode | 1 << 15; /* says that len is valid */
	entry.header.size = (uint16_t)(sizeof(entry) + path_len);
	str_add(out, (const char *)&entry, sizeof(entry));
	str_puts(out, path);
	while (out->len < end)
		str_addc(out, '\0');
}

static void add_build_ids(struct recording *r, const struct str *files)
{
	struct str table = { 0 };
	unsigned char id[20];
	size_t len = kernel_build_id(id);

	if (len)
		build_id_entry(&table, PERF_RECORD_MISC_KERNEL, -1, id, len, "[kernel.kallsyms]");
	str_add(&table, str_text(files), files->len);
	if (table.len)
		recording_add_section(r, FEATURE_BUILD_ID, table.buf, table.len);
	str_free(&table);
}

void features_add(struct recording *r, const struct str *build_ids)
{
	features_add_machine(r);
	add_command_line(r);
	features_add_events(r);
	add_tracepoints(r);
	features_add_times(r);
	add_build_ids(r, build_ids);
}

#include "collect/lanes/lane_machine.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "core/format/recording.h"
#include "core/memory.h"

enum {
	BUSY_NS = 100000000, /* the kernel counts a device's time in ticks, so shorter intervals say little */
	PERCENT = 100 * RECORDING_LANE_PARTS,
};

static const char *const resources[] = { "cpu", "memory", "io" };

const char *lane_machine_open(struct lane_machine *m)
{
	char path[64];
	bool pressure = true;

	m->memory = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
	m->devices = open("/proc/diskstats", O_RDONLY | O_CLOEXEC);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "/proc/pressure/%s", resources[i]);
		m->pressure[i] = open(path, O_RDONLY | O_CLOEXEC);
		pressure &= m->pressure[i] >= 0;
	}
	return pressure ? NULL : "pressure (/proc/pressure: CONFIG_PSI, psi=1)";
}

/* The file's text as it is now; NULL if it cannot be read. */
static const char *lane_machine_read_again(struct lane_machine *m, int fd)
{
	ssize_t n;

	str_clear(&m->text);
	do {
		str_reserve(&m->text, 4096);
		n = pread(fd, m->text.buf + m->text.len, 4096, (off_t)m->text.len);
		m->text.len += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	if (n < 0 || !m->text.len)
		return NULL;
	m->text.buf[m->text.len] = '\0';
	return m->text.buf;
}

/* ---- memory ---- */

/* MemFree:         1234 kB */
void lane_memory_read(struct lane_list *l, const char *text, uint64_t time_ns)
{
	static const struct {
		const char *key, *lane;
	} rows[] = {
		{ "MemFree:", "memory;free" },        { "MemAvailable:", "memory;available" },
		{ "Cached:", "memory;page-cache" },   { "Dirty:", "memory;dirty" },
		{ "Writeback:", "memory;writeback" },
	};
	size_t count = sizeof(rows) / sizeof(*rows);

	for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		for (size_t i = 0; i < count; i++) {
			size_t len = strlen(rows[i].key);

			if (!strncmp(line, rows[i].key, len))
				lane_set(l, lane_find(l, rows[i].lane, "bytes", -1), time_ns,
					 strtoull(line + len, NULL, 10) * 1024 * RECORDING_LANE_PARTS);
		}
	}
}

/* ---- pressure ---- */

/* How much the total has grown, in thousandths of a percent of the time; false if there is no earlier total. */
static bool rate_of(struct lane_rate *r, uint64_t total, uint64_t unit_ns, uint64_t time_ns, uint64_t *rate)
{
	struct lane_rate before = *r;
	uint64_t ns = time_ns - before.time_ns;

	*r = (struct lane_rate){ total, time_ns };
	if (!before.time_ns || total < before.total || !ns)
		return false;
	*rate = (uint64_t)((__uint128_t)(total - before.total) * unit_ns * PERCENT / ns);
	if (*rate > PERCENT) /* the kernel's total is a little older or newer than our time */
		*rate = PERCENT;
	return true;
}

/* some avg10=0.00 avg60=0.00 avg300=0.00 total=12345 (in us)
 * full ... */
void lane_pressure_read(struct lane_machine *m, struct lane_list *l, int resource, const char *text, uint64_t time_ns)
{
	static const struct {
		int resource;
		const char *line, *lane;
	} rows[LANE_PRESSURES] = {
		{ 0, "some", "pressure;cpu;some" },    { 1, "some", "pressure;memory;some" },
		{ 1, "full", "pressure;memory;full" }, { 2, "some", "pressure;io;some" },
		{ 2, "full", "pressure;io;full" },
	};
	uint64_t rate;

	for (int i = 0; i < LANE_PRESSURES; i++) {
		const char *line = rows[i].resource == resource ? strstr(text, rows[i].line) : NULL;
		const char *total = line ? strstr(line, "total=") : NULL;

		if (total && rate_of(&m->rates[i], strtoull(total + 6, NULL, 10), 1000, time_ns, &rate))
			lane_set(l, lane_find(l, rows[i].lane, "%", -1), time_ns, rate);
	}
}

/* ---- devices ---- */

static bool is_whole_device(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/block/%s", name);
	return !access(path, F_OK);
}

static struct lane_device *lane_machine_device_of(struct lane_machine *m, struct lane_list *l, const char *name)
{
	size_t before = m->device_names.count;
	uint32_t number = intern_add(&m->device_names, name, strlen(name));
	struct str lane = { 0 };

	if (m->device_names.count == before)
		return &m->device_list[number];
	m->device_list = xgrow(m->device_list, &m->device_cap, (size_t)number + 1, sizeof(*m->device_list));
	m->device_list[number] = (struct lane_device){ .ignored = !is_whole_device(name) };
	if (!m->device_list[number].ignored) {
		str_addf(&lane, "device;%s;busy", name);
		m->device_list[number].busy = lane_find(l, lane.buf, "%", -1);
		str_clear(&lane);
		str_addf(&lane, "device;%s;in-flight", name);
		m->device_list[number].queue = lane_find(l, lane.buf, "requests", -1);
	}
	str_free(&lane);
	return &m->device_list[number];
}

/* 254 0 vda 5149 1190 432914 2219 8466 10034 312688 6283 0 4128 8503 ... The columns after the name: reads, merged,
 * sectors, ms; writes, merged, sectors, ms; in flight, ms busy */
static void lane_devices_read(struct lane_machine *m, struct lane_list *l, const char *text, uint64_t time_ns)
{
	for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		uint64_t reads, writes, queue, busy_ms, rate;
		struct lane_device *d;
		char name[33];

		if (sscanf(line, "%*u %*u %32s %" SCNu64 " %*u %*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64 " %" SCNu64,
			   name, &reads, &writes, &queue, &busy_ms) != 5 ||
		    (!reads && !writes))
			continue;
		d = lane_machine_device_of(m, l, name);
		if (d->ignored)
			continue;
		lane_set(l, d->queue, time_ns, queue * RECORDING_LANE_PARTS);
		if ((!d->rate.time_ns || time_ns - d->rate.time_ns >= BUSY_NS) &&
		    rate_of(&d->rate, busy_ms, 1000000, time_ns, &rate))
			lane_set(l, d->busy, time_ns, rate);
	}
}

/* ---- all of it ---- */

void lane_machine_look(struct lane_machine *m, struct lane_list *l)
{
	const char *text = lane_machine_read_again(m, m->memory);

	if (text)
		lane_memory_read(l, text, monotonic_ns());
	for (int i = 0; i < 3; i++) {
		text = m->pressure[i] < 0 ? NULL : lane_machine_read_again(m, m->pressure[i]);
		if (text)
			lane_pressure_read(m, l, i, text, monotonic_ns());
	}
	text = lane_machine_read_again(m, m->devices);
	if (text)
		lane_devices_read(m, l, text, monotonic_ns());
}

void lane_machine_free(struct lane_machine *m)
{
	const int fds[] = { m->memory, m->devices, m->pressure[0], m->pressure[1], m->pressure[2] };

	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++) {
		if (fds[i] > 0)
			close(fds[i]);
	}
	intern_free(&m->device_names);
	free(m->device_list);
	str_free(&m->text);
	*m = (struct lane_machine){ 0 };
}

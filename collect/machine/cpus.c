#include "collect/machine/cpus.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"

enum { MAX_CPU = 65535 };

static void cpus_add_one(struct cpus *c, int cpu)
{
	c->list = xgrow(c->list, &c->cap, c->count + 1, sizeof(*c->list));
	c->list[c->count++] = cpu;
}

static bool parse_number(const char **text, int *n)
{
	char *end;
	long value;

	if (!isdigit((unsigned char)**text))
		return false;
	value = strtol(*text, &end, 10);
	if (value > MAX_CPU)
		return false;
	*text = end;
	*n = (int)value;
	return true;
}

static int ascending(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void sort_unique(struct cpus *c)
{
	size_t kept = 0;

	qsort(c->list, c->count, sizeof(*c->list), ascending);
	for (size_t i = 0; i < c->count; i++) {
		if (!kept || c->list[i] != c->list[kept - 1])
			c->list[kept++] = c->list[i];
	}
	c->count = kept;
}

bool cpus_read(struct cpus *c, const char *text)
{
	int first, last;

	for (;;) {
		if (!parse_number(&text, &first))
			return false;
		last = first;
		if (*text == '-') {
			text++;
			if (!parse_number(&text, &last) || last < first)
				return false;
		}
		for (int cpu = first; cpu <= last; cpu++)
			cpus_add_one(c, cpu);
		if (!*text || *text == '\n')
			break;
		if (*text++ != ',')
			return false;
	}
	sort_unique(c);
	return true;
}

void cpus_add(struct cpus *c, int cpu)
{
	cpus_add_one(c, cpu);
	sort_unique(c);
}

bool cpus_have(const struct cpus *c, int cpu)
{
	return c->count && bsearch(&cpu, c->list, c->count, sizeof(cpu), ascending);
}

void cpus_online(struct cpus *c)
{
	static const char path[] = "/sys/devices/system/cpu/online";
	char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n < 0) { /* there is no sysfs, as in some containers */
		for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++)
			cpus_add_one(c, cpu);
	} else {
		text[n] = '\0';
		if (!cpus_read(c, text))
			die("%s: not a list of CPUs: %s", path, text);
	}
	if (fd >= 0)
		close(fd);
}

void cpus_parse(struct cpus *c, const char *text)
{
	struct cpus online = { 0 };

	if (!cpus_read(c, text))
		die_usage("--cpu needs CPU numbers such as 0-3,5, not '%s'", text);
	cpus_online(&online);
	for (size_t i = 0; i < c->count; i++) {
		if (!cpus_have(&online, c->list[i]))
			die_usage("--cpu: CPU %d is not online on this machine", c->list[i]);
	}
	cpus_free(&online);
}

void cpus_free(struct cpus *c)
{
	free(c->list);
	*c = (struct cpus){ 0 };
}

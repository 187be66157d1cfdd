#include "collect/recording/synthesize_kernel.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collect/machine/procfs.h"

/* Where the kernel's code begins: "ffffffff81000000 T _text" (or _stext); 0 when addresses are hidden.  The symbol
 * is among the first lines; reading all lines takes 50 ms. */
static uint64_t find_kernel_text(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char *line = NULL, *end;
	size_t cap = 0;
	uint64_t text = 0;

	while (f && getline(&line, &cap, f) > 0) {
		uint64_t address = strtoull(line, &end, 16);

		if (strlen(end) > 3 && (!strcmp(end + 3, "_text\n") || !strcmp(end + 3, "_stext\n"))) {
			text = address;
			break;
		}
	}
	if (f)
		fclose(f);
	free(line);
	return text;
}

/* "ext4 1015808 1 - Live 0xffffffffc0400000" */
static bool parse_module(const char *line, char name[64], uint64_t *size, uint64_t *start)
{
	return sscanf(line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, name, size, start) == 3 && *start;
}

/* The size of the kernel, up to the modules above it, but 1 GB at most, as on x86-64.  The true end is further down
 * in kallsyms, and not needed. */
static uint64_t kernel_size(uint64_t text, const char *modules)
{
	uint64_t size = 1 << 30, module_size, start;
	char name[64];

	if (!text)
		return 0;
	if (size > -text)
		size = -text;
	for (const char *line = modules; *line; line += strcspn(line, "\n") + 1) {
		if (parse_module(line, name, &module_size, &start) && start > text && start - text < size)
			size = start - text;
		if (!strchr(line, '\n'))
			break;
	}
	return size;
}

static void add_modules(struct synthesis *s, const char *modules)
{
	for (const char *line = modules; *line; line += strcspn(line, "\n") + 1) {
		struct mmap2 m = { .pid = (uint32_t)-1, .protection = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE };
		char name[64], bracketed[72];

		if (parse_module(line, name, &m.len, &m.start)) {
			int len = snprintf(bracketed, sizeof(bracketed), "[%s]", name);

			synthesis_add_mmap2(s, PERF_RECORD_MISC_KERNEL, &m, bracketed, (size_t)len);
		}
		if (!strchr(line, '\n'))
			break;
	}
}

void synthesize_kernel(struct synthesis *s)
{
	static const char name[] = "[kernel.kallsyms]_text";
	uint64_t text = find_kernel_text();
	struct str modules = { 0 };
	/* A PERF_RECORD_MMAP.  Its offset is the address of _text, which tells where the kernel was relocated at
	 * boot.  If addresses are hidden, the record only says that there is a kernel. */
	struct {
		uint32_t pid, tid;
		uint64_t start, len, offset;
	} kernel = { (uint32_t)-1, 0, text, 0, text };

	read_whole("/proc/modules", &modules);
	kernel.len = kernel_size(text, str_text(&modules));
	s->kernel_hidden = !text;
	synthesis_add(s, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, (uint32_t)-1, 0, &kernel, sizeof(kernel), name,
		      sizeof(name) - 1);
	add_modules(s, str_text(&modules));
	str_free(&modules);
}

/* perf knows this record: CPU_MAP, of type 0: a list.  Like all records that perf adds, it has no trailer. */
enum { PERF_RECORD_CPU_MAP = 74, CPU_MAP_LIST = 0, CPU_MAP_MAX = 30000 };

void synthesize_cpus(struct synthesis *s, const struct cpus *cpus)
{
	uint16_t count = (uint16_t)(cpus->count < CPU_MAP_MAX ? cpus->count : CPU_MAP_MAX);
	uint16_t list[2] = { CPU_MAP_LIST, count };
	size_t size = sizeof(struct perf_event_header) + sizeof(list) + count * sizeof(uint16_t);
	size_t padded = (size + 7) & ~(size_t)7;
	struct perf_event_header header = { .type = PERF_RECORD_CPU_MAP, .size = (uint16_t)padded };

	str_add(&s->out, (const char *)&header, sizeof(header));
	str_add(&s->out, (const char *)list, sizeof(list));
	for (size_t i = 0; i < count; i++) {
		uint16_t cpu = (uint16_t)cpus->list[i];

		str_add(&s->out, (const char *)&cpu, sizeof(cpu));
	}
	str_add(&s->out, "\0\0\0\0\0\0\0", padded - size);
}

#include "collect/machine/topology.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "collect/machine/cpus.h"
#include "collect/machine/procfs.h"
#include "core/memory.h"
#include "core/sorted.h"

static const char cpu_dir[] = "/sys/devices/system/cpu";

/* An interrupt bound to one CPU; one entry for each of its names. */
struct interrupt {
	int cpu, number;
	char *name;
};

struct interrupts {
	struct interrupt *list;
	size_t count, cap;
};

/* The file's content up to the first newline, "" without a file. */
static void machine_topology_read_line(const char *root, const char *dir, const char *file, struct str *line)
{
	struct str path = { 0 };

	str_clear(line);
	str_addf(&path, "%s%s/%s", root, dir, file);
	read_whole(path.buf, line);
	line->len = strcspn(str_text(line), "\n");
	if (line->buf)
		line->buf[line->len] = '\0';
	str_free(&path);
}

/* "0-3,5"; nothing for "(null)", an empty line, no file. */
static void machine_topology_read_cpus(const char *root, const char *dir, const char *file, struct cpus *cpus)
{
	struct str line = { 0 };

	machine_topology_read_line(root, dir, file, &line);
	if (!cpus_read(cpus, str_text(&line)))
		cpus_free(cpus);
	str_free(&line);
}

static int machine_topology_read_number(const char *root, const char *dir, const char *file, int fallback)
{
	struct str line = { 0 };
	char *end;
	long n;

	machine_topology_read_line(root, dir, file, &line);
	n = strtol(str_text(&line), &end, 10);
	if (end == str_text(&line) || *end || n < 0 || n > INT_MAX)
		n = fallback;
	str_free(&line);
	return (int)n;
}

/* "node1" in the directory of a CPU; 0 if missing, as on machines with one node. */
static int find_node(const char *root, const char *dir)
{
	struct str path = { 0 };
	const struct dirent *entry;
	int node = INT_MAX, n;
	char rest;
	DIR *d;

	str_addf(&path, "%s%s", root, dir);
	d = opendir(path.buf);
	while (d && (entry = readdir(d))) {
		if (sscanf(entry->d_name, "node%d%c", &n, &rest) == 1 && n >= 0 && n < node)
			node = n;
	}
	if (d)
		closedir(d);
	str_free(&path);
	return node == INT_MAX ? 0 : node;
}

/* ---- interrupts ---- */

/* Make the name one word, since it becomes a part of a line, and later of a list with commas. */
static char *as_word(const char *name)
{
	char *word = xstrdup(name);

	for (unsigned char *c = (unsigned char *)word; *c; c++) {
		if (*c <= ' ' || *c == 0x7f || *c == ',')
			*c = '_';
	}
	return word;
}

/* The names of an interrupt are its subdirectories: those of its users. */
static void machine_topology_add_names(struct interrupts *all, const char *dir, int number, int cpu)
{
	const struct dirent *entry;
	DIR *d = opendir(dir);

	while (d && (entry = readdir(d))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		all->list = xgrow(all->list, &all->cap, all->count + 1, sizeof(*all->list));
		all->list[all->count++] = (struct interrupt){ cpu, number, as_word(entry->d_name) };
	}
	if (d)
		closedir(d);
}

static int by_cpu_and_number(const void *a, const void *b)
{
	const struct interrupt *x = a, *y = b;

	return ORDER(x->cpu, y->cpu) ?: ORDER(x->number, y->number) ?: strcmp(x->name, y->name);
}

static void find_interrupts(struct interrupts *all, const char *root)
{
	struct pids numbers = { 0 };
	struct str dir = { 0 };

	str_addf(&dir, "%s/proc/irq", root);
	pids_read(&numbers, dir.buf);
	for (size_t i = 0; i < numbers.count; i++) {
		struct cpus cpus = { 0 };

		str_clear(&dir);
		str_addf(&dir, "%s/proc/irq/%d", root, (int)numbers.list[i]);
		machine_topology_read_cpus("", dir.buf, "smp_affinity_list", &cpus);
		if (cpus.count == 1)
			machine_topology_add_names(all, dir.buf, (int)numbers.list[i], cpus.list[0]);
		cpus_free(&cpus);
	}
	if (all->count)
		qsort(all->list, all->count, sizeof(*all->list), by_cpu_and_number);
	pids_free(&numbers);
	str_free(&dir);
}

static void free_interrupts(struct interrupts *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->list[i].name);
	free(all->list);
}

/* ---- the section ---- */

static void machine_topology_add_place(struct str *out, const char *root, int cpu)
{
	char dir[64];

	snprintf(dir, sizeof(dir), "%s/cpu%d", cpu_dir, cpu);
	str_addf(out, "cpu %d package %d core %d node %d", cpu,
		 machine_topology_read_number(root, dir, "topology/physical_package_id", 0),
		 machine_topology_read_number(root, dir, "topology/core_id", cpu), find_node(root, dir));
}

static void add_interrupts(struct str *out, const struct interrupts *all, int cpu)
{
	const char *before = " irqs";

	for (size_t i = 0; i < all->count; i++) {
		if (all->list[i].cpu != cpu)
			continue;
		str_addf(out, "%s %d:%s", before, all->list[i].number, all->list[i].name);
		before = "";
	}
}

void topology_describe(struct str *out, const char *root)
{
	struct cpus online = { 0 }, isolated = { 0 }, tickless = { 0 };
	struct interrupts interrupts = { 0 };

	machine_topology_read_cpus(root, cpu_dir, "online", &online);
	machine_topology_read_cpus(root, cpu_dir, "isolated", &isolated);
	machine_topology_read_cpus(root, cpu_dir, "nohz_full", &tickless);
	find_interrupts(&interrupts, root);
	for (size_t i = 0; i < online.count; i++) {
		int cpu = online.list[i];

		machine_topology_add_place(out, root, cpu);
		str_puts(out, cpus_have(&isolated, cpu) ? " isolated" : "");
		str_puts(out, cpus_have(&tickless, cpu) ? " nohz_full" : "");
		add_interrupts(out, &interrupts, cpu);
		str_addc(out, '\n');
	}
	free_interrupts(&interrupts);
	cpus_free(&online);
	cpus_free(&isolated);
	cpus_free(&tickless);
}

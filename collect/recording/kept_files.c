#include "collect/recording/kept_files.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collect/recording/records.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/changes.h"

/* We use a part of the allowed descriptors; the others are for rings, maps and /proc. */
enum { KEPT_MAX = 4096, PART_OF_LIMIT = 4 };

static size_t kept_files_find_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	limit.rlim_cur /= PART_OF_LIMIT;
	return limit.rlim_cur < KEPT_MAX ? (size_t)limit.rlim_cur : KEPT_MAX;
}

/* Takes over the descriptor of a file that was kept before; 0: there is none. */
static int take_over(struct kept_files *before, const struct module *module)
{
	uint32_t number = modules_add(&before->modules, module->kind, module->path, module->id, module->pid);
	int fd = before->modules.items[number].kept_fd;

	before->modules.items[number].kept_fd = 0;
	return fd;
}

static void kept_files_keep(struct kept_files *k, struct module *module)
{
	struct elf_file file;
	enum why why;

	if (k->before)
		module->kept_fd = take_over(k->before, module);
	if (module->kept_fd) {
		k->count++;
		return;
	}
	if (k->count >= k->limit || elf_file_open(&file, module, &why))
		return;
	module->kept_fd = fcntl(file.fd, F_DUPFD_CLOEXEC, 3);
	k->count += module->kept_fd > 0;
	elf_file_close(&file);
}

static void kept_files_look_at(void *argument, const uint8_t *record, uint32_t type)
{
	struct kept_files *k = argument;
	struct mmap_record m;
	struct module *module;
	uint32_t number;

	k->kernel_changed |= type == PERF_RECORD_KSYMBOL || type == PERF_RECORD_LOST;
	if ((type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2) || !mmap_record_read(record, true, &m) ||
	    m.kernel || m.data || !m.path_len || *m.path != '/')
		return;
	number = change_module(&k->modules, &m); /* change_module() may move the modules */
	module = &k->modules.items[number];
	if (module->kind == MODULE_ELF && !module->kept_fd)
		kept_files_keep(k, module);
}

void kept_files_update(struct kept_files *k, const char *path, uint64_t size)
{
	if (!k->modules.count) {
		modules_init(&k->modules);
		k->limit = kept_files_find_limit();
	}
	new_records_read(&k->records, path, size, kept_files_look_at, k);
}

/* "ext4 1196032 1 - Live 0xffffffffc0a00000": without the fields that change while the module is used. */
static void list_modules(struct str *out)
{
	FILE *file = fopen("/proc/modules", "re");
	char line[4096], name[64], address[32];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %*s %*s %*s %*s %31s", name, address) == 2)
			str_addf(out, "%s %s\n", name, address);
	}
	if (file)
		fclose(file);
}

void kept_files_keep_kernel(struct kept_files *k)
{
	bool changed = k->kernel_changed;
	struct str modules = { 0 };

	list_modules(&modules);
	changed |= modules.len != k->kernel_modules.len ||
		   memcmp(str_text(&modules), str_text(&k->kernel_modules), modules.len);
	k->kernel_changed = false;
	str_free(&k->kernel_modules);
	k->kernel_modules = modules;
	if (changed)
		kernel_copy_close(&k->kernel);
	else if (!k->kernel.text)
		kernel_copy_keep(&k->kernel);
}

void kept_files_forget(struct kept_files *k, const struct str *state, const char *path, uint64_t from, uint64_t size)
{
	struct kept_files before = *k;
	struct records records = { (const uint8_t *)str_text(state), state->len, 0 };
	struct perf_event_header header;
	const uint8_t *record;

	*k = (struct kept_files){
		.limit = before.limit,
		.kernel = before.kernel,
		.kernel_modules = before.kernel_modules,
		.kernel_changed = before.kernel_changed,
		.records.seen = from,
		.before = &before,
	};
	before.kernel = (struct kernel_copy){ 0 };
	before.kernel_modules = (struct str){ 0 };
	modules_init(&k->modules);
	while ((record = records_next(&records, &header)))
		kept_files_look_at(k, record, header.type);
	kept_files_update(k, path, size);
	k->before = NULL;
	kept_files_free(&before);
}

void kept_files_give(struct kept_files *k, struct modules *m)
{
	for (size_t i = 0; k->count && i < m->count; i++) {
		struct module *module = &m->items[i];
		uint32_t number;

		if (module->kind != MODULE_ELF)
			continue;
		number = modules_add(&k->modules, module->kind, module->path, module->id, module->pid);
		module->kept_fd = k->modules.items[number].kept_fd;
	}
}

void kept_files_free(struct kept_files *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->modules.count; i++) {
		if (k->modules.items[i].kept_fd > 0)
			close(k->modules.items[i].kept_fd);
	}
	modules_free(&k->modules);
	kernel_copy_close(&k->kernel);
	str_free(&k->kernel_modules);
	*k = (struct kept_files){ 0 };
}

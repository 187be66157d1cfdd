#include "core/symbols/space/modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/str.h"

void modules_init(struct modules *m)
{
	modules_add(m, MODULE_KERNEL, "[kernel.kallsyms]", "-", 0);
}

uint32_t modules_add(struct modules *m, enum module_kind kind, const char *path, const char *id, int pid)
{
	struct str key = { 0 };
	uint32_t number;

	str_add_u64(&key, kind);
	str_addc(&key, ' ');
	str_puts(&key, id);
	str_addc(&key, ' ');
	str_puts(&key, path);
	number = intern_add(&m->keys, key.buf, key.len);
	str_free(&key);
	if (number == m->count) {
		m->items = xgrow(m->items, &m->cap, m->count + 1, sizeof(*m->items));
		m->items[m->count++] = (struct module){
			.kind = kind,
			.path = arena_strdup(&m->texts, path, strlen(path)),
			.id = arena_strdup(&m->texts, id, strlen(id)),
			.pid = pid,
			.elsewhere = m->elsewhere,
			.first.pid = pid,
		};
	}
	return number;
}

/* Names that perf takes for JIT code (the same as in tools/perf/util/map.c), and files
 * that only stand for memory. */
bool path_is_anonymous(const char *path, size_t len, bool copied)
{
	static const char memfd[] = "/memfd:";
	static const char *const prefixes[] = { "//anon", "/anon_hugepage", "/dev/zero",   "[heap]", "[stack",
						"/SYSV",  "/memfd:",        "anon_inode:", "[anon" };

	if (!len)
		return true;
	if (copied && len >= sizeof(memfd) - 1 && !memcmp(path, memfd, sizeof(memfd) - 1))
		return false;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t prefix = strlen(prefixes[i]);

		if (len >= prefix && !memcmp(path, prefixes[i], prefix))
			return true;
	}
	return false;
}

bool path_is_runtime(const char *path, size_t len)
{
	static const char *const paths[] = { "[java]", "[python]" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		if (len == strlen(paths[i]) && !memcmp(path, paths[i], len))
			return true;
	}
	return false;
}

/* "/home/u/.debug/jit/jit-8513.dump" */
bool path_is_jitdump(const char *path, size_t len)
{
	static const char tail[] = ".dump", head[] = "/jit-";
	size_t digits = 0;

	if (len < sizeof(tail) - 1 || memcmp(path + len - (sizeof(tail) - 1), tail, sizeof(tail) - 1))
		return false;
	len -= sizeof(tail) - 1;
	while (digits < len && path[len - 1 - digits] >= '0' && path[len - 1 - digits] <= '9')
		digits++;
	len -= digits;
	return digits && len >= sizeof(head) - 1 && !memcmp(path + len - (sizeof(head) - 1), head, sizeof(head) - 1);
}

uint32_t modules_add_jit(struct modules *m, const char *path, int pid)
{
	char id[16];

	snprintf(id, sizeof(id), "%d", pid);
	return modules_add(m, MODULE_JIT, path, id, pid);
}

/* A parallel build maps files many thousand times: printf() would be a tenth of the instructions for its recording. */
static void write_hex(char *text, const uint8_t *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		*text++ = digits[bytes[i] >> 4];
		*text++ = digits[bytes[i] & 15];
	}
	*text = '\0';
}

uint32_t modules_add_mapping(struct modules *m, const char *path, const uint8_t *build_id, size_t build_id_len,
			     uint32_t major, uint32_t minor, uint64_t inode, bool copied, int pid)
{
	char id[2 * BUILD_ID_MAX + 24] = "-", map[48];

	if (path_is_anonymous(path, strlen(path), copied)) {
		snprintf(map, sizeof(map), "/tmp/perf-%d.map", pid);
		return modules_add_jit(m, map, pid);
	}
	if (path_is_jitdump(path, strlen(path)) || path_is_runtime(path, strlen(path)))
		return modules_add_jit(m, path, pid);
	if (build_id_len > BUILD_ID_MAX)
		build_id_len = BUILD_ID_MAX;
	if (build_id_len)
		write_hex(id, build_id, build_id_len);
	else if (inode)
		snprintf(id, sizeof(id), "%x:%x:%llx", major, minor, (unsigned long long)inode);
	return modules_add(m, !strcmp(path, "[vdso]") ? MODULE_VDSO : MODULE_ELF, path, id, pid);
}

void modules_are_elsewhere(struct modules *m)
{
	m->elsewhere = true;
	for (size_t i = 0; i < m->count; i++)
		m->items[i].elsewhere = true;
}

void modules_saw(struct modules *m, uint32_t number, int pid, uint64_t start, uint64_t len)
{
	struct module *module = &m->items[number];

	module->newest = (struct module_mapping){ pid, start, len };
	if (!module->first.len)
		module->first = module->newest;
}

const char *module_name(const struct module *module)
{
	const char *slash = strrchr(module->path, '/');

	if (module->kind == MODULE_JIT)
		return "[jit]";
	return slash && slash[1] ? slash + 1 : module->path;
}

void modules_free(struct modules *m)
{
	if (!m)
		return;
	free(m->items);
	intern_free(&m->keys);
	arena_free(&m->texts);
	*m = (struct modules){ 0 };
}

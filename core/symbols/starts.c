#include "core/symbols/starts.h"

#include <stdbool.h>
#include <string.h>

/* Names of glibc, musl, the dynamic linker and Go, without the parts that is_thread_start() skips: "__GI___clone3",
 * "__clone@@GLIBC_2.2.5", "runtime.goexit.abi0". */
static const struct {
	const char *name;
	size_t len;
} starts[] = {
#define NAME(name)                     \
	{                              \
		name, sizeof(name) - 1 \
	}
	NAME("start"),
	NAME("main"),
	NAME("libc_start_main"),
	NAME("libc_start_main_impl"),
	NAME("libc_start_call_main"),
	NAME("start_thread"),
	NAME("clone"),
	NAME("clone3"),
	NAME("start_c"),
	NAME("dl_start"),
	NAME("dl_start_user"),
	NAME("runtime.goexit"),
	NAME("runtime.mstart"),
	NAME("runtime.mcall"),
	NAME("runtime.rt0_go"),
	NAME("runtime.systemstack"),
	NAME("rt0_amd64"),
	NAME("rt0_amd64_linux"),
	NAME("rt0_arm64_linux"),
	NAME("spawni_child"),
	NAME("start_context"), /* of vfork's child; of a coroutine */
#undef NAME
};

/* Asked for the outermost frames of each stack. */
bool is_thread_start(const char *name)
{
	const char *version;
	size_t len;

	if (!name)
		return false;
	if (name[0] == '_' && !strncmp(name, "__GI_", 5))
		name += 5;
	while (*name == '_')
		name++;
	if (!memchr("cdlmrs", *name, 6)) /* how they begin */
		return false;
	version = strchr(name, '@');
	len = version ? (size_t)(version - name) : strlen(name);
	if (len > 5 && !memcmp(name + len - 5, ".abi0", 5))
		len -= 5;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (starts[i].len == len && !memcmp(starts[i].name, name, len))
			return true;
	}
	return false;
}

/* libc.so.6, libc-2.31.so, libpthread-2.31.so, ld-musl-x86_64.so.1 */
static bool starts_is_libc(const struct module *module)
{
	static const char *const names[] = { "libc.so", "libc-", "libpthread", "ld-musl-", "ld-linux" };

	for (size_t i = 0; module->kind == MODULE_ELF && i < sizeof(names) / sizeof(*names); i++) {
		if (!strncmp(module_name(module), names[i], strlen(names[i])))
			return true;
	}
	return false;
}

enum stack_start stack_start_of(size_t depth, bool astray, const char *name, const struct module *module)
{
	if (!depth || is_thread_start(name))
		return START_SEEN;
	if (astray || !module)
		return START_LOST;
	/* A stripped libc has no name for start_thread: a function of libc in this place is start_thread. */
	if (!name && depth > 1 && starts_is_libc(module))
		return START_SEEN;
	return depth > 2 ? START_UNSEEN : START_LOST;
}

/* modules: what code comes from: the kernel, an ELF file, the vdso, a JIT.
 *
 * An address inside a module is counted as its symbols are: an absolute
 * address for the kernel and what perf maps name (where code of an address was
 * replaced, a number of its own: jit_code.h), the offset in the file for the rest
 * (address - start of the mapping + offset of the mapping), in a jitdump that of
 * the copy of the code. */
#ifndef CORE_SYMBOLS_SPACE_MODULES_H
#define CORE_SYMBOLS_SPACE_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/intern.h"

enum module_kind {
	MODULE_KERNEL, /* everything in kallsyms: kernel, modules, BPF programs */
	MODULE_ELF,
	MODULE_VDSO,
	MODULE_JIT,    /* code made at run time: named by perf-PID.map, or jit-PID.dump */
};

enum { MODULE_KERNEL_ID = 0, BUILD_ID_MAX = 20 };

/* Where a process has a module; pid 0: nowhere. */
struct module_mapping {
	int pid;
	uint64_t start, len;
};

struct module {
	enum module_kind kind;
	const char *path; /* as mapped; "/tmp/perf-PID.map" for memory without a file */
	const char *id;   /* build-id or DEV:INODE in hex, pid of JIT code, "-" */
	int pid;          /* a process that maps it: /proc/PID/root leads to its files */
	bool elsewhere;   /* of another machine, or boot: only a file with its build-id is its own */
	int kept_fd;      /* its file, which somebody keeps open; 0: nobody does */
	struct module_mapping first, newest; /* that were seen */
};

/* {0} is valid and empty; modules_init() puts the kernel in. */
struct modules {
	struct module *items; /* [count], by module number */
	size_t count, cap;
	bool elsewhere;        /* all of them are, and those that will be added */
	struct intern keys;
	struct arena texts;
};

void modules_init(struct modules *m);

/* The number of a module, new if it was not seen before.  path and id are
 * copied.  Modules are the same when kind, path and id are. */
uint32_t modules_add(struct modules *m, enum module_kind kind, const char *path, const char *id,
		     int pid);

/* Is a mapping of this name memory without a file of code behind it: that of a JIT?  copied:
 * MAP_PRIVATE, as programs and libraries are mapped; a memfd_create(2) file may be one. */
bool path_is_anonymous(const char *path, size_t len, bool copied);

/* What is no memory at all, but stands for frames of a JVM: "[java]". */
bool path_is_java(const char *path, size_t len);

/* Is it a file in which a JIT compiler keeps its code for profilers? */
bool path_is_jitdump(const char *path, size_t len);

/* The module of code that process pid makes; path: of its map or dump. */
uint32_t modules_add_jit(struct modules *m, const char *path, int pid);

/* The module of a user mapping, from what an MMAP or MMAP2 record says of it.
 * build_id_len 0: none known, then device and inode tell files apart. */
uint32_t modules_add_mapping(struct modules *m, const char *path, const uint8_t *build_id,
			     size_t build_id_len, uint32_t major, uint32_t minor, uint64_t inode,
			     bool copied, int pid);

/* What was recorded is of another machine, or boot: paths and numbers of processes say nothing here. */
void modules_are_elsewhere(struct modules *m);

/* Note that a process has the module in [start, start + len). */
void modules_saw(struct modules *m, uint32_t number, int pid, uint64_t start, uint64_t len);

/* The last part of the path: "libc.so.6"; "[jit]" of code made at run time: the same in each run. */
const char *module_name(const struct module *module);

void modules_free(struct modules *m);

#endif

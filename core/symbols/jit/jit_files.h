/* jit_files: the perf maps and jitdumps of several processes, and their contents. */
#ifndef CORE_SYMBOLS_JIT_JIT_FILES_H
#define CORE_SYMBOLS_JIT_JIT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/symbols/jit/jit_code.h"
#include "core/symbols/jit/jitdump.h"
#include "core/symbols/jit/perfmap.h"
#include "core/symbols/space/modules.h"

struct jit_file {
	int pid, fd;      /* fd -1: the file does not exist yet, or is not trusted */
	char *path;       /* path of a dump, as the process mapped it; NULL: a perf map */
	const char *why;  /* why the file cannot be used, in a few words; NULL: it can be used */
	uint64_t born_ns; /* when the process was forked, by CLOCK_MONOTONIC; 0: unknown */
	unsigned misses;  /* number of looks that found no file */
	struct perfmap map;
	struct jitdump dump;
	struct jit_code code;
	size_t placed, fed; /* number of pieces of code, and of unwind information, already passed on */
};

/* {0} is valid and empty. */
struct jit_files {
	struct jit_file *items; /* [count] */
	size_t count, cap;
	size_t left_out; /* number of files beyond the limit */
	size_t turn;     /* the file to read first next time */
	bool timeless;   /* samples have another clock: of several pieces at an address, the last one counts */
};

/* Add the perf map of a process (path NULL), or its dump, unless it is known.  path is copied.
 * Returns its number; SIZE_MAX when there are too many. */
size_t jit_files_add(struct jit_files *j, int pid, const char *path, size_t path_len);

/* Open the files that exist now, and read what is new, for at most a tenth of a second; the next call reads the
 * rest.
 * last: there is no next call; this one may take five seconds, unless a signal asks us to end. */
void jit_files_read(struct jit_files *j, uint64_t now_ns, bool last);

/* Add code without a file, for the module path of a process.  j takes over the content of code. */
void jit_files_add_code(struct jit_files *j, int pid, const char *path, struct jit_code *code);

/* Put code that is distinguished by time into spaces, under its own modules: the new pieces of dumps, and all
 * pieces of perf maps, which must have been read completely by then. */
void jit_files_place(struct jit_files *j, struct spaces *spaces, struct modules *modules);

/* Warn about the unread part of a file, if any. */
void jit_file_complain_unread(const struct jit_file *f);

/* Warn about dumps that cannot be used, their bad records, unread parts of files, and files left out. */
void jit_files_complain(const struct jit_files *j);

/* The file that has the names of a module, or NULL. */
const struct jit_file *jit_files_find(const struct jit_files *j, const struct module *module);

/* The number of the module whose names are in f. */
uint32_t jit_file_module(const struct jit_file *f, struct modules *modules);

/* Forget the files of processes that are no longer wanted. */
void jit_files_forget(struct jit_files *j, bool (*is_wanted)(const void *argument, int pid), const void *argument);

/* Number of all invalid lines and records. */
uint64_t jit_files_bad(const struct jit_files *j);

/* Number of bytes that were not read, because there were too many, or time ran out. */
uint64_t jit_files_unread(const struct jit_files *j);

void jit_files_free(struct jit_files *j);

#endif

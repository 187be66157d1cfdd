/* jit_files: the perf maps and jitdumps of several processes, and what was read of them. */
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
	int pid, fd;          /* fd -1: not there yet, or not trusted */
	char *path;           /* of a dump, as the process mapped it; NULL: a perf map */
	const char *why;      /* it cannot be used, in a few words; NULL: it can */
	uint64_t born_ns;     /* when the process was forked, by CLOCK_MONOTONIC; 0: not known */
	unsigned misses;      /* looks that found none */
	struct perfmap map;
	struct jitdump dump;
	struct jit_code code;
	size_t placed, fed;   /* pieces of code, and of unwinding, that are where they are needed */
};

/* {0} is valid and empty. */
struct jit_files {
	struct jit_file *items; /* [count] */
	size_t count, cap;
	size_t left_out;        /* for which there was no room */
	size_t turn;            /* who comes first, next time */
	bool timeless;          /* samples have another clock: code is where it was last */
};

/* Know of the perf map of a process (path NULL), or of its dump; once each.  path is copied.
 * Returns its number; SIZE_MAX when there are too many. */
size_t jit_files_add(struct jit_files *j, int pid, const char *path, size_t path_len);

/* Open those that are there now, and read what is new, for a tenth of a second at most; what is left comes next
 * time.  last: there is no next time, and it may take five seconds, unless a signal asks us to end. */
void jit_files_read(struct jit_files *j, uint64_t now_ns, bool last);

/* Code that has no file: of the module path of a process.  What code holds becomes j's. */
void jit_files_add_code(struct jit_files *j, int pid, const char *path, struct jit_code *code);

/* Put code that is told apart by time into spaces, under modules of its own: what is new in
 * dumps; all that is in perf maps, which are complete then. */
void jit_files_place(struct jit_files *j, struct spaces *spaces, struct modules *modules);

/* Say what of one was not read, if anything. */
void jit_file_complain_unread(const struct jit_file *f);

/* Say which dumps could not be used, and what of them; what of files was not read; whether files were left out. */
void jit_files_complain(const struct jit_files *j);

/* The file that has the names of a module, or NULL. */
const struct jit_file *jit_files_find(const struct jit_files *j, const struct module *module);

/* The number of the module that f has the names of. */
uint32_t jit_file_module(const struct jit_file *f, struct modules *modules);

/* Lines and records that make no sense, in all. */
uint64_t jit_files_bad(const struct jit_files *j);

/* Bytes that were not read: there was too much of it, or no time. */
uint64_t jit_files_unread(const struct jit_files *j);

void jit_files_free(struct jit_files *j);

#endif

/* frame_names: addresses that stand for the frames of a language's runtime in one process (and for classes), in order of
 * first appearance, and the pseudo mapping in which they are (core/format/recording.h, "[java]", "[python]"). */
#ifndef COLLECT_RUNTIME_FRAME_NAMES_H
#define COLLECT_RUNTIME_FRAME_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/str.h"
#include "core/symbols/jit/jit_files.h"

struct frame_name {
	const char *name;
	const char *file; /* NULL: not known */
	uint32_t line;    /* 0: unknown */
	char tier;        /* the letter of "_[0]"; 0: a class, which has no annotation */
	bool is_method;   /* not a class or a stub of the runtime */
};

/* The pseudo mapping of a runtime. */
struct frame_names_place {
	uint64_t base;    /* RECORDING_JAVA */
	const char *path; /* RECORDING_JAVA_PATH */
};

/* {0}, then .place, is valid and empty. */
struct frame_names {
	const struct frame_names_place *place;
	bool is_told;        /* the pseudo mapping has been recorded */
	struct intern texts; /* names, files */
	struct intern keys;  /* the entries, by index */
};

/* The address that stands for name, whose texts are copied; 0 if there are too many names. */
uint64_t frame_names_address(struct frame_names *n, const struct frame_name *name);

/* Append the name of an address, with its annotation; nothing if the address was not assigned. */
void frame_names_spell(const struct frame_names *n, uint64_t address, struct str *to);

/* Does the address stand for a method? */
bool frame_names_is_method(const struct frame_names *n, uint64_t address);

/* Add all names to files, as the module of process pid; nothing if there are none. */
void frame_names_give(const struct frame_names *n, int pid, struct jit_files *files);

/* Append an MMAP2 record of the pseudo mapping, if there are names, and it was not told. id: that of the event to name
 * in its trailer. */
void frame_names_tell(struct frame_names *n, int pid, uint64_t id, struct str *out);

/* Size of the pseudo mapping in bytes. */
#define FRAME_NAMES_BYTES (UINT64_C(1) << 32)

void frame_names_free(struct frame_names *n);

#endif

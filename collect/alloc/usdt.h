/* usdt: static probes of a library (sys/sdt.h): its section .note.stapsdt says where each is and where its
 * arguments are, "-8@%rax 8@%rdx -4@%ecx 4@8(%rsp,%rcx,4) 4@$17"
 * (https://sourceware.org/systemtap/wiki/UserSpaceProbeImplementation). */
#ifndef COLLECT_ALLOC_USDT_H
#define COLLECT_ALLOC_USDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/sampling/stack_walk.h"

enum { USDT_ARGUMENTS_MAX = 12, USDT_LOCATIONS_MAX = 64 };

/* Numbers of registers are those of asm/perf_regs.h; -1: none. */
struct usdt_argument {
	uint8_t size; /* bytes: 1, 2, 4, 8 */
	bool is_signed, is_memory;
	uint8_t shift;    /* of a part of a register: %ah */
	int base, index;  /* registers */
	uint8_t scale;    /* of the index */
	int64_t constant; /* the value if there is no register; else added to the address */
};

struct usdt_location {      /* a probe can have several */
	uint64_t offset;    /* in the file */
	uint64_t semaphore; /* the semaphore's offset in the file; 0: there is none */
	struct usdt_argument arguments[USDT_ARGUMENTS_MAX];
	size_t argument_count;
};

/* Find a probe in the ELF file at path.  Returns the number of its locations; the first USDT_LOCATIONS_MAX of them are
 * in list. */
size_t usdt_find(const char *path, const char *provider, const char *name,
		 struct usdt_location list[USDT_LOCATIONS_MAX]);

/* Read "-8@%rax 8@%rdx".  Returns the number of arguments; -1 if one is not understood. */
int usdt_parse_arguments(const char *text, struct usdt_argument list[USDT_ARGUMENTS_MAX]);

/* The argument's value when the probe was hit, sign-extended; false if it cannot be read. */
bool usdt_value(const struct usdt_argument *a, const struct walked_sample *s, uint64_t *value);

#endif

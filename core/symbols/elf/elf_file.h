/* elf_file: finds and opens the ELF file of a module, and checks that it is the one that was
 * mapped; used to read symbols, debug information and unwind tables. */
#ifndef CORE_SYMBOLS_ELF_ELF_FILE_H
#define CORE_SYMBOLS_ELF_ELF_FILE_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/symbols/space/modules.h"
#include "core/symbols/space/why.h"

enum { ELF_SEGMENTS_MAX = 64 };

/* Loadable segments: they translate between addresses as in the file's tables and offsets in the file. */
struct elf_segments {
	struct elf_segment {
		uint64_t address, offset, size;
	} items[ELF_SEGMENTS_MAX];
	size_t count;
};

struct elf_file {
	Elf *elf;
	int fd; /* -1: an image in memory (the vdso) */
	struct elf_segments segments;
};

/* Open the file of a module (of kind MODULE_ELF, or MODULE_VDSO: this process's own).  A file
 * with a different build-id or inode is not used; all ways to it are tried (module_file.h).
 * Returns 0, or -1 with *why. */
int elf_file_open(struct elf_file *f, const struct module *module, enum why *why);

/* Use a file that is already open as fd, which f takes over even on failure.  Returns 0, or -1: not an ELF file. */
int elf_file_open_fd(struct elf_file *f, int fd);

/* Use a file in memory, which stays the caller's and must outlive f.  Returns 0, or -1: not an ELF file. */
int elf_file_open_memory(struct elf_file *f, void *image, size_t size);

/* Translate; false: outside all segments. */
bool elf_to_offset(const struct elf_segments *segments, uint64_t address, uint64_t *offset);
bool elf_to_address(const struct elf_segments *segments, uint64_t offset, uint64_t *address);

/* The content of the section called name; NULL when there is none.  header may be NULL. */
Elf_Data *elf_file_section(Elf *elf, const char *name, GElf_Shdr *header);

struct elf_build_id {
	char text[2 * BUILD_ID_MAX + 1]; /* hex; "" when there is none */
};

struct elf_build_id elf_file_build_id(Elf *elf);

/* Read the build-id of a module into id[0..BUILD_ID_MAX), from its file, if that is still the one that was mapped.
 * Returns its length, 0 when there is none. */
size_t elf_module_build_id(const struct module *module, uint8_t *id);

/* Read the build-id of the ELF file fd into id[0..BUILD_ID_MAX).  Returns its length, 0 when there is none or the
 * file is not ELF. */
size_t elf_build_id(int fd, uint8_t *id);

/* Is a module's id a build-id: "1a2b..." and not "8:1:1234" or "-"? */
bool is_build_id(const char *id);

void elf_file_close(struct elf_file *f);

#endif

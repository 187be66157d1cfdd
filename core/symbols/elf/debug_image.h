/* debug_image: the compressed debug sections of a file, unpacked together, as an ELF file in memory.  libelf unpacks them
 * with zlib, which takes three times as long as libdeflate. */
#ifndef CORE_SYMBOLS_ELF_DEBUG_IMAGE_H
#define CORE_SYMBOLS_ELF_DEBUG_IMAGE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/* {0} is valid and closed. */
struct debug_image {
	Elf *elf;
	char *bytes; /* what elf reads */
};

/* Is a section, by its name, left out? */
typedef bool debug_image_filter(const char *name);

/* Unpack the sections ".debug_*" of elf, except those that are left out.  Returns 0, or -1: none of them is compressed, or
 * libelf should do it: files of another byte order or class, other compressions, damage, or debug information that is partly in
 * other files, which libdw finds by the file's path. */
int debug_image_open(struct debug_image *image, Elf *elf, debug_image_filter *leaves_out);

void debug_image_close(struct debug_image *image);

#endif

#include "core/symbols/elf/debug_image.h"

#include <endian.h>
#include <gelf.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/str.h"

enum { SECTIONS_MAX = 32, ALIGNMENT = 16, NAME_MAX_BYTES = 32 };

/* Limit on the bytes that Deflate makes of one byte: a section that claims more is damaged. */
#define RATIO_MAX 1032u

struct piece {
	char name[NAME_MAX_BYTES];
	const char *bytes; /* [len], in the file */
	size_t len, size;  /* size: unpacked */
	uint64_t flags;
	bool packed;
};

struct pieces {
	struct piece items[SECTIONS_MAX];
	size_t count, packed;
};

/* --- what there is ------------------------------------------------------------------------- */

/* Is part of the information in other files? */
static bool refers_elsewhere(const char *name)
{
	return !strcmp(name, ".gnu_debugaltlink") || !strcmp(name, ".debug_addr") ||
	       text_begins(name, strlen(name), ".zdebug");
}

static bool debug_image_add_piece(struct pieces *pieces, Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	struct piece *p = &pieces->items[pieces->count];
	Elf_Data *data = elf_rawdata(section, NULL);
	GElf_Chdr packed;

	if (pieces->count == SECTIONS_MAX || strlen(name) >= sizeof(p->name) || !data || !data->d_buf)
		return false;
	*p = (struct piece){ .bytes = data->d_buf,
			     .len = data->d_size,
			     .size = data->d_size,
			     .flags = header->sh_flags & (SHF_MERGE | SHF_STRINGS) };
	strcpy(p->name, name);
	pieces->count++;
	if (!(header->sh_flags & SHF_COMPRESSED))
		return true;
	if (!gelf_getchdr(section, &packed) || packed.ch_type != ELFCOMPRESS_ZLIB || p->len <= sizeof(Elf64_Chdr))
		return false;
	p->packed = true;
	p->bytes += sizeof(Elf64_Chdr);
	p->len -= sizeof(Elf64_Chdr);
	p->size = packed.ch_size;
	pieces->packed++;
	return p->size / RATIO_MAX <= p->len;
}

static bool find_pieces(struct pieces *pieces, Elf *elf, debug_image_filter *leaves_out)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const char *name;

		if (!gelf_getshdr(section, &header) || !(name = elf_strptr(elf, names, header.sh_name)))
			return false;
		if (refers_elsewhere(name))
			return false;
		if (header.sh_type == SHT_NOBITS || !text_begins(name, strlen(name), ".debug_") || leaves_out(name))
			continue;
		if (!debug_image_add_piece(pieces, section, &header, name))
			return false;
	}
	return pieces->packed > 0;
}

static bool debug_image_is_usual(Elf *elf, GElf_Ehdr *header)
{
	return gelf_getclass(elf) == ELFCLASS64 && gelf_getehdr(elf, header) && header->e_type != ET_REL &&
	       header->e_ident[EI_DATA] == (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB);
}

/* --- the file in memory ----------------------------------------------------------------------
 *
 *     ELF header | sections | their names | headers: of section 0, of each section, of the names
 *
 * A NUL follows each section: strings end there at the latest. */

static size_t aligned(size_t at)
{
	return (at + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static size_t after(size_t at, const struct piece *p)
{
	return aligned(at + p->size + 1);
}

/* Where the names begin, after all sections; 0: further than an address can tell. */
static size_t names_at(const struct pieces *pieces)
{
	size_t at = aligned(sizeof(Elf64_Ehdr));

	for (size_t i = 0; i < pieces->count; i++) {
		if (pieces->items[i].size > SIZE_MAX / 2 - at)
			return 0;
		at = after(at, &pieces->items[i]);
	}
	return at;
}

static bool debug_image_fill(char *to, const struct piece *p, struct libdeflate_decompressor *unpacker)
{
	if (p->packed)
		return libdeflate_zlib_decompress(unpacker, p->bytes, p->len, to, p->size, NULL) == LIBDEFLATE_SUCCESS;
	memcpy(to, p->bytes, p->len);
	return true;
}

/* Write sections, names and headers; names_at is where the names begin, headers_at the headers. */
static bool fill_all(char *bytes, const struct pieces *pieces, size_t names_at, size_t headers_at)
{
	struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
	Elf64_Shdr *headers = (Elf64_Shdr *)(bytes + headers_at);
	size_t at = aligned(sizeof(Elf64_Ehdr)), name = 1;
	bool good = unpacker;

	for (size_t i = 0; good && i < pieces->count; i++) {
		const struct piece *p = &pieces->items[i];

		good = debug_image_fill(bytes + at, p, unpacker);
		headers[i + 1] = (Elf64_Shdr){ .sh_name = (Elf64_Word)name,
					       .sh_type = SHT_PROGBITS,
					       .sh_flags = p->flags,
					       .sh_offset = at,
					       .sh_size = p->size,
					       .sh_addralign = 1 };
		strcpy(bytes + names_at + name, p->name);
		name += strlen(p->name) + 1;
		bytes[at + p->size] = '\0';
		at = after(at, p);
	}
	headers[pieces->count + 1] =
		(Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = name, .sh_addralign = 1 };
	libdeflate_free_decompressor(unpacker);
	return good;
}

static void fill_header(Elf64_Ehdr *to, const GElf_Ehdr *of_file, size_t headers_at, size_t count)
{
	memcpy(to->e_ident, of_file->e_ident, EI_NIDENT);
	to->e_type = of_file->e_type;
	to->e_machine = of_file->e_machine;
	to->e_version = EV_CURRENT;
	to->e_ehsize = sizeof(*to);
	to->e_shoff = headers_at;
	to->e_shentsize = sizeof(Elf64_Shdr);
	to->e_shnum = (Elf64_Half)(count + 2);
	to->e_shstrndx = (Elf64_Half)(count + 1);
}

int debug_image_open(struct debug_image *image, Elf *elf, debug_image_filter *leaves_out)
{
	size_t names, headers, size;
	struct pieces pieces = { .count = 0 };
	GElf_Ehdr header;

	*image = (struct debug_image){ 0 };
	if (!debug_image_is_usual(elf, &header) || !find_pieces(&pieces, elf, leaves_out) ||
	    !(names = names_at(&pieces)))
		return -1;
	headers = aligned(names + pieces.count * NAME_MAX_BYTES + 1);
	size = headers + (pieces.count + 2) * sizeof(Elf64_Shdr);
	image->bytes = memory_try(size); /* the file states the size, which may be more than there is memory */
	if (!image->bytes)
		return -1;
	memset(image->bytes, 0, sizeof(Elf64_Ehdr));
	memset(image->bytes + names, 0, size - names);
	fill_header((Elf64_Ehdr *)image->bytes, &header, headers, pieces.count);
	if (fill_all(image->bytes, &pieces, names, headers))
		image->elf = elf_memory(image->bytes, size);
	if (image->elf)
		return 0;
	debug_image_close(image);
	return -1;
}

void debug_image_close(struct debug_image *image)
{
	if (!image)
		return;
	elf_end(image->elf);
	free(image->bytes);
	*image = (struct debug_image){ 0 };
}

#include "core/symbols/elf/elf_symbols.h"

#include <lzma.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/symbols/elf/elf_file.h"

static bool ends_with_nul(const Elf_Data *strings)
{
	return strings->d_buf && strings->d_size && !((const char *)strings->d_buf)[strings->d_size - 1];
}

/* The first section of a given type. */
static Elf_Scn *find_section(Elf *elf, uint32_t type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return section;
	}
	return NULL;
}

bool elf_symbols_find(struct elf_symbols *t, Elf *elf, uint32_t type, bool *damaged)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(elf, type, &header), *linked;

	*t = (struct elf_symbols){ NULL, NULL };
	if (!section)
		return false;
	t->symbols = elf_getdata(section, NULL);
	linked = elf_getscn(elf, header.sh_link);
	if (linked)
		t->strings = elf_getdata(linked, NULL);
	if (t->symbols && t->symbols->d_buf && t->symbols->d_size && header.sh_entsize && t->strings &&
	    ends_with_nul(t->strings))
		return true;
	*damaged = true;
	return false;
}

/* --- the little table in .gnu_debugdata --- */

enum {
	FIRST_BYTES = 1 << 20,
	BYTES_MAX = 256 << 20, /* anything that decompresses to more is not a table */
	MEMORY_MAX = 128 << 20,
};

/* Decompresses.  Returns the number of bytes in *bytes, which the caller frees; 0: the data is damaged. */
static size_t unpack(const Elf_Data *packed, char **bytes)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	size_t cap = 0, done = 0;
	lzma_ret result = LZMA_OK;

	*bytes = NULL;
	if (lzma_stream_decoder(&stream, MEMORY_MAX, 0) != LZMA_OK)
		return 0;
	stream.next_in = packed->d_buf;
	stream.avail_in = packed->d_size;
	while (result == LZMA_OK && done < BYTES_MAX) {
		*bytes = xgrow(*bytes, &cap, done ? done + 1 : FIRST_BYTES, 1);
		stream.next_out = (uint8_t *)*bytes + done;
		stream.avail_out = cap - done;
		result = lzma_code(&stream, LZMA_FINISH);
		done = cap - stream.avail_out;
	}
	lzma_end(&stream);
	return result == LZMA_STREAM_END ? done : 0;
}

int debugdata_open(struct debugdata *d, Elf *elf)
{
	const Elf_Data *packed = elf_file_section(elf, ".gnu_debugdata", NULL);
	size_t len;

	*d = (struct debugdata){ 0 };
	if (!packed || !packed->d_buf)
		return -1;
	len = unpack(packed, &d->bytes);
	if (len)
		d->elf = elf_memory(d->bytes, len);
	if (d->elf && elf_kind(d->elf) == ELF_K_ELF)
		return 0;
	debugdata_close(d);
	return -1;
}

void debugdata_close(struct debugdata *d)
{
	elf_end(d->elf);
	free(d->bytes);
	*d = (struct debugdata){ 0 };
}

#include "core/symbols/elf/elf_file.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "core/symbols/elf/module_file.h"

enum { VDSO_BYTES_MAX = 64 * 1024 };

static void libelf_init(void)
{
	elf_version(EV_CURRENT);
}

static void prepare_libelf(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, libelf_init);
}

static void elf_file_read_segments(Elf *elf, struct elf_segments *segments)
{
	size_t count;
	GElf_Phdr header;

	segments->count = 0;
	if (elf_getphdrnum(elf, &count))
		return;
	for (size_t i = 0; i < count && segments->count < ELF_SEGMENTS_MAX; i++) {
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD)
			segments->items[segments->count++] =
				(struct elf_segment){ header.p_vaddr, header.p_offset, header.p_memsz };
	}
}

bool elf_to_offset(const struct elf_segments *segments, uint64_t address, uint64_t *offset)
{
	for (size_t i = 0; i < segments->count; i++) {
		const struct elf_segment *s = &segments->items[i];

		if (address - s->address < s->size) {
			*offset = address - s->address + s->offset;
			return true;
		}
	}
	return false;
}

bool elf_to_address(const struct elf_segments *segments, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < segments->count; i++) {
		const struct elf_segment *s = &segments->items[i];

		if (offset - s->offset < s->size) {
			*address = offset - s->offset + s->address;
			return true;
		}
	}
	return false;
}

Elf_Data *elf_file_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	GElf_Shdr found;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *text;

		if (!gelf_getshdr(section, &found) || !(text = elf_strptr(elf, names, found.sh_name)) ||
		    strcmp(text, name))
			continue;
		if (header)
			*header = found;
		return elf_getdata(section, NULL);
	}
	return NULL;
}

/* The id in the first note "GNU", NT_GNU_BUILD_ID. */
static size_t find_note(Elf_Data *data, uint8_t *id)
{
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while (data && data->d_buf && (at = gelf_getnote(data, at, &note, &name, &desc))) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
		    memcmp((char *)data->d_buf + name, "GNU", sizeof("GNU")) || !note.n_descsz ||
		    note.n_descsz > BUILD_ID_MAX)
			continue;
		memcpy(id, (char *)data->d_buf + desc, note.n_descsz);
		return note.n_descsz;
	}
	return 0;
}

/* Debug files have their notes in sections only; files without a section table have them in segments. */
static size_t find_build_id(Elf *elf, uint8_t *id)
{
	Elf_Scn *section = NULL;
	size_t len = 0, segments;
	GElf_Shdr header;
	GElf_Phdr segment;

	while (!len && (section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE)
			len = find_note(elf_getdata(section, NULL), id);
	}
	if (len || elf_getphdrnum(elf, &segments))
		return len;
	for (size_t i = 0; !len && i < segments && i < ELF_SEGMENTS_MAX; i++) {
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_NOTE)
			len = find_note(elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz,
							     segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR),
					id);
	}
	return len;
}

size_t elf_build_id(int fd, uint8_t *id)
{
	size_t len;
	Elf *elf;

	prepare_libelf();
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	len = elf && elf_kind(elf) == ELF_K_ELF ? find_build_id(elf, id) : 0;
	elf_end(elf);
	return len;
}

struct elf_build_id elf_file_build_id(Elf *elf)
{
	struct elf_build_id hex = { "" };
	uint8_t id[BUILD_ID_MAX];
	size_t len = find_build_id(elf, id);

	for (size_t i = 0; i < len; i++)
		snprintf(hex.text + 2 * i, 3, "%02x", id[i]);
	return hex;
}

bool is_build_id(const char *id)
{
	return strlen(id) >= 8 && strspn(id, "0123456789abcdef") == strlen(id);
}

/* The size of an image in memory: it ends with its table of sections. */
static size_t image_size(const char *image)
{
	const Elf64_Ehdr *header = (const void *)image;

	return (size_t)header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
}

static int opened(struct elf_file *f)
{
	if (f->elf && elf_kind(f->elf) == ELF_K_ELF) {
		elf_file_read_segments(f->elf, &f->segments);
		return 0;
	}
	elf_file_close(f);
	return -1;
}

int elf_file_open_fd(struct elf_file *f, int fd)
{
	prepare_libelf();
	*f = (struct elf_file){ .elf = elf_begin(fd, ELF_C_READ_MMAP, NULL), .fd = fd };
	return opened(f);
}

int elf_file_open_memory(struct elf_file *f, void *image, size_t size)
{
	prepare_libelf();
	*f = (struct elf_file){ .elf = elf_memory(image, size), .fd = -1 };
	return opened(f);
}

/* Open the vdso of this process: it is the right one only on the recording's machine. */
static int open_vdso(struct elf_file *f, const struct module *module, enum why *why)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR); // NOLINT: the kernel gives a number

	*why = module->elsewhere ? WHY_OTHER_KERNEL : WHY_NO_FILE;
	*f = (struct elf_file){ .fd = -1 };
	if (module->elsewhere && !is_build_id(module->id))
		return -1;
	if (!image || image_size(image) > VDSO_BYTES_MAX)
		return -1;
	prepare_libelf();
	f->elf = elf_memory(image, image_size(image));
	*why = WHY_OTHER_KERNEL;
	if (f->elf && (!is_build_id(module->id) || !strcmp(elf_file_build_id(f->elf).text, module->id))) {
		elf_file_read_segments(f->elf, &f->segments);
		return 0;
	}
	elf_file_close(f);
	return -1;
}

/* Is the file the one that was mapped? */
static bool has_wanted_id(const struct elf_file *f, const char *wanted, enum why *why)
{
	struct elf_build_id id = elf_file_build_id(f->elf);

	*why = *id.text || f->segments.count ? WHY_OTHER_BUILD : WHY_DAMAGED;
	return !strcmp(id.text, wanted);
}

static int open_by_way(struct elf_file *f, const struct module *module, int way, enum why *why)
{
	int fd = module_file_open(module, way, why);

	if (fd < 0)
		return -1;
	if (!is_build_id(module->id) && !module_file_is_same(module, way, fd)) {
		*why = WHY_OTHER_BUILD;
		close(fd);
		return -1;
	}
	*why = WHY_DAMAGED;
	if (elf_file_open_fd(f, fd))
		return -1;
	if (!is_build_id(module->id) || has_wanted_id(f, module->id, why))
		return 0;
	elf_file_close(f);
	return -1;
}

/* How informative a reason is: if several ways failed, the most informative reason counts. */
static int weight(enum why why)
{
	return why == WHY_OTHER_BUILD ? 3 : why == WHY_DAMAGED ? 2 : why == WHY_NO_RIGHT;
}

int elf_file_open(struct elf_file *f, const struct module *module, enum why *why)
{
	enum why reason;

	*f = (struct elf_file){ .fd = -1 };
	if (module->kind == MODULE_VDSO)
		return open_vdso(f, module, why);
	*why = module->elsewhere ? WHY_ELSEWHERE : WHY_NO_FILE;
	if (module->elsewhere && !is_build_id(module->id))
		return -1;
	for (int way = 0; way < MODULE_FILE_WAYS; way++) {
		if (open_by_way(f, module, way, &reason) == 0)
			return 0;
		if (!module->elsewhere && weight(reason) > weight(*why))
			*why = reason;
	}
	return -1;
}

size_t elf_module_build_id(const struct module *module, uint8_t *id)
{
	struct elf_file file;
	enum why why;
	size_t len = 0;

	if (is_build_id(module->id)) {
		while (len < BUILD_ID_MAX && sscanf(module->id + 2 * len, "%2hhx", &id[len]) == 1)
			len++;
	} else if (elf_file_open(&file, module, &why) == 0) {
		len = find_build_id(file.elf, id);
		elf_file_close(&file);
	}
	return len;
}

void elf_file_close(struct elf_file *f)
{
	if (!f)
		return;
	elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
	*f = (struct elf_file){ .fd = -1 };
}

#include "core/symbols/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/symbols/chooser.h"

enum { MAX_SEGMENTS = 64, VDSO_BYTES_MAX = 64 * 1024 };

/* Loadable segments, to turn a symbol's address into an offset in the file. */
struct segments {
	struct segment {
		uint64_t address, offset, size;
	} items[MAX_SEGMENTS];
	size_t count;
};

static void libelf_init(void)
{
	elf_version(EV_CURRENT);
}

static void prepare_libelf(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, libelf_init);
}

static void read_segments(Elf *elf, struct segments *segments)
{
	size_t count;
	GElf_Phdr header;

	segments->count = 0;
	if (elf_getphdrnum(elf, &count))
		return;
	for (size_t i = 0; i < count && segments->count < MAX_SEGMENTS; i++) {
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD)
			segments->items[segments->count++] = (struct segment){
				header.p_vaddr, header.p_offset, header.p_memsz
			};
	}
}

static bool to_offset(const struct segments *segments, uint64_t address, uint64_t *offset)
{
	for (size_t i = 0; i < segments->count; i++) {
		const struct segment *s = &segments->items[i];

		if (address - s->address < s->size) {
			*offset = address - s->address + s->offset;
			return true;
		}
	}
	return false;
}

/* The first note "GNU", NT_GNU_BUILD_ID in the file. */
static size_t find_build_id(Elf *elf, uint8_t *id)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data;
		GElf_Nhdr note;
		size_t at = 0, name, desc;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE ||
		    !(data = elf_getdata(section, NULL)))
			continue;
		while ((at = gelf_getnote(data, at, &note, &name, &desc))) {
			if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
			    memcmp((char *)data->d_buf + name, "GNU", sizeof("GNU")) ||
			    !note.n_descsz || note.n_descsz > BUILD_ID_MAX)
				continue;
			memcpy(id, (char *)data->d_buf + desc, note.n_descsz);
			return note.n_descsz;
		}
	}
	return 0;
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

static bool names_code(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info), visibility = GELF_ST_VISIBILITY(symbol->st_other);

	if (symbol->st_shndx == SHN_UNDEF || !symbol->st_name)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	/* Labels of assembler code, e.g. _start. */
	return type == STT_NOTYPE && symbol->st_shndx != SHN_ABS && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

static void offer_symbol(struct chooser *chooser, const GElf_Sym *symbol, const Elf_Data *strings,
			 const struct segments *segments)
{
	int binding = GELF_ST_BIND(symbol->st_info);
	struct symbol s = { .size = symbol->st_size, .weak = binding == STB_WEAK,
			    .local = binding == STB_LOCAL };

	if (!names_code(symbol) || symbol->st_name >= strings->d_size ||
	    !to_offset(segments, symbol->st_value, &s.start))
		return;
	s.name = (const char *)strings->d_buf + symbol->st_name;
	if (!*s.name || *s.name == '$') /* mapping symbols of arm64: $x, $d */
		return;
	chooser_offer(chooser, &s);
}

/* So that every name in it ends, too. */
static bool ends_with_nul(const Elf_Data *strings)
{
	return strings->d_buf && strings->d_size && !((const char *)strings->d_buf)[strings->d_size - 1];
}

/* The section of a type, and the strings that belong to it. */
static Elf_Data *find_table(Elf *elf, uint32_t type, Elf_Data **strings)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Scn *linked;

		if (!gelf_getshdr(section, &header) || header.sh_type != type || !header.sh_entsize)
			continue;
		linked = elf_getscn(elf, header.sh_link);
		*strings = linked ? elf_getdata(linked, NULL) : NULL;
		return *strings && ends_with_nul(*strings) ? elf_getdata(section, NULL) : NULL;
	}
	return NULL;
}

/* Hundreds of thousands of symbols are worth a loop without calls. */
static void offer_all(struct chooser *chooser, Elf *elf, Elf_Data *table, const Elf_Data *strings,
		      const struct segments *segments)
{
	GElf_Sym symbol;

	if (gelf_getclass(elf) == ELFCLASS64 && (uintptr_t)table->d_buf % _Alignof(Elf64_Sym) == 0) {
		const Elf64_Sym *symbols = table->d_buf;

		for (size_t i = 0; i < table->d_size / sizeof(*symbols); i++)
			offer_symbol(chooser, &symbols[i], strings, segments);
		return;
	}
	for (int i = 0; gelf_getsym(table, i, &symbol); i++)
		offer_symbol(chooser, &symbol, strings, segments);
}

/* Offer every symbol of the best table.  Returns false if there is none. */
static bool offer_table(struct chooser *chooser, Elf *elf, const struct segments *segments)
{
	static const uint32_t types[] = { SHT_SYMTAB, SHT_DYNSYM };

	for (size_t t = 0; t < 2; t++) {
		Elf_Data *strings, *table = find_table(elf, types[t], &strings);

		if (!table || !table->d_size)
			continue;
		offer_all(chooser, elf, table, strings, segments);
		return true;
	}
	return false;
}

/* Segments are those of the file that was mapped: a debug file may lack them. */
static int resolve_from(Elf *table, const struct segments *segments, struct place *wanted,
			size_t count, struct arena *names)
{
	struct chooser chooser;
	bool found;

	chooser_init(&chooser, wanted, count);
	found = offer_table(&chooser, table, segments);
	chooser_finish(&chooser, names); /* reads names that lie in the mapped file */
	return found ? 0 : -1;
}

struct hex_id {
	char text[2 * BUILD_ID_MAX + 1]; /* "" when there is none */
};

static struct hex_id hex_build_id(Elf *elf)
{
	struct hex_id hex = { "" };
	uint8_t id[BUILD_ID_MAX];
	size_t len = find_build_id(elf, id);

	for (size_t i = 0; i < len; i++)
		snprintf(hex.text + 2 * i, 3, "%02x", id[i]);
	return hex;
}

static bool has_build_id(Elf *elf, const char *wanted)
{
	return !strcmp(hex_build_id(elf).text, wanted);
}

/* "1a2b..." and not "8:1:1234" or "-". */
static bool is_build_id(const char *id)
{
	return strlen(id) >= 8 && strspn(id, "0123456789abcdef") == strlen(id);
}

static bool is_same_file(int fd, const char *id)
{
	unsigned int major, minor;
	unsigned long long inode;
	struct stat st;

	if (sscanf(id, "%x:%x:%llx", &major, &minor, &inode) != 3)
		return true; /* nothing to compare */
	/* The device of a mapping and that of stat() differ on btrfs and overlayfs. */
	return fstat(fd, &st) == 0 && st.st_ino == inode;
}

/* /usr/lib/debug/.build-id/1a/2b3c.debug, where debug packages put symbols. */
static int open_debug_file(const char *id)
{
	char path[128];

	if (!is_build_id(id))
		return -1;
	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static bool resolve_from_debug_file(const char *id, const struct segments *segments,
				    struct place *wanted, size_t count, struct arena *names)
{
	int fd = open_debug_file(id);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool done = elf && elf_kind(elf) == ELF_K_ELF && has_build_id(elf, id) &&
		    resolve_from(elf, segments, wanted, count, names) == 0;

	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return done;
}

static int resolve_file(const struct module *module, int fd, struct place *wanted, size_t count,
			struct arena *names, const char **why)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	struct segments segments;
	int status = -1;

	*why = "no ELF file";
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		goto out;
	*why = "another build than the one recorded";
	if (is_build_id(module->id) ? !has_build_id(elf, module->id) : !is_same_file(fd, module->id))
		goto out;
	read_segments(elf, &segments);
	*why = "no symbol table";
	if (resolve_from_debug_file(hex_build_id(elf).text, &segments, wanted, count, names))
		status = 0;
	else
		status = resolve_from(elf, &segments, wanted, count, names);
out:
	elf_end(elf);
	return status;
}

size_t elf_module_build_id(const struct module *module, uint8_t *id)
{
	size_t len = 0;
	int fd;

	if (is_build_id(module->id)) {
		while (len < BUILD_ID_MAX && sscanf(module->id + 2 * len, "%2hhx", &id[len]) == 1)
			len++;
		return len;
	}
	fd = module_open(module);
	if (fd >= 0 && is_same_file(fd, module->id))
		len = elf_build_id(fd, id);
	if (fd >= 0)
		close(fd);
	return len;
}

int elf_resolve(const struct module *module, struct place *wanted, size_t count,
		struct arena *names, const char **why)
{
	int fd = module_open(module), status;
	struct stat st;

	prepare_libelf();
	*why = "file not found";
	if (fd < 0)
		return -1;
	*why = "no regular file";
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		status = -1;
	else
		status = resolve_file(module, fd, wanted, count, names, why);
	close(fd);
	return status;
}

/* The size of an image in memory: its sections are its end. */
static size_t image_size(const char *image)
{
	const Elf64_Ehdr *header = (const void *)image;

	return (size_t)header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
}

int elf_resolve_vdso(const struct module *module, struct place *wanted, size_t count,
		     struct arena *names)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR); // NOLINT: the kernel gives a number
	struct segments segments;
	int status = -1;
	Elf *elf;

	if (!image || image_size(image) > VDSO_BYTES_MAX)
		return -1;
	prepare_libelf();
	elf = elf_memory(image, image_size(image));
	if (elf && (!is_build_id(module->id) || has_build_id(elf, module->id))) {
		read_segments(elf, &segments);
		status = resolve_from(elf, &segments, wanted, count, names);
	}
	elf_end(elf);
	return status;
}

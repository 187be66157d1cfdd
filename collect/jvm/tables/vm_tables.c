#include "collect/jvm/tables/vm_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/runtime/remote.h"
#include "core/intern.h"
#include "core/memory.h"
#include "core/str.h"

/* --- reading another process's memory by whole pages, each page once --- */

/* Used for constant tables of thousands of small items, where a system call for each would take too long. */

struct remote_pages {
	struct remote remote; /* read through this */
	const struct remote *from;
	struct remote_page *pages;
};

enum { PAGE = 4096, PAGES = 128 }; /* each page has a single slot that it can be in */

struct remote_page {
	uint64_t number; /* page number + 1; 0: the slot is empty */
	uint8_t bytes[PAGE];
};

static const uint8_t *get_page(const struct remote_pages *p, uint64_t number)
{
	struct remote_page *page = &p->pages[number % PAGES];

	if (page->number == number + 1)
		return page->bytes;
	page->number = remote_read(p->from, number * PAGE, page->bytes, PAGE) ? number + 1 : 0;
	return page->number ? page->bytes : NULL;
}

static bool read_from_pages(const struct remote *r, uint64_t address, void *to, size_t len)
{
	const struct remote_pages *p = r->argument;

	while (len) {
		size_t at = address % PAGE, part = len < PAGE - at ? len : PAGE - at;
		const uint8_t *bytes = get_page(p, address / PAGE);

		if (!bytes)
			return remote_read(p->from, address, to, len);
		memcpy(to, bytes + at, part);
		address += part;
		to = (uint8_t *)to + part;
		len -= part;
	}
	return true;
}

/* From must outlive p. */
static void remote_pages_init(struct remote_pages *p, const struct remote *from)
{
	*p = (struct remote_pages){ .remote = { .pid = from->pid, .read = read_from_pages, .argument = p },
				    .from = from,
				    .pages = xcalloc(PAGES, sizeof(*p->pages)) };
}

static void remote_pages_free(struct remote_pages *p)
{
	free(p->pages);
	*p = (struct remote_pages){ 0 };
}

/* --- the tables --- */

/* More than any JVM has (JDK 8 to 28: about 800 entries in each table): stops at endless tables. */
enum { ENTRIES_MAX = 8192, NAME_MAX_BYTES = 256, STRIDE_MAX = 256 };

struct vm_entry {
	uint32_t type;  /* declared type of a field: its id in names + 1; 0: none */
	uint64_t value; /* an offset, an address, a size, or a constant */
	bool is_static;
};

struct vm_tables {
	struct intern names;      /* "S JavaThread::_osthread", "T oop", "C BytesPerWord" */
	struct vm_entry *entries; /* by id of the name */
	size_t cap;
	struct str text;
};

enum { FIRST, STRIDE, NAME, FIELD, TYPE, IS_STATIC, OFFSET, ADDRESS, VALUE, COLUMNS };

/* The variables of libjvm that describe a table. */
struct table {
	char kind;
	const char *columns[COLUMNS];
	size_t value_size;
};

#define PREFIX "gHotSpotVM"

static const struct table tables[] = {
	{ 'S',
	  { [FIRST] = PREFIX "Structs",
	    [STRIDE] = PREFIX "StructEntryArrayStride",
	    [NAME] = PREFIX "StructEntryTypeNameOffset",
	    [FIELD] = PREFIX "StructEntryFieldNameOffset",
	    [TYPE] = PREFIX "StructEntryTypeStringOffset",
	    [IS_STATIC] = PREFIX "StructEntryIsStaticOffset",
	    [OFFSET] = PREFIX "StructEntryOffsetOffset",
	    [ADDRESS] = PREFIX "StructEntryAddressOffset" },
	  8 },
	{ 'T',
	  { [FIRST] = PREFIX "Types",
	    [STRIDE] = PREFIX "TypeEntryArrayStride",
	    [NAME] = PREFIX "TypeEntryTypeNameOffset",
	    [VALUE] = PREFIX "TypeEntrySizeOffset" },
	  8 },
	{ 'C',
	  { [FIRST] = PREFIX "IntConstants",
	    [STRIDE] = PREFIX "IntConstantEntryArrayStride",
	    [NAME] = PREFIX "IntConstantEntryNameOffset",
	    [VALUE] = PREFIX "IntConstantEntryValueOffset" },
	  4 },
	{ 'C',
	  { [FIRST] = PREFIX "LongConstants",
	    [STRIDE] = PREFIX "LongConstantEntryArrayStride",
	    [NAME] = PREFIX "LongConstantEntryNameOffset",
	    [VALUE] = PREFIX "LongConstantEntryValueOffset" },
	  8 },
};

enum { TABLES = sizeof(tables) / sizeof(*tables) };

/* One entry of a table: its bytes, and the offsets of its columns. */
struct row {
	uint8_t bytes[STRIDE_MAX];
	uint64_t at[COLUMNS]; /* STRIDE_MAX: no such column */
};

static uint64_t vm_tables_load(const struct row *row, int column, size_t size)
{
	uint64_t value = 0;

	if (row->at[column] <= STRIDE_MAX - size)
		memcpy(&value, row->bytes + row->at[column], size);
	return value;
}

static void vm_tables_put(struct vm_tables *t, const char *key, struct vm_entry entry)
{
	uint32_t number = intern_add(&t->names, key, strlen(key));
	size_t before = t->cap;

	t->entries = xgrow(t->entries, &t->cap, number + 1, sizeof(*t->entries));
	memset(t->entries + before, 0, (t->cap - before) * sizeof(*t->entries));
	t->entries[number] = entry;
}

/* Add an entry.  Returns false at the end of the table. */
static bool vm_tables_add_row(struct vm_tables *t, const struct remote *r, const struct table *table,
			      const struct row *row)
{
	char name[NAME_MAX_BYTES], field[NAME_MAX_BYTES] = "", type[NAME_MAX_BYTES] = "";
	struct vm_entry entry = { 0 };

	if (!remote_text(r, vm_tables_load(row, NAME, 8), name, sizeof(name)) || !name[0])
		return false;
	str_clear(&t->text);
	str_addf(&t->text, "%c %s", table->kind, name);
	if (table->kind == 'S') {
		if (!remote_text(r, vm_tables_load(row, FIELD, 8), field, sizeof(field)))
			return false;
		str_addf(&t->text, "::%s", field);
		entry.is_static = vm_tables_load(row, IS_STATIC, 4) & 0xff;
		entry.value = vm_tables_load(row, entry.is_static ? ADDRESS : OFFSET, 8);
		if (vm_tables_load(row, TYPE, 8) && remote_text(r, vm_tables_load(row, TYPE, 8), type, sizeof(type)))
			entry.type = intern_add(&t->names, type, strlen(type)) + 1;
	} else {
		entry.value = vm_tables_load(row, VALUE, table->value_size);
		if (table->value_size == 4)
			entry.value = (uint64_t)(int64_t)(int32_t)entry.value;
	}
	vm_tables_put(t, t->text.buf, entry);
	return true;
}

static bool vm_tables_read_table(struct vm_tables *t, const struct remote *r, const struct runtime_symbol *symbols,
				 const struct table *table)
{
	uint64_t values[COLUMNS] = { 0 };
	struct row row = { 0 };

	for (int i = 0; i < COLUMNS; i++) {
		row.at[i] = STRIDE_MAX;
		if (!table->columns[i])
			continue;
		if (!symbols[i].address || !remote_u64(r, symbols[i].address, &values[i]))
			return false;
		row.at[i] = values[i];
	}
	if (!values[FIRST] || !values[STRIDE] || values[STRIDE] > STRIDE_MAX)
		return false;
	for (size_t i = 0; i < ENTRIES_MAX; i++) {
		if (!remote_read(r, values[FIRST] + i * values[STRIDE], row.bytes, values[STRIDE]))
			return false;
		if (!vm_tables_add_row(t, r, table, &row))
			return i > 0;
	}
	return false;
}

struct vm_tables *vm_tables_read(const struct remote *r, const struct runtime_file *lib)
{
	struct runtime_symbol symbols[TABLES * COLUMNS] = { { 0 } };
	struct vm_tables *t = xcalloc(1, sizeof(*t));
	struct remote_pages pages;
	bool read = true;

	for (int i = 0; i < TABLES; i++) {
		for (int c = 0; c < COLUMNS; c++)
			symbols[i * COLUMNS + c].name = tables[i].columns[c] ? tables[i].columns[c] : "";
	}
	runtime_symbols(lib, symbols, TABLES * COLUMNS);
	remote_pages_init(&pages, r);
	for (int i = 0; i < TABLES && read; i++)
		read = vm_tables_read_table(t, &pages.remote, symbols + i * COLUMNS, &tables[i]);
	remote_pages_free(&pages);
	str_free(&t->text);
	if (read)
		return t;
	vm_tables_free(t);
	return NULL;
}

static const struct vm_entry *vm_tables_find(const struct vm_tables *t, char kind, const char *type, const char *field)
{
	char key[2 * NAME_MAX_BYTES + 8];
	uint32_t number;
	int len;

	len = snprintf(key, sizeof(key), "%c %s%s%s", kind, type, field ? "::" : "", field ? field : "");
	number = len < (int)sizeof(key) ? intern_find(&t->names, key, (size_t)len) : UINT32_MAX;
	return number < t->names.count && number < t->cap ? &t->entries[number] : NULL;
}

int64_t vm_offset(const struct vm_tables *t, const char *type, const char *field)
{
	const struct vm_entry *e = vm_tables_find(t, 'S', type, field);

	return e && !e->is_static && e->value < 1u << 20 ? (int64_t)e->value : -1;
}

uint64_t vm_static(const struct vm_tables *t, const char *type, const char *field)
{
	const struct vm_entry *e = vm_tables_find(t, 'S', type, field);

	return e && e->is_static ? e->value : 0;
}

const char *vm_field_type(const struct vm_tables *t, const char *type, const char *field)
{
	const struct vm_entry *e = vm_tables_find(t, 'S', type, field);

	return e && e->type ? intern_text(&t->names, e->type - 1) : NULL;
}

uint64_t vm_size(const struct vm_tables *t, const char *type)
{
	const struct vm_entry *e = vm_tables_find(t, 'T', type, NULL);

	return e ? e->value : 0;
}

bool vm_constant(const struct vm_tables *t, const char *name, int64_t *value)
{
	const struct vm_entry *e = vm_tables_find(t, 'C', name, NULL);

	if (e)
		*value = (int64_t)e->value;
	return e;
}

/* Address of a flag's value; 0: there is no such flag.  JVMFlag::flags is an array of numFlags; it was called Flag
 * before JDK 11. */
static uint64_t find_flag(const struct vm_tables *t, const struct remote *r, const char *name)
{
	const char *type = vm_size(t, "JVMFlag") ? "JVMFlag" : "Flag";
	int64_t name_at = vm_offset(t, type, "_name"), value_at = vm_offset(t, type, "_addr");
	uint64_t size = vm_size(t, type), flags, count, text, at;
	char found[NAME_MAX_BYTES];

	if (name_at < 0 || value_at < 0 || !size || !remote_u64(r, vm_static(t, type, "flags"), &flags) ||
	    !remote_u64(r, vm_static(t, type, "numFlags"), &count))
		return 0;
	for (uint64_t i = 0; i < count && i < ENTRIES_MAX; i++) {
		at = flags + i * size;
		if (!remote_u64(r, at + (uint64_t)name_at, &text) || !remote_text(r, text, found, sizeof(found)) ||
		    strcmp(found, name))
			continue;
		return remote_u64(r, at + (uint64_t)value_at, &at) ? at : 0;
	}
	return 0;
}

bool vm_flag(const struct vm_tables *t, const struct remote *r, const char *name, uint64_t *value)
{
	struct remote_pages pages;
	uint64_t at;

	remote_pages_init(&pages, r);
	at = find_flag(t, &pages.remote, name);
	remote_pages_free(&pages);
	return at && remote_u64(r, at, value);
}

void vm_tables_free(struct vm_tables *t)
{
	if (!t)
		return;
	intern_free(&t->names);
	free(t->entries);
	free(t);
}

#include "core/symbols/jit/jitdump.h"

#include <byteswap.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

enum { LOAD, MOVE, DEBUG_INFO, CLOSE, UNWINDING_INFO, KNOWN_RECORDS, MAX_RECORD_ID = 64 };

enum {
	MAGIC = 0x4a695444, /* "JiTD" */
	HEADER_BYTES = 40,
	PREFIX_BYTES = 16,    /* id, size (both 4 bytes), time */
	LOAD_BYTES = 56,      /* prefix, pid, tid, vma, address, size, index; then name, code */
	MOVE_BYTES = 64,      /* prefix, pid, tid, vma, old address, new address, size, index */
	DEBUG_BYTES = 32,     /* prefix, address, count; then lines */
	LINE_BYTES = 16,      /* address, line, column; then file */
	UNWINDING_BYTES = 40, /* prefix, size, size of the header, mapped size; then .eh_frame, header */
	MAX_RECORD = 1 << 26,
	MAX_READ = 1 << 22, /* bytes of a record; larger ones are skipped */
	WINDOW = 1 << 16,
	MAX_SEARCH = 1 << 24,     /* bytes searched for the next record, after invalid bytes */
	OFFSETS_A_LOOK = 1 << 14, /* offsets tried between two looks at the clock */
	RECORDS_A_LOOK = 64,
	LONG_NAME = 4096,
	PADDING = 32, /* bytes that may follow a record */
};

#define MAX_PAUSE_NS (UINT64_C(30) * 86400 * 1000000000)

/* A part of the file, in memory. */
struct window {
	int fd;
	uint64_t size; /* size of the file */
	uint64_t start;
	size_t len, cap;
	uint8_t *bytes;
};

/* The len bytes at an offset, valid until the next call; NULL if the file is too short. */
static const uint8_t *window_at(struct window *w, uint64_t offset, size_t len)
{
	size_t want = len < WINDOW ? WINDOW : len;
	ssize_t n;

	if (offset > w->size || len > w->size - offset)
		return NULL;
	if (offset >= w->start && offset - w->start <= w->len && len <= w->len - (offset - w->start))
		return w->bytes + (offset - w->start);
	w->bytes = xgrow(w->bytes, &w->cap, want, 1);
	w->start = offset;
	n = pread(w->fd, w->bytes, want, (off_t)offset);
	w->len = n > 0 ? (size_t)n : 0;
	return len <= w->len ? w->bytes : NULL;
}

static uint32_t get_u32(const struct jitdump *d, const uint8_t *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return d->swapped ? bswap_32(n) : n;
}

static uint64_t get_u64(const struct jitdump *d, const uint8_t *p)
{
	uint64_t n;

	memcpy(&n, p, sizeof(n));
	return d->swapped ? bswap_64(n) : n;
}

struct dump_record {
	uint32_t id, size;
	uint64_t time_ns;
};

static struct dump_record read_prefix(const struct jitdump *d, const uint8_t *p)
{
	return (struct dump_record){ get_u32(d, p), get_u32(d, p + 4), get_u64(d, p + 8) };
}

/* May this be a record?  Unknown records can be skipped; an arbitrary size and number are invalid. */
static bool looks_whole(const struct dump_record *r)
{
	static const uint32_t least[KNOWN_RECORDS] = { LOAD_BYTES + 1, MOVE_BYTES, DEBUG_BYTES, PREFIX_BYTES,
						       UNWINDING_BYTES };

	return r->id < MAX_RECORD_ID && r->size <= MAX_RECORD &&
	       r->size >= (r->id < KNOWN_RECORDS ? least[r->id] : PREFIX_BYTES);
}

/* --- header -------------------------------------------------------------------------- */

/* magic, version, size, ELF machine, padding, pid (4 bytes each), time, flags (8 each) */
static void jitdump_read_header(struct jitdump *d, struct window *w)
{
	enum { ARCH_TIMESTAMP = 1 };
	const uint8_t *p = window_at(w, 0, HEADER_BYTES);
	uint32_t size;

	if (!p)
		return;
	d->swapped = get_u32(d, p) == bswap_32(MAGIC);
	size = get_u32(d, p + 8);
	if (get_u32(d, p) != MAGIC || size < HEADER_BYTES || size > WINDOW)
		d->refused = "is not a jitdump";
	else if (get_u32(d, p + 4) != 1)
		d->refused = "has an unknown jitdump version";
	else if (get_u64(d, p + 32) & ARCH_TIMESTAMP)
		d->refused = "uses the processor's own clock, which samples do not";
	d->at = size;
	d->begun = true;
}

/* --- records ------------------------------------------------------------------------- */

/* Turn the n entries, which must be inside the piece, into addresses of the module.  V8 adds the size of an ELF
 * header, 64, to each address, since perf inject puts the code after such a header. */
static bool settle_lines(struct jit_line *lines, size_t n, const struct jit_piece *piece)
{
	uint64_t least = UINT64_MAX, added;

	for (size_t i = 0; i < n; i++)
		least = lines[i].address - piece->start < least ? lines[i].address - piece->start : least;
	added = least == sizeof(Elf64_Ehdr) ? sizeof(Elf64_Ehdr) : 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t at = lines[i].address - piece->start - added;

		if (at > piece->size)
			return false;
		lines[i].address = piece->offset + at;
	}
	return true;
}

/* A line is "address line column file\0"; the file "\xff" is that of the previous entry. */
static size_t jitdump_read_lines(const struct jitdump *d, const uint8_t *p, const uint8_t *end, uint64_t count,
				 struct jit_code *code)
{
	size_t n = 0;

	for (; count && end - p > LINE_BYTES; count--, n++) {
		const char *file = (const char *)p + LINE_BYTES;
		size_t len = strnlen(file, (size_t)(end - p) - LINE_BYTES);
		struct jit_line *line;

		code->lines = xgrow(code->lines, &code->line_cap, code->line_count + n + 1, sizeof(*code->lines));
		line = &code->lines[code->line_count + n];
		*line = (struct jit_line){ .address = get_u64(d, p), .line = get_u32(d, p + 8) };
		if (n && len == 1 && *file == '\xff')
			line->file = line[-1].file;
		else
			line->file = intern_add(&code->files, file, len);
		p += LINE_BYTES + (size_t)(file + len < (const char *)end ? len + 1 : len);
	}
	return n;
}

static void jitdump_add_lines(const struct jitdump *d, struct window *w, struct jit_code *code, struct jit_piece *piece)
{
	const uint8_t *p = window_at(w, d->lines_at, d->lines_size);
	size_t n;

	if (!p || get_u64(d, p + PREFIX_BYTES) != piece->start)
		return;
	/* V8's baseline compiler gives offsets in bytecode instead of addresses */
	if (!strncmp(jit_piece_name(code, piece), "JS:^", 4))
		return;
	n = jitdump_read_lines(d, p + DEBUG_BYTES, p + d->lines_size, get_u64(d, p + PREFIX_BYTES + 8), code);
	if (!n || !settle_lines(code->lines + code->line_count, n, piece))
		return;
	code->line_count += n;
	jit_code_add_source(code, piece, code->line_count - n);
}

/* The record is made for perf inject, which puts .eh_frame after the code, aligned to 8. */
static void add_unwinding(const struct jitdump *d, struct window *w, struct jit_code *code,
			  const struct jit_piece *piece)
{
	const uint8_t *p = window_at(w, d->unwinding_at, d->unwinding_size);
	uint64_t size, header_size;

	if (!p)
		return;
	size = get_u64(d, p + PREFIX_BYTES);
	header_size = get_u64(d, p + PREFIX_BYTES + 8);
	if (size > d->unwinding_size - UNWINDING_BYTES || header_size > size) {
		code->bad++;
		return;
	}
	if (header_size == size) /* V8: the code has no .eh_frame */
		return;
	code->unwinding =
		xgrow(code->unwinding, &code->unwinding_cap, code->unwinding_count + 1, sizeof(*code->unwinding));
	code->unwinding[code->unwinding_count++] = (struct jit_unwinding){
		.offset = piece->offset,
		.size = piece->size,
		.eh_frame_address = piece->offset + ((piece->size + 7) & ~UINT64_C(7)),
		.at = code->bytes.len,
		.len = size - header_size,
	};
	str_add(&code->bytes, (const char *)p + UNWINDING_BYTES, size - header_size);
}

static void read_load(const struct jitdump *d, struct window *w, const struct dump_record *r, struct jit_code *code)
{
	size_t most = r->size < WINDOW ? r->size : WINDOW, len;
	const uint8_t *p = window_at(w, d->at, most);
	uint64_t start, size;
	struct jit_piece *piece;

	if (!p)
		return;
	start = get_u64(d, p + 32);
	size = get_u64(d, p + 40);
	len = strnlen((const char *)p + LOAD_BYTES, most - LOAD_BYTES);
	if (len == most - LOAD_BYTES || size > r->size - LOAD_BYTES - len - 1) {
		code->bad++;
		return;
	}
	piece = jit_code_add(code, start, size, d->at + LOAD_BYTES + len + 1, (const char *)p + LOAD_BYTES, len);
	if (!piece)
		return;
	piece->from_ns = piece->seen_ns = r->time_ns;
	piece->by_time = true;
	if (d->lines_at)
		jitdump_add_lines(d, w, code, piece);
	if (d->unwinding_at)
		add_unwinding(d, w, code, piece);
}

static void read_move(const struct jitdump *d, struct window *w, const struct dump_record *r, struct jit_code *code)
{
	const uint8_t *p = window_at(w, d->at, MOVE_BYTES);
	const struct jit_piece *old = p ? jit_code_at(code, get_u64(d, p + 32)) : NULL;
	struct jit_piece copy, *piece;

	if (!old) {
		code->bad++;
		return;
	}
	copy = *old;
	piece = jit_code_add(code, get_u64(d, p + 40), copy.size, copy.offset, "", 0);
	if (!piece)
		return;
	copy.start = piece->start;
	copy.from_ns = copy.seen_ns = r->time_ns;
	*piece = copy;
}

static void jitdump_read_record(struct jitdump *d, struct window *w, const struct dump_record *r, struct jit_code *code)
{
	switch (r->id) {
	case LOAD:
		read_load(d, w, r, code);
		d->lines_at = d->unwinding_at = 0;
		break;
	case MOVE: read_move(d, w, r, code); break;
	case DEBUG_INFO:
		d->lines_at = r->size <= MAX_READ ? d->at : 0;
		d->lines_size = r->size;
		code->bad += !d->lines_at;
		break;
	case UNWINDING_INFO:
		d->unwinding_at = r->size <= MAX_READ ? d->at : 0;
		d->unwinding_size = r->size;
		code->bad += !d->unwinding_at;
		break;
	}
}

/* --- walking them -------------------------------------------------------------------- */

/* Do the parts of a record add up to its size? */
static bool is_full(const struct jitdump *d, struct window *w, uint64_t offset, const struct dump_record *r)
{
	size_t len = r->size < LONG_NAME ? r->size : LONG_NAME, name_len;
	const uint8_t *p = window_at(w, offset, len);
	uint64_t size;

	if (!p)
		return false;
	switch (r->id) {
	case LOAD:
		name_len = strnlen((const char *)p + LOAD_BYTES, len - LOAD_BYTES);
		size = get_u64(d, p + 40);
		return size && size <= r->size && r->size - size - LOAD_BYTES - name_len - 1 < PADDING;
	case MOVE: return r->size - MOVE_BYTES < PADDING;
	case DEBUG_INFO: return get_u64(d, p + PREFIX_BYTES + 8) <= (r->size - DEBUG_BYTES) / (LINE_BYTES + 1);
	case UNWINDING_INFO: return r->size - UNWINDING_BYTES - get_u64(d, p + PREFIX_BYTES) < PADDING;
	}
	return r->size == PREFIX_BYTES;
}

/* Is there certainly a record at an offset?  This is asked during the search, about arbitrary bytes. */
static bool is_record(const struct jitdump *d, struct window *w, uint64_t offset)
{
	const uint8_t *p = window_at(w, offset, PREFIX_BYTES);
	struct dump_record r;

	if (!p)
		return false;
	r = read_prefix(d, p);
	if (r.id >= KNOWN_RECORDS || !looks_whole(&r) || r.size > w->size - offset || !r.time_ns)
		return false;
	return (!d->last_ns || r.time_ns - d->last_ns < MAX_PAUSE_NS || d->last_ns - r.time_ns < MAX_PAUSE_NS) &&
	       is_full(d, w, offset, &r);
}

/* The offset of the next record; if there is none, where to search next time, and *found is false. */
static uint64_t find_record(const struct jitdump *d, struct window *w, const struct patience *patience, bool *found)
{
	off_t data = lseek(w->fd, (off_t)d->at, SEEK_DATA);
	uint64_t offset = d->at + 1;

	if (data < 0 && errno == ENXIO) /* the rest of the file is a hole */
		return d->at;
	/* Holes in the file are skipped.  A record may begin with zeros, which may be in the hole. */
	if (data >= PREFIX_BYTES && (uint64_t)data - PREFIX_BYTES > offset)
		offset = (uint64_t)data - PREFIX_BYTES;
	for (unsigned n = 0; w->size - offset >= PREFIX_BYTES && n < MAX_SEARCH; n++, offset++) {
		*found = is_record(d, w, offset);
		if (*found || (n % OFFSETS_A_LOOK == 0 && patience_is_over(patience)))
			return offset;
	}
	return w->size - offset >= PREFIX_BYTES ? offset : d->at;
}

static bool pass_over_damage(struct jitdump *d, struct window *w, bool last, bool whole,
			     const struct patience *patience, struct jit_code *code)
{
	bool found = false;
	uint64_t next;

	if (!last && d->stuck_size == w->size)
		return false;
	next = find_record(d, w, patience, &found);
	if (!found && next != d->at && patience_is_over(patience)) {
		d->at = next; /* continue the search there */
		return false;
	}
	d->cut = last && whole && !found && next == d->at;
	code->bad += found || (last && !d->cut);
	d->stuck_size = found ? 0 : w->size;
	found |= next != d->at;
	d->at = next;
	return found;
}

/* Reads the next record.  Returns false when there is nothing to read yet. */
static bool read_next(struct jitdump *d, struct window *w, bool last, const struct patience *patience,
		      struct jit_code *code)
{
	const uint8_t *p = window_at(w, d->at, PREFIX_BYTES);
	struct dump_record r;
	bool whole;

	if (!p)
		return false;
	r = read_prefix(d, p);
	whole = looks_whole(&r);
	if (whole && r.size <= w->size - d->at) {
		jitdump_read_record(d, w, &r, code);
		d->at += r.size;
		d->last_ns = r.time_ns;
		return true;
	}
	return whole && !last ? false : pass_over_damage(d, w, last, whole, patience, code);
}

/* Reads all records.  Returns whether everything is read. */
static bool jitdump_read_all(struct jitdump *d, struct window *w, bool last, const struct patience *patience,
			     struct jit_code *code)
{
	for (unsigned n = 0; !jit_code_is_full(code); n++) {
		if (n % RECORDS_A_LOOK == 0 && patience_is_over(patience))
			return false;
		if (!read_next(d, w, last, patience, code))
			return !patience_is_over(patience);
	}
	return false;
}

bool jitdump_read(struct jitdump *d, int fd, bool last, const struct patience *patience, struct jit_code *code)
{
	struct window w = { .fd = fd };
	bool all = true;
	struct stat st;

	if (d->refused || fstat(fd, &st))
		return true;
	w.size = (uint64_t)st.st_size;
	if (!d->begun)
		jitdump_read_header(d, &w);
	if (d->begun && !d->refused)
		all = jitdump_read_all(d, &w, last, patience, code);
	d->unread = all || w.size < d->at ? 0 : w.size - d->at;
	free(w.bytes);
	return all || jit_code_is_full(code);
}

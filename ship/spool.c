#include "ship/spool.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/wallclock.h"
#include "ship/batch.h"
#include "ship/deliver.h"

/* ---- a parcel as a file ---- */

/* "pyrograph-parcel 1\n", numbers, the parts of their lengths, the hash of all before it.
 *
 * So a file that is cut short, that lost blocks in a power cut, or that a disk changed, is not taken for a parcel. */

enum { PARCEL_FILE_START = 256 }; /* its first bytes have all numbers */

#define MAGIC "pyrograph-parcel 1\n"

struct numbers {
	unsigned char id[SIP_BYTES];
	uint64_t rows, ns_sum, first_ns, last_ns, len[PARCEL_PARTS];
};

static_assert(sizeof(MAGIC) - 1 + sizeof(struct numbers) <= PARCEL_FILE_START, "the start has all numbers");

static void write_hashed(FILE *out, struct sip *s, const void *bytes, size_t len)
{
	if (!len)
		return;
	sip_add(s, bytes, len);
	fwrite(bytes, 1, len, out);
}

/* Errors are those of the stream. */
static void parcel_file_write(FILE *out, const struct parcel *p)
{
	struct numbers n = { .rows = p->rows, .ns_sum = p->ns_sum, .first_ns = p->first_ns, .last_ns = p->last_ns };
	struct parcel copy = *p;
	struct str *parts[PARCEL_PARTS];
	unsigned char hash[SIP_BYTES];
	struct sip s;

	parcel_parts(&copy, parts);
	memcpy(n.id, p->id, SIP_BYTES);
	for (int i = 0; i < PARCEL_PARTS; i++)
		n.len[i] = parts[i]->len;
	sip_begin(&s);
	write_hashed(out, &s, MAGIC, strlen(MAGIC));
	write_hashed(out, &s, &n, sizeof(n));
	for (int i = 0; i < PARCEL_PARTS; i++)
		write_hashed(out, &s, parts[i]->buf, parts[i]->len);
	sip_end(&s, hash);
	fwrite(hash, 1, SIP_BYTES, out);
}

static bool read_numbers(const char *start, size_t len, struct numbers *n)
{
	if (len < strlen(MAGIC) + sizeof(*n) || memcmp(start, MAGIC, strlen(MAGIC)) != 0)
		return false;
	memcpy(n, start + strlen(MAGIC), sizeof(*n));
	return true;
}

/* Does a file of this size that starts with these bytes, PARCEL_FILE_START or all, have the length that it states? */
static bool parcel_file_has_its_length(const char *start, size_t len, uint64_t size)
{
	struct numbers n;
	uint64_t at = strlen(MAGIC) + sizeof(n) + SIP_BYTES;

	if (!read_numbers(start, len, &n) || at > size)
		return false;
	for (int i = 0; i < PARCEL_PARTS; i++) {
		if (n.len[i] > size - at)
			return false;
		at += n.len[i];
	}
	return at == size;
}

static bool has_its_hash(const char *bytes, size_t size)
{
	unsigned char hash[SIP_BYTES];

	sip_hash(bytes, size - SIP_BYTES, hash);
	return !memcmp(hash, bytes + size - SIP_BYTES, SIP_BYTES);
}

/* Returns false, with an empty p, if these bytes are not a whole parcel. */
static bool parcel_file_parse(const char *bytes, size_t size, struct parcel *p)
{
	size_t at = strlen(MAGIC) + sizeof(struct numbers);
	struct str *parts[PARCEL_PARTS];
	struct numbers n;

	*p = (struct parcel){ 0 };
	if (!parcel_file_has_its_length(bytes, size, size) || !read_numbers(bytes, size, &n) ||
	    !has_its_hash(bytes, size))
		return false;
	parcel_parts(p, parts);
	for (int i = 0; i < PARCEL_PARTS; i++) {
		str_add(parts[i], bytes + at, n.len[i]);
		at += n.len[i];
	}
	memcpy(p->id, n.id, SIP_BYTES);
	p->rows = n.rows;
	p->ns_sum = n.ns_sum;
	p->first_ns = n.first_ns;
	p->last_ns = n.last_ns;
	return true;
}

/* ---- the spool ---- */

#define ENDING ".parcel"
#define DAMAGED ".damaged"
#define REFUSED ".refused"
#define DROPPED "dropped"

enum { ID_LEN = 2 * SIP_BYTES }; /* in a name, before its ending */

/* ---- files ---- */

/* Returns -1 with errno. */
static int ship_spool_open_file(const struct spool *s, const char *name)
{
	return openat(s->dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static bool ship_spool_read_whole(const struct spool *s, const char *name, struct str *out)
{
	int fd = ship_spool_open_file(s, name);
	struct stat info;
	ssize_t n = 1;

	str_clear(out);
	if (fd < 0)
		return false;
	if (!fstat(fd, &info) && S_ISREG(info.st_mode))
		str_reserve(out, (size_t)info.st_size);
	while (n > 0 && out->len < out->cap) {
		n = read(fd, out->buf + out->len, out->cap - out->len);
		out->len += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	return n >= 0;
}

/* ---- the directory ---- */

struct entries {
	char **names; /* [count], sorted: the oldest first */
	size_t count, cap;
};

static bool ship_spool_ends_in(const char *name, const char *ending)
{
	size_t len = strlen(name);

	return len > strlen(ending) && name[0] != '.' && !strcmp(name + len - strlen(ending), ending);
}

static int ship_spool_by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void tell_unread(struct spool *s, int err)
{
	if (!s->unread)
		error("%s: cannot be read: %s%s", s->path, strerror(err), err == EMFILE ? " (ulimit -n)" : "");
	s->unread = true;
}

static struct entries ship_spool_list(struct spool *s, const char *ending)
{
	struct entries e = { 0 };
	int fd = openat(s->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir)
		tell_unread(s, errno);
	while (dir && (entry = readdir(dir))) {
		if (!ship_spool_ends_in(entry->d_name, ending))
			continue;
		e.names = xgrow(e.names, &e.cap, e.count + 1, sizeof(*e.names));
		e.names[e.count++] = xstrdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (e.count)
		qsort(e.names, e.count, sizeof(*e.names), ship_spool_by_name);
	return e;
}

static void entries_free(struct entries *e)
{
	for (size_t i = 0; i < e->count; i++)
		free(e->names[i]);
	free(e->names);
}

static uint64_t ship_spool_size_of(const struct spool *s, const char *name)
{
	struct stat info;

	return fstatat(s->dir, name, &info, AT_SYMLINK_NOFOLLOW) ? 0 : (uint64_t)info.st_size;
}

/* "NAME.parcel.k3Zq0v": of a ship that was killed (core/outfile.h). */
static void remove_unfinished(const struct spool *s)
{
	int fd = openat(s->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *end = strstr(entry->d_name, ENDING ".");

		if (end && strlen(end) == strlen(ENDING ".k3Zq0v"))
			unlinkat(s->dir, entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
}

/* ---- what is set aside ---- */

/* Give "NAME.parcel" another ending, so that it no longer counts, but can be examined. */
static void set_aside(struct spool *s, const char *name, const char *ending, const char *why, uint64_t *count)
{
	struct str aside = { 0 };

	str_addf(&aside, "%.*s%s", (int)(strlen(name) - strlen(ENDING)), name, ending);
	if (renameat(s->dir, name, s->dir, aside.buf))
		warn("%s/%s: %s: not sent: %s", s->path, name, why, strerror(errno));
	else if (*count < MESSAGES_MAX)
		warn("%s/%s: %s: not sent, set aside as %s", s->path, name, why, aside.buf);
	++*count;
	str_free(&aside);
}

static void set_damaged_aside(struct spool *s, const char *name)
{
	set_aside(s, name, DAMAGED, "is damaged", &s->damaged);
}

/* Parcels that were refused once may be sent again. */
static void ship_spool_take_back(struct spool *s)
{
	struct entries e = ship_spool_list(s, REFUSED);

	for (size_t i = 0; i < e.count; i++) {
		struct str name = { 0 };

		str_addf(&name, "%.*s" ENDING, (int)(strlen(e.names[i]) - strlen(REFUSED)), e.names[i]);
		if (renameat(s->dir, e.names[i], s->dir, name.buf))
			warn("%s/%s: cannot be renamed: %s", s->path, e.names[i], strerror(errno));
		str_free(&name);
	}
	entries_free(&e);
}

/* Returns false after a message if it is not whole, and so no longer in the spool, or cannot be read now. */
static bool read_parcel(struct spool *s, const char *name, struct parcel *p)
{
	struct str bytes = { 0 };
	bool whole = false;

	*p = (struct parcel){ 0 };
	if (!ship_spool_read_whole(s, name, &bytes)) {
		warn("%s/%s: cannot be read: left alone: %s", s->path, name, strerror(errno));
	} else {
		whole = parcel_file_parse(bytes.buf, bytes.len, p);
		if (!whole)
			set_damaged_aside(s, name);
	}
	str_free(&bytes);
	return whole;
}

static bool has_its_length(const struct spool *s, const char *name)
{
	int fd = ship_spool_open_file(s, name);
	char start[PARCEL_FILE_START];
	struct stat info;
	ssize_t len;
	bool has;

	if (fd < 0)
		return true; /* a parcel that cannot be read is reported when it is to be sent */
	len = read(fd, start, sizeof(start));
	has = len >= 0 && !fstat(fd, &info) && parcel_file_has_its_length(start, (size_t)len, (uint64_t)info.st_size);
	close(fd);
	return has;
}

/* After a power cut, files that were not synced are empty or cut short, so look at their lengths.  Hashes are compared
 * only when parcels are sent, because there may be much to read. */
static void look_at_lengths(struct spool *s)
{
	struct entries e = ship_spool_list(s, ENDING);

	for (size_t i = 0; i < e.count; i++) {
		if (!has_its_length(s, e.names[i]))
			set_damaged_aside(s, e.names[i]);
		else if (strlen(e.names[i]) >= ID_LEN + strlen(ENDING))
			intern_add(&s->ids, e.names[i] + strlen(e.names[i]) - strlen(ENDING) - ID_LEN, ID_LEN);
	}
	entries_free(&e);
}

/* If the directory was just made, its name is not on the disk before its parent is synced.  A parent that cannot be
 * read cannot be synced. */
static void sync_parent(const struct spool *s)
{
	int fd = openat(s->dir, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

int spool_begin(struct spool *s, const char *path, uint64_t limit, bool again)
{
	*s = (struct spool){ .path = path, .limit = limit, .bytes = UINT64_MAX, .dir = outdir_open(path) };
	if (s->dir < 0)
		return -1;
	if (!flock(s->dir, LOCK_EX | LOCK_NB)) {
		sync_parent(s);
		remove_unfinished(s);
		if (again)
			ship_spool_take_back(s);
		look_at_lengths(s);
		if (!s->unread)
			return 0;
		spool_close(s);
		return -1;
	}
	error("%s: %s", path, errno == EWOULDBLOCK ? "another pyrograph ship uses this spool" : strerror(errno));
	spool_close(s);
	return -1;
}

/* ---- what was dropped ---- */

static void read_dropped(const struct spool *s, uint64_t *batches, uint64_t *samples)
{
	struct str text = { 0 };
	unsigned long long a = 0, b = 0;

	if (ship_spool_read_whole(s, DROPPED, &text) && text.len) {
		str_addc(&text, '\0');
		sscanf(text.buf, "%llu %llu", &a, &b);
	}
	*batches = a;
	*samples = b;
	str_free(&text);
}

static void write_dropped(const struct spool *s, uint64_t batches, uint64_t samples)
{
	struct str text = { 0 };

	str_addf(&text, "%llu %llu\n", (unsigned long long)batches, (unsigned long long)samples);
	outfile_update(s->dir, DROPPED, s->path, text.buf, text.len);
	str_free(&text);
}

void spool_tell_dropped(struct spool *s, bool told)
{
	uint64_t batches, samples;

	read_dropped(s, &batches, &samples);
	if (batches)
		warn("%s: had no room for %llu batches, %llu samples: the oldest were dropped; see --spool-max",
		     s->path, (unsigned long long)batches, (unsigned long long)samples);
	if (batches && told)
		unlinkat(s->dir, DROPPED, 0);
}

static void ship_spool_drop(struct spool *s, const char *name)
{
	struct parcel p = { 0 };
	struct str bytes = { 0 };
	uint64_t batches, samples;

	if (ship_spool_read_whole(s, name, &bytes) && parcel_file_parse(bytes.buf, bytes.len, &p))
		s->dropped_samples += p.rows;
	s->dropped_batches++;
	unlinkat(s->dir, name, 0);
	read_dropped(s, &batches, &samples);
	write_dropped(s, batches + 1, samples + p.rows);
	str_free(&bytes);
	parcel_free(&p);
}

static uint64_t ship_spool_bytes_of(const struct spool *s, const struct entries *e)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < e->count; i++)
		bytes += ship_spool_size_of(s, e->names[i]);
	return bytes;
}

/* Remove the oldest files of a list until *bytes is within the limit. */
static void keep_within(struct spool *s, const struct entries *e, uint64_t *bytes, bool are_lost)
{
	for (size_t i = 0; i < e->count && s->limit < *bytes; i++) {
		*bytes -= ship_spool_size_of(s, e->names[i]);
		if (are_lost) /* as was told */
			unlinkat(s->dir, e->names[i], 0);
		else
			ship_spool_drop(s, e->names[i]);
	}
}

static void ship_spool_shrink(struct spool *s)
{
	struct entries damaged = ship_spool_list(s, DAMAGED), refused = ship_spool_list(s, REFUSED),
		       parcels = ship_spool_list(s, ENDING);
	uint64_t bytes =
		ship_spool_bytes_of(s, &damaged) + ship_spool_bytes_of(s, &refused) + ship_spool_bytes_of(s, &parcels);

	keep_within(s, &damaged, &bytes, true);
	keep_within(s, &refused, &bytes, false);
	keep_within(s, &parcels, &bytes, false);
	entries_free(&damaged);
	entries_free(&refused);
	entries_free(&parcels);
	s->bytes = bytes;
}

/* The directory is read only when there may be too much in it: many recordings are shipped at once. */
static void keep_limit(struct spool *s, const char *added)
{
	if (s->bytes != UINT64_MAX) {
		s->bytes += ship_spool_size_of(s, added);
		if (s->bytes <= s->limit)
			return;
	}
	ship_spool_shrink(s);
}

/* ---- in and out ---- */

/* Is the batch in the spool?  Then shipping the batch again while the store is away does not add it a second time.  A
 * damaged batch does not count. */
static bool ship_spool_has(struct spool *s, const char *id)
{
	struct entries e = { 0 };
	bool found = false;

	if (intern_find(&s->ids, id, strlen(id)) == UINT32_MAX)
		return false;
	e = ship_spool_list(s, ENDING);
	for (size_t i = 0; i < e.count && !found; i++) {
		struct parcel p = { 0 };

		found = strstr(e.names[i], id) && read_parcel(s, e.names[i], &p);
		parcel_free(&p);
	}
	entries_free(&e);
	return found;
}

int spool_add(struct spool *s, const struct parcel *p)
{
	struct str id = { 0 }, name = { 0 };
	struct outfile out = { 0 };
	int status = 0;

	for (int i = 0; i < SIP_BYTES; i++)
		str_addf(&id, "%02x", p->id[i]);
	str_addf(&name, "%020llu-%s" ENDING, (unsigned long long)clock_ns(CLOCK_REALTIME), id.buf);
	if (!ship_spool_has(s, id.buf)) {
		mode_t before = umask(S_IRWXG | S_IRWXO); /* like a recording, it is never open to other users */

		status = outfile_open_own(&out, s->dir, name.buf, s->path);
		umask(before);
		if (!status) {
			parcel_file_write(out.file, p);
			status = outfile_commit_durably(&out); /* whoever shipped it may forget it now */
		}
		intern_add(&s->ids, id.buf, id.len);
		keep_limit(s, name.buf);
	}
	str_free(&id);
	str_free(&name);
	return status;
}

/* ---- delivery ---- */

/* What became of a parcel. */
enum fate { NOT_TRIED, DELIVERED, REFUSED_NOW, STAYS };

struct delivery {
	struct spool *spool;
	struct store *store;
	struct entries entries;
	enum fate *fates;           /* [entries.count] */
	uint64_t batches, samples;  /* that were delivered */
	size_t failed;              /* since one was */
	bool is_away;               /* the store itself is */
	enum store_outcome failure; /* the last one */
};

/* How many parcels may fail, one after another, before some are skipped: then twice as many are skipped each time.  So
 * a store that takes none is not sent all parcels, and a store that takes only some gets these, whatever comes before
 * them. */
enum { FAILED_MAX = 3 };

static void deliver_one(struct delivery *d, size_t i)
{
	const char *name = d->entries.names[i];
	enum store_outcome outcome;
	struct parcel p;
	bool was_there;

	d->fates[i] = STAYS;
	if (!read_parcel(d->spool, name, &p))
		return;
	outcome = deliver(d->store, &p, &was_there);
	if (outcome == STORE_DONE) {
		d->fates[i] = DELIVERED;
		d->batches++;
		d->samples += p.rows;
		d->failed = 0;
		unlinkat(d->spool->dir, name, 0);
	} else {
		d->fates[i] = outcome == STORE_REFUSED ? REFUSED_NOW : STAYS;
		d->failed++;
		d->failure = outcome;
		d->is_away = outcome == STORE_AWAY && !store_answers(d->store);
	}
	parcel_free(&p);
}

/* Try once each parcel that was not tried yet, and the newest one in any case.  Returns how many were skipped. */
static size_t go_through(struct delivery *d)
{
	size_t pass = 0, passed = 0, last = d->entries.count;

	while (last && d->fates[last - 1] != NOT_TRIED)
		last--;
	d->failed = 0;
	for (size_t i = 0, left = 0; i < last && !d->is_away; i++) {
		if (d->fates[i] != NOT_TRIED)
			continue;
		if (left && i + 1 < last) {
			left--;
			passed++;
			continue;
		}
		deliver_one(d, i);
		pass = d->failed < FAILED_MAX ? 0 : 2 * pass + 1;
		left = pass;
	}
	return passed;
}

/* A parcel that is refused while others are taken would be refused the next time, too. */
static void set_refused_aside(const struct delivery *d)
{
	for (size_t i = 0; i < d->entries.count && d->batches; i++) {
		if (d->fates[i] == REFUSED_NOW)
			set_aside(d->spool, d->entries.names[i], REFUSED, "is refused while others are taken",
				  &d->spool->refused);
	}
}

enum store_outcome spool_deliver(struct spool *s, struct store *store, uint64_t *batches, uint64_t *samples)
{
	struct delivery d = {
		.spool = s, .store = store, .entries = ship_spool_list(s, ENDING), .failure = STORE_DONE
	};

	d.fates = xcalloc(d.entries.count + 1, sizeof(*d.fates));
	while (go_through(&d) && d.batches && !d.is_away)
		;
	set_refused_aside(&d);
	*batches = d.batches;
	*samples = d.samples;
	free(d.fates);
	entries_free(&d.entries);
	return d.is_away ? STORE_AWAY : d.batches ? STORE_DONE : d.failure;
}

void spool_amount(struct spool *s, struct spool_amount *a)
{
	struct entries parcels = ship_spool_list(s, ENDING), damaged = ship_spool_list(s, DAMAGED),
		       refused = ship_spool_list(s, REFUSED);

	*a = (struct spool_amount){ parcels.count, ship_spool_bytes_of(s, &parcels), damaged.count, refused.count };
	entries_free(&parcels);
	entries_free(&refused);
	entries_free(&damaged);
}

void spool_close(struct spool *s)
{
	if (s->path && s->dir >= 0)
		close(s->dir);
	intern_free(&s->ids);
	*s = (struct spool){ .dir = -1 };
}

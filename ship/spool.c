#include "ship/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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

#define MAGIC "pyrograph-parcel 1\n"
#define ENDING ".parcel"
#define DROPPED "dropped"

enum { PARTS = 7 };

/* ---- a parcel's file: MAGIC, struct numbers, the parts, the hash of all before it ---- */

struct numbers {
	unsigned char id[SIP_BYTES];
	uint64_t rows, ns_sum, first_ns, last_ns, len[PARTS];
};

static void parts_of(struct parcel *p, struct str *parts[PARTS])
{
	struct str *const all[PARTS] = { &p->event,  &p->service,      &p->host,   &p->stacks,
					 &p->labels, &p->announcement, &p->samples };

	memcpy(parts, all, sizeof(all));
}

static void write_hashed(FILE *out, struct sip *s, const void *bytes, size_t len)
{
	if (!len)
		return;
	sip_add(s, bytes, len);
	fwrite(bytes, 1, len, out);
}

static void write_parcel(FILE *out, const struct parcel *p)
{
	struct numbers n = { .rows = p->rows, .ns_sum = p->ns_sum, .first_ns = p->first_ns, .last_ns = p->last_ns };
	struct parcel copy = *p;
	struct str *parts[PARTS];
	unsigned char hash[SIP_BYTES];
	struct sip s;

	parts_of(&copy, parts);
	memcpy(n.id, p->id, SIP_BYTES);
	for (int i = 0; i < PARTS; i++)
		n.len[i] = parts[i]->len;
	sip_begin(&s);
	write_hashed(out, &s, MAGIC, strlen(MAGIC));
	write_hashed(out, &s, &n, sizeof(n));
	for (int i = 0; i < PARTS; i++)
		write_hashed(out, &s, parts[i]->buf, parts[i]->len);
	sip_end(&s, hash);
	fwrite(hash, 1, SIP_BYTES, out);
}

/* Returns false if these bytes are no whole parcel. */
static bool parse_parcel(const char *bytes, size_t size, struct parcel *p)
{
	size_t at = strlen(MAGIC);
	unsigned char hash[SIP_BYTES];
	struct str *parts[PARTS];
	struct numbers n;

	if (size < at + sizeof(n) + SIP_BYTES || memcmp(bytes, MAGIC, at) != 0)
		return false;
	sip_hash(bytes, size - SIP_BYTES, hash);
	if (memcmp(hash, bytes + size - SIP_BYTES, SIP_BYTES) != 0)
		return false;
	memcpy(&n, bytes + at, sizeof(n));
	at += sizeof(n);
	parts_of(p, parts);
	for (int i = 0; i < PARTS; i++) {
		if (n.len[i] > size - SIP_BYTES - at)
			return false;
		str_add(parts[i], bytes + at, n.len[i]);
		at += n.len[i];
	}
	memcpy(p->id, n.id, SIP_BYTES);
	p->rows = n.rows;
	p->ns_sum = n.ns_sum;
	p->first_ns = n.first_ns;
	p->last_ns = n.last_ns;
	return at == size - SIP_BYTES;
}

static bool read_whole(const struct spool *s, const char *name, struct str *out)
{
	int fd = openat(s->dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat info;
	ssize_t n = 1;

	if (fd < 0)
		return false;
	str_clear(out);
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

static bool is_parcel(const char *name)
{
	size_t len = strlen(name);

	return len > strlen(ENDING) && name[0] != '.' && !strcmp(name + len - strlen(ENDING), ENDING);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct entries list(const struct spool *s)
{
	struct entries e = { 0 };
	int fd = openat(s->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (!is_parcel(entry->d_name))
			continue;
		e.names = xgrow(e.names, &e.cap, e.count + 1, sizeof(*e.names));
		e.names[e.count++] = xstrdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (e.count)
		qsort(e.names, e.count, sizeof(*e.names), by_name);
	return e;
}

static void entries_free(struct entries *e)
{
	for (size_t i = 0; i < e->count; i++)
		free(e->names[i]);
	free(e->names);
}

static uint64_t size_of(const struct spool *s, const char *name)
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

int spool_begin(struct spool *s, const char *path, uint64_t limit)
{
	*s = (struct spool){ .path = path, .limit = limit, .dir = outdir_open(path) };
	if (s->dir < 0)
		return -1;
	if (!flock(s->dir, LOCK_EX | LOCK_NB)) {
		remove_unfinished(s);
		return 0;
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

	if (read_whole(s, DROPPED, &text) && text.len) {
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

static void drop(struct spool *s, const char *name)
{
	struct parcel p = { 0 };
	struct str bytes = { 0 };
	uint64_t batches, samples;

	if (read_whole(s, name, &bytes) && parse_parcel(bytes.buf, bytes.len, &p))
		s->dropped_samples += p.rows;
	s->dropped_batches++;
	unlinkat(s->dir, name, 0);
	read_dropped(s, &batches, &samples);
	write_dropped(s, batches + 1, samples + p.rows);
	str_free(&bytes);
	parcel_free(&p);
}

static void keep_limit(struct spool *s)
{
	struct entries e = list(s);
	uint64_t bytes = 0;

	for (size_t i = 0; i < e.count; i++)
		bytes += size_of(s, e.names[i]);
	for (size_t i = 0; i < e.count && bytes > s->limit; i++) {
		bytes -= size_of(s, e.names[i]);
		drop(s, e.names[i]);
	}
	entries_free(&e);
}

/* ---- in and out ---- */

/* A batch that is shipped again while the store is away is there once. */
static bool has(const struct spool *s, const char *id)
{
	struct entries e = list(s);
	bool found = false;

	for (size_t i = 0; i < e.count; i++)
		found |= strstr(e.names[i], id) != NULL;
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
	if (!has(s, id.buf)) {
		mode_t before = umask(S_IRWXG | S_IRWXO); /* as a recording: at no time for others to open */

		status = outfile_open_own(&out, s->dir, name.buf, s->path);
		umask(before);
		if (!status) {
			write_parcel(out.file, p);
			status = outfile_commit(&out);
		}
		keep_limit(s);
	}
	str_free(&id);
	str_free(&name);
	return status;
}

enum store_outcome spool_deliver(struct spool *s, struct store *store, uint64_t *batches, uint64_t *samples)
{
	enum store_outcome outcome = STORE_DONE;
	struct entries e = list(s);
	struct str bytes = { 0 };
	bool was_there;
	int refused = 0; /* one after another */

	*batches = *samples = 0;
	for (size_t i = 0; i < e.count && outcome != STORE_AWAY && refused < 2; i++) {
		struct parcel p = { 0 };

		if (!read_whole(s, e.names[i], &bytes) || !parse_parcel(bytes.buf, bytes.len, &p)) {
			warn("%s/%s: is damaged: left alone", s->path, e.names[i]);
		} else {
			outcome = deliver(store, &p, &was_there);
			refused = outcome == STORE_REFUSED ? refused + 1 : 0;
			*batches += outcome == STORE_DONE;
			*samples += outcome == STORE_DONE ? p.rows : 0;
		}
		if (outcome == STORE_DONE && p.rows)
			unlinkat(s->dir, e.names[i], 0);
		parcel_free(&p);
	}
	entries_free(&e);
	str_free(&bytes);
	return outcome;
}

void spool_amount(const struct spool *s, uint64_t *parcels, uint64_t *bytes)
{
	struct entries e = list(s);

	*parcels = e.count;
	*bytes = 0;
	for (size_t i = 0; i < e.count; i++)
		*bytes += size_of(s, e.names[i]);
	entries_free(&e);
}

void spool_close(struct spool *s)
{
	if (s->path && s->dir >= 0)
		close(s->dir);
	*s = (struct spool){ .dir = -1 };
}

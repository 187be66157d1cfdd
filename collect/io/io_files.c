#include "collect/io/io_files.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/io/io_layers.h"
#include "collect/machine/procfs.h"
#include "core/memory.h"
#include "core/symbols/space/process_root.h"

enum { MINOR_BITS = 20 };

/* ---- paths ---- */

/* Append "/a/b/c" for "c\0b\0a\0". */
static void io_files_add_parts(const struct inode_name *name, struct str *out)
{
	size_t end = name->len < sizeof(name->parts) ? name->len : sizeof(name->parts);

	if (name->cut)
		str_puts(out, "/...");
	while (end) {
		size_t begin = end - 1; /* of its NUL */

		while (begin && name->parts[begin - 1])
			begin--;
		str_addc(out, '/');
		str_add(out, name->parts + begin, strnlen(name->parts + begin, end - begin));
		end = begin;
	}
}

/* Is path below directory?  Returns the length of the part that the mount point replaces. */
static bool is_below(const struct str *path, const struct str *directory, size_t *len)
{
	*len = directory->len == 1 ? 0 : directory->len;
	return path->len >= *len && !strncmp(str_text(path), str_text(directory), *len) &&
	       (!*len || path->len == *len || path->buf[*len] == '/');
}

bool io_files_path(const char *mounts, uint32_t device, const struct inode_name *name, struct str *out)
{
	struct mount_line m = { 0 };
	struct str path = { 0 }, best = { 0 };
	size_t best_len = 0, len;
	bool found = false;

	io_files_add_parts(name, &path);
	for (const char *line = mounts, *end; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (!mount_line_read(line, (size_t)(end - line), &m) || m.device != device ||
		    !is_below(&path, &m.root, &len) || (found && len < best_len))
			continue;
		if (found && len == best_len && m.point.len >= best.len)
			continue;
		found = true;
		best_len = len;
		str_clear(&best);
		if (m.point.len > 1)
			str_add(&best, m.point.buf, m.point.len);
	}
	str_add(out, str_text(&best), best.len);
	str_add(out, str_text(&path) + best_len, path.len - best_len);
	mount_line_free(&m);
	str_free(&best);
	str_free(&path);
	return found;
}

/* ---- numbers ---- */

static uint32_t add_inode(struct io_files *f, const struct inode_id *id, uint32_t number_of)
{
	uint32_t i = intern_add(&f->inodes, (const char *)id, sizeof(*id));

	f->number_of = xgrow(f->number_of, &f->cap, f->inodes.count, sizeof(*f->number_of));
	f->number_of[i] = number_of;
	return i;
}

static uint32_t inode_number(struct io_files *f, struct file_list *list, const struct inode_id *id)
{
	uint32_t i = intern_find(&f->inodes, (const char *)id, sizeof(*id));

	if (i != UINT32_MAX)
		return i;
	file_list_key(list);
	return add_inode(f, id, 0);
}

/* Does the file have a number?  If so, mark it as used now. */
static bool has_number(struct io_files *f, struct file_list *list, uint32_t i)
{
	uint32_t number = f->number_of[i] ? file_list_again(list, f->number_of[i] - 1) : FILE_LIST_GONE;

	f->number_of[i] = number == FILE_LIST_GONE ? 0 : number + 1;
	return f->number_of[i];
}

static void read_others(struct io_files *f, const struct io_file *file)
{
	if (f->last_pid == file->pid && f->others_device == file->inode.device)
		return;
	str_clear(&f->others);
	if (file->pid)
		read_process((pid_t)file->pid, "mountinfo", &f->others);
	f->last_pid = file->pid;
	f->others_device = file->inode.device;
}

/* In a container, that from its root. */
static bool path_of_process(struct io_files *f, const struct io_file *file, struct str *path)
{
	read_others(f, file);
	if (io_files_path(str_text(&f->others), file->inode.device, &file->name, path))
		return true;
	str_clear(path);
	return false;
}

static void io_files_own_path(struct io_files *f, const struct io_file *file, struct str *path)
{
	if (!f->knows_device || f->last_device != file->inode.device) { /* it may be a new mount */
		str_clear(&f->mounts);
		read_whole("/proc/self/mountinfo", &f->mounts);
		f->last_device = file->inode.device;
		f->knows_device = true;
	}
	io_files_path(str_text(&f->mounts), file->inode.device, &file->name, path);
}

/* path: as we see it. */
static void io_files_add_seen(const struct io_files *f, const struct io_file *file, const struct str *path,
			      struct str *seen)
{
	switch (io_layers_path(str_text(&f->others), str_text(path), seen)) {
	case IO_LAYERS_NONE:
		str_puts(seen, str_text(path) + process_root_length((int)file->pid, str_text(path), path->len));
		break;
	case IO_LAYERS_UNKNOWN: str_addf(seen, "[host]%s", str_text(path)); break;
	case IO_LAYERS_FOUND: break;
	}
}

void io_files_add(struct io_files *f, struct file_list *list, const struct io_file *file)
{
	uint32_t i = inode_number(f, list, &file->inode);
	struct str path = { 0 }, seen = { 0 };

	if (has_number(f, list, i) || !file->name.len)
		return;
	if (!path_of_process(f, file, &path)) {
		io_files_own_path(f, file, &path);
		io_files_add_seen(f, file, &path, &seen);
	}
	f->number_of[i] = file_list_add(list, str_text(seen.len ? &seen : &path), seen.len ? seen.len : path.len) + 1;
	str_free(&path);
	str_free(&seen);
}

static uint32_t file_number(struct io_files *f, struct file_list *list, const struct inode_id *id)
{
	uint32_t i = inode_number(f, list, id);
	char text[96];

	if (!has_number(f, list, i)) {
		snprintf(text, sizeof(text), "[inode %" PRIu64 " of %u:%u]", (uint64_t)id->number,
			 id->device >> MINOR_BITS, id->device & ((1u << MINOR_BITS) - 1));
		f->number_of[i] = file_list_add(list, text, strlen(text)) + 1;
	}
	return f->number_of[i] - 1;
}

uint32_t io_files_number(struct io_files *f, struct file_list *list, const struct io_request *q)
{
	static const char *const words[] = {
		[IO_OF_METADATA] = "[metadata]",
		[IO_OF_SWAP] = "[swap]",
		[IO_OF_DIRECT] = "[direct]",
	};

	if (q->owner == IO_OF_FILE)
		return file_number(f, list, &q->inode);
	if (q->owner >= sizeof(words) / sizeof(*words) || !words[q->owner])
		return UINT32_MAX;
	return file_list_add(list, words[q->owner], strlen(words[q->owner]));
}

void io_files_forget(struct io_files *f, const struct file_list *list, void (*forgotten)(const struct inode_id *id))
{
	struct io_files kept = { .mounts = f->mounts,
				 .others = f->others,
				 .last_device = f->last_device,
				 .last_pid = f->last_pid,
				 .others_device = f->others_device,
				 .knows_device = f->knows_device };

	for (uint32_t i = 0; i < f->inodes.count; i++) {
		struct inode_id id;

		memcpy(&id, intern_text(&f->inodes, i), sizeof(id));
		if (f->number_of[i] > list->first)
			add_inode(&kept, &id, f->number_of[i]);
		else
			forgotten(&id);
	}
	intern_free(&f->inodes);
	free(f->number_of);
	*f = kept;
}

void io_files_free(struct io_files *f)
{
	intern_free(&f->inodes);
	free(f->number_of);
	str_free(&f->mounts);
	str_free(&f->others);
	*f = (struct io_files){ 0 };
}

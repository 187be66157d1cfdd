#include "collect/io/io_layers.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MINOR_BITS = 20 };

/* Append a field, in which \040 stands for a blank. */
static void mount_add_field(const char *text, size_t len, struct str *out)
{
	for (size_t i = 0; i < len; i++) {
		unsigned code;

		if (text[i] == '\\' && i + 3 < len && sscanf(text + i + 1, "%3o", &code) == 1) {
			str_addc(out, (char)code);
			i += 3;
		} else {
			str_addc(out, text[i]);
		}
	}
}

bool mount_line_read(const char *line, size_t len, struct mount_line *m)
{
	unsigned major, minor;
	size_t root, root_len, point_len;
	int at = 0;

	if (sscanf(line, "%*u %*u %u:%u %n", &major, &minor, &at) < 2 || !at || (size_t)at >= len)
		return false;
	root = (size_t)at;
	root_len = strcspn(line + root, " \n");
	if (line[root + root_len] != ' ')
		return false;
	point_len = strcspn(line + root + root_len + 1, " \n");
	if (root + root_len + 1 + point_len > len)
		return false;
	m->device = major << MINOR_BITS | minor;
	str_clear(&m->root);
	str_clear(&m->point);
	mount_add_field(line + root, root_len, &m->root);
	mount_add_field(line + root + root_len + 1, point_len, &m->point);
	return true;
}

void mount_line_free(struct mount_line *m)
{
	str_free(&m->root);
	str_free(&m->point);
}

/* The directories of a mount, each with a NUL. */
struct layers {
	struct str absolute, relative;
};

static void add_layer(struct layers *l, const struct str *layer)
{
	struct str *to = *str_text(layer) == '/' ? &l->absolute : &l->relative;

	if (layer->len)
		str_add(to, layer->buf, layer->len + 1);
}

/* Several directories, separated by colons; a colon in a name has a backslash before it. */
static void add_several(struct layers *l, const char *text)
{
	struct str layer = { 0 };

	for (const char *at = text;; at++) {
		if (*at == '\\' && at[1]) {
			str_addc(&layer, *++at);
		} else if (*at && *at != ':') {
			str_addc(&layer, *at);
		} else {
			add_layer(l, &layer);
			str_clear(&layer);
			if (!*at)
				break;
		}
	}
	str_free(&layer);
}

/* An option of the mount: "upperdir=/a", "lowerdir=/b:/c", since Linux 6.8 also "lowerdir+=/b". */
static void io_layers_add_option(struct layers *l, const char *option, size_t len)
{
	static const char *const single[] = { "upperdir=", "lowerdir+=", "datadir+=" };
	struct str value = { 0 }, layer = { 0 };

	mount_add_field(option, len, &value);
	if (!strncmp(str_text(&value), "lowerdir=", 9))
		add_several(l, str_text(&value) + 9);
	for (size_t i = 0; i < sizeof(single) / sizeof(*single); i++) {
		if (strncmp(str_text(&value), single[i], strlen(single[i])))
			continue;
		str_clear(&layer);
		str_puts(&layer, str_text(&value) + strlen(single[i]));
		add_layer(l, &layer);
	}
	str_free(&value);
	str_free(&layer);
}

/* options: "overlay rw,lowerdir=..." up to the end of a line. */
static void add_options(struct layers *l, const char *options, const char *end)
{
	for (const char *at = options; at < end;) {
		size_t len = strcspn(at, ", \n");

		io_layers_add_option(l, at, len);
		at += len + 1;
	}
}

/* ---- where a file is ---- */

static const char *next_of(const struct str *layers, const char *layer)
{
	const char *next = layer ? layer + strlen(layer) + 1 : layers->buf;

	return layers->len && next < layers->buf + layers->len ? next : NULL;
}

/* The part of path that is below directory ("/b/c" of "/a/b/c" for "/a"); NULL: path is not below it. */
static const char *below(const char *path, const char *directory)
{
	size_t len = strlen(directory);

	return len > 1 && !strncmp(path, directory, len) && path[len] == '/' ? path + len : NULL;
}

/* Directories may be named by a symbolic link. */
static const char *below_absolute(const char *path, const struct layers *l)
{
	char resolved[PATH_MAX];
	const char *found = NULL;

	for (const char *at = NULL; !found && (at = next_of(&l->absolute, at));)
		found = below(path, realpath(at, resolved) ? resolved : at);
	return found;
}

/* The part of path that is below one of the relative layers, if all of them are in the directory named by the first len
 * bytes of path; otherwise NULL. */
static const char *below_from(const char *path, size_t len, const struct layers *l)
{
	char whole[PATH_MAX], resolved[PATH_MAX];
	const char *found = NULL;
	struct stat st;

	for (const char *at = NULL; (at = next_of(&l->relative, at));) {
		int n = snprintf(whole, sizeof(whole), "%.*s/%s", (int)len, path, at);

		if (n >= (int)sizeof(whole) || !realpath(whole, resolved) || stat(resolved, &st) ||
		    !S_ISDIR(st.st_mode))
			return NULL;
		if (!found)
			found = below(path, resolved);
	}
	return found;
}

/* A relative layer starts from the working directory of the process that mounted it, which is not recorded anywhere.
 * But this directory is above the file, and contains all of these layers.  Returns NULL if several directories do. */
static const char *below_relative(const char *path, const struct layers *l)
{
	const char *found = NULL;

	for (size_t len = 0; l->relative.len && path[len] == '/'; len += 1 + strcspn(path + len + 1, "/")) {
		const char *here = below_from(path, len, l);

		if (here && found && here != found)
			return NULL;
		found = here ? here : found;
	}
	return found;
}

static enum io_layers io_layers_find(const struct layers *l, const char *path, struct str *out)
{
	const char *found = below_absolute(path, l);

	if (!found)
		found = below_relative(path, l);
	if (found)
		str_puts(out, found);
	return found ? IO_LAYERS_FOUND : l->relative.len ? IO_LAYERS_UNKNOWN : IO_LAYERS_NONE;
}

enum io_layers io_layers_path(const char *mounts, const char *path, struct str *out)
{
	static const char kind[] = " - overlay ";
	struct mount_line m = { 0 };
	struct layers l = { 0 };
	enum io_layers is = IO_LAYERS_NONE;

	for (const char *line = mounts, *end; *line && is == IO_LAYERS_NONE; line = *end ? end + 1 : end) {
		const char *overlay = strstr(line, kind);

		end = line + strcspn(line, "\n");
		if (!overlay || overlay >= end || !mount_line_read(line, (size_t)(end - line), &m) ||
		    strcmp(str_text(&m.point), "/") != 0)
			continue;
		str_clear(&l.absolute);
		str_clear(&l.relative);
		add_options(&l, overlay + sizeof(kind) - 1, end);
		is = io_layers_find(&l, path, out);
	}
	mount_line_free(&m);
	str_free(&l.absolute);
	str_free(&l.relative);
	return is;
}

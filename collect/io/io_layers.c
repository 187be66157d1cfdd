#include "collect/io/io_layers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/mount_lines.h"

/* The part of path that is below directory, "/b/c" of "/a/b/c" below "/a"; NULL: it is not. */
static const char *below(const char *path, const char *directory)
{
	size_t len = strlen(directory);

	return len > 1 && !strncmp(path, directory, len) && path[len] == '/' ? path + len : NULL;
}

/* Directories may be named by a symbolic link.  Whoever mounted with relative ones knew from where, we do not. */
static const char *below_layer(const char *path, const char *layer)
{
	char resolved[PATH_MAX];

	if (*layer != '/')
		return NULL;
	return below(path, realpath(layer, resolved) ? resolved : layer);
}

/* Several directories, with colons between them; one in a name has a backslash before it. */
static const char *below_one(const char *path, const char *layers)
{
	struct str layer = { 0 };
	const char *found = NULL;

	for (const char *at = layers; !found; at++) {
		if (*at == '\\' && at[1]) {
			str_addc(&layer, *++at);
		} else if (*at && *at != ':') {
			str_addc(&layer, *at);
		} else {
			found = below_layer(path, str_text(&layer));
			str_clear(&layer);
			if (!*at)
				break;
		}
	}
	str_free(&layer);
	return found;
}

/* An option of the mount: "upperdir=/a", "lowerdir=/b:/c", since Linux 6.8 also "lowerdir+=/b". */
static const char *below_option(const char *path, const char *option, size_t len)
{
	static const char *const single[] = { "upperdir=", "lowerdir+=", "datadir+=" };
	struct str value = { 0 };
	const char *found = NULL;

	mount_add_field(option, len, &value);
	if (!strncmp(str_text(&value), "lowerdir=", 9))
		found = below_one(path, str_text(&value) + 9);
	for (size_t i = 0; i < sizeof(single) / sizeof(*single); i++) {
		if (!strncmp(str_text(&value), single[i], strlen(single[i])))
			found = below_layer(path, str_text(&value) + strlen(single[i]));
	}
	str_free(&value);
	return found;
}

/* options: "overlay rw,lowerdir=..." up to the end of a line. */
static const char *below_options(const char *path, const char *options, const char *end)
{
	const char *found = NULL;

	for (const char *at = options; at < end && !found;) {
		size_t len = strcspn(at, ", \n");

		found = below_option(path, at, len);
		at += len + 1;
	}
	return found;
}

bool io_layers_path(const char *mounts, const char *path, struct str *out)
{
	static const char kind[] = " - overlay ";
	struct mount_line m = { 0 };
	const char *found = NULL;

	for (const char *line = mounts, *end; *line && !found; line = *end ? end + 1 : end) {
		const char *overlay = strstr(line, kind);

		end = line + strcspn(line, "\n");
		if (overlay && overlay < end && mount_line_read(line, (size_t)(end - line), &m) &&
		    !strcmp(str_text(&m.point), "/"))
			found = below_options(path, overlay + sizeof(kind) - 1, end);
	}
	mount_line_free(&m);
	if (found)
		str_puts(out, found);
	return found;
}

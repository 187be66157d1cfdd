#include "collect/bindings/bindings_json.h"

#include <inttypes.h>
#include <string.h>

#include "core/markup.h"

/* A comma, unless it is the first of its list. */
static void separate(struct str *out)
{
	if (out->buf[out->len - 1] != '[')
		str_addc(out, ',');
}

void bindings_json_begin(struct str *out)
{
	str_puts(out, "{\"processes\":[");
}

void bindings_json_process(struct str *out, int pid)
{
	separate(out);
	str_addf(out, "\n{\"pid\":%d,\"files\":[", pid);
}

static const char *bindings_json_kind_of(enum late_kind kind)
{
	switch (kind) {
	case LATE_UNREADABLE: break;
	case LATE_OTHER: return "other-machine";
	case LATE_STATIC: return "static";
	case LATE_NONE: return "none";
	case LATE_AT_START: return "at-start";
	case LATE_LAZY: return "lazy";
	}
	return "unreadable";
}

void bindings_json_file(struct str *out, const char *path, const struct late_file *file)
{
	separate(out);
	str_puts(out, "\n{\"path\":");
	json_puts(out, path);
	str_addf(out, ",\"kind\":\"%s\",\"functions\":%" PRIu64 ",\"unbound\":[", bindings_json_kind_of(file->kind),
		 file->functions);
	for (size_t at = 0; at < file->names.len; at += strlen(file->names.buf + at) + 1) {
		separate(out);
		json_puts(out, file->names.buf + at);
	}
	str_puts(out, "]}");
}

void bindings_json_process_end(struct str *out, const struct binding_counts *counts, bool bind_now)
{
	str_addf(out, "],\"functions\":%" PRIu64 ",\"unbound\":%" PRIu64 ",\"bind_now\":%s}", counts->lazy,
		 counts->unbound, bind_now ? "true" : "false");
}

void bindings_json_end(struct str *out, const struct binding_counts *counts, uint64_t start_us)
{
	str_addf(out, "],\n\"functions\":%" PRIu64 ",\"unbound\":%" PRIu64 ",\"start_us\":%" PRIu64 "}\n", counts->lazy,
		 counts->unbound, start_us);
}

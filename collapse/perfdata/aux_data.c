#include "collapse/perfdata/aux_data.h"

#include <string.h>

#include "core/error.h"
#include "core/str.h"

/* By enum auxtrace_type (linux/tools/perf/util/auxtrace.h). */
static const struct {
	const char *name;
	const char *itrace; /* argument of perf inject --itrace */
} kinds[] = {
	{ "a tracer", "i100us" }, { "Intel PT", "i100us" }, { "Intel BTS", "i1000" }, { "ARM CoreSight", "i100us" },
	{ "ARM SPE", "" },        { "s390 CPU-MF", "" },    { "HiSilicon PTT", "" },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

void aux_data_count(struct aux_data *a, const struct record *r)
{
	if (r->type == RECORD_AUXTRACE_INFO && r->size >= 12)
		a->kind = load_u32(r->bytes + 8);
	else if (r->type == RECORD_AUXTRACE && r->size >= 16)
		a->bytes += load_u64(r->bytes + 8);
}

static void aux_data_say(const struct aux_data *a, const char *path, struct str *out)
{
	uint32_t kind = a->kind < KINDS ? a->kind : 0;
	bool is_file = strcmp(path, "stdin") != 0;

	str_addf(out,
		 "%s: %llu bytes of %s are not decoded: perf inject --itrace%s%s%s%s -o decoded.data turns them into "
		 "samples, on the machine where they were recorded; collapse decoded.data instead",
		 path, (unsigned long long)a->bytes, kinds[kind].name, *kinds[kind].itrace ? "=" : "",
		 kinds[kind].itrace, is_file ? " -i " : "", is_file ? path : "");
}

void aux_data_warn(const struct aux_data *a, const char *path)
{
	struct str text = { 0 };

	if (!a->bytes)
		return;
	aux_data_say(a, path, &text);
	warn("%s", text.buf);
	str_free(&text);
}

int aux_data_error(const struct aux_data *a, const char *path)
{
	struct str text = { 0 };

	aux_data_say(a, path, &text);
	error("%s", text.buf);
	str_free(&text);
	return -1;
}

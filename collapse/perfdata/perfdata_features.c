#include "collapse/perfdata/perfdata_features.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/perfdata_events.h"
#include "collapse/perfdata/tracing.h"
#include "core/memory.h"
#include "core/str.h"

/* "u32 length, text padded with NULs": how perf stores strings. */
static char *perfdata_features_read_string(const uint8_t **p, const uint8_t *end)
{
	uint32_t len;
	char *text;

	if (end - *p < 4)
		return NULL;
	len = load_u32(*p);
	*p += 4;
	if (len > (size_t)(end - *p))
		return NULL;
	text = xstrndup((const char *)*p, strnlen((const char *)*p, len));
	*p += len;
	return text;
}

static char *read_string_feature(const struct perfdata *d, int feature)
{
	size_t len;
	const uint8_t *p = perfdata_feature(d, feature, &len);

	return p ? perfdata_features_read_string(&p, p + len) : NULL;
}

/* "u32 count, strings": the command line. */
static char *perfdata_features_read_command(const struct perfdata *d)
{
	size_t len;
	const uint8_t *p = perfdata_feature(d, FEATURE_CMDLINE, &len), *end = p ? p + len : NULL;
	struct str command = { 0 };
	uint32_t count;

	if (!p || len < 4)
		return NULL;
	count = load_u32(p);
	p += 4;
	for (uint32_t i = 0; i < count; i++) {
		char *word = perfdata_features_read_string(&p, end);

		if (!word)
			break;
		str_addf(&command, "%s%s", i ? " " : "", word);
		free(word);
	}
	return command.buf;
}

/* "u32 events, u32 attr size, then for each: attr, u32 ids, name, u64 ids[]". */
static void read_event_names(struct perfdata *d)
{
	size_t len;
	const uint8_t *p = perfdata_feature(d, FEATURE_EVENT_DESC, &len), *end = p ? p + len : NULL;
	uint32_t count, attr_size;

	if (!p || len < 8)
		return;
	count = load_u32(p);
	attr_size = load_u32(p + 4);
	p += 8;
	for (uint32_t i = 0; i < count && i < d->event_count; i++) {
		uint32_t ids;
		char *name;

		if ((size_t)(end - p) < (size_t)attr_size + 4)
			return;
		ids = load_u32(p + attr_size);
		p += attr_size + 4;
		name = perfdata_features_read_string(&p, end);
		if (!name)
			return;
		perfdata_rename_event(&d->events[i], (const uint8_t *)name, strlen(name));
		free(name);
		if (ids > (size_t)(end - p) / 8)
			return;
		p += 8 * (size_t)ids;
	}
}

/* In pipe mode, perf writes the formats of tracepoints, but not their names: get the name of
 * "tracepoint:1329" from its format. */
static void name_tracepoints(struct perfdata *d)
{
	size_t len;
	const uint8_t *section = perfdata_feature(d, FEATURE_TRACING_DATA, &len);

	for (size_t i = 0; i < d->event_count; i++) {
		struct recorded_event *event = &d->events[i];
		struct str name = { 0 };

		if (event->attr.type != PERF_TYPE_TRACEPOINT || strncmp(event->name, "tracepoint:", 11))
			continue;
		tracing_add_name(&name, section, len, event->attr.config);
		perfdata_rename_event(event, (const uint8_t *)str_text(&name), name.len);
		str_free(&name);
	}
}

void perfdata_read_features(struct perfdata *d)
{
	d->hostname = read_string_feature(d, FEATURE_HOSTNAME);
	d->osrelease = read_string_feature(d, FEATURE_OSRELEASE);
	d->arch = read_string_feature(d, FEATURE_ARCH);
	d->command = perfdata_features_read_command(d);
	read_event_names(d);
	name_tracepoints(d);
}

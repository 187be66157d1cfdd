#include "render/heat/zone.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

#include "core/memory.h"
#include "core/wallclock.h"

#define DATABASE "/usr/share/zoneinfo"

enum { MINUTE = 60, HOUR = 3600 };

/* The C library accepts many texts as TZ, even paths, so only names in its database are passed to it. */
static bool is_in_database(const char *name)
{
	struct str path = { 0 };
	struct stat file;
	bool found;

	if (!isalpha((unsigned char)*name) || strstr(name, "..") || strlen(name) >= sizeof(((struct zone *)0)->name))
		return false;
	for (const char *c = name; *c; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("_/+-", *c))
			return false;
	}
	str_addf(&path, DATABASE "/%s", name);
	found = !stat(path.buf, &file) && S_ISREG(file.st_mode);
	str_free(&path);
	return found;
}

/* "UTC", "UTC+05:30". */
static void offset_label(char *label, size_t size, long east)
{
	long minutes = labs(east) / MINUTE;

	if (east)
		snprintf(label, size, "UTC%c%02ld:%02ld", east < 0 ? '-' : '+', minutes / 60, minutes % 60);
	else
		snprintf(label, size, "UTC");
}

/* "+05:30", "-0800", "+2" */
static bool parse_offset(const char *text, long *east)
{
	int hours = 0, minutes = 0, used = 0;

	if ((*text != '+' && *text != '-') || !isdigit((unsigned char)text[1]))
		return false;
	if ((sscanf(text + 1, "%2d:%2d%n", &hours, &minutes, &used) != 2 || text[1 + used]) &&
	    (sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &used) != 2 || text[1 + used]) &&
	    (sscanf(text + 1, "%2d%n", &hours, &used) != 1 || text[1 + used]))
		return false;
	if (hours > 14 || minutes < 0 || minutes > 59)
		return false;
	*east = (*text == '-' ? -1 : 1) * (hours * (long)HOUR + minutes * (long)MINUTE);
	return true;
}

static struct tm local_at(uint64_t epoch_ns)
{
	time_t seconds = (time_t)(epoch_ns / NS_PER_SEC);
	struct tm time = { 0 };

	localtime_r(&seconds, &time);
	return time;
}

/* Ask the C library, for its current zone. */
static void ask_library(struct zone *z, uint64_t from_ns, uint64_t to_ns)
{
	struct tm from = local_at(from_ns), to = local_at(to_ns > from_ns ? to_ns - 1 : from_ns);

	z->offset_ns = from.tm_gmtoff * (int64_t)NS_PER_SEC;
	z->changes = from.tm_gmtoff != to.tm_gmtoff;
	if (from.tm_zone && isalpha((unsigned char)*from.tm_zone))
		snprintf(z->label, sizeof(z->label), "%s", from.tm_zone);
	else
		offset_label(z->label, sizeof(z->label), from.tm_gmtoff);
}

/* Switch to the zone called name, ask, and switch back. */
static void ask_database(struct zone *z, const char *name, uint64_t from_ns, uint64_t to_ns)
{
	const char *old = getenv("TZ");
	char *kept = old ? xstrdup(old) : NULL;

	setenv("TZ", name, 1);
	tzset();
	ask_library(z, from_ns, to_ns);
	if (kept)
		setenv("TZ", kept, 1);
	else
		unsetenv("TZ");
	tzset();
	free(kept);
}

bool zone_find(struct zone *z, const char *name, uint64_t from_ns, uint64_t to_ns)
{
	long east = 0;

	*z = (struct zone){ 0 };
	snprintf(z->name, sizeof(z->name), "%s", name);
	if (!strcasecmp(name, "UTC") || !strcasecmp(name, "Z")) {
		snprintf(z->name, sizeof(z->name), "UTC");
		offset_label(z->label, sizeof(z->label), 0);
		return true;
	}
	if (parse_offset(name, &east)) {
		z->offset_ns = east * (int64_t)NS_PER_SEC;
		offset_label(z->label, sizeof(z->label), east);
		return true;
	}
	if (!strcmp(name, "local")) {
		tzset();
		ask_library(z, from_ns, to_ns);
		return true;
	}
	if (!is_in_database(name))
		return false;
	ask_database(z, name, from_ns, to_ns);
	return true;
}

/* ---- texts ------------------------------------------------------------------ */

static struct tm time_in(const struct zone *z, uint64_t epoch_ns)
{
	int64_t on_axis = (int64_t)epoch_ns + z->offset_ns;
	time_t seconds = (time_t)(on_axis > 0 ? on_axis / (int64_t)NS_PER_SEC : 0);
	struct tm time = { 0 };

	gmtime_r(&seconds, &time);
	return time;
}

void zone_clock_add(struct str *out, const struct zone *z, uint64_t epoch_ns, int digits)
{
	struct tm time = time_in(z, epoch_ns);
	char fraction[16];

	str_addf(out, "%02d:%02d", time.tm_hour, time.tm_min);
	if (digits < 0)
		return;
	str_addf(out, ":%02d", time.tm_sec);
	if (!digits)
		return;
	snprintf(fraction, sizeof(fraction), "%09" PRIu64, (uint64_t)(epoch_ns % NS_PER_SEC));
	str_addf(out, ".%.*s", digits < 9 ? digits : 9, fraction);
}

void zone_date_add(struct str *out, const struct zone *z, uint64_t epoch_ns)
{
	struct tm time = time_in(z, epoch_ns);

	str_addf(out, "%04d-%02d-%02d", time.tm_year + 1900, time.tm_mon + 1, time.tm_mday);
}

#include "core/wallclock.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/opts.h"

/* Numbers from here on are seconds since the epoch, smaller ones an offset. */
#define FIRST_EPOCH_SEC 100000000.0 /* 1973-03-03 */

void wallclock_add(struct str *out, uint64_t epoch_ns)
{
	time_t seconds = (time_t)(epoch_ns / NS_PER_SEC);
	struct tm utc;
	char text[32];

	gmtime_r(&seconds, &utc);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &utc);
	str_addf(out, "%s.%09lluZ", text, (unsigned long long)(epoch_ns % NS_PER_SEC));
}

/* Called for each timed line: millions of times. */
void wallclock_add_seconds(struct str *out, uint64_t ns)
{
	uint64_t rest = ns % NS_PER_SEC;
	char fraction[10] = ".";

	for (int i = 9; i > 0; i--, rest /= 10)
		fraction[i] = (char)('0' + rest % 10);
	str_add_u64(out, ns / NS_PER_SEC);
	str_add(out, fraction, sizeof(fraction));
}

/* ".5" -> 500000000; advances *p past the digits. */
static uint64_t parse_fraction(const char **p)
{
	uint64_t ns = 0, unit = NS_PER_SEC / 10;

	if (**p != '.')
		return 0;
	for (++*p; isdigit((unsigned char)**p); ++*p, unit /= 10)
		ns += (uint64_t)(**p - '0') * unit;
	return ns;
}

/* "Z" or "+01:00" or "-0530" -> seconds east of Greenwich. */
static bool parse_zone(const char *text, long *east)
{
	int sign = *text == '-' ? -1 : 1, hours, minutes, used = 0;

	*east = 0;
	if (!strcmp(text, "Z"))
		return true;
	if (*text != '+' && *text != '-')
		return false;
	if (sscanf(text + 1, "%2d:%2d%n", &hours, &minutes, &used) != 2 &&
	    sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &used) != 2)
		return false;
	*east = sign * (hours * 3600L + minutes * 60L);
	return !text[1 + used];
}

/* "10:15", "10:15:02", "10:15:02.5"; advances *p past it. */
static bool parse_time_of_day(const char **p, struct tm *time, uint64_t *fraction_ns)
{
	int used = 0, more = 0;

	if (sscanf(*p, "%2d:%2d%n", &time->tm_hour, &time->tm_min, &used) != 2 || !used)
		return false;
	*p += used;
	time->tm_sec = 0;
	*fraction_ns = 0;
	if (sscanf(*p, ":%2d%n", &time->tm_sec, &more) == 1) {
		*p += more;
		*fraction_ns = parse_fraction(p);
	}
	return time->tm_hour >= 0 && time->tm_hour <= 24 && time->tm_min >= 0 && time->tm_min < 60 &&
	       time->tm_sec >= 0 && time->tm_sec <= 60;
}

static bool parse_iso(const char *text, struct instant *when)
{
	struct tm date = { .tm_isdst = -1 };
	uint64_t fraction_ns;
	time_t seconds;
	int used = 0;
	long east;

	if (sscanf(text, "%4d-%2d-%2d%*1[T ]%n", &date.tm_year, &date.tm_mon, &date.tm_mday, &used) != 3 || !used)
		return false;
	text += used;
	if (!parse_time_of_day(&text, &date, &fraction_ns))
		return false;
	date.tm_year -= 1900;
	date.tm_mon -= 1;
	if (!*text) {
		seconds = mktime(&date);
	} else {
		if (!parse_zone(text, &east))
			return false;
		seconds = timegm(&date) - east;
	}
	if (seconds < 0)
		return false;
	*when = (struct instant){ INSTANT_EPOCH, (uint64_t)seconds * NS_PER_SEC + fraction_ns };
	return true;
}

static bool parse_clock(const char *text, struct instant *when)
{
	uint64_t fraction_ns;
	struct tm time;

	if (!parse_time_of_day(&text, &time, &fraction_ns) || *text)
		return false;
	when->kind = INSTANT_CLOCK;
	when->ns = (uint64_t)(time.tm_hour * 3600 + time.tm_min * 60 + time.tm_sec) * NS_PER_SEC + fraction_ns;
	return true;
}

/* Seconds with up to nine decimals, exact (a double would lose the last digits). */
static bool parse_epoch(const char *text, struct instant *when)
{
	char *end;
	unsigned long long seconds = strtoull(text, &end, 10);
	const char *rest = end;

	if (!isdigit((unsigned char)*text) || seconds > UINT64_MAX / NS_PER_SEC - 1)
		return false;
	*when = (struct instant){ INSTANT_EPOCH, seconds * NS_PER_SEC };
	when->ns += parse_fraction(&rest);
	return !*rest;
}

bool instant_parse(const char *text, struct instant *when)
{
	if (*text == '@')
		return parse_epoch(text + 1, when);
	if (*text == '-') {
		when->kind = INSTANT_BEFORE_END;
		return parse_duration(text + 1, &when->ns);
	}
	if (*text == '+') {
		when->kind = INSTANT_FROM_START;
		return parse_duration(text + 1, &when->ns);
	}
	if (parse_iso(text, when) || parse_clock(text, when))
		return true;
	if (atof(text) >= FIRST_EPOCH_SEC && parse_epoch(text, when))
		return true;
	when->kind = INSTANT_FROM_START;
	return parse_duration(text, &when->ns);
}

/* Local midnight of the day of epoch_ns. */
static uint64_t midnight_ns(uint64_t epoch_ns)
{
	time_t seconds = (time_t)(epoch_ns / NS_PER_SEC);
	struct tm day;

	localtime_r(&seconds, &day);
	day.tm_hour = day.tm_min = day.tm_sec = 0;
	day.tm_isdst = -1;
	return (uint64_t)mktime(&day) * NS_PER_SEC;
}

uint64_t instant_resolve(const struct instant *when, uint64_t start_ns, uint64_t end_ns)
{
	switch (when->kind) {
	case INSTANT_EPOCH: return when->ns;
	case INSTANT_FROM_START: return start_ns + when->ns;
	case INSTANT_BEFORE_END: return end_ns > when->ns ? end_ns - when->ns : 0;
	case INSTANT_CLOCK: return midnight_ns(start_ns) + when->ns;
	case INSTANT_NONE: break;
	}
	return 0;
}

uint64_t clock_ns(int clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_SEC + (uint64_t)now.tv_nsec;
}

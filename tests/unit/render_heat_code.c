/* Heat maps: encoded data, decoded by heat_code.h alone, and the lines of a picture. */
#include <stdlib.h>
#include <sys/mman.h>

#include "core/error.h"
#include "core/markup.h"
#include "render/drawing/canvas.h"
#include "render/encoding/encode.h"
#include "render/heat/heat_code.h"
#include "tests/unit/check.h"

static char path[64]; /* of a file in memory */
static const struct heat_filter all;

static uint32_t seed = 777;

static uint32_t next(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static uint64_t take_number(const char **at)
{
	uint64_t n = 0;
	int shift = 0, group;

	while (**at == '\n')
		++*at;
	do {
		group = *(*at)++ - 63;
		n |= (uint64_t)(group & 31) << shift;
		shift += 5;
	} while (group & 32);
	return n;
}

static void write_events(size_t count, uint64_t seconds, uint32_t stacks, bool values, bool hosts)
{
	FILE *out = fopen(path, "w");

	for (int host = 0; host < (hosts ? 2 : 1); host++) {
		fprintf(out,
			"# pyrograph: host=db%d from=2026-11-21T10:00:00.000000000Z "
			"to=2026-11-21T11:00:00.000000000Z rate=99Hz root=thread,cpu command=\"a \\\"b\" unit=ns\n",
			host);
		fprintf(out,
			"# gap: start=1795255201.000000000 end=1795255202.500000000 cpu=1 lost=3 why=\"no room\"\n");
		for (size_t i = 0; i < count; i++)
			fprintf(out, "@%llu.%09u t-%u;cpu%u;f%u;%s %u\n", 1795255200ull + i * seconds / count,
				next(1000000000), next(5), next(2), next(stacks), next(3) ? "g & <h>" : "i_[k]",
				values ? next(3000) : 1);
	}
	fclose(out);
}

static void read_heat(struct heat *h)
{
	*h = (struct heat){ 0 };
	if (heat_read(h, path, &all) < 0 || heat_finish(h, &all) < 0)
		printf("not ok - cannot be read\n");
}

static struct heat_axes axes_of(const struct heat *h, uint64_t period_ns, uint32_t rows)
{
	struct heat_axes a = { .period_ns = period_ns, .per_column = 1, .rows = rows };

	a.first = h->time_ns[0] / period_ns;
	return a;
}

/* The decoded events are those of h, with their times rounded down to ticks. */
static bool same_events(const struct heat *h, const struct heat_ticks *t, const char *text)
{
	uint64_t tick = 0, most = (1u << t->group) - 1, values = 0, wanted = 0, stacks = 0;
	size_t i = 0;

	while (*text && i < h->event_count) {
		uint64_t head = take_number(&text), count = (head & most) + 1, last = 0;

		tick += head >> t->group;
		if ((head & most) == most)
			count += take_number(&text);
		for (; count--; i++) {
			__uint128_t since = (__uint128_t)(h->time_ns[i] - t->origin_ns) * t->den / t->num;
			uint64_t stack = take_number(&text);

			if (since != tick || stack < last)
				return false;
			last = stack;
			stacks += stack * 31 + tick;
			wanted += h->stack[i] * 31ull + tick;
			values += h->value ? take_number(&text) : h->same_value;
			wanted += heat_value(h, i);
		}
		while (*text == '\n')
			text++;
	}
	return i == h->event_count && !*text && stacks + values == wanted;
}

static void check_ticks(const struct heat *h, const struct heat_axes *a, uint64_t bytes, uint64_t wanted_ns)
{
	struct heat_ticks t;
	struct str text = { 0 };
	uint64_t rows = a->y == HEAT_Y_OFFSET ? a->rows : 50;

	heat_ticks_choose(&t, h, a, bytes, wanted_ns);
	heat_encode_events(h, &t, &text);
	CHECK(same_events(h, &t, str_text(&text)));
	CHECK(a->period_ns % t.num == 0);                /* whole ticks in a period, ... */
	CHECK(a->period_ns / t.num * t.den % rows == 0); /* and in a row */
	CHECK((t.origin_ns + (uint64_t)a->zone_ns) % a->period_ns == 0 && t.origin_ns <= h->time_ns[0]);
	CHECK(!wanted_ns || t.num <= wanted_ns * t.den);
	CHECK(!bytes || text.len <= bytes + bytes / 20 || t.num * rows == a->period_ns * t.den);
	CHECK(!strchr(str_text(&text), '<') && !strchr(str_text(&text), '&'));
	str_free(&text);
}

static void check_coding(bool values, uint32_t stacks)
{
	static const uint64_t periods[] = { 1000000000, 60000000000, 7, 3600000000000 };
	static const uint32_t rows[] = { 50, 60, 1, 7, 1000 };
	struct heat h;

	write_events(30000, 300, stacks, values, false);
	read_heat(&h);
	for (size_t i = 0; i < 20; i++) {
		struct heat_axes a = axes_of(&h, periods[i / 5], rows[i % 5]);

		a.zone_ns = i % 2 ? 5400000000000 : 0;
		if (a.zone_ns)
			a.first = (h.time_ns[0] + (uint64_t)a.zone_ns) / a.period_ns;
		a.y = i % 3 ? HEAT_Y_OFFSET : HEAT_Y_VALUE;
		check_ticks(&h, &a, 0, 0);
		check_ticks(&h, &a, 90000, 0);
		check_ticks(&h, &a, 1, 0);
		check_ticks(&h, &a, 0, 1 + next(1000000000));
	}
	heat_free(&h);
}

/* ---- pictures ------------------------------------------------------------------- */

static void add_part(struct str *svg, const char *label, const struct str *text)
{
	str_addf(svg, "<metadata class=\"%s\">%s</metadata>\n", label, str_text(text));
}

static void add_recordings(struct str *svg, const struct heat *h, const struct heat_ticks *t)
{
	str_puts(svg, ",\"recordings\":[");
	for (size_t i = 0; i < h->recording_count; i++) {
		const struct heat_recording *r = &h->recordings[i];

		str_addf(svg, "%s{\"host\":\"x\",\"from\":%llu,\"to\":%llu,\"source\":{", i ? "," : "",
			 (unsigned long long)(r->from_ns - t->origin_ns),
			 (unsigned long long)(r->to_ns - t->origin_ns));
		for (size_t p = 0; p < r->source.count; p++) {
			str_addf(svg, "%s\"%s\":", p ? "," : "", r->source.pairs[p].key);
			json_puts(svg, r->source.pairs[p].value);
		}
		str_puts(svg, "}}");
	}
	str_puts(svg, "],\"gaps\":[");
	for (size_t i = 0; i < h->gap_count; i++)
		str_addf(svg, "%s[%llu,%llu,%u,%d,%llu,\"%s\"]", i ? "," : "",
			 (unsigned long long)(h->gaps[i].start_ns - t->origin_ns),
			 (unsigned long long)(h->gaps[i].end_ns - t->origin_ns), h->gaps[i].recording, h->gaps[i].cpu,
			 (unsigned long long)h->gaps[i].lost, intern_text(&h->names, h->gaps[i].why));
	str_puts(svg, "]");
}

/* Like heat_svg.c, but without the parts that are not needed here. */
static void make_picture(const struct heat *h, const struct heat_ticks *t, struct str *svg)
{
	static const struct tree_wish wish = { .frame_of = true };
	const struct palette *palette = palette_find("hot");
	struct str events = { 0 }, stacks = { 0 };
	struct encoded e;
	struct tree tree;

	tree_build_as(&tree, &h->profile, &wish);
	encode(&e, &h->profile, &tree, 0, palette);
	heat_encode_events(h, t, &events);
	heat_encode_stacks(h, tree.frame_of, &stacks);
	str_addf(svg,
		 "<svg><metadata id=\"heat\">{\"origin\":\"%llu\",\"tick\":[%llu,%llu],\"group\":%u,"
		 "\"events\":%zu,\"stacks\":%zu,\"decimals\":%u",
		 (unsigned long long)t->origin_ns, (unsigned long long)t->num, (unsigned long long)t->den, t->group,
		 h->event_count, h->stack_count, h->decimals);
	if (!h->value)
		str_addf(svg, ",\"same\":%llu", (unsigned long long)h->same_value);
	add_recordings(svg, h, t);
	str_addf(svg, ",\"flame\":{\"names\":%u,\"frames\":%u,\"decimals\":%u}}</metadata>\n", e.name_count,
		 e.frame_count, h->decimals);
	add_part(svg, "flame-names", &e.names);
	add_part(svg, "flame-tree", &e.tree);
	add_part(svg, "heat-stacks", &stacks);
	add_part(svg, "heat-events", &events);
	str_puts(svg, "</svg>\n");
	str_free(&events);
	str_free(&stacks);
	encoded_free(&e);
	tree_free(&tree);
}

static char *unfolded(const struct str *svg)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int status = heat_unfold(out, svg->buf, svg->len, "the picture");

	fclose(out);
	if (status < 0)
		text[0] = '\0';
	return text;
}

/* The lines of a picture are those from which it was made, with exact times if ticks are 1 ns. */
static void check_unfold(bool values, bool hosts)
{
	struct heat_ticks t;
	struct str svg = { 0 };
	struct heat h, again;
	struct heat_axes a;
	bool same;
	char *text;
	FILE *out;

	write_events(2000, 60, 40, values, hosts);
	read_heat(&h);
	a = axes_of(&h, 1000000000, 60);
	heat_ticks_choose(&t, &h, &a, 0, 0);
	make_picture(&h, &t, &svg);
	CHECK(heat_is_in(svg.buf, svg.len));
	text = unfolded(&svg);
	CHECK(*text);
	out = fopen(path, "w");
	fputs(text, out);
	fclose(out);
	read_heat(&again);
	CHECK(again.event_count == h.event_count && again.stack_count == h.stack_count);
	CHECK(again.recording_count == h.recording_count && again.gap_count == h.gap_count);
	CHECK(again.gaps[0].lost == 3 && again.gaps[0].start_ns == h.gaps[0].start_ns);
	CHECK(!memcmp(again.time_ns, h.time_ns, h.event_count * sizeof(*h.time_ns)));
	same = !!again.value == !!h.value;
	for (size_t i = 0; i < h.event_count && same; i++)
		same = heat_value(&again, i) == heat_value(&h, i) &&
		       !strcmp(intern_text(&again.texts, again.stacks[again.stack[i]].text),
			       intern_text(&h.texts, h.stacks[h.stack[i]].text));
	CHECK(same);
	CHECK_TEXT(source_get(&again.source, "command"), "a \"b");
	CHECK(again.recordings[0].from_ns == h.recordings[0].from_ns);
	heat_free(&again);
	heat_free(&h);
	free(text);
	str_free(&svg);
}

/* A damaged picture says so. */
static void check_damaged(void)
{
	struct heat_ticks t;
	struct str svg = { 0 };
	struct heat h;
	struct heat_axes a;
	int told = 0;

	write_events(300, 6, 40, true, false);
	read_heat(&h);
	a = axes_of(&h, 1000000000, 50);
	heat_ticks_choose(&t, &h, &a, 0, 0);
	make_picture(&h, &t, &svg);
	for (size_t i = 0; i < 2000; i++) {
		struct str bad = { 0 };
		char *text;

		str_add(&bad, svg.buf, svg.len);
		for (int n = 0; n < 3; n++)
			bad.buf[next((uint32_t)bad.len)] = (char)(' ' + next(95));
		text = unfolded(&bad);
		told += !*text;
		free(text);
		str_free(&bad);
	}
	CHECK(told > 100);
	heat_free(&h);
	str_free(&svg);
}

int main(void)
{
	quiet = 1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", memfd_create("heat", 0));
	check_coding(false, 20);
	check_coding(true, 3000);
	check_unfold(false, false);
	check_unfold(true, true);
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	check_damaged();
	return check_done();
}

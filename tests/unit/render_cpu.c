/* Colours of CPUs: all 256 can be told apart, and packages have their own hues.  Colours of waits can be told apart,
 * too.  Also what the header says about the machine's CPUs. */
#include <math.h>
#include <stdlib.h>

#include "render/colours/cpu.h"
#include "render/colours/waits.h"
#include "render/profile/topology.h"
#include "tests/unit/check.h"

struct lab {
	double l, a, b;
};

static double linear(uint32_t byte)
{
	double c = byte / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double bent(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* CIE L*a*b* 1976 of sRGB, D65. */
static struct lab lab_of(uint32_t rgb)
{
	double r = linear(rgb >> 16), g = linear(rgb >> 8 & 255), b = linear(rgb & 255);
	double x = bent((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
	double y = bent(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
	double z = bent((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);

	return (struct lab){ 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

static double distance(uint32_t x, uint32_t y)
{
	struct lab p = lab_of(x), q = lab_of(y);

	return sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

static double least_distance(const uint32_t *rgb, size_t count)
{
	double least = 1e9;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < i; k++)
			least = fmin(least, distance(rgb[i], rgb[k]));
	}
	return least;
}

static double least_neighbours(const uint32_t *rgb, size_t count)
{
	double least = 1e9;

	for (size_t i = 1; i < count; i++)
		least = fmin(least, distance(rgb[i - 1], rgb[i]));
	return least;
}

static double lightness_least(const uint32_t *rgb, size_t count)
{
	double least = 100;

	for (size_t i = 0; i < count; i++)
		least = fmin(least, lab_of(rgb[i]).l);
	return least;
}

static double lightness_most(const uint32_t *rgb, size_t count)
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, lab_of(rgb[i]).l);
	return most;
}

static void check_tables(void)
{
	uint32_t rgb[300];

	cpu_colours(rgb, NULL, 256, false);
	CHECK(least_distance(rgb, 256) >= 10);
	CHECK(least_distance(rgb, 64) >= 19);
	CHECK(least_neighbours(rgb, 256) >= 13);
	CHECK(lightness_least(rgb, 256) >= 49.9); /* black on it: at least 4.5:1 */
	cpu_colours(rgb, NULL, 256, true);
	CHECK(least_distance(rgb, 256) >= 3);
	CHECK(least_distance(rgb, 64) >= 6);
	CHECK(lightness_least(rgb, 256) >= 49.9);
	cpu_colours(rgb, NULL, 300, false);
	CHECK(lightness_most(rgb, 256) <= 88.1); /* told from a white page */
	CHECK(rgb[256] == rgb[0] && rgb[299] == rgb[43]);
	CHECK(rgb[0] == 0x6ca8d8); /* written down once */
}

/* How much the hues of count colours agree, from 1 if all are the same, to 0 if they are spread around the circle; and
 * their mean, in degrees. */
static double agreement(const uint32_t *rgb, size_t count, double *mean)
{
	double x = 0, y = 0;

	for (size_t i = 0; i < count; i++) {
		struct lab c = lab_of(rgb[i]);
		double chroma = hypot(c.a, c.b);

		x += c.a / chroma;
		y += c.b / chroma;
	}
	*mean = atan2(y, x) * 180 / 3.14159265358979;
	return hypot(x, y) / (double)count;
}

static void check_packages(void)
{
	uint32_t rgb[256], package[256], again[256];
	double mean[4];

	for (uint32_t i = 0; i < 256; i++)
		package[i] = i / 8 % 4; /* as some machines number them */
	cpu_colours(rgb, package, 256, false);
	CHECK(least_distance(rgb, 256) >= 10);
	for (uint32_t p = 0; p < 4; p++) {
		uint32_t own[64];
		size_t count = 0;

		for (size_t i = 0; i < 256; i++) {
			if (package[i] == p)
				own[count++] = rgb[i];
		}
		CHECK(count == 64);
		CHECK(least_neighbours(own, count) >= 18);
		CHECK(agreement(own, count, &mean[p]) >= 0.6);
	}
	for (uint32_t p = 0; p < 4; p++)
		CHECK(fabs(remainder(mean[p] - mean[(p + 1) % 4], 360)) >= 30);
	cpu_colours(again, package, 256, false);
	CHECK(!memcmp(rgb, again, sizeof(rgb)));
}

static void check_topology(void)
{
	struct topology t = { 0 };
	struct str words = { 0 };
	uint32_t n;

	topology_read(&t, "0 package=0 core=0 node=0; 2 package=1 core=0 node=1 isolated nohz_full "
			  "irqs=24:eth0-rx-0,25:a=b; 1 package=0 core=0 node=0 later=9;junk;;7;2 core=5");
	CHECK(t.count == 4);
	CHECK(t.cpus[0].number == 0 && t.cpus[1].number == 1 && t.cpus[2].number == 7);
	CHECK(t.cpus[3].number == 2 && t.cpus[3].isolated && t.cpus[3].nohz_full);
	CHECK(!topology_find(&t, 3) && topology_find(&t, 7) == &t.cpus[2]);
	topology_words_add(&words, topology_find(&t, 2));
	CHECK_TEXT(words.buf, "package 1, core 0, node 1, isolated, nohz_full, interrupts 24:eth0-rx-0,25:a=b");
	str_free(&words);
	topology_free(&t);
	topology_read(&t, NULL);
	topology_read(&t, "; ;= 4294967296 99999999999");
	CHECK(t.count == 0);
	topology_free(&t);
	CHECK(topology_cpu_number("cpu12", 5, &n) && n == 12);
	CHECK(!topology_cpu_number("cpu", 3, &n) && !topology_cpu_number("cpu1x", 5, &n));
}

/* A timeline shows all kinds of wait side by side, in rows of a few pixels. */
static void check_waits(void)
{
	uint32_t rgb[16];
	size_t count = 0;

	for (; wait_kinds[count].frame; count++) {
		rgb[count] = wait_kinds[count].rgb;
		printf("%sok - %s can be read\n", lab_of(rgb[count]).l < 66 ? "not " : "", wait_kinds[count].label);
		checks_failed += lab_of(rgb[count]).l < 66; /* black text: 7:1 */
	}
	CHECK(least_distance(rgb, count) >= 17);
	CHECK(wait_kind_called("[lock]x", 6) == wait_kinds && !wait_kind_called("[lock]x", 7));
}

int main(void)
{
	check_tables();
	check_waits();
	check_packages();
	check_topology();
	return check_done();
}

#include "render/heat/heat_table.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/outfile.h"
#include "core/wallclock.h"

static void heat_table_add_heading(struct str *out, const struct heat_axes *a, bool relative)
{
	static const char *const rows[] = { "offset_s", "value", "percent" };
	static const char *const cells[] = { "events", "values", "painted_ns", "longest" };

	str_addf(out, "map\t%s\t%s\t%s\tidle\tunseen\n", relative ? "time_s" : "time", rows[a->y],
		 a->y == HEAT_Y_UTILIZATION ? "cpus" : cells[a->weigh]);
}

static void add_decimal(struct str *out, uint64_t n, unsigned decimals)
{
	uint64_t one = 1;

	for (unsigned i = 0; i < decimals; i++)
		one *= 10;
	str_add_u64(out, n / one);
	if (decimals)
		str_addf(out, ".%0*" PRIu64, (int)decimals, n % one);
}

static void add_row_name(struct str *out, const struct heat_chart *c, uint32_t row)
{
	static const unsigned decimals[] = { [HEAT_Y_OFFSET] = 9, [HEAT_Y_UTILIZATION] = 2 };

	add_decimal(out, heat_row_border(&c->axes, row),
		    c->axes.y == HEAT_Y_VALUE ? c->heat->decimals : decimals[c->axes.y]);
}

/* Map names come from the input: a tab in one would look like a column. */
static void heat_table_add_name(struct str *out, const char *name)
{
	for (; name && *name; name++)
		str_addc(out, (unsigned char)*name < ' ' ? ' ' : *name);
	str_addc(out, '\t');
}

/* Append the column's time: without a wall clock, seconds since the start. */
static void heat_table_add_time(struct str *out, const struct heat_chart *c, uint32_t column)
{
	uint64_t ns = heat_column_ns(&c->axes, column);

	if (c->heat->relative)
		wallclock_add_seconds(out, ns - heat_column_ns(&c->axes, 0));
	else
		wallclock_add(out, ns);
}

static void heat_table_add_cell(struct str *out, const struct heat_chart *c, const struct heat_map *m, uint32_t column,
				uint32_t row)
{
	size_t cell = (size_t)column * c->axes.rows + row;
	bool are_values = c->axes.weigh == HEAT_VALUES || c->axes.weigh == HEAT_LONGEST;
	unsigned decimals = are_values ? c->heat->decimals : 0;
	uint64_t count = m->grid.cells[cell];
	uint64_t idle = c->axes.y == HEAT_Y_UTILIZATION ? 0 : m->idle.cells[cell];

	if (!count && !idle && !m->unseen[cell])
		return;
	heat_table_add_name(out, m->title ? m->title : "all");
	heat_table_add_time(out, c, column);
	str_addc(out, '\t');
	add_row_name(out, c, row);
	str_addc(out, '\t');
	add_decimal(out, count, decimals);
	str_addc(out, '\t');
	add_decimal(out, idle, decimals);
	str_addc(out, '\t');
	add_decimal(out, m->unseen[cell], 3);
	str_addc(out, '\n');
}

static void heat_table_write_all(const struct heat_chart *c, FILE *out)
{
	struct str text = { 0 };

	heat_table_add_heading(&text, &c->axes, c->heat->relative);
	for (size_t i = 0; i < c->map_count; i++) {
		for (uint32_t column = 0; column < c->axes.columns; column++) {
			for (uint32_t row = 0; row < c->axes.rows; row++)
				heat_table_add_cell(&text, c, &c->maps[i], column, row);
			if (text.len)
				fwrite(text.buf, 1, text.len, out);
			str_clear(&text);
		}
	}
	str_free(&text);
}

int heat_table_write(const struct heat_chart *c, const char *path)
{
	struct outfile out;

	if (outfile_open(&out, path) < 0)
		return -1;
	heat_table_write_all(c, out.file);
	return outfile_commit(&out);
}

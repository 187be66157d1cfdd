/* heat_table: the numbers of a heat map, for other programs.
 *
 *     map	time	offset_s	events	idle	unseen
 *     	2026-11-21T10:15:02.000000000Z	0.020000000	3	0	0.000
 *
 * Columns are separated by tabs.  There is a line for each cell that is not empty or was not
 * completely observed; map columns by time, and in them rows upwards. */
#ifndef RENDER_HEAT_TABLE_H
#define RENDER_HEAT_TABLE_H

#include "render/heat/heat_draw.h"

/* Write it to path, NULL is stdout.  Returns 0, or -1 after a message. */
int heat_table_write(const struct heat_chart *c, const char *path);

#endif

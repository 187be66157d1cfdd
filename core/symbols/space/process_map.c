#include "core/symbols/space/process_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* "7f1c2a600000-7f1c2a755000 r-xp 00026000 fe:01 1054      /usr/lib/libc.so.6" */
static bool process_map_parse(char *line, uint64_t address, struct process_map *map)
{
	unsigned int major, minor;
	uint64_t inode;
	int path = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64, &map->start, &map->end) != 2 || address < map->start ||
	    address >= map->end ||
	    sscanf(line, "%*s %*s %*s %x:%x %" SCNu64 " %n", &major, &minor, &inode, &path) != 3 || !path)
		return false;
	snprintf(map->id, sizeof(map->id), "%x:%x:%" PRIx64, major, minor, inode);
	line[strcspn(line, "\n")] = '\0';
	map->path = xstrdup(line + path);
	return true;
}

bool process_map_find(int pid, uint64_t address, struct process_map *map)
{
	char name[32], *line = NULL;
	size_t cap = 0;
	bool found = false;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	maps = fopen(name, "re");
	while (maps && !found && getline(&line, &cap, maps) > 0)
		found = process_map_parse(line, address, map);
	if (maps)
		fclose(maps);
	free(line);
	return found;
}

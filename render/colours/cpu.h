/* cpu: colours for 256 CPUs (or threads) that can be distinguished.
 *
 * The two tables are fixed.  Each was made by repeatedly taking the colour farthest from all taken before, among
 * colours that are not nearly white and on which black text is readable; so the first few differ most.  Any two of
 * cpu_colours_all are at least 10 apart in CIE L*a*b* (1976; 2.3 is just noticeable), and any two of its first 64 at
 * least 19.  cpu_colours_safe does the same
 * for each kind of colour vision (protanopia and deuteranopia after Machado, Oliveira and
 * Fernandes, 2009): any two are at least 3 apart for each, and 6 for the first 64. */
#ifndef RENDER_CPU_H
#define RENDER_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CPU_COLOUR_COUNT = 256 };

extern const uint32_t cpu_colours_all[CPU_COLOUR_COUNT], cpu_colours_safe[CPU_COLOUR_COUNT];

/* Set rgb[i] for each of count CPUs, where CPU i is in package[i]; package NULL: all are in one.
 * CPUs of one package get adjacent hues, but neighbouring CPUs get colours that are well apart.  From CPU_COLOUR_COUNT
 * on, colours repeat. */
void cpu_colours(uint32_t *rgb, const uint32_t *package, size_t count, bool safe);

#endif

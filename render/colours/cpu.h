/* cpu: colours that tell 256 CPUs (or threads) apart.
 *
 * Two tables, each chosen once, by taking again and again what of the colours that
 * black letters can be read on, and that are not nearly white, is farthest from all that were
 * taken: so the first few differ most.  Of cpu_colours_all, any two are at least 10 apart in CIE
 * L*a*b* (1976; 2.3 is what one just sees), of the first 64 at least 19.  cpu_colours_safe does
 * that for people with each kind of colour vision (protanopia and deuteranopia after Machado,
 * Oliveira and Fernandes, 2009): at least 3 for each of them, 6 for the first 64. */
#ifndef RENDER_CPU_H
#define RENDER_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CPU_COLOUR_COUNT = 256 };

extern const uint32_t cpu_colours_all[CPU_COLOUR_COUNT], cpu_colours_safe[CPU_COLOUR_COUNT];

/* Set rgb[i] of count CPUs, of which CPU i is in package[i]; package NULL: all are in one.
 * CPUs of one package get hues that stand beside each other, and neighbours colours that
 * are well apart.  From CPU_COLOUR_COUNT on, colours repeat. */
void cpu_colours(uint32_t *rgb, const uint32_t *package, size_t count, bool safe);

#endif

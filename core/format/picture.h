/* picture: the metadata in each of our SVG files, for web/ and other tools.
 *
 *     <metadata id="pyrograph">{"kind":"flame","title":"...",...}</metadata>
 *
 * One flat JSON object: strings and whole numbers, no nesting; characters special
 * in XML are \u escapes, so that it can be found and read as text, without an XML
 * parser.  It is within the first 16 kB of the file. */
#ifndef CORE_FORMAT_PICTURE_H
#define CORE_FORMAT_PICTURE_H

#define PICTURE_OPEN "<metadata id=\"pyrograph\">"
#define PICTURE_CLOSE "</metadata>"

#define PICTURE_KIND "kind" /* flame, heat, states, tenancy, ... */
#define PICTURE_TITLE "title"
#define PICTURE_UNIT "unit"         /* of the values */
#define PICTURE_TOTAL "total"       /* of all values, whole number */
#define PICTURE_THREAD "thread"     /* in the picture of a single thread: its name */
#define PICTURE_NOTES "notes"       /* given by the user */
#define PICTURE_HEADLINE "headline" /* findings, in lines that end in \n: for people; shown in the picture */
#define PICTURE_LONGEST "longest"   /* in a picture of waits: the longest single one, ns, whole number */
#define PICTURE_IDLE "idle"         /* of samples: how many of the total are of idle CPUs, whole number */
/* "1200 800 96 780": width and height of the picture, and from where to where, from its top downwards, the chart reaches,
 * without heading and details, in whole pixels; then " whole" if its upper part alone would lack the axis */
#define PICTURE_PLOT "plot"
/* ... and every key of the folded header, under its own name (core/format/folded.h):
 * host, event, start, end, rate, kernel, command, filter, lost, losses,
 * unresolved, quality: as strings.  Long values are cut. */

/* How the last lines of collapse --explain=headline may begin, each for the charts that show that: who had the CPUs; and
 * "Of locks: ", "Of io: ", whose most of what that collector recorded is. */
#define HEADLINE_ON_CPUS "On CPUs: "
#define HEADLINE_OF "Of "

/* Its first line: "java-8 used 0.16 of 2 CPUs for 15 s ...; the longest time that a thread was held up: 290 ms (...)".
 * Pages take their numbers from it, so that a run has one of each. */
#define HEADLINE_USED " used "
#define HEADLINE_USED_CPUS "CPUs for "
#define HEADLINE_LONGEST "; the longest time that a thread was held up: "

#endif

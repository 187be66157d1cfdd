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
#define PICTURE_HEADLINE "headline" /* findings for people, in lines that end in \n; the picture shows them */
#define PICTURE_LONGEST "longest"   /* in a picture of waits: the longest single wait in ns, a whole number */
#define PICTURE_IDLE "idle"         /* of samples: how many of the total are from idle CPUs, a whole number */
/* "1200 800 96 780", in whole pixels: width and height of the picture, then the top and bottom of the chart, without
 * heading and details; then " whole" if the chart's upper part alone would lack the axis */
#define PICTURE_PLOT "plot"
/* ... and every key of the folded header, under its own name (core/format/folded.h):
 * host, event, start, end, rate, kernel, command, filter, lost, losses,
 * unresolved, quality: as strings.  Long values are cut. */

/* How the last lines of collapse --explain=headline may begin, each meant for certain charts: the threads that had the
 * CPUs; and "Of locks: ", "Of io: ", the thread with most of what that collector recorded. */
#define HEADLINE_ON_CPUS "On CPUs: "
#define HEADLINE_OF "Of "

/* The first line of such a headline: "java-8 used 0.16 of 2 CPUs for 15 s ...; the longest time that a thread was held
 * up: 290 ms (...)". Pages take their figures from it, so that all figures of a run agree. */
#define HEADLINE_USED " used "
#define HEADLINE_USED_CPUS "CPUs for "
#define HEADLINE_USED_CPU "CPU for " /* ... of a machine with one */
#define HEADLINE_LONGEST "; the longest time that a thread was held up: "

/* The second line begins like this if nobody is to blame.  It is then the line that matters, even if it is the last one
 * (else, if there are three lines or more). */
#define HEADLINE_NOTHING "Nothing stands out"

#endif

/* picture: what every SVG of ours says about itself, for web/ and other tools.
 *
 *     <metadata id="pyrograph">{"kind":"flame","title":"...",...}</metadata>
 *
 * One flat JSON object: strings and whole numbers, no nesting; characters that
 * mean something to XML are \u escapes, so that it can be found and read as
 * text, without an XML parser.  It stands within the first 16 kB of the file. */
#ifndef CORE_FORMAT_PICTURE_H
#define CORE_FORMAT_PICTURE_H

#define PICTURE_OPEN  "<metadata id=\"pyrograph\">"
#define PICTURE_CLOSE "</metadata>"

#define PICTURE_KIND   "kind"   /* flame, heat, states, tenancy, ... */
#define PICTURE_TITLE  "title"
#define PICTURE_UNIT   "unit"   /* of the values */
#define PICTURE_TOTAL  "total"  /* of all values, whole number */
#define PICTURE_THREAD "thread" /* the thread it is of, when it is of one */
#define PICTURE_NOTES  "notes"  /* what the user had to say */
/* ... and every key of the folded header, under its own name (core/format/folded.h):
 * host, event, start, end, rate, kernel, command, filter, lost, losses,
 * unresolved, quality: as strings.  Long values are cut. */

#endif

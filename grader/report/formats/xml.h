/* Text for what is written as XML. */
#ifndef GRADER_FORMATS_XML_H
#define GRADER_FORMATS_XML_H

/* A copy without what XML 1.0 cannot hold in any form; the caller frees it. Not escaped: libxml2
 * does that. */
char *xml_clean(const char *text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a run: words of the form name=value on the semihosting command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

/*
 * The value of the option `name`, zero-terminated, valid until the end of the run. NULL when this
 * run has no such option, or an empty one. Values hold no spaces.
 */
const char *option_value(const char *name);

#endif

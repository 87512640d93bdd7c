/* SPDX-License-Identifier: Apache-2.0 */
/* Where the storage's files are. */
#ifndef FILES_H
#define FILES_H

/* The folder of the entries: what CORRAL_STORAGE names, or `corral-storage`. */
const char *files_folder(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which records count: those of data that no later record of their name replaces. It is asked of
 * many at once, because without an index each question is a walk over all that follows.
 */
#ifndef CORRAL_STORAGE_LIVE_H
#define CORRAL_STORAGE_LIVE_H

#include "walk.h"

#define CORRAL_BATCH 32u

/* Records that follow each other in a page. */
struct corral_batch {
    uint32_t at[CORRAL_BATCH];
    uint16_t tags[CORRAL_BATCH]; /* of their names, so that few are read again */
    uint32_t live;               /* bit i: record i counts */
    uint8_t count;
};

/*
 * Read the next records of the page that is `steps` after the active one, and judge them.
 *   *at  where to begin, 0: at the page's first record; moved behind the batch, 0: that was all
 *   PSA_ERROR_STORAGE_FAILURE  the flash cannot be read, or damage makes it uncertain
 */
psa_status_t corral_batch_read(uint16_t steps, uint32_t *at, struct corral_batch *batch);

/* Enter all names into the index, and count what lives: if there is room and no damage. */
psa_status_t corral_survey_names(void);

/* Know what lives, if it is not known. PSA_ERROR_STORAGE_FAILURE as above. */
psa_status_t corral_survey_live(void);

#endif

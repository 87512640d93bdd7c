/* SPDX-License-Identifier: Apache-2.0 */
/* What the generator would write for these tests, as far as the driver and the headers need it. */
#ifndef CORRAL_CONFIG_H
#define CORRAL_CONFIG_H

#define CORRAL_THREADS 1

#endif

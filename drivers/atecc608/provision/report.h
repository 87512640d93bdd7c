/* SPDX-License-Identifier: Apache-2.0 */
/* What the program says about a chip and its plan. */
#ifndef REPORT_H
#define REPORT_H

#include "../atecc608_provision.h"

/* Describe the chip, and slot by slot what the plan makes of it. */
void report_plan(const char *name, const struct atecc608_device *device,
                 const struct atecc608_plan *plan);

/* Say what can be ordered next, and what of it is for ever. */
void report_choices(const char *name, const struct atecc608_plan *plan);

/* One line for programs: "corral-provision " and a JSON object. */
void report_machine(const char *name, const struct atecc608_plan *plan);

#endif

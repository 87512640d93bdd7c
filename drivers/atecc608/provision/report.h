/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the program about a chip and its plan. */
#ifndef REPORT_H
#define REPORT_H

#include "../atecc608_provision.h"

/* Describe the chip, and slot by slot what the plan makes of it. */
void report_plan(const char *name, const struct atecc608_device *device,
                 const struct atecc608_plan *plan);

/* Print the orders that are possible next, and which of them are irreversible. */
void report_choices(const char *name, const struct atecc608_plan *plan);

/* One line for programs: "corral-provision " and a JSON object. */
void report_machine(const char *name, const struct atecc608_plan *plan);

#endif

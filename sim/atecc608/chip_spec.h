/* SPDX-License-Identifier: Apache-2.0 */
/* Chips as a command line describes them: "bus=0,address=0x60,nvm=FILE,time=100,fault=nak@3". */
#ifndef CHIP_SPEC_H
#define CHIP_SPEC_H

#include "atecc608_sim.h"

#define ATECC608_SIM_SPEC_FAULTS 8

struct atecc608_sim_spec {
    unsigned long bus; /* 0 to 255 */
    struct atecc608_sim_options options;
    const char *faults[ATECC608_SIM_SPEC_FAULTS]; /* for atecc608_sim_fault() */
    size_t fault_count;
};

/*
 * Take `text` apart, in place; the strings of `spec` lie in it afterwards. false: says on standard
 * error what is wrong.
 */
bool atecc608_sim_parse_spec(char *text, struct atecc608_sim_spec *spec);

#endif

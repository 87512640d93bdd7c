/* SPDX-License-Identifier: Apache-2.0 */
/* A call that reads so many bytes of an input of ten, and, with a second word, one after it. */
#include "../../harness/reads.h"

#include <stdlib.h>

#define SIZE 10

int main(int argc, char **argv)
{
    uint8_t *const data = calloc(SIZE, 1);
    uint8_t sum = 0;

    if (argc < 2 || data == NULL || !reads_begin("psa_any") || !reads_about(0)) {
        return 2;
    }
    const uint8_t *const input = reads_input("data", data, SIZE);
    reads_call();
    for (int i = 0; i < atoi(argv[1]); i++) {
        sum |= input[i];
    }
    reads_end();
    if (argc > 2) {
        sum |= input[0];
    }
    free(data);
    return sum;
}

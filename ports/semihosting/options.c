/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stdbool.h>
#include <string.h>

#include "semihosting.h"

/* The command line, spaces replaced by zeros once it has been read; ends with two zeros. */
static char words[1024];
static bool are_read;

static void read_words(void)
{
    if (semihosting_command_line(words, sizeof words - 1)) {
        for (char *at = words; *at != '\0'; at++) {
            if (*at == ' ') {
                *at = '\0';
            }
        }
    }
    are_read = true;
}

const char *option_value(const char *name)
{
    const size_t length = strlen(name);

    if (!are_read) {
        read_words();
    }
    for (const char *word = words; *word != '\0'; word += strlen(word) + 1) {
        const bool is_named = strncmp(word, name, length) == 0 && word[length] == '=';
        if (is_named && word[length + 1] != '\0') {
            return word + length + 1;
        }
    }
    return NULL;
}

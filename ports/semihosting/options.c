/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stdbool.h>
#include <string.h>

#include "semihosting.h"

/* The command line, spaces replaced by zeros; ends with two zeros. Empty before it is read. */
static char words[1024];

static void read_words(void)
{
    (void)semihosting_command_line(words, sizeof words - 1); /* empty if there is none */
    for (char *at = words; *at != '\0'; at++) {
        if (*at == ' ') {
            *at = '\0';
        }
    }
}

const char *option_value(const char *name)
{
    if (words[0] == '\0') {
        read_words();
    }
    for (const char *word = words; *word != '\0'; word += strlen(word) + 1) {
        size_t length = 0;
        while (name[length] != '\0' && word[length] == name[length]) {
            length++;
        }
        const bool is_named = name[length] == '\0' && word[length] == '=';
        if (is_named && word[length + 1] != '\0') {
            return word + length + 1;
        }
    }
    return NULL;
}

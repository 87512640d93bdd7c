/* SPDX-License-Identifier: Apache-2.0 */
/* ../tls/main.c is the program; what is built with this is the library for it. */
int main(void)
{
    return 0;
}

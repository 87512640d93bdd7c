/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is run: the objects of the drivers are what is looked at. */
int main(void)
{
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions of the compiler for lwIP; its messages are dropped, because there is no console for
 * them. */
#ifndef ARCH_CC_H
#define ARCH_CC_H

#define LWIP_PLATFORM_DIAG(text)
#define LWIP_PLATFORM_ASSERT(text)

#endif

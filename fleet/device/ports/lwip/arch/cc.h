/* SPDX-License-Identifier: Apache-2.0 */
/* What lwIP asks of a compiler; it says nothing, as there is nobody to read it. */
#ifndef ARCH_CC_H
#define ARCH_CC_H

#define LWIP_PLATFORM_DIAG(text)
#define LWIP_PLATFORM_ASSERT(text)

#endif

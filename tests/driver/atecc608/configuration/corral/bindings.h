/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_BINDINGS_H
#define CORRAL_BINDINGS_H

#define CORRAL_BLOCK_MAX_SIZE 16

#endif

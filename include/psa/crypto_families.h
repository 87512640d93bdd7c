/* SPDX-License-Identifier: Apache-2.0 */
/* Everything of psa/crypto.h except the definitions of the operation objects. Headers that
 * take part in those definitions include this one, because psa/crypto.h would be a circle.
 */
#ifndef PSA_CRYPTO_FAMILIES_H
#define PSA_CRYPTO_FAMILIES_H

#include <corral/config.h>

#include "crypto_aead.h"
#include "crypto_agreement.h"
#include "crypto_algorithms.h"
#include "crypto_asymmetric.h"
#include "crypto_cipher.h"
#include "crypto_derivation.h"
#include "crypto_hash.h"
#include "crypto_kem.h"
#include "crypto_key_sizes.h"
#include "crypto_key_types.h"
#include "crypto_keys.h"
#include "crypto_library.h"
#include "crypto_mac.h"
#include "crypto_max_sizes.h"
#include "crypto_pake.h"
#include "crypto_random.h"
#include "crypto_sign.h"
#include "crypto_sign_algorithms.h"
#include "crypto_sizes.h"
#include "crypto_types.h"
#include "crypto_wrap.h"
#include "crypto_xof.h"

#endif

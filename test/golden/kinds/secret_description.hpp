#ifndef KFTRAIN_TEST_GOLDEN_KINDS_SECRET_DESCRIPTION_HPP
#define KFTRAIN_TEST_GOLDEN_KINDS_SECRET_DESCRIPTION_HPP

#include "golden/compare.hpp"

namespace golden {

/** Replaces the values of a Secret by descriptions, as recordings have them: `<pem EC PRIVATE KEY der=223 P-521>`,
    `<authorized_keys ALGORITHM blob=N line=N>`, `text:...`. Other objects stay as they are. */
void describe_secret(json::value& body);

} // namespace golden

#endif

#ifndef KFTRAIN_SRC_BASE_UNDECODABLE_HPP
#define KFTRAIN_SRC_BASE_UNDECODABLE_HPP

#include <kftrain/base/error.hpp>

namespace kftrain::detail {

/// Returns whether a text was JSON, but no object of the expected kind, or one that is nested deeper than the decoder
/// allows. Such an error concerns one object: the server answers, and others may be readable.
inline bool is_undecodable(error_code const& ec) noexcept {
    return ec == errc::type_mismatch || ec == errc::out_of_range || ec == errc::wrong_kind || ec == errc::too_deep;
}

} // namespace kftrain::detail

#endif

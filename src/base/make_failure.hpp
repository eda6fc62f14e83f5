#ifndef KFTRAIN_SRC_BASE_MAKE_FAILURE_HPP
#define KFTRAIN_SRC_BASE_MAKE_FAILURE_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <utility>

namespace kftrain {

/// Returns a failure with a message and without a position.
inline failure make_failure(error_code code, std::string message) {
    diagnostics detail;
    detail.message = std::move(message);
    return failure(code, std::move(detail));
}

} // namespace kftrain

#endif

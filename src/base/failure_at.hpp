#ifndef KFTRAIN_SRC_BASE_FAILURE_AT_HPP
#define KFTRAIN_SRC_BASE_FAILURE_AT_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <utility>

namespace kftrain {

/// Returns a failure of the value at a path: a field, an option or a parameter.
inline failure failure_at(std::string path, std::string message, error_code code = errc::invalid_argument) {
    diagnostics detail;
    detail.path = std::move(path);
    detail.message = std::move(message);
    return failure(code, std::move(detail));
}

} // namespace kftrain

#endif

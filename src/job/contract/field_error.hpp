#ifndef KFTRAIN_SRC_JOB_CONTRACT_FIELD_ERROR_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_FIELD_ERROR_HPP

#include <kftrain/base/diagnostics.hpp>

#include <span>
#include <string>
#include <string_view>

namespace kftrain {

/// `"s"`, as values stand in messages.
std::string in_quotes(std::string_view s);

/** Issues worded as the API server words field errors.
    @par Upstream apimachinery `pkg/util/validation/field/errors.go` */
issue required(std::string_view rule, std::string path, std::string_view detail);
issue forbidden(std::string_view rule, std::string path, std::string_view detail);
issue invalid(std::string_view rule, std::string path, std::string_view value, std::string_view detail);
issue unsupported(std::string_view rule, std::string path, std::string_view value,
                  std::span<std::string_view const> known);

} // namespace kftrain

#endif

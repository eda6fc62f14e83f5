#ifndef KFTRAIN_SRC_JOB_CONTRACT_FIELD_ERROR_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_FIELD_ERROR_HPP

#include "base/in_quotes.hpp"

#include <kftrain/base/diagnostics.hpp>

#include <span>
#include <string>
#include <string_view>

namespace kftrain {

/** Issues worded as the API server words field errors.
    @par Upstream apimachinery `pkg/util/validation/field/errors.go` */
issue required(std::string_view rule, std::string path, std::string_view detail);
issue forbidden(std::string_view rule, std::string path, std::string_view detail);
issue invalid(std::string_view rule, std::string path, std::string_view value, std::string_view detail);
issue unsupported(std::string_view rule, std::string path, std::string_view value,
                  std::span<std::string_view const> known);

/** The failure for a job with these errors: `errc::invalid_job`, with a cause for each error. The message joins them;
    the reason of a cause is that of the API server. If `names_path`, the failure has the path of the first error, which
    the message then omits. */
failure invalid_job(issues const& found, std::string_view separator, bool names_path = false);

} // namespace kftrain

#endif

#ifndef KFTRAIN_SRC_MODEL_VALUE_FIELD_PATH_HPP
#define KFTRAIN_SRC_MODEL_VALUE_FIELD_PATH_HPP

#include <kftrain/base/diagnostics.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::detail {

/** Splits a path as errors and diff() spell it into the names of members, keys of maps and items of lists:
    `spec.containers[0].image`, `metadata.labels[example.com/team]`, `["a.b"]`, `containers[name=pytorch]`.
    @par Errors `errc::invalid_argument` */
result<std::vector<std::string>> split_path(std::string_view path);

/// A step `name=pytorch` to an item of a list, or `=x` to a scalar.
struct keyed_step {
    std::string_view key, value;
};
/// Returns nothing if the step is no key with a value, but a name or an index.
std::optional<keyed_step> keyed(std::string_view step) noexcept;

/// Returns the index that a step to an item of a list of this size means; `size` if there is no such item.
std::size_t index_of(std::string_view step, std::size_t size) noexcept;

} // namespace kftrain::detail

#endif

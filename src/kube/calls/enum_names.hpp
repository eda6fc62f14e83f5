#ifndef KFTRAIN_SRC_KUBE_CALLS_ENUM_NAMES_HPP
#define KFTRAIN_SRC_KUBE_CALLS_ENUM_NAMES_HPP

#include <kftrain/model/resource.hpp>

#include <string_view>

namespace kftrain::meta {

/// Returns `Orphan`, `Background` or `Foreground`, as requests have it.
std::string_view to_string(deletion_propagation) noexcept;
/// Returns `Ignore`, `Warn` or `Strict`, as requests have it.
std::string_view to_string(field_validation) noexcept;

} // namespace kftrain::meta

namespace kftrain::kube {

enum class list_streaming;
enum class log_channel;
enum class when_expired;

/// Returns `All`, `Stdout` or `Stderr`, as requests have it.
std::string_view to_string(log_channel) noexcept;
/// Returns the name of the enumerator.
std::string_view to_string(list_streaming) noexcept;
/// Returns the name of the enumerator.
std::string_view to_string(when_expired) noexcept;

} // namespace kftrain::kube

#endif

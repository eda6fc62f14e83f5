#ifndef KFTRAIN_SRC_KUBE_ENUM_NAMES_HPP
#define KFTRAIN_SRC_KUBE_ENUM_NAMES_HPP

#include <kftrain/model/resource.hpp>

#include <string_view>

namespace kftrain::meta {

/// Returns `Orphan`, `Background` or `Foreground`, as requests have it.
std::string_view to_string(deletion_propagation) noexcept;
/// Returns `Ignore`, `Warn` or `Strict`, as requests have it.
std::string_view to_string(field_validation) noexcept;

} // namespace kftrain::meta

#endif

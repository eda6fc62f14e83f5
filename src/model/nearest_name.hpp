#ifndef KFTRAIN_SRC_MODEL_NEAREST_NAME_HPP
#define KFTRAIN_SRC_MODEL_NEAREST_NAME_HPP

#include <kftrain/model/descriptor.hpp>

#include <string>
#include <string_view>

namespace kftrain::detail {

/// The field of the type whose name is the fewest edits away, one for every four letters at most; empty if none is.
std::string_view nearest_field(descriptor const& type, std::string_view name);

/// `unknown field "replica"; did you mean "replicas"?`
std::string unknown_field_message(descriptor const& type, std::string_view name);

} // namespace kftrain::detail

#endif

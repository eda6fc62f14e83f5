#ifndef KFTRAIN_SRC_MODEL_CODEC_NEAREST_NAME_HPP
#define KFTRAIN_SRC_MODEL_CODEC_NEAREST_NAME_HPP

#include <kftrain/model/detail/descriptor_table.hpp>

#include <span>
#include <string>
#include <string_view>

namespace kftrain::detail {

/// Returns the first name with the fewest edits, at most one and one more for every four letters; empty if there is
/// none.
std::string_view nearest_name(std::span<std::string_view const> names, std::string_view name);

/// The same of the fields of a type.
std::string_view nearest_field(model::descriptor const& type, std::string_view name);

/** `unknown field "replica"; did you mean "replicas"?`, or `unknown field "backoffLimit"; it belongs to
    spec.runPolicy.backoffLimit` where exactly one struct within the type has the field.
    @param path Of the object with the field; may be empty. */
std::string unknown_field_message(model::descriptor const& type, std::string_view name, std::string_view path);

} // namespace kftrain::detail

#endif

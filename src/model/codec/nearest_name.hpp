#ifndef KFTRAIN_SRC_MODEL_CODEC_NEAREST_NAME_HPP
#define KFTRAIN_SRC_MODEL_CODEC_NEAREST_NAME_HPP

#include <kftrain/model/detail/descriptor_table.hpp>

#include <string>
#include <string_view>

namespace kftrain::detail {

/// Returns the field of a type with the most similar name, or an empty text.
std::string_view nearest_field(model::descriptor const& type, std::string_view name);

/** `unknown field "replica"; did you mean "replicas"?`, or `unknown field "backoffLimit"; it belongs to
    spec.runPolicy.backoffLimit` where exactly one struct within the type has the field.
    @param path Of the object with the field; may be empty. */
std::string unknown_field_message(model::descriptor const& type, std::string_view name, std::string_view path);

} // namespace kftrain::detail

#endif

#ifndef KFTRAIN_SRC_APISERVER_CHECKS_SCHEMA_RULES_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_SCHEMA_RULES_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include "apiserver/json/json_access.hpp"

// The effects of a custom resource's schema on requests. Kinds without a schema are left alone.
namespace kftrain::apiserver {

/** Applies the schema to a body: removes unknown fields, and sets defaults.
    @return The paths of what went, as `spec.bogus`. */
std::vector<std::string> take_form(resource_definition const&, json::object& body);

/// Warnings of the faults of the text and of removed fields, or 400 if the client requested strict validation.
answer<std::vector<std::string>> judge_unknown(resource_definition const&, std::vector<std::string> const& unknown,
                                               field_validation, std::vector<std::string> faults = {});

/// The same of texts such as `unknown field "spec.bogus"`.
answer<std::vector<std::string>> judge_faults(resource_definition const&, std::vector<std::string> texts,
                                              field_validation);

/** 422 with every fault of metadata and schema together; `old` is null on creation.
    @param metadata The result of check_metadata() */
answer<void> check_object(resource_definition const&, json::object& object, json::object const* old,
                          answer<void> metadata);
/// 422 with every fault of a new status.
answer<void> check_status(resource_definition const&, json::object& object, json::object const& old);

} // namespace kftrain::apiserver

#endif

#ifndef KFTRAIN_SRC_APISERVER_REFUSALS_REFUSALS_HPP
#define KFTRAIN_SRC_APISERVER_REFUSALS_REFUSALS_HPP

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/apiserver/resource_definition.hpp>

#include <string_view>
#include <vector>

// The refusals of a Kubernetes API server with its own texts.
namespace kftrain::apiserver {

refusal bad_request(std::string text);
refusal not_found(resource_definition const&, std::string_view name);
refusal no_such_path();
refusal already_exists(resource_definition const&, std::string_view name);
refusal conflict(resource_definition const&, std::string_view name, std::string_view why,
                 std::string_view subresource = {});
refusal stale_version(resource_definition const&, std::string_view name);
refusal forbidden(resource_definition const&, std::string_view name, std::string_view why);
refusal invalid(resource_definition const&, std::string_view name, std::vector<refusal_cause> causes);
refusal expired(std::string text);
refusal version_too_large(std::uint64_t requested, std::uint64_t current);
refusal method_not_allowed();
refusal not_acceptable();
refusal unsupported_media_type(std::string_view accepted);

/// `Invalid value: "x": must ...`, as field errors print.
std::string invalid_value(std::string_view value, std::string_view why);
std::string in_quotes(std::string_view);

} // namespace kftrain::apiserver

#endif

#ifndef KFTRAIN_TEST_GOLDEN_CHECKS_REQUEST_COMPARE_HPP
#define KFTRAIN_TEST_GOLDEN_CHECKS_REQUEST_COMPARE_HPP

#include "golden/checks/traces.hpp"

#include <optional>

namespace golden {

/// The first difference, or nothing.
using outcome = std::optional<std::string>;

request read_request(json::object const& recorded);

/// Whether both do the same to the same object, whatever the body.
bool same_object(request const&, request const&);

/// Nothing if `recorded` and `ours` are the same request.
outcome differ(std::string const& path, request const& recorded, request const& ours);

/// Where it is chance which write comes, so is how many writes there were before.
request without_generation(request);

/// What differs if `recorded` is more than a part of `ours`: what upstream's types do not know gets lost there, and is kept here.
outcome beyond(std::string const& path, json::value const& recorded, json::value const& ours);

/// Of an object; an empty object if there is none.
json::value member(json::value const& body, std::string_view name);

/// Two writes of the job itself. Whoever looks while a stimulus of several parts goes on need not see its metadata yet.
outcome differ_itself(std::string const& path, request const& recorded, request const& ours, bool many);

} // namespace golden

#endif

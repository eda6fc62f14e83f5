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

/// Returns a difference if `recorded` is not a part of `ours`. Upstream's types drop fields that they do not have;
/// kftrain keeps these.
outcome beyond(std::string const& path, json::value const& recorded, json::value const& ours);

/// Of an object; an empty object if there is none.
json::value member(json::value const& body, std::string_view name);

/// Compares two writes of the job itself. A pass during a stimulus of several parts need not have its metadata yet.
outcome differ_itself(std::string const& path, request const& recorded, request const& ours, bool many);

} // namespace golden

#endif

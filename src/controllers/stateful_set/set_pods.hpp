#ifndef KFTRAIN_SRC_CONTROLLERS_STATEFUL_SET_SET_PODS_HPP
#define KFTRAIN_SRC_CONTROLLERS_STATEFUL_SET_SET_PODS_HPP

#include "objects/pod_resources.hpp"

#include <kftrain/objects/apps/stateful_set.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <optional>
#include <string>

// Questions about a StatefulSet and its pods.
namespace kftrain::controllers::stateful_sets {

inline constexpr std::string_view revision_key = "controller-revision-hash";

/// The ordinal in the name of a pod; absent if it has none of this set.
std::optional<std::int32_t> ordinal_of(apps::stateful_set const&, pod const&);
/// `<set>-<hash>`: equal for equal templates. Upstream hashes another text, so that the hashes differ.
std::string revision_of(apps::stateful_set const&);
pod new_pod(apps::stateful_set const&, std::int32_t ordinal, std::string const& revision);

bool is_ready(pod const&) noexcept;
bool is_terminating(pod const&) noexcept;

} // namespace kftrain::controllers::stateful_sets

#endif

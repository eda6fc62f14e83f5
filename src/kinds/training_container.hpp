#ifndef KFTRAIN_SRC_KINDS_TRAINING_CONTAINER_HPP
#define KFTRAIN_SRC_KINDS_TRAINING_CONTAINER_HPP

#include <kftrain/model/resource.hpp>

#include <optional>
#include <string_view>

namespace kftrain {

/** Returns the name of the container whose end the operator of a kind takes for the end of a replica. Empty: the first
    container of the pod. Absent: the operator treats all containers alike, or the kind is not known. */
std::optional<std::string_view> training_container(resource_info const& kind) noexcept;

} // namespace kftrain

#endif

#ifndef KFTRAIN_SRC_JOB_CONTRACT_OBSERVED_PARTS_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_OBSERVED_PARTS_HPP

#include "model/meta/partial_object.hpp"

#include <kftrain/objects/core.hpp>

#include <array>

// Parts of observed types that are the same whatever a controller wants to see besides. For sources with KFTRAIN_DESCRIBE_MEMBERS.
namespace kftrain::detail {

inline constexpr std::array observed_owner_fields{kept_field("apiVersion"), kept_field("kind"), kept_field("name"),
                                                  kept_field("uid"), kept_field("controller")};
using observed_owners =
    partial_container<std::vector<owner_reference>, partial_table<owner_reference, observed_owner_fields>::value>;

inline constexpr std::array observed_container_fields{kept_field("name"), kept_field("state"), kept_field("lastState"),
                                                      kept_field("ready"), kept_field("restartCount")};
using observed_containers = partial_container<std::vector<core::container_status>,
                                              partial_table<core::container_status, observed_container_fields>::value>;

} // namespace kftrain::detail

#endif

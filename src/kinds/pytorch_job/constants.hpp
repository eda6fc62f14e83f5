#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_CONSTANTS_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_CONSTANTS_HPP

#include <kftrain/kinds/pytorch_job.hpp>

#include <array>

namespace kftrain::pytorch {

inline constexpr std::string_view master = "Master";
inline constexpr std::string_view worker = "Worker";
inline constexpr std::array<std::string_view, 2> types{master, worker};
inline constexpr replica_constants constants = [] {
    replica_constants c;
    c.controller = job_rules<pytorch_job>::operator_name;
    c.container = "pytorch";
    c.port_name = "pytorchjob-port";
    c.port = 23456;
    c.default_restart_policy = "OnFailure";
    c.specs_field = "pytorchReplicaSpecs";
    c.types = types;
    return c;
}();

} // namespace kftrain::pytorch

#endif

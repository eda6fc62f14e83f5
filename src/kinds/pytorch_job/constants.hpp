#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_CONSTANTS_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_CONSTANTS_HPP

#include <kftrain/kinds/pytorch_job.hpp>

#include <array>

namespace kftrain::pytorch {

inline constexpr std::string_view master = "Master";
inline constexpr std::string_view worker = "Worker";
inline constexpr std::array<std::string_view, 2> types{master, worker};
inline constexpr replica_constants constants{job_rules<pytorch_job>::operator_name,
                                             "pytorch",
                                             "pytorchjob-port",
                                             23456,
                                             "OnFailure",
                                             "pytorchReplicaSpecs",
                                             types};

} // namespace kftrain::pytorch

#endif

#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_LINT_COMMANDS_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_LINT_COMMANDS_HPP

#include "kinds/pytorch_job/kind.hpp"

#include <array>

/// Rules about commands that do not fit the variables that the operator sets.
namespace kftrain::kubeflow_v1::pytorch {

inline constexpr lint_rule no_endpoint{"lint.pytorch.no-endpoint", issue::severity::warning,
                                       "Without a Master and without elasticPolicy, the operator sets no address, no "
                                       "rank and no rendezvous. torchrun then "
                                       "waits for the other workers at an address of its own pod."};
inline constexpr lint_rule one_process{"lint.pytorch.one-process", issue::severity::warning,
                                       "Plain Python starts one process in each pod and ignores PET_* variables. "
                                       "Training then waits for ranks that no process has, or the pods train "
                                       "separately."};
inline constexpr lint_rule idle_devices{
    "lint.pytorch.idle-devices", issue::severity::info,
    "Python starts one process for each pod, and a process of DistributedDataParallel "
    "uses one device. torchrun starts one process for each device."};
inline constexpr lint_rule uneven_devices{
    "lint.pytorch.uneven-devices", issue::severity::info,
    "Replicas with different numbers of GPUs have different numbers of processes under torchrun, and WORLD_SIZE counts "
    "one process for each pod."};
inline constexpr lint_rule master_port{"lint.pytorch.master-port", issue::severity::warning,
                                       "An option of torchrun replaces the variable of the operator. Replicas with "
                                       "different ports never meet."};
inline constexpr lint_rule other_port{"lint.pytorch.other-port", issue::severity::info,
                                      "An option of torchrun replaces the variable of the operator. The service of the "
                                      "Master does not list this port, so network policies and meshes may block it."};

inline constexpr lint_rule standalone{
    "lint.pytorch.standalone", issue::severity::warning,
    "With standalone every pod has its own rendezvous, so the pods train separately."};
inline constexpr lint_rule nodes{"lint.pytorch.nnodes", issue::severity::warning,
                                 "torchrun waits for the nodes that --nnodes states, and the option replaces the "
                                 "variable of the operator. With more nodes than pods torchrun waits forever, and with "
                                 "fewer some pods take no part."};

inline constexpr std::array command_rules{no_endpoint, one_process, idle_devices, uneven_devices,
                                          master_port, other_port,  standalone,   nodes};

/// Applies these rules to a job with defaults.
void lint_commands(replica_job const&, pytorch_job const&, issues&);

/// Returns the container of a type that trains, or null.
core::container const* training(replica_job const&, std::string_view type);

} // namespace kftrain::kubeflow_v1::pytorch

#endif

#ifndef KFTRAIN_OBJECTS_VOLCANO_COMMAND_HPP
#define KFTRAIN_OBJECTS_VOLCANO_COMMAND_HPP

/** @file Commands for the controllers of Volcano, `bus.volcano.sh/v1alpha1`.
    @par Upstream volcano.sh/apis v1.9.0 `pkg/apis/bus/v1alpha1/types.go`; handlers: volcano v1.9.0
    `pkg/controllers/job/job_controller_handler.go`, `pkg/controllers/queue/queue_controller_handler.go` */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::volcano {

/** A command to a job or a queue. The handling controller deletes it first, so it is executed at most once. Changes
    of a command have no effect. */
struct command {
    command() = default;

    static constexpr resource_info resource{"bus.volcano.sh", "v1alpha1", "Command", "commands"};

    object_meta metadata;          ///< the namespace is that of the job; the name is arbitrary
    std::string action;            ///< for a job: AbortJob, ResumeJob, ...; for a queue: OpenQueue, CloseQueue
    boxed<owner_reference> target; ///< a Job of `batch.volcano.sh/v1alpha1`, or a Queue; the uid is ignored
    std::string reason;            ///< one word in CamelCase; informational
    std::string message;           ///< details as text; informational
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(command, (metadata, action, target, reason, message))

} // namespace kftrain::volcano

#endif

#ifndef KFTRAIN_OBJECTS_EVENTS_EVENT_HPP
#define KFTRAIN_OBJECTS_EVENTS_EVENT_HPP

/** @file
    Events of `events.k8s.io/v1`.
    @par Upstream k8s.io/api `events/v1/types.go`, v0.31 */

#include <kftrain/objects/core/event.hpp>

namespace kftrain::events {

/// The event of `events.k8s.io/v1`; servers store it together with the event of the core group.
struct event {
    event() = default;

    static constexpr resource_info resource{"events.k8s.io", "v1", "Event", "events"};

    object_meta metadata;                  ///< the namespace is that of `regarding`, or `default` if that has none
    std::optional<micro_time> event_time;  ///< when the event was first observed; required for new events
    boxed<core::event_series> series;      ///< repetitions; absent: the event occurred once
    std::string reporting_controller;      ///< the controller that emitted it, e.g. `kubernetes.io/kubelet`
    std::string reporting_instance;        ///< of the controller, e.g. a pod name
    std::string action;                    ///< the attempted action, one word in CamelCase, up to 128 characters
    std::string reason;                    ///< why the action was taken, one word in CamelCase, up to 128 characters
    core::object_reference regarding;      ///< the object that the event is about
    boxed<core::object_reference> related; ///< another object that takes part in the action
    std::string note;                      ///< the message, up to 1 KiB
    std::string type;                      ///< Normal or Warning
    core::event_source deprecated_source;  ///< `source` in the core group
    std::optional<time_point> deprecated_first_timestamp; ///< `firstTimestamp` in the core group
    std::optional<time_point> deprecated_last_timestamp;  ///< `lastTimestamp` in the core group
    std::int32_t deprecated_count = 0;                    ///< `count` in the core group
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(event, (metadata, event_time, series, reporting_controller, reporting_instance, action,
                                  reason, regarding, related, note, type, deprecated_source, deprecated_first_timestamp,
                                  deprecated_last_timestamp, deprecated_count))

} // namespace kftrain::events

#endif

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

    object_meta metadata;
    std::optional<micro_time> event_time;
    boxed<core::event_series> series;
    std::string reporting_controller;
    std::string reporting_instance;
    std::string action;
    std::string reason;
    core::object_reference regarding;
    boxed<core::object_reference> related;
    std::string note;                     ///< the message, up to 1 KiB
    std::string type;                     ///< Normal or Warning
    core::event_source deprecated_source; ///< as in the core group, like the next three
    std::optional<time_point> deprecated_first_timestamp;
    std::optional<time_point> deprecated_last_timestamp;
    std::int32_t deprecated_count = 0;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(event, (metadata, event_time, series, reporting_controller, reporting_instance, action,
                                  reason, regarding, related, note, type, deprecated_source, deprecated_first_timestamp,
                                  deprecated_last_timestamp, deprecated_count))

} // namespace kftrain::events

#endif

#ifndef KFTRAIN_OBJECTS_CORE_EVENT_HPP
#define KFTRAIN_OBJECTS_CORE_EVENT_HPP

/** @file
    Events of the core group.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::core {

/// The origin of an event.
struct event_source {
    event_source() = default;

    std::string component; ///< e.g. `kubelet`
    std::string host;      ///< name of the node; empty if the component does not belong to one
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(event_source, (component, host))

/// An event that occurs repeatedly.
struct event_series {
    event_series() = default;

    std::int32_t count = 0;                       ///< number of occurrences so far
    std::optional<micro_time> last_observed_time; ///< time of the last occurrence
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(event_series, "count")
KFTRAIN_DESCRIBE(event_series, (count, last_observed_time))

/// A report about an object, which the server keeps for one hour by default.
struct event {
    event() = default;

    static constexpr resource_info resource{"", "v1", "Event", "events"};

    object_meta metadata;                      ///< in the namespace of the object; `default` for objects without one
    object_reference involved_object;          ///< the object that the event is about
    std::string reason;                        ///< one word in CamelCase
    std::string message;                       ///< human-readable text
    event_source source;                       ///< origin; newer components set `reporting_component`
    std::optional<time_point> first_timestamp; ///< time of the first occurrence
    std::optional<time_point> last_timestamp;  ///< time of the last occurrence
    std::int32_t count = 0;                    ///< number of occurrences
    std::string type;                          ///< Normal or Warning
    std::optional<micro_time> event_time;      ///< time of the first occurrence, in the newer form
    boxed<event_series> series;                ///< set if the event occurs repeatedly, in the newer form
    std::string action;                        ///< one word in CamelCase: the attempted action
    boxed<object_reference> related;           ///< a second object, if there is one
    std::string reporting_component;           ///< the controller, e.g. `kubernetes.io/kubelet`
    std::string reporting_instance;            ///< instance of the controller, e.g. a pod name
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(event, "metadata", "involved_object")
KFTRAIN_DESCRIBE_RESOURCE(event,
                          (metadata, involved_object, reason, message, source, first_timestamp, last_timestamp, count,
                           type, event_time, series, action, related, reporting_component, reporting_instance))

} // namespace kftrain::core

#endif

#ifndef KFTRAIN_OBJECTS_CORE_EVENT_HPP
#define KFTRAIN_OBJECTS_CORE_EVENT_HPP

/** @file
    Events of the core group.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::core {

struct event_source {
    event_source() = default;

    std::string component;
    std::string host;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(event_source, (component, host))

/// An event that occurs repeatedly.
struct event_series {
    event_series() = default;

    std::int32_t count = 0;
    std::optional<micro_time> last_observed_time;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(event_series, "count")
KFTRAIN_DESCRIBE(event_series, (count, last_observed_time))

struct event {
    event() = default;

    static constexpr resource_info resource{"", "v1", "Event", "events"};

    object_meta metadata;
    object_reference involved_object;
    std::string reason; ///< one word in CamelCase
    std::string message;
    event_source source;
    std::optional<time_point> first_timestamp;
    std::optional<time_point> last_timestamp;
    std::int32_t count = 0;
    std::string type; ///< Normal or Warning
    std::optional<micro_time> event_time;
    boxed<event_series> series;
    std::string action; ///< one word in CamelCase: the attempted action
    boxed<object_reference> related;
    std::string reporting_component; ///< the controller
    std::string reporting_instance;  ///< of the controller, e.g. a pod name
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(event, "metadata", "involved_object")
KFTRAIN_DESCRIBE_RESOURCE(event,
                          (metadata, involved_object, reason, message, source, first_timestamp, last_timestamp, count,
                           type, event_time, series, action, related, reporting_component, reporting_instance))

} // namespace kftrain::core

#endif

#ifndef KFTRAIN_CONTROL_EVENT_RECORDER_HPP
#define KFTRAIN_CONTROL_EVENT_RECORDER_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/model/core.hpp>

#include <functional>
#include <memory>
#include <string>

namespace kftrain::control {

/** Writes Events about objects. An event that was written before gets a higher count instead of a second object.
    Writing goes on behind the caller's back, in order, and failures are logged only: events are best effort.
    @par Object lifetimes Pending writes are finished after the recorder is gone.
    @par Thread safety Unsafe; use it on the executor of the client.
    @par Upstream client-go `tools/record/` */
class event_recorder {
public:
    using clock = std::function<time_point()>;

    /// `component` is named as the source; `now` says what time it is.
    event_recorder(kube::client c, std::string component, clock now);

    /// `type` is Normal or Warning.
    void record(object_reference const& about, std::string_view type, std::string_view reason,
                std::string_view message);

    struct state;

private:
    std::shared_ptr<state> state_;
};

} // namespace kftrain::control

#endif

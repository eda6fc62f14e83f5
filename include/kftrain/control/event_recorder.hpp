#ifndef KFTRAIN_CONTROL_EVENT_RECORDER_HPP
#define KFTRAIN_CONTROL_EVENT_RECORDER_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/objects/core/reference.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace kftrain::control {

/// Limits of an @ref event_recorder.
struct event_recorder_options {
    event_recorder_options() = default;

    /// Attempts per event. Attempts that did not reach the server are not counted.
    unsigned max_tries = 12;
    std::chrono::milliseconds pause{10'000}; ///< between attempts; the first time a random value between 0 and this
    std::size_t queue_limit = 10'000; ///< number of events that wait to be written; each takes some hundred bytes
    /// Maximum number of objects whose events are written concurrently; 0 counts as 1. Events about one object are
    /// never written concurrently. A higher number would take server capacity away from jobs.
    std::size_t in_flight = 2;
};

/** Writes Events about objects. A repeated event increases the count of the existing object instead of creating a
    second one; if the server no longer has it, it is created again.

    Events are written in the background: the events about one object in the order of record(), those about different
    objects concurrently, up to event_recorder_options::in_flight. Temporary failures (the server is unreachable,
    overloaded or restarting; the connection broke) are retried, and later events about that object wait. Events that
    the server rejects are logged and dropped. If event_recorder_options::queue_limit events wait, further ones are
    dropped: one log line reports the beginning, another the number; dropped() counts them. Repetitions of a waiting
    event take no additional place.
    @par Object lifetimes After the last copy of the recorder is destroyed, pending writes are finished, but not
    retried.
    @par Thread safety Unsafe; use it on the executor of the client.
    @par Upstream client-go `tools/record/event.go` (v0.31), without the filtering of the correlator: every event is
    written */
class event_recorder {
public:
    using clock = std::function<time_point()>;

    /// `component` is the source of the events; `now` returns the current time.
    event_recorder(kube::client c, std::string component, clock now, event_recorder_options options = {});

    /// `type` is Normal or Warning.
    void record(core::object_reference const& about, std::string_view type, std::string_view reason,
                std::string_view message);

    /// Sets whether failed writes are retried; true at first. While it is true, the io_context does not run out of
    /// work.
    void persist(bool on);

    /// Calls `f` once when no event waits to be written, and not from inside this function. A further call replaces the
    /// previous one.
    void on_idle(std::function<void()> f);

    /// Returns the number of records that were never written, because too many waited or the recorder stopped retrying.
    std::size_t dropped() const noexcept;

private:
    class lane;
    struct handle;

    std::shared_ptr<handle> handle_;
};

} // namespace kftrain::control

#endif

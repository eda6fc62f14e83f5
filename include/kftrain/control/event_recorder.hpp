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

/// How hard an @ref event_recorder tries.
struct event_recorder_options {
    event_recorder_options() = default;

    /// Of one event. Tries that did not reach the server are not counted.
    unsigned max_tries = 12;
    std::chrono::milliseconds pause{10'000}; ///< between tries; the first time at random between 0 and this
    std::size_t queue_limit = 10'000;        ///< of events that wait to be written; each takes some hundred bytes
    /// Objects about which events are written at the same time; 0 counts as 1. Those about one object are never.
    /// More would take from the server what jobs wait for.
    std::size_t in_flight = 2;
};

/** Writes Events about objects. An event that was written before gets a higher count instead of a second object; one
    that the server has forgotten meanwhile is created again.

    Writing goes on behind the caller's back: the events about one object one after the other in the order of record(),
    those about several objects side by side, as many as event_recorder_options::in_flight says. What fails in passing (the
    server is out of reach, overloaded, restarting; the connection broke) is repeated, and what else there is about that
    object waits meanwhile. What the server refuses is logged and left. When event_recorder_options::queue_limit events wait, further
    ones are dropped: one log line tells when that begins, another how many it were; dropped() counts them. Repetitions of
    an event that waits take no place.
    @par Object lifetimes Once the last copy of the recorder is gone, pending writes are finished, but nothing is
    repeated any more.
    @par Thread safety Unsafe; use it on the executor of the client.
    @par Upstream client-go `tools/record/event.go` (v0.31), without the correlator's thinning: every event is written */
class event_recorder {
public:
    using clock = std::function<time_point()>;

    /// `component` is named as the source; `now` says what time it is.
    event_recorder(kube::client c, std::string component, clock now, event_recorder_options options = {});

    /// `type` is Normal or Warning.
    void record(core::object_reference const& about, std::string_view type, std::string_view reason,
                std::string_view message);

    /// Whether failed writes are repeated, as they are at first. While they are, the io_context does not run out of work.
    void persist(bool on);

    /// Calls `f` once when no event waits to be written, and not from inside this function. One at a time: a further call
    /// forgets the one before.
    void on_idle(std::function<void()> f);

    /// How many records were never written because too many waited, or nobody waited for the server any more.
    std::size_t dropped() const noexcept;

private:
    class lane;
    struct handle;

    std::shared_ptr<handle> handle_;
};

} // namespace kftrain::control

#endif

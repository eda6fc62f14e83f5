#ifndef KFTRAIN_SRC_CONTROL_EVENT_LANE_HPP
#define KFTRAIN_SRC_CONTROL_EVENT_LANE_HPP

#include "kube/async/timer.hpp"

#include <kftrain/control/event_recorder.hpp>
#include <kftrain/objects/core/event.hpp>

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace kftrain::control {

namespace asio = boost::asio;

/// Writes the events of each object one after the other, those of several objects side by side. Lives until all are
/// written or given up.
class event_recorder::lane : public std::enable_shared_from_this<lane> {
public:
    lane(kube::client c, std::string component, clock now, event_recorder_options options)
        : client_(std::move(c)),
          component_(std::move(component)),
          now_(std::move(now)),
          options_(options),
          random_(std::random_device()()),
          serial_(random_()) {}

    void record(core::object_reference const& about, std::string_view type, std::string_view reason,
                std::string_view message);
    /// Ends pauses early, too, when it is switched off.
    void persist(bool on);
    void on_idle(std::function<void()> f) {
        on_idle_ = std::move(f);
        if (waiting_ == 0) notify_idle();
    }
    std::size_t dropped() const noexcept { return dropped_; }

private:
    /// The remembered part of an event without its key. It is small, because some thousand events are remembered.
    struct entry {
        std::string name; ///< of the Event
        std::string api_version, kind, resource_version, field_path;
        time_point first, last;
        std::int32_t count = 0;
        bool stored = false;                           ///< the server has it, as far as is known
        bool waiting = false;                          ///< stands in a row, with a count that is not being written yet
        bool written = false;                          ///< is being written
        std::list<std::string const*>::iterator place; ///< in idle_, while idle

        bool is_idle() const noexcept { return !waiting && !written; }
    };

    /// The events about one object, in their order.
    struct row {
        explicit row(std::string o) : object(std::move(o)) {}

        void begin_anew() {
            failures = 0;
            maybe_stored = false;
            repeating = false;
        }

        std::string const object;
        std::deque<std::string> waiting;          ///< keys; when the row is being written, the first of them is
        unsigned failures = 0;                    ///< of the first
        bool repeating = false;                   ///< the first
        bool maybe_stored = false;                ///< the first was sent, and what became of it is not known
        std::weak_ptr<kube::detail::timer> pause; ///< kept by its handler: this may outlive the io_context
    };
    using row_ptr = std::shared_ptr<row>;

    core::event made_from(std::string_view key, entry const& e) const;
    std::string new_name(std::string const& object);
    void drop(std::string const& key);
    void push(std::string const& object, std::string const& key, entry& e);
    void begin();
    void write(row_ptr const& r);
    void written(row_ptr const& r, error_code ec, std::string const& why);
    void repeat(row_ptr const& r, error_code ec, std::string const& why);
    void give_up(row_ptr const& r, error_code ec, std::string const& why);
    void abandon(row_ptr const& r, error_code ec, std::string const& why);
    void next(row_ptr const& r);
    void leave(row& r);
    void trim();
    void notify_idle();
    void log(row const& r, log_level level, std::string_view what, error_code ec, std::string const& why) const;

    kube::client client_;
    std::string component_;
    clock now_;
    event_recorder_options options_;
    std::minstd_rand random_;
    std::uint64_t serial_;

    std::map<std::string, entry> known_;  ///< by object, type, reason and message: see record()
    std::list<std::string const*> idle_;  ///< keys in known_ of events with nothing to write, the longest there first
    std::map<std::string, row_ptr> rows_; ///< by object; those in which events wait
    std::deque<row_ptr> ready_;           ///< rows of which none is being written, the longest there first
    std::size_t waiting_ = 0;             ///< events in all rows
    std::size_t in_flight_ = 0;           ///< rows that are being written
    std::function<void()> on_idle_;       ///< who wants to know when none waits
    bool persistent_ = true;
    bool dropping_ = false;
    std::size_t dropped_ = 0;
};

} // namespace kftrain::control

#endif

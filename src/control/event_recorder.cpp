#include <kftrain/control/event_recorder.hpp>

#include "control/plans/metadata_answer.hpp"
#include "kube/async/timer.hpp"

#include <kftrain/kube/request.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/objects/core/event.hpp>

#include <boost/asio/post.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace kftrain::control {
namespace {

namespace asio = boost::asio;

/// Of the events that are not waiting, those beyond this number are forgotten, the least recently recorded first, and
/// begin a new count when they come again.
constexpr std::size_t remembered_limit = 4096;

/// Returns whether the same write can succeed later.
bool is_passing(error_code ec) {
    if (ec.category() == server_category() || ec == make_error_code(errc::invalid_argument)) return is_retryable(ec);
    return !is_cancelled(ec);
}

/// The first part of the keys of its events: uid, namespace and name.
std::string object_key(core::object_reference const& about) {
    return about.uid + '\n' + about.namespace_ + '/' + about.name + '\n';
}

/// Cuts off the text before `end`, which must exist.
std::string cut(std::string_view& text, char end) {
    auto const at = text.find(end);
    std::string part(text.substr(0, at));
    text.remove_prefix(at + 1);
    return part;
}

} // namespace

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

        void begin_again() {
            failures = 0;
            maybe_stored = false;
            repeating = false;
        }

        std::string const object;
        std::deque<std::string> waiting;          ///< keys; when the row is being written, the first of them is
        unsigned failures = 0;                    ///< of the first
        bool repeating = false;                   ///< the first
        bool maybe_stored = false;                ///< the first was sent, without an answer
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
    std::function<void()> on_idle_;       ///< called when no event waits
    bool persistent_ = true;
    bool dropping_ = false;
    std::size_t dropped_ = 0;
};

void event_recorder::lane::persist(bool on) {
    persistent_ = on;
    if (on) return;
    for (auto const& [object, r] : rows_)
        if (auto const p = r->pause.lock()) p->cancel();
}

core::event event_recorder::lane::made_from(std::string_view key, entry const& e) const {
    core::event made;
    auto& about = made.involved_object;
    about.uid = cut(key, '\n');
    about.namespace_ = cut(key, '/');
    about.name = cut(key, '\n');
    about.api_version = e.api_version;
    about.kind = e.kind;
    about.resource_version = e.resource_version;
    about.field_path = e.field_path;
    made.type = cut(key, '\n');
    made.reason = cut(key, '\n');
    made.message = key;
    made.metadata.name = e.name;
    made.metadata.namespace_ = about.namespace_.empty() ? "default" : about.namespace_;
    made.source.component = component_;
    made.reporting_component = component_;
    made.first_timestamp = e.first;
    made.last_timestamp = e.last;
    made.count = e.count;
    return made;
}

/// Names are unique over the processes that write events about the same object.
std::string event_recorder::lane::new_name(std::string const& object) {
    std::uint64_t const high = static_cast<std::uint64_t>(now_().time_since_epoch().count()) << 24U;
    char suffix[24];
    std::snprintf(suffix, sizeof suffix, ".%016llx", static_cast<unsigned long long>(high + (serial_++ & 0xFFFFFFU)));
    return object + suffix;
}

void event_recorder::lane::record(core::object_reference const& about, std::string_view type, std::string_view reason,
                                  std::string_view message) {
    std::string const object = object_key(about);
    std::string key = object;
    key.append(type).append("\n").append(reason).append("\n").append(message);
    auto it = known_.find(key);
    bool const full = waiting_ >= options_.queue_limit && (it == known_.end() || !it->second.waiting);
    if (full) drop(key);
    auto const now = now_();
    if (it == known_.end()) {
        if (full) return;
        it = known_.try_emplace(std::move(key)).first;
        entry& e = it->second;
        e.name = new_name(about.name);
        e.api_version = about.api_version;
        e.kind = about.kind;
        e.resource_version = about.resource_version;
        e.field_path = about.field_path;
        e.first = now;
    } else if (it->second.is_idle()) {
        auto& e = it->second;
        if (full)
            idle_.splice(idle_.end(), idle_, e.place);
        else
            idle_.erase(e.place);
    }
    it->second.last = now;
    ++it->second.count;
    if (!full) push(object, it->first, it->second);
}

/// One log line reports the beginning.
void event_recorder::lane::drop(std::string const& key) {
    ++dropped_;
    if (std::exchange(dropping_, true)) return;
    client_.options().logger(log_level::warning, "dropping events: too many events wait to be written",
                             {{"limit", std::to_string(options_.queue_limit)}, {"first", key}});
}

void event_recorder::lane::push(std::string const& object, std::string const& key, entry& e) {
    if (std::exchange(e.waiting, true)) return; // the count that it brings is written as well
    auto& r = rows_[object];
    if (!r) {
        r = std::make_shared<row>(object);
        ready_.push_back(r);
    }
    r->waiting.push_back(key);
    ++waiting_;
    begin();
}

/// From here on the first one of a row is being written: recorded again, it is written again behind the others.
void event_recorder::lane::begin() {
    while (!ready_.empty() && in_flight_ < std::max<std::size_t>(options_.in_flight, 1)) {
        auto const r = std::move(ready_.front());
        ready_.pop_front();
        ++in_flight_;
        if (!r->repeating) {
            auto& e = known_.at(r->waiting.front());
            e.waiting = false;
            e.written = true;
        }
        write(r);
    }
}

void event_recorder::lane::write(row_ptr const& r) {
    auto const& key = r->waiting.front();
    auto const& e = known_.at(key);
    core::event const event = made_from(key, e);
    auto const& meta = event.metadata;
    auto const why = std::make_shared<diagnostics>();
    kube::call_options options;
    options.detail = why.get();
    // Nobody else changes these events, so that no version has to be named. What the server answers is not looked at.
    auto request = e.stored ? kube::request::replace(core::event::resource, meta.namespace_, meta.name, to_json(event))
                            : kube::request::create(core::event::resource, meta.namespace_, to_json(event));
    client_.async_call(
        answered_with_metadata(std::move(request)), options,
        [self = shared_from_this(), r, why](error_code ec, std::string const&) { self->written(r, ec, why->message); });
}

void event_recorder::lane::written(row_ptr const& r, error_code ec, std::string const& why) {
    auto& e = known_.at(r->waiting.front());
    bool const carried_out = !ec || (!e.stored && r->maybe_stored && is_already_exists(ec));
    if (e.stored && is_not_found(ec)) { // servers keep events for an hour
        e.stored = false;
        write(r);
    } else if (carried_out) {
        e.stored = true;
        next(r);
    } else if (is_passing(ec)) {
        repeat(r, ec, why);
    } else {
        give_up(r, ec, why);
    }
}

/// While the server is out of reach nothing else could be written either, so that these tries do not count.
void event_recorder::lane::repeat(row_ptr const& r, error_code ec, std::string const& why) {
    if (!is_unreached(ec)) {
        r->maybe_stored = true;
        ++r->failures;
    }
    if (r->failures >= options_.max_tries) return give_up(r, ec, why);
    if (!persistent_) return abandon(r, ec, why);
    auto wait = options_.pause;
    if (!std::exchange(r->repeating, true)) {
        log(*r, log_level::info, "writing an event failed, retrying", ec, why);
        // At random the first time, lest all that wait for the same server come at once.
        wait =
            std::chrono::milliseconds(std::uniform_int_distribution<long>(0, static_cast<long>(wait.count()))(random_));
    }
    auto const pause = std::make_shared<kube::detail::timer>(client_.get_executor(), wait);
    r->pause = pause;
    bool const others_can = !is_unreached(ec);
    pause->async_wait([self = shared_from_this(), r, pause, others_can](error_code) {
        if (!others_can) return self->write(r);
        self->ready_.push_front(r);
        self->begin();
    });
    if (!others_can) return;
    --in_flight_;
    begin();
}

/// Nobody waits for the server any more: neither this row nor one that has not begun would be written.
void event_recorder::lane::abandon(row_ptr const& r, error_code ec, std::string const& why) {
    log(*r, log_level::warning, "events were not written", ec, why);
    dropped_ += r->waiting.size();
    leave(*r);
    for (auto const& other : std::exchange(ready_, {})) {
        dropped_ += other->waiting.size();
        leave(*other);
    }
    dropping_ = false;
    --in_flight_;
    if (waiting_ == 0) notify_idle();
}

void event_recorder::lane::give_up(row_ptr const& r, error_code ec, std::string const& why) {
    log(*r, log_level::warning, "an event was not written", ec, why);
    auto const it = known_.find(r->waiting.front());
    if (!it->second.waiting) known_.erase(it);
    next(r);
}

/// The first of the row is done with.
void event_recorder::lane::next(row_ptr const& r) {
    if (auto const it = known_.find(r->waiting.front()); it != known_.end()) {
        it->second.written = false;
        if (it->second.is_idle()) it->second.place = idle_.insert(idle_.end(), &it->first);
    }
    r->waiting.pop_front();
    r->begin_again();
    --waiting_;
    --in_flight_;
    if (waiting_ <= options_.queue_limit / 2 && std::exchange(dropping_, false))
        client_.options().logger(log_level::warning, "events are written again",
                                 {{"dropped", std::to_string(dropped_)}});
    if (r->waiting.empty())
        rows_.erase(r->object);
    else
        ready_.push_back(r);
    trim();
    begin();
    if (waiting_ == 0) notify_idle();
}

void event_recorder::lane::notify_idle() {
    if (on_idle_) asio::post(client_.get_executor(), std::exchange(on_idle_, nullptr));
}

/// Forgets a row and what it holds.
void event_recorder::lane::leave(row& r) {
    waiting_ -= r.waiting.size();
    for (auto const& key : r.waiting)
        known_.erase(key); // none is idle; one may stand there twice: being written, and again
    r.waiting.clear();
    rows_.erase(std::string(r.object));
}

void event_recorder::lane::trim() {
    for (; idle_.size() > remembered_limit; idle_.pop_front()) known_.erase(known_.find(*idle_.front()));
}

void event_recorder::lane::log(row const& r, log_level level, std::string_view what, error_code ec,
                               std::string const& why) const {
    client_.options().logger(level, what, {{"event", r.waiting.front()}, {"error", why.empty() ? ec.message() : why}});
}

struct event_recorder::handle {
    explicit handle(std::shared_ptr<lane> l) : work(std::move(l)) {}
    handle(handle const&) = delete;
    handle& operator=(handle const&) = delete;
    ~handle() { work->persist(false); }

    std::shared_ptr<lane> work;
};

event_recorder::event_recorder(kube::client c, std::string component, clock now, event_recorder_options options)
    : handle_(std::make_shared<handle>(
          std::make_shared<lane>(std::move(c), std::move(component), std::move(now), options))) {}

void event_recorder::record(core::object_reference const& about, std::string_view type, std::string_view reason,
                            std::string_view message) {
    handle_->work->record(about, type, reason, message);
}

void event_recorder::persist(bool on) { handle_->work->persist(on); }

void event_recorder::on_idle(std::function<void()> f) { handle_->work->on_idle(std::move(f)); }

std::size_t event_recorder::dropped() const noexcept { return handle_->work->dropped(); }

} // namespace kftrain::control

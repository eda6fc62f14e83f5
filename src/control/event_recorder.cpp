#include <kftrain/control/event_recorder.hpp>

#include <kftrain/kube/api.hpp>

#include <boost/asio/steady_timer.hpp>

#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <random>
#include <utility>

namespace kftrain::control {
namespace {

namespace asio = boost::asio;

/// Of the events that are not waiting, those beyond this number are forgotten, the least recently recorded first, and
/// begin a new count when they come again.
constexpr std::size_t remembered_limit = 4096;

/// Whether the same write can succeed later. What a server refuses for good it refuses again.
bool is_passing(error_code ec) {
    if (ec.category() == server_category() || ec == make_error_code(errc::invalid_argument)) return is_retryable(ec);
    return !is_cancelled(ec);
}

} // namespace

/// Writes one event after the other. Lives until all are written or given up.
class event_recorder::lane : public std::enable_shared_from_this<lane> {
public:
    lane(kube::client c, std::string component, clock now, event_recorder_options options)
        : client_(std::move(c)),
          component_(std::move(component)),
          now_(std::move(now)),
          options_(options),
          random_(std::random_device()()),
          serial_(random_()) {}

    void record(object_reference const& about, std::string_view type, std::string_view reason,
                std::string_view message);
    /// Ends a pause early, too, when it is switched off.
    void persist(bool on) {
        persistent_ = on;
        if (on) return;
        if (auto const p = pause_.lock()) p->cancel();
    }
    std::size_t dropped() const noexcept { return dropped_; }

private:
    struct entry {
        event what;
        bool stored = false;  ///< the server has it, as far as is known
        bool waiting = false; ///< stands in waiting_, with a count that is not being written yet
        std::list<std::string>::iterator used;
    };

    std::string new_name(std::string const& object);
    void drop(std::string const& key);
    void push(std::string const& key, entry& e);
    void begin();
    void write();
    void written(error_code ec, std::string const& why);
    void repeat(error_code ec, std::string const& why);
    void give_up(error_code ec, std::string const& why);
    void abandon(error_code ec, std::string const& why);
    void next();
    void begin_anew() {
        failures_ = 0;
        maybe_stored_ = false;
        repeating_ = false;
    }
    void trim();
    void say(log_level level, std::string_view what, error_code ec, std::string const& why) const;

    kube::client client_;
    std::string component_;
    clock now_;
    event_recorder_options options_;
    std::minstd_rand random_;
    std::uint64_t serial_;
    std::weak_ptr<asio::steady_timer> pause_; ///< kept by its handler: this may outlive the io_context

    std::map<std::string, entry> known_; ///< by object, type, reason and message
    std::list<std::string> used_;        ///< the keys of known_, the least recently recorded first
    std::deque<std::string> waiting_;    ///< keys; the first is being written
    unsigned failures_ = 0;              ///< of the first
    bool repeating_ = false;             ///< the first
    bool maybe_stored_ = false;          ///< the first was sent, and what became of it is not known
    bool persistent_ = true;
    bool dropping_ = false;
    std::size_t dropped_ = 0;
};

/// Names are unique over the processes that write events about the same object.
std::string event_recorder::lane::new_name(std::string const& object) {
    std::uint64_t const high = static_cast<std::uint64_t>(now_().time_since_epoch().count()) << 24U;
    char suffix[24];
    std::snprintf(suffix, sizeof suffix, ".%016llx", static_cast<unsigned long long>(high + (serial_++ & 0xFFFFFFU)));
    return object + suffix;
}

void event_recorder::lane::record(object_reference const& about, std::string_view type, std::string_view reason,
                                  std::string_view message) {
    std::string key = about.uid + '\n' + about.namespace_ + '/' + about.name + '\n';
    key.append(type).append("\n").append(reason).append("\n").append(message);
    auto it = known_.find(key);
    bool const full = waiting_.size() >= options_.queue_limit && (it == known_.end() || !it->second.waiting);
    if (full) drop(key);
    auto const now = now_();
    if (it == known_.end()) {
        if (full) return;
        it = known_.try_emplace(key).first;
        it->second.used = used_.insert(used_.end(), key);
        event& e = it->second.what;
        e.metadata.name = new_name(about.name);
        e.metadata.namespace_ = about.namespace_.empty() ? "default" : about.namespace_;
        e.involved_object = about;
        e.type = type;
        e.reason = reason;
        e.message = message;
        e.source.component = component_;
        e.reporting_component = component_;
        e.first_timestamp = now;
    }
    used_.splice(used_.end(), used_, it->second.used);
    it->second.what.last_timestamp = now;
    ++it->second.what.count;
    if (!full) push(key, it->second);
}

/// One line tells that it begins.
void event_recorder::lane::drop(std::string const& key) {
    ++dropped_;
    if (std::exchange(dropping_, true)) return;
    client_.options().logger(log_level::warning, "events dropped: too many wait to be written",
                             {{"limit", std::to_string(options_.queue_limit)}, {"first", key}});
}

void event_recorder::lane::push(std::string const& key, entry& e) {
    if (std::exchange(e.waiting, true)) return; // the count that it brings is written as well
    waiting_.push_back(key);
    if (waiting_.size() == 1) begin();
}

/// From here on the first one is being written: recorded again, it is written again behind the others.
void event_recorder::lane::begin() {
    known_.at(waiting_.front()).waiting = false;
    write();
}

void event_recorder::lane::write() {
    auto const& e = known_.at(waiting_.front());
    kube::api<event> events(client_, e.what.metadata.namespace_);
    auto const why = std::make_shared<diagnostics>();
    kube::call_options options;
    options.detail = why.get();
    auto done = [self = shared_from_this(), why](error_code ec, event const&) { self->written(ec, why->message); };
    // Nobody else changes these events, so that no version has to be named.
    if (e.stored)
        events.async_replace(e.what, options, std::move(done));
    else
        events.async_create(e.what, options, std::move(done));
}

void event_recorder::lane::written(error_code ec, std::string const& why) {
    auto& e = known_.at(waiting_.front());
    bool const carried_out = !ec || (!e.stored && maybe_stored_ && is_already_exists(ec));
    if (e.stored && is_not_found(ec)) { // servers keep events for an hour
        e.stored = false;
        write();
    } else if (carried_out) {
        e.stored = true;
        next();
    } else if (is_passing(ec)) {
        repeat(ec, why);
    } else {
        give_up(ec, why);
    }
}

/// While the server is out of reach nothing else could be written either, so that these tries do not count.
void event_recorder::lane::repeat(error_code ec, std::string const& why) {
    if (!is_unreached(ec)) {
        maybe_stored_ = true;
        ++failures_;
    }
    if (failures_ >= options_.max_tries) return give_up(ec, why);
    if (!persistent_) return abandon(ec, why);
    auto wait = options_.pause;
    if (!std::exchange(repeating_, true)) {
        say(log_level::info, "event not written, repeating", ec, why);
        // At random the first time, lest all that wait for the same server come at once.
        wait =
            std::chrono::milliseconds(std::uniform_int_distribution<long>(0, static_cast<long>(wait.count()))(random_));
    }
    auto const pause = std::make_shared<asio::steady_timer>(client_.get_executor(), wait);
    pause_ = pause;
    pause->async_wait([self = shared_from_this(), pause](error_code) { self->write(); });
}

/// Nobody waits for the server any more.
void event_recorder::lane::abandon(error_code ec, std::string const& why) {
    say(log_level::warning, "events not written", ec, why);
    dropped_ += waiting_.size();
    waiting_.clear();
    known_.clear();
    used_.clear();
    dropping_ = false;
    begin_anew();
}

void event_recorder::lane::give_up(error_code ec, std::string const& why) {
    say(log_level::warning, "event not written", ec, why);
    auto const it = known_.find(waiting_.front());
    if (!it->second.waiting) {
        used_.erase(it->second.used);
        known_.erase(it);
    }
    next();
}

void event_recorder::lane::next() {
    waiting_.pop_front();
    begin_anew();
    if (waiting_.size() <= options_.queue_limit / 2 && std::exchange(dropping_, false))
        client_.options().logger(log_level::warning, "events are written again",
                                 {{"dropped", std::to_string(dropped_)}});
    trim();
    if (!waiting_.empty()) begin();
}

void event_recorder::lane::trim() {
    for (auto it = used_.begin(); it != used_.end() && known_.size() > remembered_limit + waiting_.size();) {
        auto const oldest = known_.find(*it);
        if (oldest->second.waiting) {
            ++it;
            continue;
        }
        known_.erase(oldest);
        it = used_.erase(it);
    }
}

void event_recorder::lane::say(log_level level, std::string_view what, error_code ec, std::string const& why) const {
    client_.options().logger(level, what, {{"event", waiting_.front()}, {"error", why.empty() ? ec.message() : why}});
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

void event_recorder::record(object_reference const& about, std::string_view type, std::string_view reason,
                            std::string_view message) {
    handle_->work->record(about, type, reason, message);
}

void event_recorder::persist(bool on) { handle_->work->persist(on); }

std::size_t event_recorder::dropped() const noexcept { return handle_->work->dropped(); }

} // namespace kftrain::control

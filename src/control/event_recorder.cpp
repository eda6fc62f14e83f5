#include <kftrain/control/event_recorder.hpp>

#include <kftrain/kube/api.hpp>

#include <boost/asio/associated_executor.hpp>

#include <cstdio>
#include <deque>
#include <map>
#include <random>

namespace kftrain::control {
namespace {

/// Events beyond this number are forgotten, the oldest first, and begin a new count when they come again.
constexpr std::size_t remembered_limit = 4096;
constexpr std::size_t queue_limit = 1000;

} // namespace

struct event_recorder::state : std::enable_shared_from_this<state> {
    state(kube::client c, std::string comp, clock n)
        : client(std::move(c)), component(std::move(comp)), now(std::move(n)), serial(std::random_device()()) {}

    /// Names are unique over the processes that write events about the same object.
    std::string new_name(std::string const& object) {
        std::uint64_t const high = static_cast<std::uint64_t>(now().time_since_epoch().count()) << 24U;
        char suffix[24];
        std::snprintf(suffix, sizeof suffix, ".%016llx",
                      static_cast<unsigned long long>(high + (serial++ & 0xFFFFFFU)));
        return object + suffix;
    }

    void push(std::string key) {
        if (waiting.size() >= queue_limit) {
            client.options().logger(log_level::warning, "event dropped", {{"event", key}});
            return;
        }
        waiting.push_back(std::move(key));
        if (waiting.size() == 1) write_next();
    }

    void write_next() {
        std::string const key = waiting.front();
        auto const it = known.find(key);
        event const e = it->second;
        kube::api<event> events(client, e.metadata.namespace_);
        auto stored = [self = shared_from_this(), key](error_code ec, event const& answer) {
            self->written(key, ec, answer);
        };
        if (e.metadata.resource_version.empty())
            events.async_create(e, std::move(stored));
        else
            events.async_replace(e, std::move(stored));
    }

    void written(std::string const& key, error_code ec, event const& answer) {
        if (ec) {
            client.options().logger(log_level::warning, "event not written", {{"event", key}, {"error", ec.message()}});
            known.erase(key);
            std::erase(order, key);
        } else if (auto const it = known.find(key); it != known.end()) {
            it->second.metadata = answer.metadata;
        }
        waiting.pop_front();
        while (!waiting.empty() && !known.contains(waiting.front())) waiting.pop_front();
        if (!waiting.empty()) write_next();
        while (known.size() > remembered_limit && waiting.empty()) {
            known.erase(order.front());
            order.pop_front();
        }
    }

    kube::client client;
    std::string component;
    clock now;
    std::uint64_t serial;
    std::map<std::string, event> known; ///< by object, type, reason and message
    std::deque<std::string> order;
    std::deque<std::string> waiting;
};

event_recorder::event_recorder(kube::client c, std::string component, clock now)
    : state_(std::make_shared<state>(std::move(c), std::move(component), std::move(now))) {}

void event_recorder::record(object_reference const& about, std::string_view type, std::string_view reason,
                            std::string_view message) {
    std::string key = about.uid + '\n' + about.namespace_ + '/' + about.name + '\n';
    key.append(type).append("\n").append(reason).append("\n").append(message);
    auto const [it, first] = state_->known.try_emplace(key);
    event& e = it->second;
    auto const now = state_->now();
    if (first) {
        state_->order.push_back(key);
        e.metadata.name = state_->new_name(about.name);
        e.metadata.namespace_ = about.namespace_.empty() ? "default" : about.namespace_;
        e.involved_object = about;
        e.type = type;
        e.reason = reason;
        e.message = message;
        e.source.component = state_->component;
        e.reporting_component = state_->component;
        e.first_timestamp = now;
    }
    e.last_timestamp = now;
    ++e.count;
    state_->push(std::move(key));
}

} // namespace kftrain::control

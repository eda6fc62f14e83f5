#include <kftrain/control/work_queue.hpp>

#include <algorithm>

namespace kftrain::control {

void work_queue::add(std::string const& key) {
    if (!dirty_.insert(key).second) return;
    ++adds_;
    if (!in_work_.contains(key)) ready_.push_back(key);
}

void work_queue::add_at(std::string const& key, instant when) {
    auto const [it, inserted] = delayed_.try_emplace(key, when);
    if (!inserted) {
        if (it->second <= when) return;
        auto const [from, to] = schedule_.equal_range(it->second);
        schedule_.erase(std::find_if(from, to, [&](auto const& entry) { return entry.second == key; }));
        it->second = when;
    }
    schedule_.emplace(when, key);
}

void work_queue::add_failed(std::string const& key, instant now) {
    ++retries_;
    auto wait = policy_.first;
    unsigned& failures = failures_[key];
    for (unsigned i = 0; i < failures && wait < policy_.limit; ++i) wait *= 2;
    ++failures;
    add_at(key, now + std::min(wait, policy_.limit));
}

void work_queue::forget(std::string const& key) { failures_.erase(key); }

void work_queue::release(instant now) {
    while (!schedule_.empty() && schedule_.begin()->first <= now) {
        std::string const key = schedule_.begin()->second;
        schedule_.erase(schedule_.begin());
        delayed_.erase(key);
        add(key);
    }
}

std::optional<std::string> work_queue::take(instant now) {
    release(now);
    if (ready_.empty()) return std::nullopt;
    std::string key = std::move(ready_.front());
    ready_.pop_front();
    dirty_.erase(key);
    in_work_.insert(key);
    return key;
}

void work_queue::done(std::string const& key) {
    if (in_work_.erase(key) != 0 && dirty_.contains(key)) ready_.push_back(key);
}

std::optional<work_queue::instant> work_queue::next_ready() const {
    if (schedule_.empty()) return std::nullopt;
    return schedule_.begin()->first;
}

} // namespace kftrain::control

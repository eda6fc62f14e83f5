#include "kinds/volcano_job/plan/request_queue.hpp"

#include <algorithm>
#include <set>

namespace kftrain::volcano {

bool is_alike(request const& a, request const& b) noexcept {
    return a.event == b.event && a.task == b.task && a.exit_code == b.exit_code && a.version == b.version &&
           a.action == b.action;
}

request_queue::batch::batch(std::vector<request> all) : in_order(std::move(all)), by_value(in_order.size()) {
    for (std::size_t i = 0; i != by_value.size(); ++i) by_value[i] = i;
    std::ranges::sort(by_value, {}, [this](std::size_t i) -> request const& { return in_order[i]; });
}

void request_queue::add(std::vector<request> const& more) {
    std::vector<request> fresh;
    std::set<request> seen;
    for (auto const& r : more)
        if (!contains(r) && seen.insert(r).second) fresh.push_back(r);
    if (fresh.empty()) return;
    // Merges batches of similar length, so that there are few batches, and each request is copied only a few times.
    while (!batches_.empty()) {
        auto const last = batches_.size() - 1;
        if (size_of(last) > 2 * fresh.size()) break;
        auto before = waiting_in(last);
        before.insert(before.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
        fresh = std::move(before);
        batches_.pop_back();
        if (last == 0) taken_ = 0;
    }
    batches_.push_back(std::make_shared<batch const>(std::move(fresh)));
}

void request_queue::pop() {
    if (++taken_ != batches_.front()->in_order.size()) return;
    batches_.erase(batches_.begin());
    taken_ = 0;
}

bool request_queue::contains(request const& r) const {
    for (std::size_t i = 0; i != batches_.size(); ++i) {
        auto const& b = *batches_[i];
        auto const value = [&](std::size_t n) -> request const& { return b.in_order[n]; };
        auto const at = std::ranges::lower_bound(b.by_value, r, {}, value);
        bool const there = at != b.by_value.end() && value(*at) == r;
        if (there && (i != 0 || *at >= taken_)) return true;
    }
    return false;
}

std::size_t request_queue::size_of(std::size_t number) const noexcept {
    return batches_[number]->in_order.size() - (number == 0 ? taken_ : 0);
}

std::vector<request> request_queue::waiting_in(std::size_t number) const {
    auto const& all = batches_[number]->in_order;
    auto const first = number == 0 ? static_cast<std::ptrdiff_t>(taken_) : 0;
    return {all.begin() + first, all.end()};
}

} // namespace kftrain::volcano

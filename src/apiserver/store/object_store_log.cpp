#include "apiserver/store/store_impl.hpp"
#include "apiserver/text/refusals.hpp"

#include <algorithm>

// What watches and lists of older versions are served from.
namespace kftrain::apiserver {
namespace {

std::size_t bytes_of(watch_event const& e) noexcept {
    return sizeof(watch_event) + e.object->bytes() + (e.previous ? e.previous->bytes() : 0);
}

} // namespace

void object_store::impl::record(kind_state& state, change_kind kind, object_ptr object, object_ptr previous) {
    watch_event e;
    e.kind = kind;
    e.version = version_;
    e.object = std::move(object);
    e.previous = std::move(previous);
    state.last = version_;
    state.log_bytes += bytes_of(e);
    log_bytes_ += bytes_of(e);
    state.log.push_back(std::move(e));
    while (state.log.size() > options_.watch_log_limit) drop_oldest(state);
    // A kind with small or few objects keeps its events while another one is busy.
    while (log_bytes_ > options_.watch_log_bytes)
        drop_oldest(**std::ranges::max_element(kinds_, {}, [](auto const& k) { return k->log_bytes; }));
}

void object_store::impl::drop_oldest(kind_state& state) {
    auto const& e = state.log.front();
    state.trimmed = e.version;
    state.log_bytes -= bytes_of(e);
    log_bytes_ -= bytes_of(e);
    state.log.pop_front();
}

answer<std::vector<watch_event>> object_store::events(kind_id kind, std::uint64_t since, std::size_t limit) const {
    auto const& state = *impl_->kinds_[impl_->stored(kind)];
    if (since < state.trimmed)
        return expired("too old resource version: " + std::to_string(since) + " (" + std::to_string(state.trimmed) +
                       ")");
    auto const first = std::ranges::upper_bound(state.log, since, {}, &watch_event::version);
    auto const count = std::min(limit, static_cast<std::size_t>(state.log.end() - first));
    std::vector<watch_event> out(first, first + static_cast<std::ptrdiff_t>(count));
    for (auto& e : out) {
        e.object = impl_->shown_as(kind, std::move(e.object));
        e.previous = impl_->shown_as(kind, std::move(e.previous));
    }
    return out;
}

store_usage object_store::usage() const noexcept {
    store_usage out;
    out.object_bytes = impl_->object_bytes_;
    out.log_bytes = impl_->log_bytes_;
    for (auto const& k : impl_->kinds_) {
        out.objects += k->objects.size();
        out.log_events += k->log.size();
    }
    return out;
}

} // namespace kftrain::apiserver

#include "apiserver/store/store_impl.hpp"
#include "apiserver/text/refusals.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

/// Upstream: `etcdserver/v3_server.go`; above 2 MiB, the client of the API server refuses first. Neither error has a
/// reason.
answer<void> check_size(stored_object const& state, std::size_t limit) {
    constexpr std::size_t longest_message = std::size_t{2} << 20U;
    auto const size = state.text().size();
    if (size <= limit) return {};
    if (size <= longest_message) return refusal(500, reason::unknown, "etcdserver: request is too large");
    return refusal(500, reason::unknown,
                   "rpc error: code = ResourceExhausted desc = trying to send message larger than max (" +
                       std::to_string(size) + " vs. " + std::to_string(longest_message) + ")");
}

} // namespace

answer<object_ptr> object_store::impl::sized_state(kind_id kind, json::object&& value) const {
    auto state = next_state(kind, std::move(value));
    if (auto ok = check_size(*state, options_.object_limit); !ok) return ok.error();
    if (object_bytes_ + state->bytes() > options_.storage_limit)
        return refusal(500, reason::unknown, "etcdserver: mvcc: database space exceeded");
    return state;
}

void object_store::impl::commit(place const& at, object_ptr const& state, time_point now) {
    put(at, state);
    auto& kind = *kinds_[at.kind];
    if (!kind.expires) return;
    kind.written.touch(at.key, now);
    expire(at.kind, now);
}

answer<object_ptr> object_store::impl::commit(place const& at, json::object&& value, time_point now) {
    auto state = sized_state(at.kind, std::move(value));
    if (state) commit(at, *state, now);
    return state;
}

void object_store::impl::expire(kind_id kind, time_point now) {
    auto const& written = kinds_[kind]->written;
    auto const ttl = options_.event_ttl;
    auto const limit = options_.event_limit;
    auto const is_due = [&] {
        if (written.empty()) return false;
        return (limit != 0 && written.size() > limit) || (ttl.count() > 0 && written.oldest().second + ttl <= now);
    };
    while (is_due()) {
        place const at{kind, written.oldest().first};
        erase(at, find(at.kind, at.key)->parsed());
    }
}

std::optional<time_point> object_store::next_expiry() const noexcept {
    std::optional<time_point> next;
    if (impl_->options_.event_ttl.count() <= 0) return next;
    for (auto const& k : impl_->kinds_) {
        if (k->written.empty()) continue;
        auto const when = k->written.oldest().second + impl_->options_.event_ttl;
        next = next ? std::min(*next, when) : when;
    }
    return next;
}

void object_store::expire(time_point now) {
    for (kind_id k = 0; k < impl_->kinds_.size(); ++k)
        if (impl_->kinds_[k]->expires) impl_->expire(k, now);
}

} // namespace kftrain::apiserver

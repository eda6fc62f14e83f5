#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"

#include <algorithm>

// The log of changes, which serves watches and lists of older versions; then limits of size, and expiry of events.
namespace kftrain::apiserver {
namespace {

std::size_t bytes_of(watch_event const& e) noexcept {
    return sizeof(watch_event) + e.object->bytes() + (e.previous ? e.previous->bytes() : 0);
}

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

/// Whether an object that is being deleted loses a finalizer, and grows by nothing but the record of who changed it.
bool is_step_of_deletion(stored_object const& old, stored_object const& next) {
    if (!old.facts().deleting || !old.facts().finalizers) return false;
    auto const size_and_finalizers = [](stored_object const& o) {
        auto value = o.parsed();
        metadata_of(value).erase("managedFields");
        auto const* const list = array_in(metadata_of(std::as_const(value)), "finalizers");
        return std::pair(json::serialize(value).size(), list != nullptr ? list->size() : 0);
    };
    auto const [old_size, old_finalizers] = size_and_finalizers(old);
    auto const [next_size, next_finalizers] = size_and_finalizers(next);
    return next_finalizers < old_finalizers && next_size <= old_size;
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

answer<object_ptr> object_store::impl::sized_state(place const& at, json::object&& value) const {
    auto state = next_state(at.kind, std::move(value));
    if (auto ok = check_size(*state, options_.object_limit); !ok) return ok.error();
    auto const old = find(at.kind, at.key);
    auto const before = old ? old->bytes() : 0;
    bool const fits = object_bytes_ - before + state->bytes() <= options_.storage_limit;
    if (fits || state->bytes() <= before || (old && is_step_of_deletion(*old, *state))) return state;
    return refusal(500, reason::unknown, "etcdserver: mvcc: database space exceeded");
}

void object_store::impl::commit(place const& at, object_ptr const& state, time_point now) {
    put(at, state);
    auto& kind = *kinds_[at.kind];
    if (!kind.expires) return;
    kind.written.touch(at.key, now);
    expire(at.kind, now);
}

answer<object_ptr> object_store::impl::commit(place const& at, json::object&& value, time_point now) {
    auto state = sized_state(at, std::move(value));
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

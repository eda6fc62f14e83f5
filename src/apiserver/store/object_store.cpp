#include <kftrain/apiserver/object_store.hpp>

#include "apiserver/definitions/crd.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/selector.hpp"
#include "apiserver/store/store_impl.hpp"
#include "model/scalars/base64.hpp"

#include <algorithm>
#include <charconv>

namespace kftrain::apiserver {
namespace {

/// A hash table keeps its buckets when the entries go.
template <class Table> void give_back_buckets(Table& table) {
    if (table.bucket_count() > 1024 && table.size() < table.bucket_count() / 8) table.rehash(0);
}

bool is_event(resource_definition const& d) noexcept {
    return d.plural == "events" && (d.group.empty() || d.group == "events.k8s.io");
}

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

refusal invalid_options(std::string field, std::string cause, std::string message) {
    refusal r(422, reason::invalid, "ListOptions.meta.k8s.io \"\" is invalid: " + field + ": " + message);
    r.group = "meta.k8s.io";
    r.kind = "ListOptions";
    r.causes.emplace_back(std::move(cause), std::move(message), std::move(field));
    return r;
}

bool parse_version(std::string_view text, std::uint64_t& out) {
    auto const end = text.data() + text.size();
    auto const [at, ec] = std::from_chars(text.data(), end, out);
    return !text.empty() && at == end && ec == std::errc();
}

struct page_start {
    std::uint64_t version = 0;
    std::string after;
};

std::string print_token(page_start const& p) {
    json::object token;
    token["v"] = "meta.k8s.io/v1";
    token["rv"] = p.version;
    token["start"] = p.after;
    return base64_encode(json::serialize(token));
}

answer<page_start> parse_token(std::string const& text) {
    page_start out;
    auto const decoded = base64_decode(text);
    if (!decoded) return bad_request("continue key is not valid: not base64");
    auto const token = parse_object(*decoded);
    auto const version = token ? integer_in(*token, "rv") : std::nullopt;
    if (!version || *version <= 0 || text_in(*token, "v") != "meta.k8s.io/v1")
        return bad_request("continue key is not valid: server does not recognize this encoded version");
    out.version = static_cast<std::uint64_t>(*version);
    out.after = text_in(*token, "start");
    return out;
}

/// The version that the query requests, or nothing for the newest.
answer<std::optional<std::uint64_t>> exact_version(list_query const& q, std::uint64_t current) {
    auto const& match = q.resource_version_match;
    std::uint64_t wanted = 0;
    if (match.empty() || match == "Exact" || match == "NotOlderThan") {
        if (!match.empty() && q.resource_version.empty())
            return invalid_options("resourceVersionMatch", "FieldValueForbidden",
                                   "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided");
        if (match == "Exact" && q.resource_version == "0")
            return invalid_options("resourceVersionMatch", "FieldValueForbidden",
                                   "Forbidden: resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
    } else {
        return invalid_options("resourceVersionMatch", "FieldValueNotSupported",
                               "Unsupported value: " + in_quotes(match) +
                                   ": supported values: \"Exact\", \"NotOlderThan\", \"\"");
    }
    if (q.resource_version.empty()) return std::optional<std::uint64_t>();
    if (!parse_version(q.resource_version, wanted))
        return bad_request("resourceVersion: " + invalid_value(q.resource_version, "expected a decimal number"));
    if (wanted > current) return version_too_large(wanted, current);
    bool const exact = match == "Exact" || (match.empty() && q.limit != 0 && wanted != 0); // the latter is legacy
    return exact ? std::optional<std::uint64_t>(wanted) : std::nullopt;
}

} // namespace

stored_object::stored_object(json::object const& value, std::uint64_t version, field_paths selectable)
    : version_(version), text_(json::serialize(value)) {
    text_.shrink_to_fit();
    facts_ = std::make_unique<object_facts>(value, text_, std::move(selectable));
    constexpr std::size_t counters = 2 * sizeof(void*); // of what is shared
    bytes_ = memory_of_piece(sizeof(stored_object) + counters) + memory_of_piece(text_.size() + 1) + facts_->bytes();
}

stored_object::~stored_object() = default;

json::object stored_object::parsed() const { return read_stored(text_); }
std::string_view stored_object::name() const noexcept { return facts_->name(); }
std::string_view stored_object::namespace_() const noexcept { return facts_->namespace_(); }
std::string_view stored_object::uid() const noexcept { return facts_->uid(); }

std::string print_time(time_point t) {
    std::string out;
    print_scalar(t, out);
    return out;
}

bool is_deleting(json::object const& object) noexcept {
    return !text_in(metadata_of(object), "deletionTimestamp").empty();
}

bool holds_finalizer(json::object const& object, std::string_view finalizer) noexcept {
    auto const* list = array_in(metadata_of(object), "finalizers");
    return list != nullptr &&
           std::ranges::any_of(*list, [&](json::value const& f) { return view(f.get_string()) == finalizer; });
}

bool is_namespace(resource_definition const& d) noexcept { return d.group.empty() && d.plural == "namespaces"; }

bool has_finalizers(json::object const& object) noexcept {
    auto const* list = array_in(metadata_of(object), "finalizers");
    return list != nullptr && !list->empty();
}

object_store::impl::object_key object_store::impl::key_of(std::string_view ns, std::string_view name) {
    return std::string(ns).append("/").append(name);
}
object_store::impl::object_key object_store::impl::key_of(stored_object const& o) {
    return key_of(o.namespace_(), o.name());
}

object_ptr object_store::impl::find(kind_id kind, object_key const& k) const {
    auto const& objects = kinds_[kind]->objects;
    auto const at = objects.find(k);
    return at != objects.end() ? at->second : nullptr;
}

answer<object_ptr> object_store::impl::get(kind_id kind, std::string_view ns, std::string_view name) const {
    if (auto found = find(stored(kind), key_of(ns, name))) return found;
    return not_found(kinds_[kind]->definition, name);
}

object_ptr object_store::impl::next_state(kind_id kind, json::object&& value) const {
    metadata_of(value)["resourceVersion"] = std::to_string(version_ + 1);
    return std::make_shared<stored_object const>(value, version_ + 1, kinds_[kind]->selectable);
}

object_ptr object_store::impl::put(place const& at, json::object&& value) {
    return put(at, next_state(at.kind, std::move(value)));
}

object_ptr object_store::impl::put(place const& at, object_ptr now) {
    auto& state = *kinds_[at.kind];
    version_ = now->version();
    auto& slot = state.objects[at.key];
    auto before = std::exchange(slot, now);
    object_bytes_ += now->bytes();
    if (before) {
        object_bytes_ -= before->bytes();
        unindex(at, *before);
    }
    index(at, *now);
    if (before) wake_owners(*before, *now);
    if (!quotas_.empty() || at.kind == quota_kind_) count_in_quotas(at, before.get(), now.get());
    auto const kind = before ? change_kind::modified : change_kind::added;
    record(state, kind, now, std::move(before));
    report(at, version_, now->text());
    return now;
}

object_ptr object_store::impl::erase(place const& at, json::object&& last) {
    auto& state = *kinds_[at.kind];
    auto gone = next_state(at.kind, std::move(last));
    version_ = gone->version();
    auto const found = state.objects.find(at.key);
    auto before = std::move(found->second);
    state.objects.erase(found);
    state.written.drop(at.key);
    object_bytes_ -= before->bytes();
    unindex(at, *before);
    give_back_buckets(by_uid_);
    give_back_buckets(dependents_);
    std::string const uid(before->uid());
    if (auto const list = dependents_.find(uid); list != dependents_.end())
        garbage_.insert(list->second.begin(), list->second.end());
    wake_waiters_for(*before);
    if (!quotas_.empty()) count_in_quotas(at, before.get(), nullptr);
    garbage_.erase(at); // a caller that does not collect it keeps no more than there are objects
    if (!state.cleaned_for.empty()) garbage_.insert({*crds_, key_of("", state.cleaned_for)});
    record(state, change_kind::deleted, gone, std::move(before));
    report(at, version_, {});
    if (at.kind == crds_) drop_kinds(at);
    return gone;
}

/// Owners in foreground deletion, and a namespace that ends.
void object_store::impl::wake_waiters_for(stored_object const& gone) {
    for (auto const& o : gone.facts().owners)
        if (auto const owner = waiting_owner(o.uid); owner && !still_held(owner->uid()))
            garbage_.insert(by_uid_.at(owner->uid()).where());
    if (auto ns = namespace_place(gone.namespace_())) garbage_.insert(std::move(*ns));
}

std::optional<object_store::impl::place> object_store::impl::namespace_place(std::string_view ending) const {
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        if (!is_namespace(kinds_[k]->definition)) continue;
        place at{k, key_of("", ending)};
        if (auto const found = find(at.kind, at.key); found && found->facts().deleting) return at;
    }
    return std::nullopt;
}

void object_store::impl::index(place const& at, stored_object const& o) {
    by_uid_[o.uid()] = {at.kind, &o};
    for (auto const& owner : o.facts().owners) {
        dependents_[std::string(owner.uid)].insert(at);
        if (!owner_exists(o, owner)) garbage_.insert(at);
    }
}

void object_store::impl::unindex(place const& at, stored_object const& o) {
    by_uid_.erase(o.uid());
    for (auto const& owner : o.facts().owners) {
        auto const list = dependents_.find(std::string(owner.uid));
        if (list == dependents_.end()) continue;
        list->second.erase(at);
        if (list->second.empty()) dependents_.erase(list);
    }
}

object_store::object_store(object_store_options options) : impl_(std::make_unique<impl>()) {
    impl_->options_ = std::move(options);
}
object_store::~object_store() = default;

kind_id object_store::add(resource_definition definition) {
    auto const known = find(definition.group, definition.version, definition.plural);
    auto const kind = known ? *known : impl_->new_kind();
    if (is_crd(definition)) impl_->crds_ = kind;
    if (definition.group.empty() && definition.plural == "resourcequotas") impl_->quota_kind_ = kind;
    if (definition.group.empty() && definition.plural == "limitranges") impl_->limit_range_kind_ = kind;
    if (definition.group == "scheduling.k8s.io" && definition.plural == "priorityclasses") impl_->priority_kind_ = kind;
    auto& state = *impl_->kinds_[kind];
    state.definition = std::move(definition);
    state.crd.clear();
    state.expires = is_event(state.definition);
    state.selectable = std::make_shared<std::vector<std::string> const>(state.definition.selectable_fields);
    impl_->claim(kind);
    return kind;
}

std::size_t object_store::kinds() const noexcept { return impl_->kinds_.size(); }
resource_definition const& object_store::definition(kind_id k) const noexcept { return impl_->kinds_[k]->definition; }
bool object_store::serves(kind_id k) const noexcept { return impl_->kinds_[k]->served; }
std::uint64_t object_store::registration(kind_id k) const noexcept { return impl_->kinds_[k]->registration; }

std::optional<kind_id> object_store::impl::find_kind(std::string_view group, std::string_view version,
                                                     std::string_view plural) const {
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        auto const& d = kinds_[k]->definition;
        if (kinds_[k]->served && d.group == group && d.version == version && d.plural == plural) return k;
    }
    return std::nullopt;
}

std::optional<kind_id> object_store::find(std::string_view group, std::string_view version,
                                          std::string_view plural) const {
    return impl_->find_kind(group, version, plural);
}

std::uint64_t object_store::version() const noexcept { return impl_->version_; }
std::uint64_t object_store::version(kind_id k) const noexcept { return impl_->kinds_[impl_->stored(k)]->last; }

answer<object_ptr> object_store::get(kind_id kind, std::string_view ns, std::string_view name) const {
    auto found = impl_->get(kind, ns, name);
    if (found) *found = impl_->shown_as(kind, std::move(*found));
    return found;
}

bool object_store::has_garbage() const noexcept { return !impl_->garbage_.empty(); }

void object_store::collect_garbage(time_point now) {
    while (!impl_->garbage_.empty()) {
        auto const next = impl_->garbage_.extract(impl_->garbage_.begin());
        impl_->examine(next.value(), now);
    }
}

// The log of changes, which serves watches and lists of older versions; then limits of size, and expiry of events.

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

void object_store::expire(time_point now) {
    for (kind_id k = 0; k < impl_->kinds_.size(); ++k)
        if (impl_->kinds_[k]->expires) impl_->expire(k, now);
}

answer<list_page> object_store::list(kind_id kind, list_query const& q) const {
    auto const& state = *impl_->kinds_[impl_->stored(kind)];
    auto const wanted = selector::parse(definition(kind), q.namespace_, q.label_selector, q.field_selector);
    if (!wanted) return wanted.error();
    list_page page;
    page.version = impl_->version_;
    page_start start;
    std::optional<std::uint64_t> exact;
    if (!q.continue_.empty()) {
        if (!q.resource_version.empty())
            return bad_request("specifying resource version is not allowed when using continue");
        auto token = parse_token(q.continue_);
        if (!token) return token.error();
        start = std::move(*token);
        exact = start.version;
        if (*exact > impl_->version_) return version_too_large(*exact, impl_->version_);
    } else {
        auto requested = exact_version(q, impl_->version_);
        if (!requested) return requested.error();
        exact = *requested;
    }

    // An older state is the newest one with the later events taken back.
    impl::object_map past;
    auto const* objects = &state.objects;
    if (exact) {
        page.version = *exact;
        if (*exact < state.trimmed)
            return expired(q.continue_.empty()
                               ? "The resourceVersion for the provided list is too old."
                               : "The provided continue parameter is too old to display a consistent list result. You "
                                 "must start a new list without the continue parameter.");
        if (*exact < state.last) {
            past = state.objects;
            for (auto e = state.log.rbegin(); e != state.log.rend() && e->version > *exact; ++e)
                past[impl::key_of(*e->object)] = e->previous;
            std::erase_if(past, [](auto const& item) { return !item.second; });
            objects = &past;
        }
    }

    auto const prefix = q.namespace_.empty() ? std::string() : q.namespace_ + "/";
    auto at = start.after.empty() ? objects->lower_bound(prefix) : objects->upper_bound(start.after);
    for (; at != objects->end() && at->first.starts_with(prefix); ++at) {
        if (!wanted->matches(*at->second)) continue;
        if (q.limit != 0 && page.items.size() == q.limit) {
            start.version = page.version;
            start.after = impl::key_of(*page.items.back());
            page.continue_ = print_token(start);
            break;
        }
        page.items.push_back(at->second);
    }
    if (!page.continue_.empty() && q.label_selector.empty() && q.field_selector.empty()) {
        std::uint64_t rest = 0;
        for (; at != objects->end() && at->first.starts_with(prefix); ++at) ++rest;
        page.remaining = rest;
    }
    for (auto& item : page.items) item = impl_->shown_as(kind, std::move(item));
    return page;
}

// Copies of the state, and restoring them from a journal.

/// The version of the stored objects of a kind; empty for a CustomResourceDefinition, whose versions share their
/// objects and whose stored version may change.
std::string object_store::impl::version_of(kind_id kind) const {
    auto const& k = *kinds_[kind];
    return k.crd.empty() ? k.definition.version : std::string();
}

void object_store::impl::report(place const& at, std::uint64_t version, std::string_view text) const {
    if (!options_.on_change) return;
    auto const& d = kinds_[at.kind]->definition;
    auto const slash = at.key.find('/');
    store_change c;
    c.group = d.group;
    c.api_version = version_of(at.kind);
    c.plural = d.plural;
    c.namespace_ = at.key.substr(0, slash);
    c.name = at.key.substr(slash + 1);
    c.version = version;
    c.text = text;
    options_.on_change(c);
}

store_change object_store::impl::change_of(kind_id kind, stored_object const& o) const {
    auto const& d = kinds_[kind]->definition;
    store_change c;
    c.group = d.group;
    c.api_version = version_of(kind);
    c.plural = d.plural;
    c.namespace_ = o.namespace_();
    c.name = o.name();
    c.version = o.version();
    c.text = o.text();
    return c;
}

void object_store::snapshot(std::function<void(store_change const&)> const& take) const {
    auto const give = [&](kind_id k) {
        for (auto const& [name, object] : impl_->kinds_[k]->objects) take(impl_->change_of(k, *object));
    };
    if (impl_->crds_) give(*impl_->crds_);
    for (kind_id k = 0; k < impl_->kinds_.size(); ++k)
        if (k != impl_->crds_) give(k);
    for (auto const& [change, text] : impl_->unclaimed_) {
        auto c = change;
        c.text = text;
        take(c);
    }
}

answer<void> object_store::restore(std::vector<store_change> const& objects, std::uint64_t version, time_point now) {
    auto& s = *impl_;
    auto const kind_of = [&](store_change const& c) {
        std::optional<kind_id> found;
        for (kind_id k = 0; k < s.kinds_.size() && !found; ++k) {
            auto const& kind = *s.kinds_[k];
            bool const stores = !kind.removed && !kind.objects_of;
            if (stores && kind.definition.group == c.group && kind.definition.plural == c.plural &&
                s.version_of(k) == c.api_version)
                found = k;
        }
        return found;
    };
    // The kinds of the other objects come with the definitions.
    for (bool const definitions : {true, false})
        for (auto const& c : objects) {
            auto const kind = kind_of(c);
            if ((kind && kind == s.crds_) != definitions) continue;
            if (!kind) {
                if (auto const value = parse_object(c.text); !value) return value.error();
                s.unclaimed_.emplace_back(c, c.text);
                continue;
            }
            if (auto ok = s.restore(*kind, c, now); !ok) return ok;
        }
    s.version_ = std::max(s.version_, version);
    for (auto const& kind : s.kinds_) {
        while (!kind->log.empty()) s.drop_oldest(*kind);
        kind->trimmed = kind->last = s.version_;
    }
    return {};
}

answer<void> object_store::impl::restore(kind_id kind, store_change const& c, time_point now) {
    auto value = parse_object(c.text);
    if (!value) return value.error();
    auto& state = *kinds_[kind];
    auto const object = std::make_shared<stored_object const>(*value, c.version, state.selectable);
    place const at{kind, key_of(*object)};
    auto& slot = state.objects[at.key];
    auto const before = std::exchange(slot, object);
    if (before) {
        object_bytes_ -= before->bytes();
        unindex(at, *before);
    }
    object_bytes_ += object->bytes();
    index(at, *object);
    if (!quotas_.empty() || at.kind == quota_kind_) count_in_quotas(at, before.get(), object.get());
    if (object->facts().deleting) garbage_.insert(at);
    if (state.expires) state.written.touch(at.key, now);
    version_ = std::max(version_, c.version);
    if (kind == crds_) return restore_definition(at, now);
    return {};
}

answer<void> object_store::impl::restore_definition(place const& at, time_point now) {
    auto crd = find(at.kind, at.key)->parsed();
    std::vector<std::string> ignored;
    auto made = define(crd, true, ignored, now);
    if (!made) return made.error();
    serve(at, std::move(*made));
    if (is_deleting(crd)) clean_for(crd);
    return {};
}

void object_store::impl::claim(kind_id kind) {
    auto const& d = kinds_[kind]->definition;
    auto const waits = [&](auto const& u) {
        return u.first.group == d.group && u.first.plural == d.plural && u.first.api_version == version_of(kind);
    };
    for (auto& u : unclaimed_)
        if (waits(u)) {
            u.first.text = u.second;
            // Its text was parsed before.
            [[maybe_unused]] auto const restored = restore(kind, u.first, time_point());
        }
    std::erase_if(unclaimed_, waits);
}

} // namespace kftrain::apiserver

#include "kube/watch/informer_source.hpp"

#include "kube/async/operation.hpp"

#include <utility>

namespace kftrain::kube::detail {
namespace {

any_event change(change_kind kind, any_object old, any_object object) {
    any_event e;
    e.kind = kind;
    e.old = std::move(old);
    e.object = std::move(object);
    return e;
}

} // namespace

informer_source::informer_source(client c, followed_collection what, informer_options options)
    : client_(std::move(c)),
      what_(std::move(what)),
      type_(what_.shown()),
      options_(std::move(options)),
      store_(by_name(type_)),
      sync_(client_.get_executor(), asio::steady_timer::time_point::max()),
      parts_(client_.get_executor(), [this](error_code ec) { ended(ec); }) {}

void informer_source::begin_run() {
    if (runners_++ == 0 && !parts_.has_parts()) start();
}

void informer_source::end_run() {
    if (--runners_ != 0 || !parts_.has_parts()) return;
    unwanted_ = true;
    parts_.cancel();
}

void informer_source::start() {
    parts_.add([this](any_handler<void(error_code)> h) {
        spawn(client_.get_executor(), follow(shared_from_this()), deadline(), std::move(h));
    });
}

void informer_source::ended(error_code ec) {
    if (std::exchange(unwanted_, false)) {
        if (runners_ != 0) start();
        return;
    }
    views_.each([&](auto& v) { v.end_run(ec); });
}

asio::awaitable<void> informer_source::follow(std::shared_ptr<informer_source> self) {
    reflector::options o;
    o.label_selector = self->options_.label_selector;
    o.field_selector = self->options_.field_selector;
    o.page_size = self->options_.page_size;
    o.streaming = self->options_.streaming_list == list_streaming::automatic;
    list_watch loop(self->client_, self->what_, std::move(o), *self, self->options_.silence,
                    self->options_.streaming_patience);
    co_await loop.run();
}

any_object informer_source::find(std::string_view ns, std::string_view name) const {
    auto const it = store_.find(full_name(ns, name));
    return it == store_.end() ? any_object() : whole(*it);
}

std::vector<any_object> informer_source::all() const {
    std::vector<any_object> list;
    list.reserve(store_.size());
    for (auto const& object : store_) list.push_back(whole(object));
    return list;
}

void informer_source::replace(std::vector<erased_object> objects, std::vector<undecodable_object> const& undecodable) {
    last_failure_->clear();
    if (!store_.empty()) drop_others(objects, undecodable);
    for (auto const& m : undecodable_.replace(undecodable)) report(m);
    for (auto& o : objects) put(std::move(o), true);
    if (synced_) return;
    synced_ = true;
    wake();
}

/// Removes objects that no longer exist. An object that no longer fits its type keeps its last state that did.
void informer_source::drop_others(std::vector<erased_object> const& objects,
                                  std::vector<undecodable_object> const& undecodable) {
    std::set<full_name> present;
    for (auto const& m : undecodable) present.emplace(m.namespace_, m.name);
    for (auto const& o : objects) present.insert(name_of(o));
    std::vector<erased_object> gone;
    for (auto const& object : store_)
        if (!present.contains(name_of(object))) gone.push_back(object);
    for (auto const& object : gone) drop(store_.find(object), nullptr, true);
}

void informer_source::apply(change_kind kind, erased_object object) {
    undecodable_.erase(meta(object).namespace_, meta(object).name);
    if (kind != change_kind::deleted) return put(std::move(object), false);
    auto const it = store_.find(object);
    drop(it, std::move(object), false);
}

void informer_source::apply_undecodable(change_kind kind, undecodable_object const& object) {
    if (kind != change_kind::deleted) {
        undecodable_.put(object);
        return report(object);
    }
    undecodable_.erase(object.namespace_, object.name);
    drop(store_.find(full_name(object.namespace_, object.name)), nullptr, false);
}

erased_object informer_source::known(erased_object object) const {
    auto const& now = meta(object);
    auto const it = store_.find(object);
    if (it == store_.end() || now.resource_version.empty()) return object;
    auto const& before = meta(*it);
    return before.uid == now.uid && before.resource_version == now.resource_version ? *it : object;
}

void informer_source::put(erased_object object, bool from_list) {
    auto it = store_.find(object);
    if (it != store_.end() && meta(*it).uid != meta(object).uid) { // its deletion was not seen
        drop(it, nullptr, true);
        it = store_.end();
    }
    if (it == store_.end()) {
        store_.insert(object);
        auto e = change(change_kind::added, any_object(), whole(std::move(object)));
        e.initial = from_list && !synced_;
        return views_.each([&](auto& v) { v.take(e); });
    }
    if (from_list && meta(*it).resource_version == meta(object).resource_version) return;
    auto entry = store_.extract(it);
    auto old = std::exchange(entry.value(), object);
    store_.insert(std::move(entry));
    auto const e = change(change_kind::modified, whole(std::move(old)), whole(std::move(object)));
    views_.each([&](auto& v) { v.take(e); });
}

void informer_source::drop(store::iterator it, erased_object last, bool missed) {
    if (it == store_.end()) return;
    auto old = std::move(store_.extract(it).value());
    auto e = change(change_kind::deleted, whole(old), whole(last ? std::move(last) : old));
    e.missed = missed;
    views_.each([&](auto& v) { v.take(e); });
}

void informer_source::processed(std::string const& resource_version) {
    if (resource_version.empty() || resource_version == version_) return;
    last_failure_->clear(); // this is called after failures, too
    version_ = resource_version;
}

void informer_source::failed(std::string_view step, error_code ec, call_report const& report) {
    bool const expired = is_gone(ec); // versions expire in normal operation
    *last_failure_ = failure(ec, report.detail).to_string();
    client_.options().logger(
        expired || is_retryable(ec) ? log_level::info : log_level::warning,
        expired ? "informer lists again" : "informer failed, retrying",
        {{"kind", std::string(what_.info().kind)}, {"step", std::string(step)}, {"error", *last_failure_}});
    views_.each([&](auto& v) { v.take_failure(ec, report.detail); });
}

void informer_source::report(undecodable_object const& object) {
    auto const why = object.named();
    client_.options().logger(log_level::error, "object does not match its type",
                             {{"kind", std::string(what_.info().kind)}, {"error", why.to_string()}});
    log_repair(client_, what_.info(), why.code, why.detail);
    views_.each([&](auto& v) { v.take_undecodable(object); });
}

} // namespace kftrain::kube::detail

#include "control/plans/plan_step.hpp"

#include "control/key_worker.hpp"
#include "control/plans/metadata_answer.hpp"

#include <kftrain/kube/resource_version.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

/** @file
    What the actions of a plan have in common: how a request is sent, its answer noted and its failure reported. */

namespace kftrain::control {
namespace {

namespace asio = boost::asio;

/// The part of a response with the written version; the rest is skipped while decoding.
struct written_object {
    written_object() = default;

    object_meta metadata;
};
BOOST_DESCRIBE_STRUCT(written_object, (), (metadata))

/// `pattern` with `what` in the place of `mark`.
std::string filled_in(std::string_view pattern, std::string_view what, std::string_view mark = "{}") {
    std::string text(pattern);
    if (auto const at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), what);
    return text;
}

} // namespace

using asio::awaitable;

std::optional<rules::emit_event> failure_event(rules::event_messages const& messages, std::string_view name,
                                               std::string_view why) {
    if (messages.failed_reason.empty()) return std::nullopt;
    auto const text = filled_in(messages.failed_text, name, "{name}");
    return rules::emit_event("Warning", std::string(messages.failed_reason), filled_in(text, why));
}

any_object with_version(any_object const& object, std::string version) {
    auto const& type = object.type();
    auto copy = type.copy(object.erased().get());
    type.metadata_of(copy.get()).resource_version = std::move(version);
    return any_object(type, std::move(copy));
}

std::string name_in(std::string_view answer) {
    auto object = from_json<written_object>(answer);
    return object ? std::move(object->metadata.name) : std::string();
}

bool has_owners_of(std::string_view answer, object_meta const& wanted) {
    auto const object = from_json<written_object>(answer);
    return object && object->metadata.owner_references == wanted.owner_references;
}

plan_actions::write plan_actions::writing(std::string_view doing, any_object const& object) const {
    auto const& type = object.resource();
    auto const& meta = object.metadata();
    bool const named = !meta.namespace_.empty() || type.where == resource_scope::cluster;
    write w(doing, type, named ? meta.namespace_ : subject_.primary.metadata().namespace_, meta.name);
    w.labels = &meta.labels;
    return w;
}

plan_actions::write plan_actions::writing(std::string_view doing, rules::target const& of) {
    return {doing, *of.type, of.namespace_, of.name};
}

awaitable<action_outcome> plan_actions::send(write w, result<kube::http_request> r) {
    diagnostics why;
    auto const [ec, answer] = co_await call(std::move(r), why);
    if (!ec) note(w, answer);
    co_return ended(w, ec, why);
}

action_outcome plan_actions::ended(write const& w, error_code ec, diagnostics const& why) const {
    action_outcome outcome;
    outcome.problem = failed(w, ec, why);
    if (ec) outcome.message = why.message;
    outcome.outdated = is_conflict(ec) || (w.was_read && is_not_found(ec));
    auto const& messages = w.messages;
    if (!ec && !messages.done_reason.empty())
        outcome.event =
            rules::emit_event("Normal", std::string(messages.done_reason), filled_in(messages.done_text, w.name));
    if (ec && (w.reports_conflict || !outcome.outdated)) outcome.event = failure_event(messages, w.name, why.message);
    return outcome;
}

/// `replacing PodGroup team/mnist (scheduling.volcano.sh/v1beta1): ` and the answer; nothing if all went well.
failure plan_actions::failed(write const& w, error_code ec, diagnostics const& why) const {
    failure f(ec, why);
    if (!ec) return f;
    std::string text = std::string(w.doing).append(" ").append(w.type->kind).append(" ");
    if (w.type->where == resource_scope::namespaced) text.append(w.namespace_).append("/");
    text.append(w.name).append(" (").append(w.type->api_version()).append("): ").append(failure(ec, why).to_string());
    f.detail.message = std::move(text);
    f.detail.path.clear(); // the message has it, and the position
    f.detail.line = 0;
    return f;
}

bool plan_actions::is_primary(write const& w) const {
    auto const& meta = subject_.primary.metadata();
    return type_key(*w.type) == type_key(subject_.primary.resource()) && w.namespace_ == meta.namespace_ &&
           w.name == meta.name;
}

/// Of what is written at the same time, the answers may come in any order.
void plan_actions::note(write const& w, std::string_view answer) {
    auto const object = from_json<written_object>(answer);
    std::string version = object ? object->metadata.resource_version : std::string();
    auto const raise = [&](std::string& noted) {
        if (noted.empty() || kube::compare_resource_versions(noted, version) < 0) noted = version;
    };
    if (is_primary(w)) return raise(written_->job_version);
    for (auto const& key : informers_of(w)) raise(written_->versions[key]);
}

std::vector<std::string> plan_actions::informers_of(write const& w) const {
    if (subject_.informers) return subject_.informers(*w.type, w.namespace_, w.name, w.labels);
    return {type_key(*w.type)};
}

awaitable<std::tuple<error_code, std::string>> plan_actions::call(result<kube::http_request> r, diagnostics& why) {
    kube::call_options options;
    options.detail = &why;
    r = answered_with_metadata(std::move(r));
    auto answer = co_await client_.async_call(std::move(r), options, asio::as_tuple(asio::use_awaitable));
    co_return answer;
}

awaitable<result<rules::content>> plan_actions::make(rules::recipe const& recipe) {
    auto const* const wanted = std::get_if<rules::ssh_key>(&recipe.what);
    if (wanted != nullptr && subject_.keys) {
        auto key = co_await subject_.keys->make(*wanted);
        if (!key) co_return key.error();
        co_return rules::content(std::move(*key));
    }
    auto made = std::visit(
        [&](auto const& what) -> result<rules::content> {
            auto content = subject_.maker->make(what);
            if (!content) return content.error();
            return rules::content(std::move(*content));
        },
        recipe.what);
    co_return made;
}

awaitable<result<any_object>> plan_actions::filled(any_object object, std::span<rules::recipe const> recipes) {
    for (auto const& recipe : recipes) {
        auto const made = co_await make(recipe);
        if (!made) {
            auto const w = writing("generating the content of", object);
            co_return failed(w, made.error().code, made.error().detail);
        }
        object = recipe.filled(object, *made, recipe.slot);
    }
    co_return object;
}

} // namespace kftrain::control

#include "control/plans/plan_actions.hpp"

#include "control/key_worker.hpp"
#include "control/plans/metadata_answer.hpp"

#include <kftrain/kube/request.hpp>
#include <kftrain/kube/resource_version.hpp>
#include <kftrain/model/patch.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kftrain::control {
namespace {

namespace asio = boost::asio;
namespace request = kube::request;
using asio::awaitable;

/// Whether it is unknown if the server carried out the request.
bool may_be_done(error_code ec) {
    return ec == errc::connection_lost || ec == errc::timeout || ec == reason::timeout ||
           ec == reason::server_timeout || ec == reason::internal_error;
}

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

/// The event of a failure, if there is a message for it.
std::optional<rules::emit_event> failure_event(rules::event_messages const& messages, std::string_view name,
                                               std::string_view why) {
    if (messages.failed_reason.empty()) return std::nullopt;
    auto const text = filled_in(messages.failed_text, name, "{name}");
    return rules::emit_event("Warning", std::string(messages.failed_reason), filled_in(text, why));
}

/// A copy that replaces this version of the stored object.
any_object with_version(any_object const& object, std::string version) {
    auto const& type = object.type();
    auto copy = type.copy(object.erased().get());
    type.metadata_of(copy.get()).resource_version = std::move(version);
    return any_object(type, std::move(copy));
}

/// The name of the object in a response.
std::string name_in(std::string_view answer) {
    auto object = from_json<written_object>(answer);
    return object ? std::move(object->metadata.name) : std::string();
}

/// Whether the object in a response has the owners of `wanted`.
bool has_owners_of(std::string_view answer, object_meta const& wanted) {
    auto const object = from_json<written_object>(answer);
    return object && object->metadata.owner_references == wanted.owner_references;
}

/// A write that was not sent, since its content could not be made.
action_outcome content_failure(failure problem, std::string const& name = {},
                               rules::event_messages const& messages = {}) {
    action_outcome outcome;
    outcome.event = failure_event(messages, name, problem.detail.message);
    outcome.problem = std::move(problem);
    return outcome;
}

} // namespace

awaitable<action_outcome> plan_actions::perform(rules::action const& a) {
    return std::visit([this](auto const& what) { return perform(what); }, a);
}

awaitable<action_outcome> plan_actions::perform(rules::create const& action) {
    auto const object = co_await filled(action.object, action.made);
    if (!object) co_return content_failure(object.error(), action.object.metadata().name, action.event);
    auto w = writing("creating", *object);
    w.messages = action.event;
    w.reports_conflict = true;
    diagnostics why;
    auto [ec, answer] = co_await call(request::create(*w.type, w.namespace_, object->to_json()), why);
    // The next plan draws another name, and would not meet it.
    if (may_be_done(ec) && action.object.metadata().name.empty() && !w.name.empty()) {
        auto stored = co_await find_stored(w, object->metadata());
        if (stored) {
            ec = error_code();
            answer = std::move(*stored);
        }
    }
    if (!ec) note(w, answer);
    action_outcome outcome;
    if (is_already_exists(ec) && action.exists == rules::on_refusal::ignore) co_return outcome;
    if (!ec && w.name.empty()) w.name = name_in(answer); // the server made it
    outcome = ended(w, ec, why);
    // The conflict is not about this object, which does not exist yet, but about a quota that other requests used.
    outcome.outdated = false;
    co_return outcome;
}

awaitable<std::optional<std::string>> plan_actions::find_stored(write const& w, object_meta const& sent) {
    diagnostics why;
    auto [ec, answer] = co_await call(request::get(*w.type, w.namespace_, w.name), why);
    if (ec || !has_owners_of(answer, sent)) co_return std::nullopt;
    co_return std::move(answer);
}

awaitable<action_outcome> plan_actions::perform(rules::replace const& action) {
    auto const object = co_await filled(action.object, action.made);
    if (!object) co_return content_failure(object.error(), action.object.metadata().name, action.event);
    bool const status = action.part == rules::subresource::status;
    auto w = writing(status ? "writing the status of" : "replacing", *object);
    w.messages = action.event;
    w.was_read = !object->metadata().resource_version.empty();
    auto made = (status ? request::replace_status : request::replace)(*w.type, w.namespace_, w.name, object->to_json());
    action_outcome outcome = co_await send(std::move(w), std::move(made));
    co_return outcome;
}

awaitable<action_outcome> plan_actions::perform(rules::apply const& action) {
    auto w = writing("applying", action.object);
    w.messages = action.event;
    w.reports_conflict = true;
    kube::apply_options options;
    options.field_manager = action.manager;
    options.force = action.force;
    diagnostics why;
    auto const [ec, answer] =
        co_await call(request::apply(*w.type, w.namespace_, w.name, action.object.to_json(), options), why);
    action_outcome outcome;
    if (ec == reason::unsupported_media_type) {
        outcome = co_await merge_and_put(std::move(w), action.object);
        co_return outcome;
    }
    if (!ec) note(w, answer);
    outcome = ended(w, ec, why);
    // Without a version, a conflict means that another manager owns a field: no event of the object resolves that.
    if (action.object.metadata().resource_version.empty()) outcome.outdated = false;
    co_return outcome;
}

awaitable<action_outcome> plan_actions::merge_and_put(write w, any_object wanted) {
    kube::call_options options;
    diagnostics why;
    options.detail = &why;
    auto const [missing, stored] = co_await client_.async_call(request::get(*w.type, w.namespace_, w.name), options,
                                                               asio::as_tuple(asio::use_awaitable));
    action_outcome outcome;
    if (is_not_found(missing)) {
        auto made = request::create(*w.type, w.namespace_, wanted.to_json());
        outcome = co_await send(std::move(w), std::move(made));
        co_return outcome;
    }
    if (missing) co_return ended(w, missing, why);
    auto const merged = apply_strategic_patch(*wanted.type().model, stored, wanted.to_json());
    if (!merged) co_return ended(w, merged.error().code, merged.error().detail);
    auto put = request::replace(*w.type, w.namespace_, w.name, *merged);
    outcome = co_await send(std::move(w), std::move(put));
    co_return outcome;
}

awaitable<action_outcome> plan_actions::perform(rules::patch const& action) {
    auto w = writing("patching", action.of);
    w.messages = action.event;
    bool const status = action.part == rules::subresource::status;
    kube::patch_body body(action.type, action.text);
    auto made = (status ? request::patch_status : request::patch)(*w.type, w.namespace_, w.name, std::move(body));
    action_outcome outcome = co_await send(std::move(w), std::move(made));
    co_return outcome;
}

awaitable<action_outcome> plan_actions::perform(rules::remove const& action) {
    auto w = writing("deleting", action.of);
    w.messages = action.event;
    w.reports_conflict = true;
    kube::delete_options params;
    params.precondition_uid = action.of.uid;
    params.propagation_policy = action.how;
    diagnostics why;
    auto const [ec, answer] = co_await call(request::remove(*w.type, w.namespace_, w.name, params), why);
    bool const gone = is_not_found(ec); // another client was faster
    if ((!ec || gone) && !is_primary(w))
        for (auto const& key : informers_of(w))
            written_->deleted[key].emplace(action.of.uid, rules::object_name(w.namespace_, w.name));
    action_outcome outcome;
    if (gone && action.gone == rules::on_refusal::ignore) co_return outcome;
    outcome = ended(w, ec, why); // upon a conflict another object bears the name
    co_return outcome;
}

awaitable<action_outcome> plan_actions::perform(rules::scale const& action) {
    auto w = writing("scaling", action.of);
    w.messages = action.event;
    kube::patch_body body(patch_type::merge, R"({"spec":{"replicas":)" + std::to_string(action.replicas) + "}}");
    auto made = request::patch_scale(*w.type, w.namespace_, w.name, std::move(body));
    action_outcome outcome = co_await send(std::move(w), std::move(made));
    co_return outcome;
}

awaitable<action_outcome> plan_actions::perform(rules::change_self const& action) {
    auto const object = co_await filled(action.object, action.made);
    if (!object) co_return content_failure(object.error());
    auto w = writing("replacing", *object);
    auto made = request::replace(*w.type, w.namespace_, w.name, object->to_json());
    action_outcome outcome = co_await send(std::move(w), std::move(made));
    changed_self_ = changed_self_ || !outcome.problem.code;
    co_return outcome;
}

awaitable<action_outcome> plan_actions::perform(rules::write_status const& action) {
    auto const next = changed_self_ ? with_version(action.object, written_->job_version) : action.object;
    auto w = writing("writing the status of", next);
    action_outcome outcome;
    result<kube::http_request> made = kube::http_request();
    switch (subject_.status) {
    case rules::status_form::none: co_return outcome;
    case rules::status_form::subresource:
        made = request::replace_status(*w.type, w.namespace_, w.name, next.to_json());
        break;
    case rules::status_form::whole_object:
        made = request::replace(*w.type, w.namespace_, w.name, next.to_json());
        break;
    case rules::status_form::merge_patch: {
        auto difference = merge_patch(*next.type().model, subject_.primary.erased().get(), next.erased().get());
        if (!difference) co_return ended(w, difference.error().code, difference.error().detail);
        if (*difference == "{}") co_return outcome;
        kube::patch_body body(patch_type::merge, std::move(*difference));
        made = request::patch_status(*w.type, w.namespace_, w.name, std::move(body));
        break;
    }
    }
    outcome = co_await send(std::move(w), std::move(made));
    co_return outcome;
}

awaitable<action_outcome> plan_actions::perform(rules::emit_event const& action) {
    action_outcome outcome;
    outcome.event = action;
    co_return outcome;
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

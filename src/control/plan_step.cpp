#include "control/plan_step.hpp"

#include "control/metadata_answer.hpp"

#include <kftrain/kube/request.hpp>
#include <kftrain/kube/resource_version.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kftrain::control {
namespace {

namespace asio = boost::asio;
namespace request = kube::request;

/// The part of an answer that says which version was written; the rest is skipped while decoding.
struct written_object {
    written_object() = default;

    object_meta metadata;
};
BOOST_DESCRIBE_STRUCT(written_object, (), (metadata))

std::string version_in(std::string_view answer) {
    auto const object = from_json<written_object>(answer);
    return object ? object->metadata.resource_version : std::string();
}

} // namespace

using asio::awaitable;

awaitable<step_outcome> plan_steps::perform(action const& a) {
    return std::visit([this](auto const& what) { return perform(what); }, a);
}

awaitable<step_outcome> plan_steps::perform(create_child const& action) {
    auto const& type = action.object.resource();
    auto const& name = action.object.metadata().name;
    diagnostics why;
    auto const [ec, answer] =
        co_await call(request::create(type, job_.metadata().namespace_, action.object.to_json()), why);
    if (!ec) note_version(type, version_in(answer));
    // A conflict tells of no change of this object, which is not there yet, but of a quota that others drew on.
    step_outcome done;
    done.problem = failed("creating", type, name, ec, why);
    done.told = words_for(action.words, ec, {"Create", "Created", "creating"}, type, name, why);
    step_outcome outcome = co_await refused(std::move(done), action.otherwise);
    co_return outcome;
}

awaitable<step_outcome> plan_steps::perform(replace_child const& action) {
    auto const& type = action.object.resource();
    auto const& name = action.object.metadata().name;
    diagnostics why;
    auto const [ec, answer] =
        co_await call(request::replace(type, job_.metadata().namespace_, name, action.object.to_json()), why);
    if (!ec) note_version(type, version_in(answer));
    step_outcome outcome;
    outcome.problem = failed("replacing", type, name, ec, why);
    outcome.outdated = is_conflict(ec);
    if (!outcome.outdated) outcome = co_await refused(std::move(outcome), action.otherwise);
    co_return outcome;
}

awaitable<step_outcome> plan_steps::perform(delete_child const& action) {
    kube::delete_params params;
    params.precondition_uid = action.uid;
    diagnostics why;
    auto const [ec, answer] =
        co_await call(request::remove(*action.type, job_.metadata().namespace_, action.name, params), why);
    bool const gone = is_not_found(ec); // somebody else was faster
    if (!ec || gone) written_->deleted[type_key(*action.type)].emplace(action.uid, action.name);
    step_outcome outcome;
    if (gone) co_return outcome;
    outcome.outdated = is_conflict(ec); // another object bears the name
    outcome.told = words_for(action.words, ec, {"Delete", "Deleted", "deleting"}, *action.type, action.name, why);
    outcome.problem = failed("deleting", *action.type, action.name, ec, why);
    co_return outcome;
}

awaitable<step_outcome> plan_steps::perform(raise_event const& action) {
    step_outcome outcome;
    outcome.told = action;
    co_return outcome;
}

awaitable<step_outcome> plan_steps::perform(write_status const& action) {
    static constexpr std::string_view doing = "writing the status of";
    step_outcome outcome;
    any_job next = job_;
    auto const& meta = job_.metadata();
    if (auto const r = next.set_status(action.status); !r) {
        outcome.problem = failed(doing, job_.resource(), meta.name, r.error().code, r.error().detail);
        co_return outcome;
    }
    diagnostics why;
    auto const [ec, answer] =
        co_await call(request::replace_status(job_.resource(), meta.namespace_, meta.name, next.to_json()), why);
    if (!ec) written_->job_version = version_in(answer);
    outcome.outdated = is_conflict(ec);
    outcome.problem = failed(doing, job_.resource(), meta.name, ec, why);
    co_return outcome;
}

awaitable<step_outcome> plan_steps::perform(delete_job const&) {
    auto const& meta = job_.metadata();
    kube::delete_params params;
    params.precondition_uid = meta.uid;
    params.propagation_policy = kube::propagation::background;
    diagnostics why;
    auto const [ec, answer] = co_await call(request::remove(job_.resource(), meta.namespace_, meta.name, params), why);
    step_outcome outcome;
    outcome.outdated = is_conflict(ec);
    if (ec && !is_not_found(ec)) {
        outcome.problem = failed("deleting", job_.resource(), meta.name, ec, why);
        co_return outcome;
    }
    // Upstream deletes the job with the pod control, whose reason it therefore bears.
    outcome.told = raise_event("Normal", "SuccessfulDeletePod", "Deleted job: " + meta.name);
    co_return outcome;
}

awaitable<step_outcome> plan_steps::refused(step_outcome first, std::optional<write_status> const& otherwise) {
    if (first.problem.code && otherwise) {
        step_outcome const second = co_await perform(*otherwise);
        if (second.problem.code) first.problem.detail.message += "; then " + second.problem.detail.message;
        first.outdated = false;
    }
    co_return first;
}

std::optional<raise_event> plan_steps::words_for(event_words const& words, error_code ec, verb const& v,
                                                 resource_info const& type, std::string const& name,
                                                 diagnostics const& why) {
    if (words.noun.empty()) return std::nullopt;
    std::string reason = std::string(ec ? "Failed" : "Successful").append(v.reason).append(type.kind);
    if (ec)
        return raise_event("Warning", std::move(reason),
                           std::string("Error ").append(v.doing).append(": ").append(words.error_prefix) + why.message);
    return raise_event("Normal", std::move(reason),
                       std::string(v.done).append(" ").append(words.noun).append(": ") + name);
}

/// `replacing PodGroup team/mnist (scheduling.volcano.sh/v1beta1): ` and the answer; nothing if all went well.
failure plan_steps::failed(std::string_view doing, resource_info const& type, std::string const& name, error_code ec,
                           diagnostics const& why) const {
    failure f(ec, why);
    if (!ec) return f;
    f.detail.message = std::string(doing)
                           .append(" ")
                           .append(type.kind)
                           .append(" ")
                           .append(job_.metadata().namespace_)
                           .append("/")
                           .append(name)
                           .append(" (")
                           .append(type.api_version())
                           .append("): ")
                           .append(failure(ec, why).to_string());
    f.detail.path.clear(); // the message has it, and the position
    f.detail.line = 0;
    return f;
}

/// Of what is created at the same time, the answers may come in any order.
void plan_steps::note_version(resource_info const& type, std::string version) {
    auto& noted = written_->versions[type_key(type)];
    if (noted.empty() || kube::compare_resource_versions(noted, version) < 0) noted = std::move(version);
}

awaitable<std::tuple<error_code, std::string>> plan_steps::call(result<kube::http_request> r, diagnostics& why) {
    kube::call_options options;
    options.detail = &why;
    r = answered_with_metadata(std::move(r));
    auto answer = co_await client_.async_call(std::move(r), options, asio::as_tuple(asio::use_awaitable));
    co_return answer;
}

} // namespace kftrain::control

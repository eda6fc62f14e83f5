#include "control/plan_executor.hpp"

#include <kftrain/kube/request.hpp>
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

class executor {
public:
    executor(kube::client& client, event_recorder& recorder, any_job const& job, pending_writes& written)
        : client_(client), recorder_(recorder), job_(job), about_(reference_to(job)), written_(written) {}

    asio::awaitable<error_code> perform(create_child const& action) {
        auto const& type = action.object.resource();
        auto const& name = action.object.metadata().name;
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::create(type, job_.metadata().namespace_, action.object.to_json()), why);
        if (!ec) written_.versions[std::string(type.plural)] = version_in(answer);
        tell(action.words, ec, {"Create", "Created", "creating"}, type, name, why);
        error_code const outcome = co_await refused(ec, action.otherwise);
        co_return outcome;
    }

    asio::awaitable<error_code> perform(replace_child const& action) {
        auto const& type = action.object.resource();
        auto const& name = action.object.metadata().name;
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::replace(type, job_.metadata().namespace_, name, action.object.to_json()), why);
        if (!ec) written_.versions[std::string(type.plural)] = version_in(answer);
        error_code const outcome = co_await refused(ec, action.otherwise);
        co_return outcome;
    }

    asio::awaitable<error_code> perform(delete_child const& action) {
        kube::delete_params params;
        params.precondition_uid = action.uid;
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::remove(*action.type, job_.metadata().namespace_, action.name, params), why);
        if (is_not_found(ec)) { // somebody else was faster
            written_.deleted[std::string(action.type->plural)].insert(action.uid);
            co_return error_code();
        }
        if (!ec) written_.deleted[std::string(action.type->plural)].insert(action.uid);
        tell(action.words, ec, {"Delete", "Deleted", "deleting"}, *action.type, action.name, why);
        co_return ec;
    }

    asio::awaitable<error_code> perform(raise_event const& action) {
        recorder_.record(about_, action.type, action.reason, action.message);
        co_return error_code();
    }

    asio::awaitable<error_code> perform(write_status const& action) {
        any_job next = job_;
        if (auto const r = next.set_status(action.status); !r) co_return r.error().code;
        auto const& meta = job_.metadata();
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::replace_status(job_.resource(), meta.namespace_, meta.name, next.to_json()), why);
        if (!ec) written_.job_version = version_in(answer);
        co_return ec;
    }

    asio::awaitable<error_code> perform(delete_job const&) {
        auto const& meta = job_.metadata();
        kube::delete_params params;
        params.precondition_uid = meta.uid;
        params.propagation_policy = kube::propagation::background;
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::remove(job_.resource(), meta.namespace_, meta.name, params), why);
        if (ec && !is_not_found(ec)) co_return ec;
        // Upstream deletes the job with the pod control, whose reason it therefore bears.
        recorder_.record(about_, "Normal", "SuccessfulDeletePod", "Deleted job: " + meta.name);
        co_return error_code();
    }

private:
    struct verb {
        std::string_view reason, done, doing;
    };
    void tell(event_words const& words, error_code ec, verb const& v, resource_info const& type,
              std::string const& name, diagnostics const& why) {
        if (words.noun.empty()) return;
        std::string const reason = std::string(ec ? "Failed" : "Successful").append(v.reason).append(type.kind);
        if (ec)
            recorder_.record(about_, "Warning", reason,
                             std::string("Error ").append(v.doing).append(": ").append(words.error_prefix) +
                                 why.message);
        else
            recorder_.record(about_, "Normal", reason,
                             std::string(v.done).append(" ").append(words.noun).append(": ") + name);
    }

    /// What follows a refusal. A conflict is none: somebody else wrote the object, and the job is planned anew.
    asio::awaitable<error_code> refused(error_code ec, std::optional<write_status> const& otherwise) {
        if (ec && otherwise && !is_conflict(ec)) {
            error_code const ignored = co_await perform(*otherwise);
            static_cast<void>(ignored);
        }
        co_return ec;
    }

    asio::awaitable<std::tuple<error_code, std::string>> call(result<kube::http_request> r, diagnostics& why) {
        kube::call_options options;
        options.detail = &why;
        auto answer = co_await client_.async_call(std::move(r), options, asio::as_tuple(asio::use_awaitable));
        co_return answer;
    }

    kube::client& client_;
    event_recorder& recorder_;
    any_job const& job_;
    object_reference about_;
    pending_writes& written_;
};

} // namespace

object_reference reference_to(any_job const& job) {
    auto const& meta = job.metadata();
    object_reference about;
    about.api_version = job.resource().api_version();
    about.kind = job.resource().kind;
    about.namespace_ = meta.namespace_;
    about.name = meta.name;
    about.uid = meta.uid;
    return about;
}

asio::awaitable<error_code> carry_out(kube::client& client, event_recorder& recorder, any_job const& job,
                                      plan const& todo, pending_writes& written) {
    executor e(client, recorder, job, written);
    for (action const& a : todo.actions) {
        auto step = std::visit([&](auto const& what) { return e.perform(what); }, a);
        error_code const ec = co_await std::move(step);
        if (ec) co_return ec;
    }
    co_return error_code();
}

} // namespace kftrain::control

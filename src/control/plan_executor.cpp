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
        auto const& type = resource_of(action.object);
        auto const& meta = metadata_of(action.object);
        std::string body = std::visit([](auto const& object) { return to_json(object); }, action.object);
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::create(type, job_.metadata().namespace_, std::move(body)), why);
        std::string const kind(type.kind);
        if (ec) {
            recorder_.record(about_, "Warning", "FailedCreate" + kind, "Error creating: " + why.message);
            co_return ec;
        }
        written_.versions[std::string(type.plural)] = version_in(answer);
        recorder_.record(about_, "Normal", "SuccessfulCreate" + kind, "Created " + lower(kind) + ": " + meta.name);
        co_return error_code();
    }

    asio::awaitable<error_code> perform(delete_child const& action) {
        kube::delete_params params;
        params.precondition_uid = action.uid;
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::remove(*action.type, job_.metadata().namespace_, action.name, params), why);
        std::string const kind(action.type->kind);
        if (ec && !is_not_found(ec)) {
            recorder_.record(about_, "Warning", "FailedDelete" + kind, "Error deleting: " + why.message);
            co_return ec;
        }
        written_.deleted[std::string(action.type->plural)].insert(action.uid);
        if (!ec)
            recorder_.record(about_, "Normal", "SuccessfulDelete" + kind,
                             "Deleted " + lower(kind) + ": " + action.name);
        co_return error_code();
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
    static std::string lower(std::string text) {
        for (char& c : text)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return text;
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

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

    asio::awaitable<failure> perform(create_child const& action) {
        auto const& type = action.object.resource();
        auto const& name = action.object.metadata().name;
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::create(type, job_.metadata().namespace_, action.object.to_json()), why);
        if (!ec) written_.versions[type_key(type)] = version_in(answer);
        tell(action.words, ec, {"Create", "Created", "creating"}, type, name, why);
        // A conflict tells of no change of this object, which is not there yet, but of a quota that others drew on.
        failure outcome = co_await refused(failed("creating", type, name, ec, why), action.otherwise);
        co_return outcome;
    }

    asio::awaitable<failure> perform(replace_child const& action) {
        auto const& type = action.object.resource();
        auto const& name = action.object.metadata().name;
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::replace(type, job_.metadata().namespace_, name, action.object.to_json()), why);
        if (!ec) written_.versions[type_key(type)] = version_in(answer);
        failure outcome = failed("replacing", type, name, ec, why);
        if (!changed_meanwhile(ec)) outcome = co_await refused(std::move(outcome), action.otherwise);
        co_return outcome;
    }

    asio::awaitable<failure> perform(delete_child const& action) {
        kube::delete_params params;
        params.precondition_uid = action.uid;
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::remove(*action.type, job_.metadata().namespace_, action.name, params), why);
        bool const gone = is_not_found(ec); // somebody else was faster
        if (!ec || gone) written_.deleted[type_key(*action.type)].emplace(action.uid, action.name);
        if (gone) co_return failure();
        changed_meanwhile(ec); // another object bears the name
        tell(action.words, ec, {"Delete", "Deleted", "deleting"}, *action.type, action.name, why);
        co_return failed("deleting", *action.type, action.name, ec, why);
    }

    asio::awaitable<failure> perform(raise_event const& action) {
        recorder_.record(about_, action.type, action.reason, action.message);
        co_return failure();
    }

    asio::awaitable<failure> perform(write_status const& action) {
        static constexpr std::string_view doing = "writing the status of";
        any_job next = job_;
        auto const& meta = job_.metadata();
        if (auto const r = next.set_status(action.status); !r)
            co_return failed(doing, job_.resource(), meta.name, r.error().code, r.error().detail);
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::replace_status(job_.resource(), meta.namespace_, meta.name, next.to_json()), why);
        if (!ec) written_.job_version = version_in(answer);
        changed_meanwhile(ec);
        co_return failed(doing, job_.resource(), meta.name, ec, why);
    }

    asio::awaitable<failure> perform(delete_job const&) {
        auto const& meta = job_.metadata();
        kube::delete_params params;
        params.precondition_uid = meta.uid;
        params.propagation_policy = kube::propagation::background;
        diagnostics why;
        auto const [ec, answer] =
            co_await call(request::remove(job_.resource(), meta.namespace_, meta.name, params), why);
        changed_meanwhile(ec);
        if (ec && !is_not_found(ec)) co_return failed("deleting", job_.resource(), meta.name, ec, why);
        // Upstream deletes the job with the pod control, whose reason it therefore bears.
        recorder_.record(about_, "Normal", "SuccessfulDeletePod", "Deleted job: " + meta.name);
        co_return failure();
    }

    bool outdated() const noexcept { return outdated_; }

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

    /// `replacing PodGroup team/mnist (scheduling.volcano.sh/v1beta1): ` and the answer; nothing if all went well.
    failure failed(std::string_view doing, resource_info const& type, std::string const& name, error_code ec,
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

    /// A conflict about an object that an informer follows: somebody else wrote it, and the job is planned anew.
    bool changed_meanwhile(error_code ec) {
        outdated_ = is_conflict(ec);
        return outdated_;
    }

    asio::awaitable<failure> refused(failure first, std::optional<write_status> const& otherwise) {
        if (first.code && otherwise) {
            failure const second = co_await perform(*otherwise);
            if (second.code) first.detail.message += "; then " + second.detail.message;
            outdated_ = false;
        }
        co_return first;
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
    bool outdated_ = false;
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
    about.resource_version = meta.resource_version;
    return about;
}

std::string type_key(resource_info const& type) { return std::string(type.plural).append(".").append(type.group); }

asio::awaitable<plan_outcome> carry_out(kube::client& client, event_recorder& recorder, any_job const& job,
                                        plan const& todo, pending_writes& written) {
    executor e(client, recorder, job, written);
    plan_outcome outcome;
    for (action const& a : todo.actions) {
        auto step = std::visit([&](auto const& what) { return e.perform(what); }, a);
        outcome.problem = co_await std::move(step);
        if (outcome.problem.code) break;
    }
    outcome.outdated = e.outdated();
    co_return outcome;
}

} // namespace kftrain::control

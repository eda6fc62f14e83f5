#include "base/failure_at.hpp"
#include "base/utf8.hpp"
#include "facade/job_arguments.hpp"
#include "facade/job_operation.hpp"
#include "facade/job_references.hpp"
#include "facade/plan/plan_update.hpp"
#include "facade/read_jobs.hpp"
#include "facade/shared_deadline.hpp"
#include "job/contract/field_error.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/training_client.hpp>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <algorithm>
#include <chrono>

namespace kftrain {
namespace {

namespace asio = boost::asio;
namespace request = kube::request;

constexpr std::size_t longest_key = 1024;
/// The number of attempts to create a job if the server does not respond and the job does not exist.
constexpr int most_creations = 4;

std::string digest_of(std::string const& text) {
    return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text));
}

/// Whether the request may have been carried out despite the failed response.
bool is_unsure(error_code ec) {
    return ec == errc::connection_lost || ec == errc::protocol || ec == reason::internal_error ||
           ec == reason::server_timeout || ec == reason::timeout || ec == reason::service_unavailable;
}

/// Separates the key of a mark from the hash of the submitted job. All hashes have the same length.
constexpr std::string_view before_hash = " hash:";
constexpr std::size_t length_of_hash = 36;

/// The annotation's value for a submission that the job does not have yet; empty if it cannot be repeated.
std::string mark_of(any_job const& job, submit_options const& options) {
    if (options.idempotency_key.empty()) return options.idempotent ? "hash:" + digest_of(job.to_json()) : std::string();
    return "key:" + options.idempotency_key + std::string(before_hash) + digest_of(job.to_json());
}

/// A mark without the hash behind its key.
std::string_view key_of(std::string_view mark) {
    auto const end = before_hash.size() + length_of_hash;
    if (!mark.starts_with("key:") || mark.size() < end) return mark;
    bool const hashed = mark.substr(mark.size() - end).starts_with(before_hash);
    return hashed ? mark.substr(0, mark.size() - end) : mark;
}

/// Marks the job, and names it if only the beginning of its name is given: each time with the same name.
result<std::string> marked(any_job& job, submit_options const& options) {
    if (options.idempotency_key.size() > longest_key)
        return failure_at("idempotency_key", "expected at most " + std::to_string(longest_key) + " bytes, got " +
                                                 std::to_string(options.idempotency_key.size()));
    if (detail::find_invalid_utf8(options.idempotency_key) != std::string::npos)
        return failure_at("idempotency_key", "expected UTF-8");
    auto& metadata = job.metadata();
    // A manifest that was read back from a cluster bears the version and the mark of another submission.
    metadata.resource_version.clear(); // as kubectl create does
    metadata.annotations.erase(std::string(submission_annotation));
    auto mark = mark_of(job, options);
    if (mark.empty()) return mark;
    if (metadata.name.empty() && !metadata.generate_name.empty()) {
        if (options.idempotency_key.empty())
            return failure_at("metadata.generateName",
                              "expected an idempotency key: without it a job with a generated name cannot be submitted "
                              "again under the same name");
        auto digits = digest_of(options.idempotency_key);
        std::erase(digits, '-');
        metadata.name = metadata.generate_name + digits.substr(0, 10);
        metadata.generate_name.clear();
    }
    metadata.annotations[std::string(submission_annotation)] = mark;
    return mark;
}

/// The origin of an existing job, as far as it is known.
std::string_view mark_of_stored(any_job const& stored) {
    auto const& annotations = stored.metadata().annotations;
    auto const found = annotations.find(submission_annotation);
    return found == annotations.end() ? std::string_view() : std::string_view(found->second);
}

/// Whether an existing job came from this submission.
bool is_ours(any_job const& stored, std::string const& mark) {
    return !mark.empty() && mark_of_stored(stored) == mark && !stored.metadata().deletion_timestamp;
}

/// Whether the job came from a submission with the same key, perhaps with other content.
bool has_our_key(any_job const& stored, std::string const& mark) {
    return mark.starts_with("key:") && key_of(mark_of_stored(stored)) == key_of(mark);
}

class submission {
public:
    submission(kube::client c, prepared_job const& j, submit_options o, std::string mark)
        : client_(std::move(c)),
          job_(j),
          options_(std::move(o)),
          time_(client_, options_.common()),
          mark_(std::move(mark)) {}

    static asio::awaitable<any_job> run(std::shared_ptr<submission> s) {
        if (s->options_.validate) co_await s->check();
        for (int creations = 1;; ++creations) {
            kube::detail::call_report report;
            auto wanted = s->creation();
            auto created = co_await kube::detail::call(s->client_, std::move(wanted), s->time_.next(), report);
            auto const ec = std::get<0>(created);
            if (!ec) co_return s->decoded(std::get<1>(created), "the job was created, but the answer cannot be read: ");
            bool const taken = is_already_exists(ec);
            if (!taken && (s->mark_.empty() || !is_unsure(ec))) kube::detail::fail(ec);
            auto const found = co_await s->look();
            if (!found.empty()) co_return found;
            if (taken && !s->gone_) kube::detail::fail(ec);
            if (creations == most_creations) kube::detail::fail(ec);
            kube::detail::timer pause(s->client_.get_executor(), std::chrono::milliseconds(50) * (1 << creations));
            co_await pause.async_wait(asio::use_awaitable);
        }
    }

private:
    /// Validates the job together with the objects to which it refers, as far as they can be read.
    asio::awaitable<void> check() {
        auto const time = time_.next();
        auto checked = co_await await_admitted_job(client_, job_, time);
        job_ = checked;
        if (!job_.is_valid()) fail_with(invalid_job(job_.faults(), "\n"), options_.detail);
    }

    result<kube::http_request> creation() const {
        kube::write_options how;
        how.dry_run = options_.dry_run;
        return request::with(request::create(job_->resource(), job_->metadata().namespace_, job_->to_json()), how);
    }

    /// The job of the name, if this submission created it. Otherwise `detail` reports its origin.
    asio::awaitable<any_job> look() {
        auto const& m = job_->metadata();
        diagnostics const before = options_.detail != nullptr ? *options_.detail : diagnostics();
        kube::detail::call_report report;
        auto r = request::get(job_->resource(), m.namespace_, m.name);
        auto answer = co_await kube::detail::call(client_, std::move(r), time_.next(), report);
        auto const ec = std::get<0>(answer);
        gone_ = is_not_found(ec);
        if (!ec) {
            any_job stored = decoded(std::get<1>(answer), "the existing job cannot be read: ");
            if (is_ours(stored, mark_)) co_return stored;
            auto const differing = differences_to(stored);
            // Another release of this library may compute another hash for the same job.
            if (differing.empty() && has_our_key(stored, mark_) && !stored.metadata().deletion_timestamp)
                co_return stored;
            if (options_.detail != nullptr) {
                *options_.detail = before;
                options_.detail->message = another(stored, differing);
            }
            kube::detail::fail(reason::already_exists);
        }
        if (options_.detail != nullptr) *options_.detail = before;
        co_return any_job();
    }

    /// Returns the changes that the submission would make; none if the job is being deleted.
    std::vector<field_change> differences_to(any_job const& stored) const {
        return stored.metadata().deletion_timestamp ? std::vector<field_change>() : fields_that_differ(*job_, stored);
    }

    std::string another(any_job const& stored, std::vector<field_change> const& differing) const {
        auto const name = job_reference(*job_).to_string();
        if (stored.metadata().deletion_timestamp)
            return name + " exists and is being deleted: wait until it is deleted";
        if (differing.empty())
            return name + " already exists with the same content, but from another call: it does not have the "
                          "idempotency key of this one";
        return name + " already exists with other content" +
               (has_our_key(stored, mark_) ? ", although it was submitted with this idempotency key: " : ": ") +
               joined_paths(differing);
    }

    any_job decoded(std::string const& text, std::string_view what_is_wrong) {
        auto stored = decode_job(job_->rules(), text);
        if (stored) return *std::move(stored);
        failure unreadable = stored.error();
        unreadable.detail.message.insert(0, what_is_wrong);
        fail_with(unreadable, options_.detail);
    }

    kube::client client_;
    prepared_job job_;
    submit_options options_;
    shared_deadline time_;
    std::string mark_;
    bool gone_ = false;
};

} // namespace

void training_client::submit_(job_handler handler, any_job job, submit_options options) const {
    auto* const detail = options.detail;
    if (refuse_job(job, get_executor(), handler, detail)) return;
    job = placed(std::move(job));
    auto mark = marked(job, options);
    if (!mark) {
        if (detail != nullptr) *detail = mark.error().detail;
        return kube::complete_later(get_executor(), std::move(handler), mark.error().code, any_job());
    }
    auto admitted = prepared_job::admitted(std::move(job));
    auto s = std::make_shared<submission>(client_, admitted, std::move(options), *std::move(mark));
    kube::detail::spawn(get_executor(), submission::run(std::move(s)), kube::detail::deadline(), std::move(handler),
                        kube::detail::unclean_cancellation);
}

result<any_job> training_client::submit(any_job job, submit_options options) const {
    return kube::detail::blocking_form<any_job>(
        place(), std::move(options), [&](auto h, auto o) { submit_(std::move(h), std::move(job), std::move(o)); });
}

} // namespace kftrain

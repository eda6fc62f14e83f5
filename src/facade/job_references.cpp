#include "facade/job_references.hpp"

#include "facade/parallel_queries.hpp"
#include "facade/read_jobs.hpp"
#include "kube/async/operation.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/request.hpp>

#include <algorithm>

namespace kftrain {

namespace asio = boost::asio;

bool job_references::knows(rules::reference const& t) const noexcept {
    return std::ranges::any_of(known_, [&](auto const& k) { return k.first == t; });
}

void job_references::add_from(job_references const& other, rules::reference const& t) {
    auto const at = std::ranges::find_if(other.known_, [&](auto const& k) { return k.first == t; });
    if (at != other.known_.end()) known_.push_back(*at);
}

void job_references::add_unread(rules::reference const& t, std::string const& why) {
    unread_.push_back(std::string(t.type->info->kind) + " " + t.name + ": " + why);
}

bool job_references::supply(any_job& job) const {
    auto const wanted = job.references();
    if (wanted.empty() || !std::ranges::all_of(wanted, [&](auto const& t) { return knows(t); })) return wanted.empty();
    job.resolve([&](rules::reference const& t) {
        return std::ranges::find_if(known_, [&](auto const& k) { return k.first == t; })->second;
    });
    return true;
}

asio::awaitable<job_references> await_references(kube::client client, std::vector<rules::reference> wanted,
                                                 kube::call_options options, absent_reference absent) {
    std::vector<result<kube::http_request>> requests;
    for (auto const& t : wanted) requests.push_back(kube::request::get(*t.type->info, t.namespace_, t.name));
    auto const answers = co_await call_all(client, std::move(requests), options);
    job_references found;
    for (std::size_t i = 0; i != answers.size(); ++i) {
        auto const ec = answers[i].ec;
        auto& t = wanted[i];
        if (is_cancelled(ec)) kube::detail::fail(ec);
        if (!ec) {
            auto const& type = *t.type;
            if (auto object = type.decode(answers[i].text))
                found.add(std::move(t), any_object(type, *std::move(object)));
            else
                found.add_unread(t, failure(object.error().code, client.redact(object.error().detail)).to_string());
        } else if (is_not_found(ec) && absent == absent_reference::is_missing) {
            found.add(std::move(t), any_object());
        } else {
            found.add_unread(t, answers[i].why());
        }
    }
    co_return found;
}

void read_references(references_handler handler, kube::client client, std::vector<rules::reference> wanted,
                     kube::call_options options, absent_reference absent) {
    auto const executor = client.get_executor();
    kube::detail::spawn(executor, await_references(std::move(client), std::move(wanted), std::move(options), absent),
                        kube::detail::deadline(), std::move(handler));
}

asio::awaitable<prepared_job> await_admitted_job(kube::client client, prepared_job job, kube::call_options options,
                                                 std::vector<std::string>* unread) {
    auto wanted = job->references();
    if (wanted.empty()) co_return job;
    auto const found = co_await await_references(client, std::move(wanted), options, absent_reference::is_missing);
    any_job whole = *job;
    found.supply(whole);
    if (unread != nullptr) *unread = found.unread();
    co_return prepared_job::admitted(std::move(whole));
}

asio::awaitable<prepared_job> await_stored_job(kube::client client, job_reference job, kube::call_options options,
                                               std::vector<std::string>* unread) {
    auto stored = co_await await_job(client, std::move(job), options);
    auto wanted = stored.references();
    auto const found = co_await await_references(client, std::move(wanted), options, absent_reference::is_unknown);
    found.supply(stored);
    if (unread != nullptr) *unread = found.unread();
    co_return prepared_job::stored(std::move(stored));
}

} // namespace kftrain

#include "facade/job_references.hpp"

#include "facade/read_jobs.hpp"
#include "kube/async/operation.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/then_complete.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <memory>

namespace kftrain {
namespace {

namespace asio = boost::asio;

/// The objects to read and those that were read.
struct reading {
    reading(kube::client c, std::vector<rules::target> w, kube::call_options o, absent_reference a)
        : client(std::move(c)), wanted(std::move(w)), options(std::move(o)), absent(a) {
        options.detail = nullptr;
    }

    void take(rules::target t, error_code ec, std::string const& body) {
        auto const* const type = find_type(t.type->api_version(), t.type->kind);
        if (!ec && type != nullptr) {
            if (auto object = type->decode(body)) found.add(std::move(t), any_object(*type, *std::move(object)));
        } else if (is_not_found(ec) && absent == absent_reference::is_missing) {
            found.add(std::move(t), any_object());
        }
    }

    kube::client client;
    std::vector<rules::target> wanted;
    kube::call_options options;
    absent_reference absent;
    job_references found;
    std::size_t next = 0;
};

void read_next(references_handler handler, std::shared_ptr<reading> const& r) {
    if (r->next == r->wanted.size()) return std::move(handler)(error_code(), std::move(r->found));
    auto const t = r->wanted[r->next++];
    auto request = kube::request::get(*t.type, t.namespace_, t.name);
    kube::any_handler<void(error_code, std::string)> then = kube::detail::then_complete(
        std::move(handler), [r, t](references_handler h, error_code ec, std::string const& body) {
            if (is_cancelled(ec)) return std::move(h)(ec, job_references());
            r->take(t, ec, body);
            read_next(std::move(h), r);
        });
    kube::detail::client_access::start(r->client, std::move(then), std::move(request), r->options);
}

} // namespace

bool job_references::knows(rules::target const& t) const noexcept {
    return std::ranges::any_of(known_, [&](auto const& k) { return k.first == t; });
}

void job_references::add_from(job_references const& other, rules::target const& t) {
    auto const at = std::ranges::find_if(other.known_, [&](auto const& k) { return k.first == t; });
    if (at != other.known_.end()) known_.push_back(*at);
}

bool job_references::supply(any_job& job) const {
    auto const wanted = job.references();
    if (wanted.empty() || !std::ranges::all_of(wanted, [&](auto const& t) { return knows(t); })) return wanted.empty();
    job.resolve([&](rules::target const& t) {
        return std::ranges::find_if(known_, [&](auto const& k) { return k.first == t; })->second;
    });
    return true;
}

void read_references(references_handler handler, kube::client client, std::vector<rules::target> wanted,
                     kube::call_options options, absent_reference absent) {
    read_next(std::move(handler),
              std::make_shared<reading>(std::move(client), std::move(wanted), std::move(options), absent));
}

asio::awaitable<job_references> await_references(kube::client client, std::vector<rules::target> wanted,
                                                 kube::call_options options, absent_reference absent) {
    if (wanted.empty()) co_return job_references();
    auto const executor = client.get_executor();
    auto begin = [client, wanted = std::move(wanted), options = std::move(options), absent](references_handler h) {
        read_references(std::move(h), client, wanted, options, absent);
    };
    auto outcome = co_await kube::detail::initiate<void(error_code, job_references)>(
        executor, asio::as_tuple(asio::use_awaitable), std::move(begin));
    if (auto const ec = std::get<0>(outcome)) kube::detail::fail(ec);
    co_return std::move(std::get<1>(outcome));
}

asio::awaitable<prepared_job> await_admitted_job(kube::client client, prepared_job job, kube::call_options options) {
    auto wanted = job->references();
    if (wanted.empty()) co_return job;
    auto const found = co_await await_references(client, std::move(wanted), options, absent_reference::is_missing);
    any_job whole = *job;
    found.supply(whole);
    co_return prepared_job::admitted(std::move(whole));
}

asio::awaitable<prepared_job> await_stored_job(kube::client client, job_reference job, kube::call_options options) {
    auto stored = co_await await_job(client, std::move(job), options);
    auto wanted = stored.references();
    auto const found = co_await await_references(client, std::move(wanted), options, absent_reference::is_unknown);
    found.supply(stored);
    co_return prepared_job::stored(std::move(stored));
}

} // namespace kftrain

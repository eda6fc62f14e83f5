#ifndef KFTRAIN_SRC_FACADE_PARALLEL_QUERIES_HPP
#define KFTRAIN_SRC_FACADE_PARALLEL_QUERIES_HPP

#include "facade/follow/job_layout.hpp"

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/model/resource.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Several requests at the same time, within a coroutine.
namespace kftrain {

/// The outcome of one call.
struct call_answer {
    call_answer() = default;

    error_code ec;
    std::string text;
    diagnostics detail;

    std::string why() const { return failure(ec, detail).to_string(); }
};

/** Sends the requests, some at the same time. The answers are in the order of the requests. If `longest_end` is not 0,
    only the end of longer answers is kept, if possible from the beginning of a line. Fails only if it is cancelled,
    which cancels all its requests. */
boost::asio::awaitable<std::vector<call_answer>> call_all(kube::client client,
                                                          std::vector<result<kube::http_request>> requests,
                                                          kube::call_options options, std::size_t longest_end = 0);

/// One object, or a list of all pages.
struct query {
    query() = default;

    resource_info const* type = nullptr;
    std::string namespace_;
    std::string name; ///< of the object; empty: the list that `which` selects
    kube::list_options which;
    /// Takes an answer; returns the token of the next page, empty after the last.
    std::function<result<std::string>(std::string const&)> take;
    /// Called once if the answer is missing or incomplete; does nothing by default.
    std::function<void(error_code, std::string const& why)> on_missing = [](error_code, std::string const&) {};
    std::shared_ptr<query> instead; ///< used if this one is forbidden or not served
};

/// A query for one object, which `take` receives.
template <resource T, class Take> query object_query(std::string ns, std::string name, Take take) {
    query q;
    q.type = &T::resource;
    q.namespace_ = std::move(ns);
    q.name = std::move(name);
    q.take = [take = std::move(take)](std::string const& text) -> result<std::string> {
        T object;
        if (auto r = decode_json(text, descriptor_of<T>(), &object); !r) return r.error();
        take(std::move(object));
        return std::string();
    };
    return q;
}

/// A query for a list. `take` receives the objects one by one and returns whether it needs those of further pages.
template <resource T, class Take> query list_query(std::string ns, Take take) {
    query q;
    q.type = &T::resource;
    q.namespace_ = std::move(ns);
    q.which.limit = 500;
    q.take = [take = std::move(take)](std::string const& text) -> result<std::string> {
        object_list<T> list;
        if (auto r = decode_json(text, descriptor_of<object_list<T>>(), &list); !r) return r.error();
        bool more = true;
        for (auto& item : list.items) more = take(std::move(item));
        return more ? std::move(list.metadata.continue_) : std::string();
    };
    return q;
}

/// Queries for the pods of a job, which may also find pods of others.
template <class Take>
std::vector<query> pod_queries(std::string const& ns, membership const& all, Take take,
                               std::function<void(error_code, std::string const& why)> const& on_missing) {
    std::vector<query> queries;
    for (auto& selector : pod_selectors(all)) {
        auto& q = queries.emplace_back(list_query<core::pod>(ns, [take](core::pod p) {
            take(std::move(p));
            return true;
        }));
        q.which.label_selector = std::move(selector);
        q.on_missing = on_missing;
    }
    return queries;
}

/// Sends all queries at the same time, page by page.
boost::asio::awaitable<void> run_queries(kube::client client, std::vector<query> queries, kube::call_options options);

} // namespace kftrain

#endif

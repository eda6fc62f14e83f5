#ifndef KFTRAIN_TEST_ASYNC_WATCHING_PODS_HPP
#define KFTRAIN_TEST_ASYNC_WATCHING_PODS_HPP

#include "async/watch_script.hpp"

#include <kftrain/kube/watch.hpp>

#include <string>
#include <utility>

namespace kftrain::test {

/// A watch of pods from version 5.
struct watching_pods : scripted_client {
    scripted_exchange& watch(std::string const& from = "resourceVersion=5&") {
        return expect("GET", "/api/v1/namespaces/d/pods?watch=true&" + from + "allowWatchBookmarks=true");
    }
    void open(kube::watch_options const& how = kube::watch_options().with_resource_version("5")) {
        kube::async_watch(kube::api<pod>(client, "d"), how, opens.handler());
        run();
        if (!opens.ec()) stream = std::move(opens.value());
    }
    kube::object_change<pod> next(kube::next_options const& how = {}) {
        answer_probe<kube::object_change<pod>> p;
        stream.async_next(how, p.handler());
        BOOST_TEST(!p.called());
        run();
        last = p.ec();
        return std::move(p.value());
    }

    answer_probe<kube::watch_stream<pod>> opens;
    kube::watch_stream<pod> stream;
    error_code last;
    diagnostics why;
};

} // namespace kftrain::test

#endif

#ifndef KFTRAIN_TEST_ASYNC_KUBE_WATCH_WATCHED_PODS_HPP
#define KFTRAIN_TEST_ASYNC_KUBE_WATCH_WATCHED_PODS_HPP

#include "async/probe.hpp"

#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/watch.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::test {

/// A pod as JSON.
inline std::string pod_text(std::string const& name, std::string const& version, std::string const& phase = "Pending",
                            std::string const& uid = "") {
    return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name + R"(","namespace":"d","uid":")" +
           (uid.empty() ? "uid-" + name : uid) + R"(","resourceVersion":")" + version + R"("},"status":{"phase":")" +
           phase + "\"}}";
}

inline std::string pod_list(std::string const& version, std::initializer_list<std::string> pods) {
    std::string items;
    for (auto const& p : pods) items += (items.empty() ? "" : ",") + p;
    return R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":")" + version + "\"},\"items\":[" +
           items + "]}";
}

inline std::string event_text(std::string const& type, std::string const& object) {
    return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

/// Scripts of lists and watches of pods in namespace d.
struct watched_pods : scripted_client {
    std::string path = "/api/v1/namespaces/d/pods";
    std::string selector; // as it stands in the query

    scripted_exchange& list(std::string const& version, std::string const& limit = "") {
        return expect("GET", path + "?" + selector + limit + "resourceVersion=" + version);
    }
    scripted_exchange& first_list() { return list("0", "limit=500&"); }
    scripted_exchange& watch(std::string const& version) {
        return expect("GET", path + "?watch=true&" + selector + "resourceVersion=" + version +
                                 "&timeoutSeconds=300&allowWatchBookmarks=true");
    }
};

/// An informer over a script, and its events.
struct informed_pods : watched_pods {
    explicit informed_pods(kube::informer_options o = {}) {
        pods.emplace(kube::api<pod>(client, "d"), std::move(o));
        pods->on_event([this](auto const& e) { seen.push_back(text(e)); });
    }
    static std::string text(kube::object_event<pod> const& e) {
        auto const version = [](auto const& p) { return p ? p->metadata.resource_version : std::string("-"); };
        return std::string(to_string(e.kind)) + " " + e.object->metadata.name + " " + version(e.old) + ">" +
               version(e.object) + (e.initial ? " initial" : "") + (e.missed ? " missed" : "");
    }
    /// Plays the script; watches that hang stay open.
    void start(std::chrono::milliseconds time = std::chrono::milliseconds(30)) {
        pods->async_run(runs.handler());
        run(time);
    }
    void stop() {
        runs.cancel();
        run();
    }

    std::optional<kube::informer<pod>> pods;
    answer_probe<void> runs;
    std::vector<std::string> seen;
};

inline void check(std::vector<std::string> const& seen, std::vector<std::string> const& expected) {
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
}

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

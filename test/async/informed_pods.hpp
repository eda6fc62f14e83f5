#ifndef KFTRAIN_TEST_ASYNC_INFORMED_PODS_HPP
#define KFTRAIN_TEST_ASYNC_INFORMED_PODS_HPP

#include "async/watch_script.hpp"

#include <kftrain/kube/informer.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kftrain::test {

/// An informer over a script, and its events.
struct informed_pods : watched_pods {
    explicit informed_pods(kube::informer_options o = {}) {
        pods.emplace(kube::api<pod>(watching, "d"), std::move(o));
        pods->on_event([this](auto const& e) { seen.push_back(text(e)); });
    }
    static std::string text(kube::object_event<pod> const& e) {
        auto const version = [](auto const& p) { return p ? p->metadata.resource_version : std::string("-"); };
        return std::string(to_string(e.kind)) + " " + e.object->metadata.name + " " + version(e.old) + ">" +
               version(e.object) + (e.initial ? " initial" : "") + (e.missed ? " missed" : "");
    }
    /// Plays what there is; watches that hang are left hanging.
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

} // namespace kftrain::test

#endif

#ifndef KFTRAIN_TEST_UNIT_KUBE_WATCH_REFLECTOR_SCRIPT_HPP
#define KFTRAIN_TEST_UNIT_KUBE_WATCH_REFLECTOR_SCRIPT_HPP

#include "kube/watch/reflector.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace reflector_script {

using namespace std::chrono_literals;
using kftrain::change_kind;
using kftrain::errc;
using kftrain::error_code;
using kftrain::reason;
using kftrain::kube::reflector;
namespace in = kftrain::kube::reflector_input;
namespace act = kftrain::kube::reflector_action;

inline std::string text(act::list const& a) {
    return "list rv=" + a.params.resource_version + " limit=" + std::to_string(a.params.limit) +
           (a.params.continue_.empty() ? "" : " continue=" + a.params.continue_) +
           (a.not_streamed ? ", not streamed" : "");
}
inline std::string text(act::replace const& a) { return "replace " + a.resource_version; }
inline std::string text(act::watch const& a) {
    return (a.params.initial_events ? "stream " : "watch ") + a.params.resource_version + " for " +
           std::to_string(a.params.timeout_seconds);
}
inline std::string text(act::read const&) { return "read"; }
inline std::string text(act::apply const&) { return "apply"; }
inline std::string text(act::gather const&) { return "gather"; }
inline std::string text(act::sleep const& a) { return "sleep " + std::to_string(a.time.count()); }

/// Drives the machine; every answer is its next action as text.
struct script {
    script() = default;
    explicit script(reflector::options o) : machine(std::move(o)) {}

    std::string give(reflector::input const& i) {
        auto const a = machine.resume(i, reflector::moment(now, jitter));
        return std::visit([](auto const& x) { return text(x); }, a);
    }
    std::string proceed() { return give(in::proceed()); }
    std::string page(std::string version, std::string more = "") {
        return give(in::page(std::move(version), std::move(more)));
    }
    std::string fails(error_code ec, std::chrono::milliseconds wait = 0ms) {
        in::failed f(ec);
        f.retry_after = wait;
        return give(f);
    }
    std::string opens() { return give(in::opened()); }
    std::string event(std::optional<change_kind> k, std::string version) {
        return give(in::event(k, std::move(version)));
    }
    std::string ends(error_code ec = {}) { return give(in::ended(ec)); }
    /// To an open watch at version 5.
    void watching() {
        proceed();
        page("5");
        BOOST_TEST(proceed() == "watch 5 for 300");
        BOOST_TEST(opens() == "read");
    }

    reflector machine;
    std::chrono::milliseconds now{1'000'000};
    double jitter = 1;
};

} // namespace reflector_script

#endif

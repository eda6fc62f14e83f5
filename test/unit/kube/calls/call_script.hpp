#ifndef KFTRAIN_TEST_UNIT_KUBE_CALLS_CALL_SCRIPT_HPP
#define KFTRAIN_TEST_UNIT_KUBE_CALLS_CALL_SCRIPT_HPP

#include "kube/calls/call_machine.hpp"

#include <kftrain/kube/request.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace call_script {

using namespace kftrain;
using namespace std::chrono_literals;
using kube::call_options;
using kube::client_options;
using kube::detail::call_action;
using kube::detail::call_machine;
using kube::detail::token_bucket;

inline error_code const refused = make_error_code(boost::system::errc::connection_refused);
inline error_code const aborted = boost::asio::error::operation_aborted;
inline error_code const eof = boost::asio::error::eof;
inline std::string const pod_text = R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"d"}})";

inline std::string status(std::string const& reason, unsigned code, std::string const& more = "") {
    return R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":")" + reason + "\"" + more +
           ",\"code\":" + std::to_string(code) + "}";
}

inline kube::http_request get() { return kube::request::get(pod::resource, "d", "a").value(); }
inline kube::http_request create() { return kube::request::create(pod::resource, "d", "{}").value(); }
inline kube::http_request pod_log() { return kube::request::pod_log("d", "a").value(); }
inline kube::http_request watch() { return kube::request::watch(pod::resource, "d").value(); }

/// Drives a machine; every answer is its next action as text. Without more, the jitter is 1: the longest delays.
struct script : private call_machine::peer {
    explicit script(kube::http_request r, call_options o = {}, client_options c = {}, bool streams = false)
        : request(std::move(r)),
          options(o),
          of_client(std::move(c)),
          pace(of_client.requests_per_second, of_client.burst),
          repetitions(1, of_client.retry_reserve),
          machine(request, options, streams,
                  o.timeout.count() > 0 ? now + o.timeout : call_machine::clock::time_point::max(),
                  {of_client, pace, repetitions}, *this) {}

    call_machine::moment at() const { return {now, jitter}; }
    std::string text(call_action const& a) {
        auto const ms = std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(a.time).count());
        using kind = call_action::kind;
        if (a.what == kind::send) return "send";
        if (a.what == kind::read) return "read";
        if (a.what == kind::rest) return "rest " + ms;
        ended_with = a.code;
        return "done" + std::string(a.explained ? ": " + why() : "") + (a.unbudgeted ? " (no budget)" : "");
    }
    std::string start() { return text(machine.start(at())); }
    std::string rested() { return text(machine.rested(at())); }
    std::string fails(error_code ec, std::string const& why = "") { return text(machine.failed(ec, why, at())); }
    std::string piece(std::string t) { return text(machine.piece(std::move(t), at())); }
    std::string ends(error_code ec = eof) { return text(machine.ended(ec, at())); }
    std::string cancelled() { return text(machine.cancelled(at())); }
    std::string opens(unsigned code, std::vector<std::pair<std::string, std::string>> fields = {}) {
        kube::http_response_head head;
        head.status = code;
        for (auto& [name, value] : fields) head.fields.add(name, value);
        return text(machine.opened(std::move(head)));
    }
    /// The whole answer to the request that was just sent.
    std::string answers(unsigned code, std::string body = "", std::string retry_after = "") {
        std::vector<std::pair<std::string, std::string>> fields;
        if (!retry_after.empty()) fields.emplace_back("Retry-After", retry_after);
        BOOST_TEST(opens(code, fields) == "read");
        BOOST_TEST(piece(std::move(body)) == "read");
        return ends();
    }
    std::string why() { return machine.report().detail.message; }

    kube::http_request request;
    call_options options;
    client_options of_client;
    token_bucket pace;
    token_bucket repetitions;
    call_machine::clock::time_point now{1h};
    double jitter = 1;
    call_machine machine;
    error_code ended_with;

private:
    std::string hide(std::string t) const override {
        if (auto const p = t.find("s3cret"); p != t.npos) t.replace(p, 6, "[hidden]");
        return t;
    }
    std::string describe() const override { return "server x"; }
};

inline call_options timeout(std::chrono::milliseconds t) { return call_options().with_timeout(t); }

} // namespace call_script

#endif

#ifndef KFTRAIN_TEST_ASYNC_FACADE_FACADE_CLUSTER_HPP
#define KFTRAIN_TEST_ASYNC_FACADE_FACADE_CLUSTER_HPP

#include "support/sample_jobs.hpp"
#include "support/served_cluster.hpp"

#include <kftrain/kinds/registry.hpp>
#include <kftrain/training_client.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// A training_client over an API server in the process that serves all job kinds; the test decides what becomes of
/// requests.
namespace facade_tests {

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using test::fault;

inline pytorch_job sample(std::string name = "j", std::int32_t workers = 1) {
    return test::sample_pytorch_job(std::move(name), workers);
}

inline pytorch_job elastic(std::int32_t workers, std::int32_t most) {
    return test::elastic_pytorch_job("e", workers, most);
}

struct facade_cluster : test::served_cluster {
    facade_cluster() {
        for (auto const* kind : known_job_rules()) {
            serve(*kind);
            serve_children(*kind);
        }
        link->judge = [this](kube::http_request const& r) -> std::optional<fault> {
            requests.push_back(r.method + " " + r.target.substr(0, r.target.find('?')));
            return judge ? judge(r) : std::nullopt;
        };
    }

    /// How many requests of this method there were, to a target that contains this.
    std::size_t count(std::string const& method, std::string const& part) const {
        std::size_t n = 0;
        for (auto const& a : requests)
            if (a.starts_with(method + " ") && a.find(part) != std::string::npos) ++n;
        return n;
    }
    /// The next creations get these faults, one each; later ones are carried out.
    void fail_creations(std::vector<fault> faults) {
        auto left = std::make_shared<std::vector<fault>>(std::move(faults));
        judge = [left](kube::http_request const& r) -> std::optional<fault> {
            if (r.method != "POST" || left->empty()) return std::nullopt;
            auto f = left->front();
            left->erase(left->begin());
            return f;
        };
    }
    std::function<std::optional<fault>(kube::http_request const&)> judge;
    std::vector<std::string> requests;
    training_client client{kube::client(link)};
};

inline std::string text_of(failure const& f) { return f.to_string() + " (" + f.code.message() + ")"; }

template <class T> T good(result<T> r) {
    BOOST_REQUIRE_MESSAGE(r.has_value(), (r ? "" : text_of(r.error())));
    return *std::move(r);
}

inline bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

} // namespace facade_tests

#endif

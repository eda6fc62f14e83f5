#ifndef KFTRAIN_TEST_GOLDEN_CLUSTERS_OPERATED_CLUSTER_HPP
#define KFTRAIN_TEST_GOLDEN_CLUSTERS_OPERATED_CLUSTER_HPP

#include "golden/clusters/operator_record.hpp"
#include "golden/kinds/recorded_kind.hpp"
#include "support/simulated_time.hpp"

#include <kftrain/apiserver/api_server.hpp>

#include <boost/asio/io_context.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace golden {

/// A request of the test, or of a controller.
kftrain::kube::http_request request_of(std::string method, std::string target, json::value const& body = nullptr,
                                       std::string_view content_type = "application/json");

/// An answer to a request of the test.
struct exchange {
    exchange() = default;

    unsigned code = 0;
    json::object body;
    std::vector<std::string> warnings;
};

/** An API server in the process, and somebody who does the operator's work. The test plays user, scheduler and kubelet;
    nothing happens but in its functions. */
class operated_cluster {
public:
    /// `kubernetes`: the controllers of Kubernetes itself run, too, and garbage is collected.
    operated_cluster(recorded_kind const& kind, bool kubernetes);
    virtual ~operated_cluster() = default;
    operated_cluster(operated_cluster const&) = delete;
    operated_cluster& operator=(operated_cluster const&) = delete;

    /// Sends requests, in order, before anybody can act on any.
    std::vector<exchange> send(std::vector<kftrain::kube::http_request> requests);
    /// Lets everybody work until nothing happens before `end`. False if that is never.
    virtual bool settle(kftrain::time_point end) = 0;
    /// The recorded operator ends, and another one takes its place.
    virtual void restart_operator() = 0;
    /// The objects of a collection, e.g. `/api/v1/namespaces/corpus/pods`.
    json::array list(std::string const& path);
    /** Path of the collection of a kind in the namespace of the job, e.g. `/api/v1/namespaces/corpus/pods`; throws
        std::runtime_error if the server has none. `api_version` may be empty: whichever has the kind. */
    std::string collection_of(std::string_view api_version, std::string_view kind) const;

    /// The time of the server and of the controllers, in whole seconds.
    kftrain::time_point now() const;
    /// Lets time pass until then.
    void skip_to(kftrain::time_point);
    operator_record& record() noexcept { return record_; }

protected:
    /// Whether the server has the kind: it has those of the recorded operator, and not the JobSets of another.
    bool serves(kftrain::object_type const& type) const;
    /// Whether it is a controller of the second operator.
    static bool is_recorded(recorded_kind const&, kftrain::rules::controller_rules const&);
    /// Sends requests over the link of another client.
    std::vector<exchange> send(kftrain::kube::transport& link, std::vector<kftrain::kube::http_request> requests);

    kftrain::test::simulated_time::clock::time_point at(kftrain::time_point) const;
    /// It is the start of the recording now.
    void begin() { begin_ = time_.now(); }

    boost::asio::io_context io_;
    kftrain::test::simulated_time& time_ = kftrain::test::simulated_time::install(io_);
    kftrain::test::simulated_time::clock::time_point begin_ = time_.now();
    kftrain::apiserver::api_server server_;
    std::shared_ptr<kftrain::kube::transport> user_;
    operator_record record_;
    std::shared_ptr<kftrain::kube::transport> link_; ///< of the operator
};

} // namespace golden

#endif

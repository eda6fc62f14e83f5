#include "cli/run/run_objects.hpp"

#include "support/sample_jobs.hpp"
#include "support/served_cluster.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <functional>
#include <optional>
#include <string>

// The objects beside a job that `kftrain run` creates or misses.

BOOST_AUTO_TEST_SUITE(async_run_objects)

using namespace kftrain;
using test::fault;
namespace asio = boost::asio;

namespace {

struct run_client : test::served_cluster {
    template <class T> T await(asio::awaitable<T> work) {
        std::optional<T> done;
        asio::co_spawn(io, std::move(work), [&](std::exception_ptr thrown, T value) {
            BOOST_TEST(!thrown);
            done = std::move(value);
        });
        io.restart();
        io.run();
        BOOST_TEST_REQUIRE(done.has_value());
        return *std::move(done);
    }
    /// Answers every request for one Secret.
    void answer(fault f) {
        link->judge = [f = std::move(f)](kube::http_request const& r) -> std::optional<fault> {
            return r.target.find("/secrets/") != std::string::npos ? std::optional(f) : std::nullopt;
        };
    }

    kube::client client{link, kube::client_options().with_max_attempts(1)};
};

prepared_job with_secret() {
    pytorch_job job;
    job.metadata.name = "j";
    job.metadata.namespace_ = "default";
    auto& master = test::add_replicas(job.spec.pytorch_replica_specs, "Master", 1);
    master.template_.spec.containers[0].env_from.emplace_back().secret_ref.emplace().name = "creds";
    return prepared_job::admitted(std::move(job));
}

fault answered(std::string text) {
    fault f;
    f.status = 200;
    f.text = std::move(text);
    return f;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_object_is_missing_if_the_server_does_not_find_it) {
    run_client w;
    auto const missing = w.await(cli::missing_objects(w.client, with_secret()));
    BOOST_TEST_REQUIRE(missing.size() == 1U);
    BOOST_TEST(missing.begin()->second == "creds");
}

BOOST_AUTO_TEST_CASE(an_object_that_cannot_be_read_is_not_missing) {
    for (auto const& f : {fault::answer(500, "InternalError", "not now"), fault::answer(403, "Forbidden", "not you"),
                          fault::error(errc::connection_lost),
                          answered(R"({"kind":"Secret","apiVersion":"v1","metadata":{"name":"creds"},"data":7})")}) {
        run_client w;
        w.answer(f);
        BOOST_TEST(w.await(cli::missing_objects(w.client, with_secret())).empty(), f.text);
    }
}

BOOST_AUTO_TEST_CASE(an_object_that_is_not_created_is_noted_with_the_reason) {
    run_client w;
    cli::other_documents others(5);
    for (auto& o : others) {
        o.type.api_version = "v1";
        o.type.kind = "ConfigMap";
        o.line = 7;
    }
    others[0].name = "a";
    others[0].json = R"({"metadata":{"name":"a"},"data":{"key":7}})";
    others[1].name = "b";
    others[1].json = R"({"metadata":{"name":"b","namespace":"../x"}})";
    others[2].name = "c";
    others[2].json = R"({"metadata":{"name":"c"}})";
    others[3].type.api_version = "apps/v1";
    others[3].type.kind = "Deployment";
    others[3].name = "web";
    others[4].type.api_version = "batch.volcano.sh/v1alpha1"; // a kind of kftrain, on a server without job kinds
    others[4].type.kind = "Job";
    others[4].json = R"({"metadata":{"name":"e"}})";
    std::vector<cli::object_to_create> objects;
    for (auto& o : others) objects.emplace_back("all.yaml", std::move(o));
    auto const notes = w.await(cli::create_other_objects(w.client, objects));
    BOOST_TEST_REQUIRE(notes.size() == 4U);
    BOOST_TEST(notes[0] == "all.yaml:7: ConfigMap a: data.key: expected string, got 7: skipped");
    BOOST_TEST(notes[1].starts_with("all.yaml:7: ConfigMap b: "), notes[1]);
    BOOST_TEST(notes[2] ==
               "all.yaml:7: Deployment web: the local cluster does not serve the kind Deployment of apps/v1: "
               "skipped");
    BOOST_TEST(notes[3] == "all.yaml:7: Job: the local cluster does not serve the kind Job of "
                           "batch.volcano.sh/v1alpha1: skipped");
}

BOOST_AUTO_TEST_CASE(objects_are_created_in_namespaces_that_do_not_exist_yet) {
    run_client w;
    std::vector<cli::object_to_create> objects;
    for (auto const& [kind, json] : {std::pair("Namespace", R"({"metadata":{"name":"team","labels":{"a":"b"}}})"),
                                     std::pair("Namespace", R"({"metadata":{"name":"default"}})"),
                                     std::pair("Secret", R"({"metadata":{"name":"s","namespace":"team",
                                         "resourceVersion":"7","uid":"1"},"stringData":{"k":"v"}})"),
                                     std::pair("ConfigMap", R"({"metadata":{"name":"c","namespace":"other"}})")}) {
        cli::other_document d;
        d.type.api_version = "v1";
        d.type.kind = kind;
        d.json = json;
        objects.emplace_back("-", std::move(d));
    }
    auto const notes = w.await(cli::create_other_objects(w.client, objects));
    BOOST_TEST(notes.empty(), (notes.empty() ? "" : notes.front()));
    auto const secret = kube::run_blocking<core::secret>(w.io.get_executor(), diagnostics(), [&](auto h) {
        kube::api<core::secret>(w.client, "team").async_get("s", std::move(h));
    });
    BOOST_TEST_REQUIRE(secret.has_value());
    BOOST_TEST(secret->data.at("k").data == "v");
    auto const team = kube::run_blocking<core::namespace_>(w.io.get_executor(), diagnostics(), [&](auto h) {
        kube::api<core::namespace_>(w.client, "").async_get("team", std::move(h));
    });
    BOOST_TEST_REQUIRE(team.has_value());
    BOOST_TEST(team->metadata.labels.at("a") == "b");
}

BOOST_AUTO_TEST_SUITE_END()

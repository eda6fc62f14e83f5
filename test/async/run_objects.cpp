#include "cli/run_objects.hpp"

#include "async/faulty_transport.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/registry.hpp>
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

struct world {
    world() {
        link->judge = [this](kube::http_request const& r) { return judge ? judge(r) : std::nullopt; };
    }
    template <class T> T await(asio::awaitable<T> work) {
        std::optional<T> done;
        asio::co_spawn(io, std::move(work), [&](std::exception_ptr thrown, T value) {
            BOOST_TEST(!thrown);
            done = std::move(value);
        });
        io.restart();
        io.run_for(std::chrono::seconds(20));
        BOOST_TEST_REQUIRE(done.has_value());
        return *std::move(done);
    }
    /// Answers every request for one Secret.
    void answer(fault f) {
        judge = [f = std::move(f)](kube::http_request const& r) -> std::optional<fault> {
            return r.target.find("/secrets/") != std::string::npos ? std::optional(f) : std::nullopt;
        };
    }

    asio::io_context io;
    apiserver::api_server server{io.get_executor()};
    std::shared_ptr<test::faulty_transport> link = std::make_shared<test::faulty_transport>(server.transport());
    std::function<std::optional<fault>(kube::http_request const&)> judge;
    kube::client client{link, kube::client_options().with_max_attempts(1)};
};

any_job with_secret() {
    pytorch_job job;
    job.metadata.name = "j";
    job.metadata.namespace_ = "default";
    auto& c = job.spec.pytorch_replica_specs["Master"].template_.spec.containers.emplace_back();
    c.name = "pytorch";
    c.image = "none";
    c.env_from.emplace_back().secret_ref.emplace().name = "creds";
    return any_job(std::move(job));
}

fault answered(std::string text) {
    fault f;
    f.status = 200;
    f.text = std::move(text);
    return f;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_object_is_missing_if_the_server_does_not_find_it) {
    world w;
    auto const missing = w.await(cli::missing_objects(w.client, with_secret()));
    BOOST_TEST_REQUIRE(missing.size() == 1U);
    BOOST_TEST(missing.begin()->second == "creds");
}

BOOST_AUTO_TEST_CASE(an_object_that_cannot_be_read_is_not_missing) {
    for (auto const& f : {fault::answer(500, "InternalError", "not now"), fault::answer(403, "Forbidden", "not you"),
                          fault::error(errc::connection_lost),
                          answered(R"({"kind":"Secret","apiVersion":"v1","metadata":{"name":"creds"},"data":7})")}) {
        world w;
        w.answer(f);
        BOOST_TEST(w.await(cli::missing_objects(w.client, with_secret())).empty(), f.text);
    }
}

BOOST_AUTO_TEST_CASE(an_object_that_is_not_created_is_noted_with_the_reason) {
    world w;
    cli::other_documents others(3);
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
    auto const notes = w.await(cli::create_other_objects(w.client, others));
    BOOST_TEST_REQUIRE(notes.size() == 2U);
    BOOST_TEST(notes[0] == "line 7: ConfigMap a: data.key: expected string, got 7: skipped");
    BOOST_TEST(notes[1].starts_with("line 7: ConfigMap b: "), notes[1]);
}

BOOST_AUTO_TEST_SUITE_END()

#include "unit/apiserver/definitions/served_definitions.hpp"
#include "unit/apiserver/http/running_server.hpp"
#include "unit/apiserver/journal/temporary_place.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

BOOST_AUTO_TEST_SUITE(apiserver_journal)

using namespace sample;

namespace {

/// A server that keeps its objects.
struct kept : running {
    explicit kept(temporary_place const& place, api_server_options options = {}) : running(std::move(options)) {
        server->keep_in(place.directory.string()).value();
        turn();
    }

    unsigned send(std::string method, std::string target, std::string body = "") {
        auto const status = open(std::move(method), std::move(target), std::move(body)).head.status;
        turn();
        return status;
    }
    std::string get(std::string target) {
        auto answer = open("GET", std::move(target));
        piece all;
        read(*answer.body, all);
        return std::to_string(answer.head.status) + " " + all->text;
    }
    /// All objects with their versions.
    std::string contents() const {
        std::string out;
        server->store().snapshot([&](store_change const& c) {
            out += c.group + "/" + c.plural + " " + c.namespace_ + "/" + c.name + " " + std::to_string(c.version) +
                   " " + std::string(c.text) + "\n";
        });
        return out;
    }
};

std::string job(std::string const& name) {
    return R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":")" + name +
           R"("},"spec":{"a":1}})";
}

std::string message_of(result<void> const& r) { return r ? "no error" : r.error().to_string(); }

} // namespace

BOOST_AUTO_TEST_CASE(a_later_server_has_all_objects_with_their_versions) {
    temporary_place place;
    std::string before;
    std::uint64_t version = 0;
    {
        kept first(place);
        first.make_pod("deleted");
        first.make_pod("stays");
        BOOST_TEST(first.send("POST", jobs_path, job("train")) == 201u);
        BOOST_TEST(first.send("PUT", pods_path + "/stays/status",
                              R"({"metadata":{"name":"stays"},"status":{"phase":"Running"}})") == 200u);
        BOOST_TEST(first.send("DELETE", pods_path + "/deleted") == 200u); // the last change
        before = first.contents();
        version = first.server->store().version();
    }
    for (int i = 0; i < 2; ++i) { // the second one reads a file that was rewritten
        kept const next(place);
        BOOST_TEST(next.contents() == before);
        BOOST_TEST(next.server->store().version() == version);
    }
    kept last(place);
    BOOST_TEST(last.send("POST", jobs_path, job("train")) == 409u);
    BOOST_TEST(last.send("POST", jobs_path, job("deleted")) == 201u);
    BOOST_TEST(last.server->store().version() > version);
}

BOOST_AUTO_TEST_CASE(watches_of_versions_before_the_restart_expire) {
    temporary_place place;
    {
        kept first(place);
        first.make_pod("one");
    }
    kept next(place);
    BOOST_TEST(next.get(pods_path + "?watch=true&resourceVersion=2").find("\"code\":410") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_file_is_readable_by_its_owner_only) {
    temporary_place place;
    kept const server(place);
    using perms = std::filesystem::perms;
    BOOST_TEST((std::filesystem::status(place.directory).permissions() == perms::owner_all));
    BOOST_TEST((std::filesystem::status(place.file).permissions() == (perms::owner_read | perms::owner_write)));
}

BOOST_AUTO_TEST_CASE(a_second_server_cannot_use_the_directory) {
    temporary_place place;
    kept const first(place);
    running second;
    auto const refused = second.server->keep_in(place.directory.string());
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().code == errc::already_running));
    BOOST_TEST(message_of(refused) == "another local cluster uses " + place.directory.string());
}

BOOST_AUTO_TEST_CASE(objects_of_custom_resources_come_back_with_their_definition) {
    temporary_place place;
    std::string const widget = R"({"apiVersion":"acme.example.com/v1","kind":"Widget","metadata":{"name":"w"},)"
                               R"("spec":{"size":2}})";
    {
        kept first(place);
        BOOST_TEST(first.send("POST", crds_path, crd_text().text()) == 201u);
        BOOST_TEST(first.send("POST", widgets_path, widget) == 201u);
    }
    {
        kept next(place);
        BOOST_TEST(next.get(widgets_path + "/w").find(R"("colour":"red")") != std::string::npos);
        BOOST_TEST(next.send("POST", widgets_path,
                             R"({"apiVersion":"acme.example.com/v1","kind":"Widget",)"
                             R"("metadata":{"name":"v"},"spec":{"size":0}})") == 422u);
        BOOST_TEST(next.send("DELETE", crds_path + "/widgets.acme.example.com") == 200u);
        next.turn();
        BOOST_TEST(next.get(widgets_path).substr(0, 3) == "404");
    }
    kept last(place);
    BOOST_TEST(last.get(widgets_path).substr(0, 3) == "404");
}

BOOST_AUTO_TEST_CASE(a_deletion_of_a_definition_continues) {
    temporary_place place;
    {
        api_server_options options;
        options.collect_garbage = false; // it ends before it deletes the objects
        kept first(place, options);
        BOOST_TEST(first.send("POST", crds_path, crd_text().text()) == 201u);
        BOOST_TEST(first.send("POST", widgets_path,
                              R"({"apiVersion":"acme.example.com/v1","kind":"Widget","metadata":{"name":"w"},)"
                              R"("spec":{"size":2}})") == 201u);
        BOOST_TEST(first.send("DELETE", crds_path + "/widgets.acme.example.com") == 200u);
    }
    kept next(place);
    next.turn();
    BOOST_TEST(next.get(crds_path + "/widgets.acme.example.com").substr(0, 3) == "404");
    BOOST_TEST(next.get(widgets_path).substr(0, 3) == "404");
}

BOOST_AUTO_TEST_CASE(dependents_of_an_owner_that_was_deleted_are_collected) {
    temporary_place place;
    {
        api_server_options options;
        options.collect_garbage = false;
        kept first(place, options);
        BOOST_TEST(first.send("POST", jobs_path, job("owner")) == 201u);
        auto const uid =
            std::string(first.server->store()
                            .get(*first.server->store().find("kubeflow.org", "v1", "pytorchjobs"), "default", "owner")
                            .value()
                            ->uid());
        BOOST_TEST(first.send("POST", "/api/v1/namespaces/default/configmaps",
                              R"({"metadata":{"name":"child","ownerReferences":[{"apiVersion":"kubeflow.org/v1",)"
                              R"("kind":"PyTorchJob","name":"owner","uid":")" +
                                  uid + R"("}]}})") == 201u);
        BOOST_TEST(first.send("DELETE", jobs_path + "/owner") == 200u);
    }
    kept next(place);
    next.turn();
    BOOST_TEST(next.get("/api/v1/namespaces/default/configmaps/child").substr(0, 3) == "404");
}

BOOST_AUTO_TEST_CASE(kinds_of_one_plural_in_two_versions_stay_apart) {
    temporary_place place;
    auto other = job_definition();
    other.version = "v1alpha1";
    std::string const other_path = "/apis/kubeflow.org/v1alpha1/namespaces/default/pytorchjobs";
    {
        kept first(place);
        first.server->register_resource(other).value();
        BOOST_TEST(first.send("POST", jobs_path, job("same")) == 201u);
        BOOST_TEST(first.send("POST", other_path,
                              R"({"apiVersion":"kubeflow.org/v1alpha1","kind":"PyTorchJob",)"
                              R"("metadata":{"name":"same"},"spec":{"b":2}})") == 201u);
        BOOST_TEST(first.send("POST", jobs_path, job("deleted")) == 201u);
        BOOST_TEST(first.send("DELETE", jobs_path + "/deleted") == 200u);
    }
    kept next(place);
    next.server->register_resource(other).value();
    BOOST_TEST(next.get(jobs_path + "/same").find(R"("a":1)") != std::string::npos);
    BOOST_TEST(next.get(other_path + "/same").find(R"("b":2)") != std::string::npos);
    BOOST_TEST(next.get(jobs_path + "/deleted").substr(0, 3) == "404");
}

BOOST_AUTO_TEST_CASE(quotas_apply_to_the_objects_of_an_earlier_server) {
    temporary_place place;
    std::string const path = "/api/v1/namespaces/default/configmaps";
    {
        kept first(place);
        BOOST_TEST(first.send("POST", path, R"({"metadata":{"name":"one"}})") == 201u);
        BOOST_TEST(first.send("POST", "/api/v1/namespaces/default/resourcequotas",
                              R"({"metadata":{"name":"q"},"spec":{"hard":{"count/configmaps":"1"}}})") == 201u);
    }
    kept next(place);
    BOOST_TEST(next.send("POST", path, R"({"metadata":{"name":"two"}})") == 403u);
    BOOST_TEST(next.send("DELETE", path + "/one") == 200u);
    BOOST_TEST(next.send("POST", path, R"({"metadata":{"name":"two"}})") == 201u);
}

BOOST_AUTO_TEST_CASE(a_closed_server_leaves_its_directory_to_the_next) {
    temporary_place place;
    kept first(place);
    first.make_pod("one");
    first.server->close(asio::error::operation_aborted);
    kept const next(place); // the transport of the first one still exists
    BOOST_TEST(next.contents().find("/one ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(objects_wait_for_a_kind_that_is_registered_later) {
    temporary_place place;
    auto definition = job_definition();
    definition.group = "late.example.com";
    std::string const path = "/apis/late.example.com/v1/namespaces/default/pytorchjobs";
    {
        kept first(place);
        first.server->register_resource(definition).value();
        BOOST_TEST(first.send("POST", path,
                              R"({"apiVersion":"late.example.com/v1","kind":"PyTorchJob",)"
                              R"("metadata":{"name":"waits"},"spec":{}})") == 201u);
    }
    kept(place, {}).make_pod("other"); // it does not serve the kind, and rewrites the file
    kept last(place);
    BOOST_TEST(last.get(path).substr(0, 3) == "404");
    last.server->register_resource(definition).value();
    BOOST_TEST(last.get(path + "/waits").substr(0, 3) == "200");
}

BOOST_AUTO_TEST_CASE(a_write_that_does_not_fit_is_not_confirmed_and_ends_the_service) {
    temporary_place place;
    std::string reported;
    std::uint64_t version = 0;
    {
        api_server_options options;
        options.on_lost_directory = [&](failure const& why) { reported = why.to_string(); };
        kept server(place, options);
        server.make_pod("fits");
        version = server.server->store().version();
        rlimit usual{};
        ::getrlimit(RLIMIT_FSIZE, &usual);
        auto const handler = std::signal(SIGXFSZ, SIG_IGN);
        rlimit small = usual;
        small.rlim_cur = std::filesystem::file_size(place.file) + 100;
        ::setrlimit(RLIMIT_FSIZE, &small);
        auto const status = server.send("POST", jobs_path, job("too-long"));
        ::setrlimit(RLIMIT_FSIZE, &usual);
        std::signal(SIGXFSZ, handler);
        BOOST_TEST(status == 500u);
        BOOST_TEST(server.send("POST", jobs_path, job("later")) == 500u);
    }
    BOOST_TEST(reported == "cannot write " + place.file.string() + ": File too large");
    kept const next(place);
    BOOST_TEST(next.server->store().version() == version);
    BOOST_TEST(next.contents().find("too-long") == std::string::npos);
}

// The child creates objects and reports each one that was confirmed, until it is killed.
BOOST_AUTO_TEST_CASE(no_confirmed_write_is_lost_when_the_process_is_killed) {
    temporary_place place;
    std::vector<std::string> confirmed;
    char const* const kills = std::getenv("KFTRAIN_KILLS");
    int const count = kills != nullptr ? std::atoi(kills) : 20;
    std::size_t total = 0;
    for (int round = 0; round < count; ++round) {
        int pipe[2];
        BOOST_REQUIRE(::pipe(pipe) == 0);
        auto const child = ::fork();
        BOOST_REQUIRE(child >= 0);
        if (child == 0) {
            ::close(pipe[0]);
            kept server(place);
            for (int i = 0;; ++i) {
                auto const name = "job-" + std::to_string(round) + "-" + std::to_string(i);
                if (server.send("POST", jobs_path, job(name)) != 201u) ::_exit(1);
                auto const line = name + "\n";
                if (::write(pipe[1], line.data(), line.size()) < 0) ::_exit(1);
                if (i > 2 && i % 7 == 0) server.send("DELETE", jobs_path + "/job-" + std::to_string(round) + "-0");
            }
        }
        ::close(pipe[1]);
        std::string text;
        char buffer[4096];
        // At another place in each round, in the middle of its writes.
        auto const wanted = static_cast<std::size_t>(100 + 37 * round % 500);
        while (text.size() < wanted) {
            auto const n = ::read(pipe[0], buffer, sizeof buffer);
            BOOST_REQUIRE(n > 0);
            text.append(buffer, static_cast<std::size_t>(n));
        }
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        BOOST_TEST(WIFSIGNALED(status));
        for (ssize_t n = 0; (n = ::read(pipe[0], buffer, sizeof buffer)) > 0;)
            text.append(buffer, static_cast<std::size_t>(n));
        ::close(pipe[0]);
        for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1) {
            auto name = text.substr(at, end - at);
            if (!name.ends_with("-0")) confirmed.push_back(std::move(name));
        }
        kept const next(place);
        auto const& store = next.server->store();
        auto const jobs = *store.find("kubeflow.org", "v1", "pytorchjobs");
        std::size_t lost = 0;
        for (auto const& name : confirmed)
            if (!store.get(jobs, "default", name)) ++lost;
        BOOST_TEST(lost == 0u);
        total = confirmed.size();
    }
    BOOST_TEST(total > static_cast<std::size_t>(5 * count));
}

BOOST_AUTO_TEST_SUITE_END()

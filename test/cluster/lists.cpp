#include "cluster/real_server.hpp"

#include <kftrain/kube/list_pages.hpp>

#include <string>
#include <utility>

BOOST_AUTO_TEST_SUITE(cluster_lists)

using namespace kftrain;
using namespace kftrain::test;
using core::config_map;

namespace {

struct listed_maps : real_server {
    explicit listed_maps(std::string const& space) : real_server(space) {
        for (auto const* name : {"a", "b", "c", "d", "e"}) create(name);
    }

    /// Lets the server's store forget all but the latest state, as it does by itself after some minutes. Blocks, over
    /// connections of its own, so that it can be called between two pages.
    void forget() {
        asio::io_context other;
        auto const post = [&](kube::config const& to, std::string target, std::string body) {
            auto const transport = kube::make_https_transport(other.get_executor(), to);
            BOOST_TEST_REQUIRE(transport.has_value());
            kube::http_request r;
            r.method = "POST";
            r.target = std::move(target);
            r.fields.add("Content-Type", "application/json");
            r.body = std::move(body);
            answer_probe<std::string> p;
            kube::client(*transport).async_call(r, kube::call_options(), p.handler());
            other.restart();
            while (!p.called() && other.run_one() != 0) {}
            BOOST_TEST_REQUIRE(p.ec() == error_code());
            return p.value();
        };
        auto const server = kube::load_kubeconfig(variable("KFTRAIN_CLUSTER")).value();
        auto const made = post(server, "/api/v1/namespaces/" + ns + "/configmaps", R"({"metadata":{"name":"f"}})");
        auto const version = from_json<config_map>(made).value().metadata.resource_version;
        kube::config store;
        store.server = variable("KFTRAIN_CLUSTER_STORE");
        post(store, "/v3/kv/compaction", R"({"physical":true,"revision":")" + version + "\"}");
    }
    /// The pages of a list, the server forgetting its state after the first.
    std::string pages(kube::when_expired what) {
        std::string text;
        bool forgotten = false;
        auto const take = [&](kube::list_page<object_list<config_map>> const& page) {
            text += page.restarted ? "restarted " : page.newer ? "newer " : "";
            for (auto const& m : page.list.items)
                if (m.metadata.name.size() == 1) text += m.metadata.name + " ";
            text += "| ";
            if (!std::exchange(forgotten, true)) forget();
            return true;
        };
        auto const how = kube::page_options().with_page_size(2).with_expired(what).with_detail(why);
        last = await_result<std::string>([&](auto h) { kube::async_list_pages(maps, take, how, std::move(h)); }).ec();
        return text;
    }

    error_code last;
};

} // namespace

BOOST_AUTO_TEST_CASE(each_page_continues_after_the_previous_one) {
    listed_maps s("pages");
    auto first = s.await_result<object_list<config_map>>(
        [&](auto h) { s.maps.async_list(kube::list_options().with_limit(2), std::move(h)); });
    BOOST_TEST_REQUIRE(first.ec() == error_code());
    BOOST_TEST_REQUIRE(first.value().items.size() == 2U);
    BOOST_TEST(!first.value().metadata.continue_.empty());
    auto const rest = kube::list_options().with_limit(10).with_continue(first.value().metadata.continue_);
    s.create("aa"); // not there when the list began
    auto second = s.await_result<object_list<config_map>>([&](auto h) { s.maps.async_list(rest, std::move(h)); });
    BOOST_TEST_REQUIRE(second.ec() == error_code());
    BOOST_TEST(second.value().items.size() == 3U);
    BOOST_TEST(second.value().metadata.resource_version == first.value().metadata.resource_version);
    auto all = s.await_result<object_list<config_map>>(
        [&](auto h) { kube::async_list_all(s.maps, kube::page_options().with_page_size(2), std::move(h)); });
    BOOST_TEST(all.value().items.size() == 6U);
}

BOOST_AUTO_TEST_CASE(an_expired_list_is_restarted_without_pages) {
    listed_maps s("pages-restarted");
    BOOST_TEST(s.pages(kube::when_expired::relist) == "a b | restarted a b c d e f | ");
    BOOST_TEST(s.last == error_code());
}

BOOST_AUTO_TEST_CASE(an_expired_list_can_continue_with_newer_objects) {
    listed_maps s("pages-newer");
    BOOST_TEST(s.pages(kube::when_expired::go_on_with_newer) == "a b | newer c d | newer e f | ");
    BOOST_TEST(s.last == error_code());
}

BOOST_AUTO_TEST_CASE(an_expired_list_can_fail_with_a_token_to_continue) {
    listed_maps s("pages-fail");
    BOOST_TEST(s.pages(kube::when_expired::fail_with_expired) == "a b | ");
    BOOST_TEST(s.last == make_error_code(reason::expired));
    BOOST_TEST(is_gone(s.last));
    BOOST_TEST(s.why.http_status == 410U);
    BOOST_TEST(!s.why.continue_.empty());
}

BOOST_AUTO_TEST_SUITE_END()

#include "async/kube/watch/watched_pods.hpp"

#include <kftrain/kube/list_pages.hpp>
#include <kftrain/model/dynamic_object.hpp>

#include <boost/asio/error.hpp>

#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(async_list_pages)

using namespace kftrain;
using namespace kftrain::test;
using kube::page_options;
using kube::when_expired;

namespace {

using pods_list = object_list<pod>;
using page = kube::list_page<pods_list>;

struct paged_pods : scripted_client {
    scripted_exchange& expect_page(std::string const& query) {
        return expect("GET", "/api/v1/namespaces/d/pods" + query);
    }
    /// A page of these pods; `more` is the token of the next.
    static std::string text(std::string const& version, std::string const& more,
                            std::vector<std::string> const& names) {
        std::string items;
        for (auto const& n : names) items += (items.empty() ? "" : ",") + pod_text(n, "1");
        return R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":")" + version +
               R"(","continue":")" + more + R"("},"items":[)" + items + "]}";
    }
    static std::string expired(std::string const& more) {
        return R"({"kind":"Status","metadata":{"continue":")" + more +
               R"("},"status":"Failure","message":"too old","reason":"Expired","code":410})";
    }
    static std::string names(pods_list const& list) {
        std::string all;
        for (auto const& p : list.items) all += p.metadata.name;
        return all;
    }

    /// Takes all pages; what comes again takes the place of what was there.
    void take_pages(page_options const& how) {
        kube::async_list_pages(
            pods,
            [this](page p) {
                seen += (p.restarted ? "!" : "") + std::string(p.newer ? "~" : "") + names(p.list) + ";";
                return names(p.list) != stop_after;
            },
            how, ended.handler());
        run();
    }

    kube::api<pod> pods{client, "d"};
    answer_probe<std::string> ended;
    std::string seen;
    std::string stop_after = "none";
    diagnostics why;
};

} // namespace

BOOST_AUTO_TEST_CASE(all_pages_are_joined_to_one_list) {
    paged_pods c;
    c.expect_page("?labelSelector=x%3Dy&limit=2&resourceVersion=4").piece(c.text("9", "t1", {"a", "b"}));
    c.expect_page("?labelSelector=x%3Dy&limit=2&continue=t1").piece(c.text("9", "t2", {}));
    c.expect_page("?labelSelector=x%3Dy&limit=2&continue=t2").piece(c.text("9", "", {"c"}));
    answer_probe<pods_list> p;
    auto const how = page_options().with_page_size(2).with_label_selector("x=y").with_resource_version("4");
    kube::async_list_all(c.pods, how, p.handler());
    BOOST_TEST(!p.called());
    c.run();
    BOOST_TEST(p.ec() == error_code());
    BOOST_TEST(c.names(p.value()) == "abc");
    BOOST_TEST(p.value().metadata.resource_version == "9");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(a_list_that_expires_between_pages_is_restarted_without_pages) {
    paged_pods c;
    for (int form = 0; form < 2; ++form) {
        c.expect_page("?limit=500").piece(c.text("9", "t1", {"a", "b"}));
        c.expect_page("?limit=500&continue=t1").status(410).piece(c.expired("t9"));
        c.expect_page("").piece(c.text("20", "", {"b", "c"}));
    }
    answer_probe<pods_list> p;
    kube::async_list_all(c.pods, p.handler());
    c.run();
    BOOST_TEST(c.names(p.value()) == "bc");
    BOOST_TEST(p.value().metadata.resource_version == "20");
    c.take_pages(page_options());
    BOOST_TEST(c.seen == "ab;!bc;");
    BOOST_TEST(c.ended.value() == "20");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(an_expired_list_can_continue_with_newer_objects) {
    paged_pods c;
    c.expect_page("?limit=2").piece(c.text("9", "t1", {"a", "b"}));
    c.expect_page("?limit=2&continue=t1").status(410).piece(c.expired("t9"));
    c.expect_page("?limit=2&continue=t9").piece(c.text("20", "t10", {"c"}));
    c.expect_page("?limit=2&continue=t10").piece(c.text("20", "", {"d"}));
    c.take_pages(page_options().with_page_size(2).with_expired(when_expired::go_on_with_newer));
    BOOST_TEST(c.ended.ec() == error_code());
    BOOST_TEST(c.seen == "ab;~c;~d;");
    BOOST_TEST(c.ended.value() == "20");
}

BOOST_AUTO_TEST_CASE(an_expired_list_can_fail) {
    paged_pods c;
    c.expect_page("?limit=500").piece(c.text("9", "t1", {"a"}));
    c.expect_page("?limit=500&continue=t1").status(410).piece(c.expired("t9"));
    c.take_pages(page_options().with_expired(when_expired::fail_with_expired).with_detail(c.why));
    BOOST_TEST(is_gone(c.ended.ec()));
    BOOST_TEST(c.why.continue_ == "t9");
}

BOOST_AUTO_TEST_CASE(a_list_that_expires_before_its_first_page_is_not_retried) {
    paged_pods c;
    c.expect_page("?limit=500&resourceVersion=4").status(410).piece(c.expired("t9"));
    c.take_pages(page_options().with_resource_version("4"));
    BOOST_TEST(is_gone(c.ended.ec()));
    BOOST_TEST(c.seen == "");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(the_page_handler_can_end_the_list) {
    paged_pods c;
    c.expect_page("?limit=500").piece(c.text("9", "t1", {"a"}));
    c.stop_after = "a";
    c.take_pages(page_options());
    BOOST_TEST(c.ended.ec() == error_code());
    BOOST_TEST(c.ended.value() == "9");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(a_repeated_continue_token_is_an_error) {
    paged_pods c;
    c.expect_page("?limit=500").piece(c.text("9", "t1", {"a"}));
    c.expect_page("?limit=500&continue=t1").piece(c.text("9", "t1", {"b"}));
    c.take_pages(page_options().with_detail(c.why));
    BOOST_TEST(c.ended.ec() == make_error_code(errc::protocol));
    BOOST_TEST(c.why.message == "expected a new token, got the token of an earlier page, \"t1\"");
}

BOOST_AUTO_TEST_CASE(alternating_continue_tokens_are_an_error) {
    paged_pods c;
    c.expect_page("?limit=500").piece(c.text("9", "t1", {"a"}));
    c.expect_page("?limit=500&continue=t1").piece(c.text("9", "t2", {"b"}));
    c.expect_page("?limit=500&continue=t2").piece(c.text("9", "t1", {"c"}));
    c.take_pages(page_options().with_detail(c.why));
    BOOST_TEST(c.ended.ec() == make_error_code(errc::protocol));
    BOOST_TEST(c.why.message == "expected a new token, got the token of an earlier page, \"t1\"");
}

BOOST_AUTO_TEST_CASE(the_number_of_pages_is_limited) {
    paged_pods c;
    c.expect_page("?limit=500").piece(c.text("9", "t1", {"a"}));
    c.expect_page("?limit=500&continue=t1").piece(c.text("9", "t2", {"b"}));
    c.take_pages(page_options().with_max_pages(2).with_detail(c.why));
    BOOST_TEST(c.ended.ec() == make_error_code(errc::protocol));
    BOOST_TEST(c.why.message == "expected at most 2 pages, got a token for another page");
}

BOOST_AUTO_TEST_CASE(a_list_that_expires_repeatedly_is_retried_with_delays_until_the_timeout) {
    paged_pods c;
    c.expect_page("?limit=500").piece(c.text("9", "t0", {"a"}));
    for (int i = 0; i < 20; ++i)
        c.expect_page("?limit=500&continue=t" + std::to_string(i))
            .status(410)
            .piece(c.expired("t" + std::to_string(i + 1)));
    auto how = page_options().with_expired(when_expired::go_on_with_newer);
    c.take_pages(how.with_total_timeout(std::chrono::milliseconds(60)).with_detail(c.why));
    BOOST_TEST(c.ended.ec() == make_error_code(errc::timeout)); // in a pause
    BOOST_TEST(c.why.message == "all pages of a list: not complete after 60 ms");
    BOOST_TEST(c.link->requests().size() <= 5U);

    paged_pods d;
    for (int i = 0; i < 20; ++i) { // it sends pages even without a limit
        d.expect_page(i == 0 ? "?limit=500" : "").piece(d.text("9", "t", {"a"}));
        d.expect_page(i == 0 ? "?limit=500&continue=t" : "?continue=t").status(410).piece(d.expired(""));
    }
    d.stop_after = "none";
    kube::async_list_pages(d.pods, [](page) { return true; }, page_options(), d.ended.handler());
    d.run(std::chrono::milliseconds(150));
    BOOST_TEST(!d.ended.called());
    BOOST_TEST(d.link->requests().size() <= 8U);
}

BOOST_AUTO_TEST_CASE(a_page_that_does_not_fit_the_type_is_an_error_with_its_path) {
    paged_pods c;
    c.expect_page("?limit=500").piece(R"({"kind":"PodList","metadata":{},"items":[{"spec":{"priority":"high"}}]})");
    c.take_pages(page_options().with_detail(c.why));
    BOOST_TEST(c.ended.ec() == make_error_code(errc::type_mismatch));
    BOOST_TEST(c.why.path == "items[0].spec.priority");
}

BOOST_AUTO_TEST_CASE(a_paged_list_can_be_cancelled_at_every_page) {
    for (std::size_t step = 0; step < 4; ++step) {
        paged_pods c;
        c.expect_page("?limit=500").piece(c.text("9", "t1", {"a"}));
        c.expect_page("?limit=500&continue=t1").piece(c.text("9", "", {"b"}));
        c.link->hang_at(step, [&] { c.ended.cancel(asio::cancellation_type::total); });
        c.take_pages(page_options());
        BOOST_TEST(c.ended.calls() == 1U, step);
        BOOST_TEST(c.ended.ec() == error_code(asio::error::operation_aborted), step);
    }
}

BOOST_AUTO_TEST_CASE(dynamic_types_can_be_listed_in_pages) {
    scripted_client c;
    std::string const path = "/apis/acme.example/v1/widgets";
    auto const text = [](std::string const& name, std::string const& more) {
        return R"({"apiVersion":"acme.example/v1","kind":"WidgetList","metadata":{"continue":")" + more +
               R"("},"items":[{"metadata":{"name":")" + name + R"("}}]})";
    };
    c.expect("GET", path + "?limit=500").piece(text("a", "t"));
    c.expect("GET", path + "?limit=500&continue=t").piece(text("b", ""));
    answer_probe<kube::any_list> p;
    kube::async_list_all(
        kube::any_api::all_namespaces(c.client, dynamic_type("acme.example", "v1", "Widget", "widgets")), p.handler());
    c.run();
    BOOST_TEST(p.ec() == error_code());
    BOOST_TEST_REQUIRE(p.value().items.size() == 2U);
    BOOST_TEST(p.value().items[1].metadata().name == "b");
}

BOOST_AUTO_TEST_SUITE_END()

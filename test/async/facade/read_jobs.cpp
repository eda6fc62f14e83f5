#include "async/facade/facade_cluster.hpp"

#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/kinds/xgboost_job.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_read_jobs)

using namespace facade_tests;

namespace {

/// Jobs `a0` to `a2` of JAX and `p0` to `p4` of PyTorch.
struct cluster_with_many_jobs : facade_cluster {
    cluster_with_many_jobs() {
        for (int i = 0; i < 3; ++i) {
            jax_job j;
            j.metadata.name = "a" + std::to_string(i);
            j.metadata.labels["odd"] = i % 2 == 0 ? "no" : "yes";
            auto& spec = j.spec.jax_replica_specs["Worker"];
            auto& c = spec.template_.spec.containers.emplace_back();
            c.name = "jax";
            c.image = "example.com/train:1";
            good(client.submit(j));
        }
        for (int i = 0; i < 5; ++i) good(client.submit(sample("p" + std::to_string(i))));
    }

    /// Names of all pages of this size, a comma between pages.
    std::string pages(job_list_options options) {
        std::string names;
        for (int n = 0; n < 20; ++n) {
            auto page = good(client.list(options));
            for (auto const& j : page.items) names += j.metadata().name + " ";
            if (page.continue_.empty()) return names;
            names += ", ";
            BOOST_TEST(page.items.size() <= options.limit);
            options.continue_ = page.continue_;
        }
        return names + "without end";
    }
};

job_list_options both() { return job_list_options().with_kind<jax_job>().with_kind<pytorch_job>(); }

} // namespace

BOOST_AUTO_TEST_CASE(pages_continue_across_kinds) {
    cluster_with_many_jobs w;
    BOOST_TEST(w.pages(both()) == "a0 a1 a2 p0 p1 p2 p3 p4 ");
    BOOST_TEST(w.pages(both().with_limit(2)) == "a0 a1 , a2 p0 , p1 p2 , p3 p4 ");
    BOOST_TEST(w.pages(both().with_limit(3)) == "a0 a1 a2 , p0 p1 p2 , p3 p4 ");
    BOOST_TEST(w.pages(both().with_limit(8)) == "a0 a1 a2 p0 p1 p2 p3 p4 ");
    BOOST_TEST(w.pages(both().with_limit(1)) == "a0 , a1 , a2 , p0 , p1 , p2 , p3 , p4 ");
    BOOST_TEST(w.pages(both().with_label_selector("odd=yes")) == "a1 ");
    BOOST_TEST(w.pages(both().with_namespace("kube-system")) == "");
    BOOST_TEST(w.pages(both().with_namespace("kube-system").with_all_namespaces()) == "a0 a1 a2 p0 p1 p2 p3 p4 ");
}

BOOST_AUTO_TEST_CASE(an_invalid_token_is_rejected) {
    cluster_with_many_jobs w;
    for (auto const* text : {"x", ":", "1", "2:", "-1:", "99999999999999999999:a", " 0:"}) {
        auto const r = w.client.list(both().with_continue(text));
        BOOST_TEST_REQUIRE(r.has_error(), text);
        BOOST_TEST((r.error().code == errc::invalid_argument), text);
        BOOST_TEST(r.error().detail.path == "continue");
    }
    auto const nonsense = w.client.list(both().with_continue("0:nonsense"));
    BOOST_TEST_REQUIRE(nonsense.has_error()); // the error of the server
}

BOOST_AUTO_TEST_CASE(a_page_that_times_out_is_an_error) {
    cluster_with_many_jobs w;
    auto const first = good(w.client.list(both().with_limit(2)));
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (contains(r.target, "/jaxjobs")) return std::nullopt;
        return fault::answer(410, "Expired", "too old");
    };
    auto const second = w.client.list(both().with_limit(8).with_continue(first.continue_)); // not half of it
    BOOST_TEST_REQUIRE(second.has_error());
    BOOST_TEST((second.error().code == reason::expired), text_of(second.error()));
}

BOOST_AUTO_TEST_CASE(unserved_kinds_are_skipped_unless_requested) {
    cluster_with_many_jobs w;
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (contains(r.target, "/xgboostjobs")) return fault::answer(404, "NotFound", "no such path");
        return std::nullopt;
    };
    auto const all = good(w.client.list());
    BOOST_TEST(all.items.size() == 8U);
    BOOST_TEST(all.unread.empty());
    auto const listed = good(w.client.list(both().with_kind<xgboost_job>()));
    BOOST_TEST(listed.items.size() == 8U);
    BOOST_TEST_REQUIRE(listed.unread.size() == 1U);
    BOOST_TEST(listed.unread[0].starts_with("XGBoostJob: "), listed.unread[0]);
}

BOOST_AUTO_TEST_CASE(forbidden_kinds_are_reported_without_failing_the_list) {
    cluster_with_many_jobs w;
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (contains(r.target, "/pytorchjobs")) return std::nullopt;
        return fault::answer(403, "Forbidden", "not yours");
    };
    auto const some = good(w.client.list(both()));
    BOOST_TEST(some.items.size() == 5U);
    BOOST_TEST_REQUIRE(some.unread.size() == 1U);
    BOOST_TEST(contains(some.unread[0], "JAXJob: "), some.unread[0]);
    BOOST_TEST(contains(some.unread[0], "not yours"), some.unread[0]);
    auto const none = w.client.list(job_list_options().with_kind<jax_job>());
    BOOST_TEST_REQUIRE(none.has_error());
    BOOST_TEST(is_forbidden(none.error().code));
    BOOST_TEST(contains(none.error().detail.message, "not yours"));
}

namespace {

fault text(std::string answer) {
    fault f;
    f.status = 200;
    f.text = std::move(answer);
    return f;
}

std::string stored(std::string const& name, std::string const& args, std::string const& ns = "default") {
    return R"({"metadata":{"name":")" + name + R"(","namespace":")" + ns +
           R"("},"spec":{"pytorchReplicaSpecs":{"Master":)"
           R"({"template":{"spec":{"containers":[{"name":"pytorch","args":[)" +
           args + "]}]}}}}}}";
}

std::string page(std::string const& items, std::string const& more = "") {
    return R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJobList","metadata":{"continue":")" + more +
           R"("},"items":[)" + items + "]}";
}

job_list_options pytorch() { return job_list_options().with_kind<pytorch_job>(); }

} // namespace

BOOST_AUTO_TEST_CASE(a_job_that_does_not_fit_its_type_hides_no_other) {
    facade_cluster w;
    w.judge = [](kube::http_request const&) -> std::optional<fault> {
        return text(page(stored("bad", "1") + "," + stored("seen", "\"x\"") + "," + stored("worse", "{}")));
    };
    auto const all = good(w.client.list(pytorch()));
    BOOST_TEST_REQUIRE(all.items.size() == 1U);
    BOOST_TEST(all.items[0].metadata().name == "seen");
    BOOST_TEST(all.unread_jobs == 2U);
    std::string const where =
        ": spec.pytorchReplicaSpecs.Master.template.spec.containers[0].args[0]: expected string, got ";
    BOOST_TEST_REQUIRE(all.unread.size() == 2U);
    BOOST_TEST(all.unread[0] == "PyTorchJob default/bad" + where + "1");
    BOOST_TEST(all.unread[1].starts_with("PyTorchJob default/worse" + where), all.unread[1]);
    BOOST_TEST(contains(all.to_json(), R"("unreadJobs":2)"), all.to_json());
}

// Servers accept 10,000 levels.
BOOST_AUTO_TEST_CASE(a_too_deep_or_other_object_is_an_error) {
    facade_cluster w;
    auto const deep = R"({"metadata":{"name":"deep","namespace":"default"},"spec":{"x":)" + std::string(600, '[') +
                      std::string(600, ']') + "}}";
    auto const other =
        R"({"kind":"TFJob","apiVersion":"kubeflow.org/v1","metadata":{"name":"tf","namespace":"default"}})";
    w.judge = [&](kube::http_request const&) {
        return std::optional(text(page(deep + " , " + other + "," + stored("seen", ""))));
    };
    auto const all = good(w.client.list(pytorch()));
    BOOST_TEST_REQUIRE(all.items.size() == 1U);
    BOOST_TEST(all.items[0].metadata().name == "seen");
    BOOST_TEST_REQUIRE(all.unread.size() == 2U);
    BOOST_TEST(all.unread[0].starts_with("PyTorchJob default/deep: spec.x: "), all.unread[0]);
    BOOST_TEST(all.unread[1].starts_with("PyTorchJob default/tf: kind: "), all.unread[1]);
}

BOOST_AUTO_TEST_CASE(a_response_that_is_no_list_of_these_jobs_is_an_error) {
    for (auto const& answer :
         {std::string("{}"), std::string(R"({"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1"})"),
          std::string(R"({"kind":"TFJobList","apiVersion":"kubeflow.org/v1","metadata":{},"items":[]})"),
          page(stored("a", "", "elsewhere"))}) {
        facade_cluster w;
        w.judge = [&](kube::http_request const&) { return std::optional(text(answer)); };
        auto const r = w.client.list(pytorch());
        BOOST_TEST_REQUIRE(r.has_error(), answer);
        BOOST_TEST((r.error().code == errc::protocol), text_of(r.error()));
    }
}

BOOST_AUTO_TEST_CASE(a_repeated_continue_token_ends_the_list_with_an_error) {
    facade_cluster w;
    w.judge = [](kube::http_request const&) { return std::optional(text(page(stored("a", ""), "again"))); };
    auto const all = good(w.client.list(pytorch()));
    BOOST_TEST(w.requests.size() == 2U);
    BOOST_TEST_REQUIRE(all.unread.size() == 1U);
    BOOST_TEST(contains(all.unread[0], "the token of an earlier page, \"again\""), all.unread[0]);
    BOOST_TEST(all.unread_jobs == 0U);
}

BOOST_AUTO_TEST_CASE(a_response_with_another_job_is_an_error) {
    facade_cluster w;
    auto const job = [](std::string const& text) {
        return text.substr(0, 1) + R"("kind":"PyTorchJob",)" + text.substr(1);
    };
    for (auto const& answer : {job(stored("b", "")), job(stored("a", "", "elsewhere")), std::string("{}")}) {
        w.judge = [&](kube::http_request const&) { return std::optional(text(answer)); };
        auto const r = w.client.get(job_reference::to<pytorch_job>("", "a"));
        BOOST_TEST_REQUIRE(r.has_error(), answer);
        BOOST_TEST((r.error().code == errc::protocol), text_of(r.error()));
    }
}

BOOST_AUTO_TEST_CASE(an_outage_ends_the_list_with_an_error) {
    cluster_with_many_jobs w;
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (contains(r.target, "/jaxjobs")) return std::nullopt;
        return fault::error(errc::unreachable);
    };
    auto const r = w.client.list(both().with_retry(false));
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(is_unreached(r.error().code), text_of(r.error()));
}

BOOST_AUTO_TEST_CASE(a_reference_with_a_uid_does_not_match_another_job) {
    cluster_with_many_jobs w;
    auto const p0 = good(w.client.get(job_reference::to<pytorch_job>("", "p0")));
    job_reference stale(p0);
    stale.uid = "of-another-time";
    auto const r = w.client.get(stale);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::deleted));
    BOOST_TEST(r.error().detail.message == "PyTorchJob default/p0 was deleted, and another job has its name");
    BOOST_TEST(is_not_found(w.client.get(job_reference::to<pytorch_job>("", "p9")).error().code));
}

BOOST_AUTO_TEST_SUITE_END()

#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_object_store_size)

using namespace sample;

namespace {

constexpr std::string_view too_large = "etcdserver: request is too large";

std::string text(std::size_t size) { return '"' + std::string(size, 'x') + '"'; }

struct with_scale : stored_sample {
    with_scale() {
        auto d = job_definition();
        d.scale.emplace();
        d.scale->spec_replicas = ".spec.replicas";
        d.scale->status_replicas = ".status.replicas";
        store.add(std::move(d));
    }
    answer<written> create(std::string const& name, std::size_t size) {
        return store.create(jobs, "default",
                            parse(R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":")" + name +
                                  R"("},"spec":{"replicas":1,"x":)" + text(size) + "}}"),
                            at(0));
    }
    answer<written> patch(std::string const& name, std::string const& body) {
        return store.patch(jobs, "default", name, patch_type::merge, body, at(0));
    }
};

void check(answer<written> const& r) {
    BOOST_TEST_REQUIRE(!r.has_value());
    BOOST_TEST(r.error().code == 500u);
    BOOST_TEST((r.error().why == reason::unknown));
    BOOST_TEST(r.error().message == too_large);
}

} // namespace

// Expected: answers of kube-apiserver v1.31.3 in front of etcd, whose limits are 1.5 MiB and, for its client, 2 MiB.

BOOST_AUTO_TEST_CASE(the_size_limit_of_an_object_is_1_5_mebibytes) {
    with_scale w;
    BOOST_TEST(w.create("a", 1'570'000).has_value());
    check(w.create("b", 1'572'864));
    BOOST_TEST(!w.find(w.jobs, "b"));
    check(w.create("a", 1'600'000)); // reported before the conflict of names
    auto const longer = w.create("b", 2'200'000).error();
    BOOST_TEST(longer.code == 500u);
    BOOST_TEST((longer.why == reason::unknown));
    BOOST_TEST(longer.message.starts_with(
        "rpc error: code = ResourceExhausted desc = trying to send message larger than max (2200"));
    BOOST_TEST(longer.message.ends_with(" vs. 2097152)"));
}

BOOST_AUTO_TEST_CASE(a_full_store_only_deletes) {
    auto options = numbered_uids();
    options.storage_limit = 1'000'000;
    stored_sample s(std::move(options));
    auto const create = [&](std::string const& name) {
        auto const r = s.store.create(
            s.config_maps, "default",
            s.parse(R"({"metadata":{"name":")" + name + R"("},"data":{"x":)" + text(200'000) + "}}"), at(0));
        return r ? "" : std::to_string(r.error().code) + " " + r.error().message;
    };
    auto const full = "500 etcdserver: mvcc: database space exceeded";
    for (auto const* name : {"a", "b", "c", "d"}) BOOST_TEST(create(name) == "");
    BOOST_TEST(create("e") == full);
    auto const patch = R"({"data":{"y":)" + text(10) + "}}";
    BOOST_TEST(s.store.patch(s.config_maps, "default", "a", patch_type::merge, patch, at(0)).error().code == 500U);
    BOOST_TEST(s.store.remove(s.config_maps, "default", "a", {}, at(0)).has_value());
    BOOST_TEST(s.store.patch(s.config_maps, "default", "b", patch_type::merge, patch, at(0)).has_value());
    BOOST_TEST(create("e") == "");
    BOOST_TEST(create("f") == full);
    BOOST_TEST(s.store.usage().object_bytes <= 1'000'000U);
}

BOOST_AUTO_TEST_CASE(a_full_store_accepts_shrinking_updates_and_deletions) {
    auto options = numbered_uids();
    options.storage_limit = 300'000;
    stored_sample s(std::move(options));
    auto const patch = [&](std::string const& body, std::string const& manager = "") {
        write_options how;
        how.manager = manager;
        auto const r = s.store.patch(s.config_maps, "default", "a", patch_type::merge, body, at(1), how);
        return r ? "" : r.error().message;
    };
    s.make(s.config_maps,
           R"({"metadata":{"name":"a","finalizers":["x.io/1","x.io/2"]},"data":{"x":)" + text(200'000) + "}}");
    BOOST_TEST(patch(R"({"data":{"x":)" + text(199'900) + "}}") == "");
    auto const full = "etcdserver: mvcc: database space exceeded";
    BOOST_TEST(patch(R"({"data":{"y":)" + text(100'000) + "}}") == full);
    BOOST_TEST(patch(R"({"data":{"x":)" + text(280'000) + "}}") == ""); // it replaces the old version
    auto const none = s.store.create(s.config_maps, "default",
                                     s.parse(R"({"metadata":{"name":"b"},"data":{"x":)" + text(30'000) + "}}"), at(1));
    BOOST_TEST(none.error().message == full);
    // Not even a byte is left for another version of a small object.
    s.make(s.config_maps, R"({"metadata":{"name":"small"}})");
    auto const fill = [&](std::size_t size) {
        auto const body = R"({"data":{"x":)" + text(size) + "}}";
        return s.store.patch(s.config_maps, "default", "small", patch_type::merge, body, at(1)).has_value();
    };
    std::size_t filled = 0;
    for (std::size_t step = 16'384; step != 0; step /= 2)
        if (fill(filled + step)) filled += step;
    BOOST_TEST(filled > 1'000U);
    BOOST_TEST(!s.store.remove(s.config_maps, "default", "a", {}, at(1)).value().gone);
    // A manager that is new here is recorded in the object, which grows by that.
    BOOST_TEST(patch(R"({"metadata":{"finalizers":["x.io/2"]}})", std::string(128, 'm')) == "");
    BOOST_TEST(s.find(s.config_maps, "a") != nullptr);
    BOOST_TEST(patch(R"({"metadata":{"finalizers":null}})") == "");
    BOOST_TEST(s.find(s.config_maps, "a") == nullptr);
    BOOST_TEST(s.store.usage().object_bytes < 100'000U);
}

BOOST_AUTO_TEST_CASE(no_write_makes_an_object_too_large) {
    with_scale w;
    auto const small = w.create("j", 10).value().object;
    auto const version = w.store.version();
    auto body = small->parsed();
    body["spec"].get_object()["x"] = std::string(1'600'000, 'x');
    check(w.store.update(w.jobs, "default", "j", body, at(1)));
    check(w.patch("j", R"({"spec":{"x":)" + text(1'600'000) + "}}"));
    check(w.store.patch_status(w.jobs, "default", "j", patch_type::merge, R"({"status":{"x":)" + text(1'600'000) + "}}",
                               at(1)));
    body = small->parsed();
    body["status"] = json::object();
    body["status"].get_object()["x"] = std::string(1'600'000, 'x');
    check(w.store.update_status(w.jobs, "default", "j", body, at(1)));
    BOOST_TEST(w.store.version() == version);
    BOOST_TEST(w.find(w.jobs, "j") == small);
    body["metadata"].get_object()["resourceVersion"] = "1"; // a conflict is reported first
    BOOST_TEST(w.store.update(w.jobs, "default", "j", body, at(1)).error().code == 409u);
    // A pod that just fits is too large with the name of its node.
    auto const pod = [](std::size_t size) {
        return R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","args":[)" + text(size) + "]}]}}";
    };
    auto const room = 1'572'864 - w.make(w.pods, pod(1'500'000))->text().size();
    BOOST_TEST(w.store.remove(w.pods, "default", "p", {}, at(1)).value().gone);
    w.make(w.pods, pod(1'500'000 + room - 10));
    check(w.store.bind_pod(w.pods, "default", "p", "node-with-a-name", at(1)));
}

BOOST_AUTO_TEST_CASE(the_size_limit_applies_to_scale) {
    with_scale w;
    auto const room = 1'572'864 - w.create("j", 1'500'000).value().object->text().size();
    auto const full = w.patch("j", R"({"spec":{"x":)" + text(1'500'000 + room - 4) + "}}").value().object;
    auto const scaled = [&](std::string const& replicas) {
        return w.store.patch_scale(w.jobs, "default", "j", patch_type::merge,
                                   R"({"spec":{"replicas":)" + replicas + "}}", at(1));
    };
    BOOST_TEST(scaled("2").has_value());
    check(scaled("100000"));
    // It can still be deleted, whatever that adds.
    BOOST_TEST(w.store.remove(w.jobs, "default", "j", {}, at(1)).value().gone);
}

BOOST_AUTO_TEST_CASE(the_size_limit_is_an_option) {
    auto o = numbered_uids();
    o.object_limit = 1000;
    stored_sample w(std::move(o));
    auto const of = [](std::size_t size) {
        return stored_sample::parse(R"({"metadata":{"name":"s"},"data":{"k":)" + text(size) + "}}");
    };
    BOOST_TEST(w.store.create(w.config_maps, "default", of(500), at(0)).has_value());
    BOOST_TEST(w.store.create(w.config_maps, "other", of(1000), at(0)).error().message == too_large);
}

BOOST_AUTO_TEST_SUITE_END()

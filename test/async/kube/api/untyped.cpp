#include "async/control/widget_cluster.hpp"

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/any_informer.hpp>
#include <kftrain/kube/shared_informers.hpp>
#include <kftrain/kube/with_diagnostics.hpp>
#include <kftrain/model/dynamic_object.hpp>

BOOST_AUTO_TEST_SUITE(async_untyped)

using namespace widget_tests;

namespace {

struct gadget_size {
    gadget_size() = default;

    int size = 0;
};
BOOST_DESCRIBE_STRUCT(gadget_size, (), (size))

dynamic_type gadget_type() { return dynamic_type("acme.example", "v1", "Gadget", "gadgets"); }

/// A server of a kind of which neither the program nor the library has a struct.
struct gadgets : widget_cluster {
    gadgets() {
        apiserver::resource_definition d(type->resource());
        BOOST_REQUIRE(server.register_resource(std::move(d)).has_value());
    }

    any_object gadget(std::string name, int size) const {
        dynamic_object o;
        o.metadata.name = std::move(name);
        o.metadata.namespace_ = "corpus";
        o.set_field("spec", R"({"size":)" + std::to_string(size) + "}");
        return type->make(std::move(o));
    }
    kube::any_api api() const { return kube::any_api(client, *type, "corpus"); }
    template <class T, class Start> T answer(Start start) {
        std::optional<T> value;
        start([&](std::exception_ptr e, T v) {
            problem.clear();
            try {
                if (e) std::rethrow_exception(e);
            } catch (error const& x) {
                problem = x.detail().message;
            }
            value = std::move(v);
        });
        until([&] { return value.has_value(); });
        return std::move(*value);
    }
    any_object create(std::string name, int size) {
        return answer<any_object>(
            [&](auto h) { api().async_create(gadget(std::move(name), size), kube::with_diagnostics(std::move(h))); });
    }
    using widget_cluster::create;

    std::optional<dynamic_type> type = gadget_type();
    std::string problem; ///< of the last answer
};

int size_of(any_object const& o) { return o.get_if<dynamic_object>()->field<gadget_size>("spec")->size; }

} // namespace

BOOST_AUTO_TEST_CASE(objects_without_a_struct_are_written_and_read) {
    gadgets w;
    auto const made = w.create("a", 3);
    BOOST_TEST(w.problem == "");
    BOOST_TEST(!made.metadata().uid.empty());
    BOOST_TEST(size_of(made) == 3);

    dynamic_object larger = *made.get_if<dynamic_object>();
    larger.set_field("spec", R"({"size":4,"colour":"red"})");
    auto const replaced = w.answer<any_object>(
        [&](auto h) { w.api().async_replace(w.type->make(larger), kube::with_diagnostics(std::move(h))); });
    BOOST_TEST(w.problem == "");
    BOOST_TEST(replaced.get_if<dynamic_object>()->unknown.find("spec")->text == R"({"size":4,"colour":"red"})");

    auto const patched = w.answer<any_object>([&](auto h) {
        w.api().async_patch("a", kube::patch_body(patch_type::merge, R"({"spec":{"size":5}})"),
                            kube::with_diagnostics(std::move(h)));
    });
    BOOST_TEST(size_of(patched) == 5);
    w.create("b", 1);
    auto const list =
        w.answer<kube::any_list>([&](auto h) { w.api().async_list(kube::with_diagnostics(std::move(h))); });
    BOOST_REQUIRE(list.items.size() == 2U);
    BOOST_TEST(list.items[1].metadata().name == "b");
    BOOST_TEST(!list.metadata.resource_version.empty());

    std::optional<error_code> gone;
    w.api().async_delete("a", [&](error_code ec) { gone = ec; });
    w.until([&] { return gone.has_value(); });
    BOOST_TEST((gone == error_code()));
    w.answer<any_object>([&](auto h) { w.api().async_get("a", kube::with_diagnostics(std::move(h))); });
    BOOST_TEST(w.problem == "gadgets.acme.example \"a\" not found");
}

BOOST_AUTO_TEST_CASE(an_object_of_another_type_is_refused_before_it_is_sent) {
    gadgets w;
    auto const refused = [&](any_object const& object) {
        w.answer<any_object>([&](auto h) { w.api().async_create(object, kube::with_diagnostics(std::move(h))); });
        return w.problem;
    };
    BOOST_TEST(refused(any_object(pod())) == "expected Gadget of acme.example/v1, got Pod of v1");
    BOOST_TEST(refused(any_object()) == "expected Gadget of acme.example/v1, got an empty object");
    dynamic_type const other("acme.example", "v2", "Gadget", "gadgets");
    BOOST_TEST(refused(other.make(dynamic_object())) ==
               "expected Gadget of acme.example/v1, got Gadget of acme.example/v2");
}

BOOST_AUTO_TEST_CASE(a_library_type_can_be_used_as_dynamic_type) {
    gadgets w;
    core::config_map map;
    map.metadata.name = "m";
    map.data["k"] = "v";
    kube::any_api const maps(w.client, object_type_of<core::config_map>, "corpus");
    auto const made =
        w.answer<any_object>([&](auto h) { maps.async_create(any_object(map), kube::with_diagnostics(std::move(h))); });
    BOOST_REQUIRE(made.get_if<core::config_map>() != nullptr);
    BOOST_TEST(made.get_if<core::config_map>()->data.find("k")->second == "v");
}

BOOST_AUTO_TEST_CASE(an_informer_follows_dynamic_objects) {
    gadgets w;
    w.create("a", 1);
    kube::any_informer informer(w.api());
    std::string reported;
    informer.on_event([&](kube::any_event const& e) {
        char const* const signs = "+~-";
        reported += signs[static_cast<int>(e.kind)] + e.object.metadata().name + std::to_string(size_of(e.object));
        if (e.kind == change_kind::modified) reported += "<" + std::to_string(size_of(e.old));
        if (e.initial) reported += "!";
        reported += " ";
    });
    std::optional<error_code> synced;
    informer.async_wait_for_sync([&](error_code ec) { synced = ec; });
    std::optional<error_code> ended;
    informer.async_run([&](error_code ec) { ended = ec; });
    w.until([&] { return synced.has_value(); });
    BOOST_TEST((synced == error_code()));
    auto const b = w.create("b", 2);
    w.until([&] { return informer.has_observed(b.metadata().resource_version); });
    BOOST_TEST(informer.has_observed(b.metadata().resource_version));
    w.answer<any_object>([&](auto h) {
        w.api().async_patch("a", kube::patch_body(patch_type::merge, R"({"spec":{"size":7}})"),
                            kube::with_diagnostics(std::move(h)));
    });
    w.api().async_delete("b", [](error_code) {});
    w.until([&] { return reported.ends_with("-b2 "); });
    BOOST_TEST(reported == "+a1! +b2 ~a7<1 -b2 ");
    BOOST_TEST(size_of(informer.find("corpus", "a")) == 7);
    BOOST_TEST(informer.find("corpus", "b").empty());
    BOOST_TEST(informer.list().size() == 1U);
    informer.close();
    w.until([&] { return ended.has_value(); });
    BOOST_TEST((ended == make_error_code(asio::error::operation_aborted)));
    BOOST_TEST(size_of(informer.find("corpus", "a")) == 7);
}

BOOST_AUTO_TEST_CASE(delivered_dynamic_objects_outlive_their_type_and_informer) {
    gadgets w;
    w.create("a", 1);
    any_object kept, listed;
    for (bool const shares : {false, true}) {
        kube::shared_informers shared;
        if (shares) shared = kube::shared_informers(w.client);
        std::optional<dynamic_type> type = gadget_type();
        std::optional<kube::any_informer> informer(std::in_place, kube::any_api(w.client, *type, "corpus"), shared);
        type.reset();
        informer->async_run([](error_code) {});
        w.until([&] { return informer->has_synced(); });
        kept = informer->find("corpus", "a");
        listed = informer->list().at(0);
        informer.reset();
        w.run(10ms);
        BOOST_TEST(kept.resource().kind == "Gadget");
        BOOST_TEST(kept.to_json() == listed.to_json());
        BOOST_TEST(kept.to_json().starts_with(R"({"apiVersion":"acme.example/v1","kind":"Gadget","metadata":{)"));
    }
}

BOOST_AUTO_TEST_CASE(a_wait_works_for_dynamic_objects) {
    gadgets w;
    any_object reached;
    std::vector<bool> absent;
    kube::async_wait(
        w.api(), "a",
        [&](any_object const& o) {
            absent.push_back(o.empty());
            return !o.empty() && size_of(o) == 2;
        },
        [&](error_code ec, any_object o) {
            BOOST_TEST(!ec);
            reached = std::move(o);
        });
    w.until([&] { return !absent.empty(); });
    w.create("a", 1);
    w.answer<any_object>([&](auto h) {
        w.api().async_patch("a", kube::patch_body(patch_type::merge, R"({"spec":{"size":2}})"),
                            kube::with_diagnostics(std::move(h)));
    });
    w.until([&] { return !reached.empty(); });
    BOOST_REQUIRE(!reached.empty());
    BOOST_TEST(size_of(reached) == 2);
    BOOST_TEST(absent.at(0));
}

BOOST_AUTO_TEST_CASE(a_controller_watches_dynamic_objects) {
    gadgets w;
    w.start_describing({watched("gadgets", *w.type, rules::by_controller())}, [](rules::look<widget> const& look) {
        std::string text;
        for (auto const& o : look.world.all("gadgets")) text += o.metadata().name + std::to_string(size_of(o)) + " ";
        return text;
    });
    auto const owner = w.create<widget>("w");
    dynamic_object o = *w.gadget("a", 8).get_if<dynamic_object>();
    o.metadata.owner_references.push_back(controlled_by(owner));
    w.answer<any_object>(
        [&](auto h) { w.api().async_create(w.type->make(std::move(o)), kube::with_diagnostics(std::move(h))); });
    w.until_seen("a8 ");
}

BOOST_AUTO_TEST_SUITE_END()

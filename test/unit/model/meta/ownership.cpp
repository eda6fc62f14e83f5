#include <kftrain/model/dynamic_object.hpp>
#include <kftrain/model/ownership.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_ownership)

using namespace kftrain;

// Upstream: apimachinery v0.31.3 pkg/apis/meta/v1/controller_ref.go, GetControllerOfNoCopy and IsControlledBy.
BOOST_AUTO_TEST_CASE(the_first_owner_that_controls_is_the_controller) {
    object_meta meta;
    BOOST_TEST(controller_of(meta) == nullptr);
    BOOST_TEST(!is_controlled_by(meta, ""));
    for (auto const* uid : {"owner", "denies", "first", "second"}) meta.owner_references.emplace_back().uid = uid;
    BOOST_TEST(controller_of(meta) == nullptr);
    meta.owner_references[1].controller = false;
    meta.owner_references[2].controller = true;
    meta.owner_references[3].controller = true;
    BOOST_TEST(controller_of(meta) == &meta.owner_references[2]);
    BOOST_TEST(is_controlled_by(meta, "first"));
    for (auto const* other : {"owner", "denies", "second", ""}) BOOST_TEST(!is_controlled_by(meta, other), other);
}

// Upstream: apimachinery v0.31.3 pkg/apis/meta/v1/controller_ref.go, NewControllerRef.
BOOST_AUTO_TEST_CASE(a_reference_names_its_object_as_the_controller_and_blocks_its_deletion) {
    core::config_map owner;
    owner.metadata.name = "settings";
    owner.metadata.uid = "u1";
    auto const reference = controller_reference(owner);
    BOOST_TEST(to_json(reference) == R"({"apiVersion":"v1","kind":"ConfigMap","name":"settings","uid":"u1",)"
                                     R"("controller":true,"blockOwnerDeletion":true})");
    BOOST_TEST((controller_reference(any_object(owner)) == reference));
    dynamic_type const widgets("acme.example", "v1", "Widget", "widgets");
    auto const widget = widgets.from_json(R"({"metadata":{"name":"w","uid":"u2"}})").value();
    BOOST_TEST(to_json(controller_reference(widget)) ==
               R"({"apiVersion":"acme.example/v1","kind":"Widget","name":"w","uid":"u2",)"
               R"("controller":true,"blockOwnerDeletion":true})");
}

// Upstream: controller-runtime pkg/controller/controllerutil, AddFinalizer, RemoveFinalizer, ContainsFinalizer.
BOOST_AUTO_TEST_CASE(a_finalizer_is_added_once_and_removed_wherever_it_is) {
    object_meta meta;
    BOOST_TEST(!has_finalizer(meta, "a.b/c"));
    BOOST_TEST(add_finalizer(meta, "a.b/c"));
    BOOST_TEST(add_finalizer(meta, "a.b/d"));
    BOOST_TEST(!add_finalizer(meta, "a.b/c"));
    BOOST_TEST(has_finalizer(meta, "a.b/c"));
    BOOST_TEST((meta.finalizers == std::vector<std::string>{"a.b/c", "a.b/d"}));
    meta.finalizers.emplace_back("a.b/c");
    BOOST_TEST(remove_finalizer(meta, "a.b/c"));
    BOOST_TEST((meta.finalizers == std::vector<std::string>{"a.b/d"}));
    BOOST_TEST(!remove_finalizer(meta, "a.b/c"));
}

BOOST_AUTO_TEST_SUITE_END()

#include "model/rules/controller_of.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_controller_of)

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

BOOST_AUTO_TEST_SUITE_END()

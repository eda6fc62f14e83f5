#include <kftrain/model/any_object.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_any_object)

using namespace kftrain;

namespace {

pod named(std::string name) {
    pod p;
    p.metadata.name = std::move(name);
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_object_keeps_its_type) {
    any_object const o = named("a");
    BOOST_TEST(!o.empty());
    BOOST_TEST(o.resource().kind == "Pod");
    BOOST_TEST(o.metadata().name == "a");
    BOOST_TEST(o.is<pod>());
    BOOST_TEST_REQUIRE(o.get_if<pod>() != nullptr);
    BOOST_TEST(o.get_if<service>() == nullptr);
    BOOST_TEST(o.share<service>() == nullptr);
}

BOOST_AUTO_TEST_CASE(a_shared_object_is_not_copied) {
    auto const p = std::make_shared<pod const>(named("a"));
    any_object const o(p);
    any_object const copy = o;
    BOOST_TEST(copy.get_if<pod>() == p.get());
    BOOST_TEST(copy.share<pod>() == p);
}

BOOST_AUTO_TEST_CASE(the_text_equals_that_of_the_object) {
    pod const p = named("a");
    BOOST_TEST(any_object(p).to_json() == to_json(p));
    BOOST_TEST(any_object(p).to_yaml() == to_yaml(p));
}

BOOST_AUTO_TEST_CASE(objects_of_one_type_are_compared_by_value) {
    BOOST_TEST((any_object(named("a")) == any_object(named("a"))));
    BOOST_TEST(!(any_object(named("a")) == any_object(named("b"))));
    BOOST_TEST(!(any_object(pod()) == any_object(service())));
    BOOST_TEST((any_object() == any_object()));
    BOOST_TEST(!(any_object() == any_object(pod())));
}

BOOST_AUTO_TEST_CASE(an_empty_any_object_can_be_read) {
    any_object moved_from = core::pod();
    any_object const taken = std::move(moved_from);
    for (any_object const& none : {any_object(), std::move(moved_from)}) {
        BOOST_TEST(&none.type() == &no_object_type());
        BOOST_TEST(none.type().kind().empty());
        BOOST_TEST(none.resource().plural.empty());
        BOOST_TEST((none.metadata() == object_meta()));
        BOOST_TEST(none.to_json() == "null");
        BOOST_TEST(none.to_yaml() == "null\n");
    }
    BOOST_TEST(no_object_type().decode("{}").has_error());
    BOOST_TEST(no_object_type().make() == nullptr);
}

BOOST_AUTO_TEST_CASE(an_empty_any_object_has_no_type) {
    any_object const none;
    BOOST_TEST(none.empty());
    BOOST_TEST(none.get_if<pod>() == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

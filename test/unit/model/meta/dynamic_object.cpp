#include <kftrain/model/dynamic_object.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_dynamic_object)

using namespace kftrain;

namespace {

dynamic_type widgets() { return dynamic_type("acme.example", "v1", "Widget", "widgets"); }

std::string const text =
    R"({"apiVersion":"acme.example/v1","kind":"Widget","metadata":{"name":"a","labels":{"x":"z"}},)"
    R"("spec":{"size":3,"parts":[1,{"b":null}]},"status":{}})";

} // namespace

BOOST_AUTO_TEST_CASE(documents_are_written_as_they_were_read) {
    auto const object = widgets().from_json(text).value();
    BOOST_TEST(object.to_json() == text);
    BOOST_TEST(object.metadata().labels.find("x")->second == "z");
    BOOST_TEST(object.resource().plural == "widgets");
    BOOST_REQUIRE(object.get_if<dynamic_object>() != nullptr);
    BOOST_TEST(object.get_if<dynamic_object>()->unknown.find("status")->text == "{}");
    BOOST_TEST(object.get_if<pod>() == nullptr);
}

BOOST_AUTO_TEST_CASE(yaml_and_json_yield_the_same_object) {
    auto const object =
        widgets().from_yaml("kind: Widget\napiVersion: acme.example/v1\nmetadata: {name: a, labels: {x: z}}\n"
                            "spec: {size: 3, parts: [1, {b: null}]}\nstatus: {}\n");
    BOOST_TEST(object.value().to_json() == text);
}

BOOST_AUTO_TEST_CASE(missing_kind_and_version_are_filled_in) {
    auto const object = widgets().from_json(R"({"metadata":{"name":"a"}})").value();
    BOOST_TEST(object.to_json() == R"({"apiVersion":"acme.example/v1","kind":"Widget","metadata":{"name":"a"}})");
    auto const made = widgets().make(dynamic_object());
    BOOST_TEST(made.to_json() == R"({"apiVersion":"acme.example/v1","kind":"Widget"})");
}

BOOST_AUTO_TEST_CASE(another_type_is_refused) {
    auto const type = widgets();
    auto const refused = [&](std::string const& t) {
        auto const object = type.from_json(t);
        BOOST_REQUIRE(!object.has_value());
        BOOST_TEST((object.error().code == errc::wrong_kind));
        return object.error().detail.path + ": " + object.error().detail.message;
    };
    BOOST_TEST(refused(R"({"kind":"Gadget"})") == "kind: expected Widget of acme.example/v1, got \"Gadget\"");
    BOOST_TEST(refused(R"({"apiVersion":"v1","kind":"Widget"})") ==
               "apiVersion: expected Widget of acme.example/v1, got \"v1\"");
    BOOST_TEST((type.from_json("{").error().code == errc::syntax));
    BOOST_TEST((type.from_json(R"({"metadata":{"name":5}})").error().code == errc::type_mismatch));
}

BOOST_AUTO_TEST_CASE(items_of_lists_can_be_taken) {
    auto const type = widgets();
    std::vector<erased_object> items;
    auto const meta = type.type().decode_list(
        R"({"kind":"WidgetList","apiVersion":"acme.example/v1","metadata":{"resourceVersion":"9"},)"
        R"("items":[{"metadata":{"name":"a"}},{"kind":"Widget","metadata":{"name":"b"}}]})",
        items);
    BOOST_TEST(meta.value().resource_version == "9");
    BOOST_REQUIRE(items.size() == 2U);
    BOOST_TEST(any_object(type, items[0]).to_json() ==
               R"({"apiVersion":"acme.example/v1","kind":"Widget","metadata":{"name":"a"}})");
    items.clear();
    BOOST_TEST(!type.type().decode_list(R"({"kind":"PodList","items":[]})", items).has_value());
    BOOST_TEST(!type.type().decode_list(R"({"kind":"WidgetList","items":[{},{"kind":"Pod"}]})", items).has_value());
    BOOST_TEST(items.empty());
}

BOOST_AUTO_TEST_CASE(fields_are_read_as_types_and_set_as_text) {
    auto object = *widgets().from_json(text).value().get_if<dynamic_object>();
    object.set_field("template", R"({"name":"main","image":"i"})");
    BOOST_TEST(object.field<core::container>("template").value().image == "i");
    BOOST_TEST(object.field<core::container>("absent").value().image == "");
    auto const wrong = object.field<core::container>("spec");
    BOOST_TEST(wrong.has_value()); // other fields are not checked
    object.set_field("template", R"({"image":7})");
    BOOST_TEST(object.field<core::container>("template").error().detail.path == "image");
}

BOOST_AUTO_TEST_CASE(objects_keep_their_type) {
    any_object object;
    std::shared_ptr<void> copy;
    {
        auto const type = widgets();
        object = type.from_json(text).value();
        copy = object.type().copy(object.erased().get());
        auto const fresh = any_object(type, type.type().make());
        BOOST_TEST(fresh.to_json() == R"({"apiVersion":"acme.example/v1","kind":"Widget"})");
    }
    any_object const twin(object.type(), std::move(copy));
    object = any_object();
    BOOST_TEST(twin.resource().kind == "Widget");
    BOOST_TEST(twin.to_json() == text);
}

BOOST_AUTO_TEST_CASE(library_types_need_no_owner) {
    auto const kept = object_type_of<pod>.share();
    BOOST_TEST(kept.get() == &object_type_of<pod>);
    BOOST_TEST(kept.use_count() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

#include "unit/model/sample.hpp"

#include <kftrain/model/value_ref.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>

BOOST_AUTO_TEST_SUITE(model_value_ref)

using namespace kftrain;

namespace {

template <class T> std::string why(result<T> const& r) { return r ? std::string() : r.error().to_string(); }

} // namespace

BOOST_AUTO_TEST_CASE(a_type_lists_its_members_with_both_names) {
    auto const type = described_type::of<sample_values>();
    BOOST_TEST(type.name() == "kftrain::sample_values");
    BOOST_TEST((type.kind() == value_kind::object));
    BOOST_TEST(type.member_count() == 18U);
    BOOST_TEST(type.keeps_unknown_fields());
    BOOST_TEST(!described_type::of<sample_narrow>().keeps_unknown_fields());

    auto const by_cpp = type.find_member("maybe_small").value();
    auto const by_json = type.find_member("maybeSmall").value();
    BOOST_TEST(by_cpp.name == "maybe_small");
    BOOST_TEST(by_cpp.json_name == "maybeSmall");
    BOOST_TEST((by_cpp.type == by_json.type));
    BOOST_TEST(by_cpp.type.is_optional());
    BOOST_TEST((by_cpp.type.kind() == value_kind::integer));
    BOOST_TEST(by_cpp.type.name() == "int32");
    BOOST_TEST(!by_cpp.always_written);

    auto const kept = type.find_member("kept").value();
    BOOST_TEST(kept.json_name == "alwaysThere");
    BOOST_TEST(kept.always_written);
    BOOST_TEST((type.find_member("rows")->type.element().element().kind() == value_kind::string));
    BOOST_TEST((type.find_member("labels")->type.kind() == value_kind::map));
    BOOST_TEST(!type.find_member("unknown"));
    BOOST_TEST(described_type::of<sample_job>().resource()->kind == "PyTorchJob");
    BOOST_TEST(type.resource() == nullptr);
}

BOOST_AUTO_TEST_CASE(scalars_are_read_and_set) {
    sample_values v;
    value_ref const all(v);
    BOOST_TEST(all.at("flag")->set(true).has_value());
    BOOST_TEST(all.at("small")->set(std::int64_t{-3}).has_value());
    BOOST_TEST(all.at("ratio")->set(0.5).has_value());
    BOOST_TEST(all.at("text")->set("a \"b\"").has_value());
    BOOST_TEST(all.at("maybeFlag")->set(false).has_value());
    BOOST_TEST(all.at("when")->set("2026-01-02T03:04:05Z").has_value());
    BOOST_TEST(all.at("amount")->set("1500m").has_value());
    BOOST_TEST(all.at("anything")->set_json(R"({"a":[1]})").has_value());

    BOOST_TEST(v.flag);
    BOOST_TEST(v.small == -3);
    BOOST_TEST(v.ratio == 0.5);
    BOOST_TEST(v.text == "a \"b\"");
    BOOST_TEST((v.maybe_flag == false));
    BOOST_TEST(v.anything.text == R"({"a":[1]})");

    const_value_ref const read(v);
    BOOST_TEST(read.at("flag")->boolean().value());
    BOOST_TEST(read.at("small")->integer().value() == -3);
    BOOST_TEST(read.at("small")->number().value() == -3.0);
    BOOST_TEST(read.at("ratio")->number().value() == 0.5);
    BOOST_TEST(read.at("text")->text().value() == "a \"b\"");
    BOOST_TEST(read.at("when")->text().value() == "2026-01-02T03:04:05Z");
    BOOST_TEST(read.at("amount")->text().value() == "1500m");
    BOOST_TEST(read.at("maybe_small")->is_absent());
    BOOST_TEST(read.at("maybe_small")->to_json() == "null");

    all.at("maybe_flag")->reset();
    BOOST_TEST(!v.maybe_flag.has_value());
    all.at("maybe_small")->emplace();
    BOOST_TEST(v.maybe_small.value() == 0);
}

BOOST_AUTO_TEST_CASE(a_value_of_another_kind_is_refused_and_nothing_changes) {
    sample_values v;
    v.small = 7;
    v.amount = quantity("2");
    v.numbers = {1, 2};
    value_ref const all(v);
    BOOST_TEST(why(all.at("small")->set("x")) == "expected int32, got \"x\"");
    BOOST_TEST((all.at("small")->set(std::int64_t{1} << 40U).error().code == errc::out_of_range));
    BOOST_TEST((all.at("ratio")->set(std::numeric_limits<double>::infinity()).error().code == errc::out_of_range));
    BOOST_TEST((all.at("amount")->set("much").error().code == errc::type_mismatch));
    BOOST_TEST((all.at("flag")->set(std::int64_t{1}).error().code == errc::type_mismatch));
    auto const item = all.at("numbers")->set_json("[3,4,\"five\"]");
    BOOST_TEST((item.error().code == errc::type_mismatch));
    BOOST_TEST(item.error().detail.path == "[2]");
    BOOST_TEST(v.small == 7);
    BOOST_TEST((v.amount == quantity("2")));
    BOOST_TEST((v.numbers == std::vector<std::int32_t>{1, 2}));

    const_value_ref const read(v);
    BOOST_TEST(why(read.at("small")->boolean()) == "expected a bool, got a int32");
    BOOST_TEST((read.at("maybe_small")->integer().error().code == errc::type_mismatch));
    BOOST_TEST((read.at("text")->number().error().code == errc::type_mismatch));
    BOOST_TEST((read.at("flag")->at("x").error().code == errc::type_mismatch));
    BOOST_TEST((read.at("flag")->at(0).error().code == errc::type_mismatch));
}

BOOST_AUTO_TEST_CASE(unknown_names_and_indexes_are_refused_by_name) {
    sample_values v;
    v.numbers = {1};
    value_ref const all(v);
    auto const member = all.at("ratios");
    BOOST_TEST((member.error().code == errc::invalid_argument));
    BOOST_TEST(why(member) == "ratios: unknown field \"ratios\"; did you mean \"ratio\"?");
    BOOST_TEST(why(all.at("numbers")->at(1)) == "[1]: expected an index below 1, got 1");
    BOOST_TEST((all.at("numbers")->erase(1).error().code == errc::invalid_argument));
    BOOST_TEST((all.at("numbers")->insert(2).error().code == errc::invalid_argument));
    BOOST_TEST((all.at("labels")->erase("app").error().code == errc::invalid_argument));
    BOOST_TEST(all.at("labels")->at("app").error().detail.path == "app");
    BOOST_TEST((all.append().error().code == errc::type_mismatch));
}

BOOST_AUTO_TEST_CASE(lists_grow_shrink_and_move_their_items) {
    sample_values v;
    auto const rows = value_ref(v).at("rows").value();
    BOOST_TEST(rows.append()->append()->set("b").has_value());
    BOOST_TEST(rows.append()->append()->set("c").has_value());
    BOOST_TEST(rows.insert(0)->append()->set("a").has_value());
    using all = std::vector<std::vector<std::string>>;
    BOOST_TEST((v.rows == all{{"a"}, {"b"}, {"c"}}));
    BOOST_TEST(rows.erase(1).has_value());
    BOOST_TEST((v.rows == all{{"a"}, {"c"}}));
    BOOST_TEST(rows.insert(2)->size() == 0U);
    BOOST_TEST((v.rows == all{{"a"}, {"c"}, {}}));
    BOOST_TEST(rows.resize(1).has_value());
    BOOST_TEST((v.rows == all{{"a"}}));
    BOOST_TEST(rows.resize(2).has_value());
    BOOST_TEST((v.rows == all{{"a"}, {}}));
}

BOOST_AUTO_TEST_CASE(entries_of_maps_are_inserted_and_erased) {
    sample_values v;
    value_ref const all(v);
    for (int i = 199; i >= 0; --i) BOOST_TEST(all.at("labels")->insert("k" + std::to_string(i))->set("v").has_value());
    BOOST_TEST(v.labels.size() == 200U);
    BOOST_TEST(v.labels.at("k0") == "v");
    BOOST_TEST(all.at("labels")->insert("k7")->text().value() == "v"); // the entry that is there
    BOOST_TEST(all.at("labels")->erase("k7").has_value());
    BOOST_TEST(!v.labels.contains("k7"));
    BOOST_TEST(all.at("by_name")->insert("x")->at("value")->set("1").has_value());
    BOOST_TEST(v.by_name.at("x").value == "1");

    std::string names;
    all.at("by_name")->for_each([&](std::string_view name, const_value_ref entry) {
        names += name;
        BOOST_TEST(entry.at("value")->text().value() == "1");
    });
    BOOST_TEST(names == "x");
    BOOST_TEST(all.erase("labels").has_value()); // a member is reset
    BOOST_TEST(v.labels.empty());
}

BOOST_AUTO_TEST_CASE(an_absent_object_becomes_present_when_a_member_is_set) {
    sample_values v;
    BOOST_TEST((const_value_ref(v).at("maybe_object")->at("name").error().code == errc::type_mismatch));
    BOOST_TEST(value_ref(v).at("maybe_object")->at("name")->set("n").has_value());
    BOOST_TEST(v.maybe_object.value().name == "n");
}

BOOST_AUTO_TEST_CASE(a_value_is_found_by_path) {
    sample_values v;
    v.rows = {{"a"}, {"b", "c"}};
    v.labels["example.com/team"] = "x";
    v.by_name["e"].name = "n";
    const_value_ref const all(v);
    BOOST_TEST(all.find("rows[1][0]")->text().value() == "b");
    BOOST_TEST(all.find("rows[1][=c]")->text().value() == "c");
    BOOST_TEST(all.find("labels[example.com/team]")->text().value() == "x");
    BOOST_TEST(all.find("byName.e.name")->text().value() == "n");
    BOOST_TEST(all.find("rows[2]").error().detail.path == "rows[2]");
    BOOST_TEST((all.find("rows[").error().code == errc::invalid_argument));
    BOOST_TEST((all.find("").error().code == errc::invalid_argument));
    BOOST_TEST((all.find("rows[x]").error().code == errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_type_has_the_paths_of_its_values) {
    auto const type = described_type::of<sample_values>();
    for (auto const* path : {"small", "rows[3][0]", "labels[a/b]", "byName.x.valueFrom", "anything.a.b[0]",
                             "things[0].a", "maybeObject.name", "rows[=c]"})
        BOOST_TEST(type.has_path(path), path);
    for (auto const* path : {"smaller", "small.x", "rows[3].x.y", "maybeObject.nam", "byName.x.y", "", "a["})
        BOOST_TEST(!type.has_path(path), path);
}

BOOST_AUTO_TEST_CASE(references_compare_by_type_and_value) {
    sample_values a, b;
    a.amount = quantity("1");
    b.amount = quantity("1000m");
    BOOST_TEST((const_value_ref(a) == const_value_ref(b)));
    b.flag = true;
    BOOST_TEST(!(const_value_ref(a) == const_value_ref(b)));
    BOOST_TEST(!(*const_value_ref(a).at("small") == *const_value_ref(a).at("large")));
    BOOST_TEST(const_value_ref(a).get_if<sample_values>() == &a);
    BOOST_TEST(const_value_ref(a).get_if<sample_narrow>() == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

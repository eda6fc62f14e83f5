#include "unit/apiserver/requests.hpp"

#include "apiserver/rest/list_text.hpp"
#include "apiserver/store/object_facts.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_object_facts)

using namespace sample;

namespace {

stored_object stored(std::string_view text, std::vector<std::string> selectable = {}) {
    return {stored_sample::parse(text), 1, std::make_shared<std::vector<std::string> const>(std::move(selectable))};
}

std::string names_of(stored_sample const& w, std::string const& field_selector) {
    list_query q;
    q.field_selector = field_selector;
    std::string out;
    auto const page = w.store.list(w.jobs, q).value();
    for (auto const& o : page.items) out += o->name();
    return out;
}

/// Three pods, as a list in pieces.
struct listed : served {
    listed() {
        for (auto const* name : {"a", "b", "c"}) make_pod(name);
    }
    list_text text() const { return {store.definition(pods), store.list(pods, {}).value()}; }
};

} // namespace

BOOST_AUTO_TEST_CASE(common_fields_are_available_without_parsing) {
    auto const o = stored(
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"ns","uid":"u-1",
            "labels":{"app":"x","empty":""},"finalizers":["a.b/c","foregroundDeletion"],
            "deletionTimestamp":"2026-03-01T10:00:00Z",
            "ownerReferences":[{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","name":"j","uid":"u-2",
                                "blockOwnerDeletion":true},
                               {"apiVersion":"v1","kind":"Pod","name":"q","uid":"u-3"}]},
            "spec":{"nodeName":"n1","hostNetwork":true}})",
        {"spec.nodeName", "spec.hostNetwork", "status.phase"});
    auto const& f = o.facts();
    BOOST_TEST(o.name() == "p");
    BOOST_TEST(o.namespace_() == "ns");
    BOOST_TEST(o.uid() == "u-1");
    BOOST_TEST(f.label("app").value() == "x");
    BOOST_TEST(f.label("empty").value() == "");
    BOOST_TEST(!f.label("other").has_value());
    BOOST_TEST((f.deleting && f.finalizers && f.foreground_deletion));
    BOOST_REQUIRE(f.owners.size() == 2u);
    BOOST_TEST(f.owners[0].uid == "u-2");
    BOOST_TEST(f.owners[0].api_version == "kubeflow.org/v1");
    BOOST_TEST(f.owners[0].kind == "PyTorchJob");
    BOOST_TEST((f.owners[0].blocking && !f.owners[1].blocking));
    BOOST_TEST(f.field("metadata.name").value() == "p");
    BOOST_TEST(f.field("spec.nodeName").value() == "n1");
    BOOST_TEST(f.field("spec.hostNetwork").value() == "true");
    BOOST_TEST(f.field("status.phase").value() == "");
    BOOST_TEST(!f.field("spec.restartPolicy").has_value()); // it would have to be read
    // It is in the text once: nothing but the views costs memory.
    BOOST_TEST(o.bytes() < o.text().size() + 550);
}

BOOST_AUTO_TEST_CASE(escaped_texts_are_compared_by_value) {
    auto const o = stored(
        R"({"metadata":{"name":"p\\","labels":{"\"":"\t","plain":"x"},
            "ownerReferences":[{"apiVersion":"v\"1","kind":"K\\","uid":"u\n"},
                               {"apiVersion":"v1","kind":"K","uid":"\\u"}]},
            "spec":{"a":"say \"hi\"\n","b":"\u00e4",
                    "c":"a text of more characters\nthan fit without memory of their own"}})",
        {"spec.a", "spec.b", "spec.c"});
    auto const& f = o.facts();
    BOOST_TEST(f.field("spec.a").value() == "say \"hi\"\n");
    BOOST_TEST(f.field("spec.b").value() == "\xc3\xa4");
    BOOST_TEST(f.field("spec.c").value() == "a text of more characters\nthan fit without memory of their own");
    BOOST_TEST(o.name() == "p\\");
    BOOST_TEST(f.label("\"").value() == "\t");
    BOOST_TEST(f.label("plain").value() == "x");
    BOOST_REQUIRE(f.owners.size() == 2u);
    BOOST_TEST((f.owners[0].uid == "u\n" && f.owners[0].api_version == "v\"1" && f.owners[0].kind == "K\\"));
    BOOST_TEST((f.owners[1].uid == "\\u" && f.owners[1].api_version == "v1" && f.owners[1].kind == "K"));
}

BOOST_AUTO_TEST_CASE(objects_are_found_by_field_selectors_added_later) {
    stored_sample w;
    w.make_job("x");
    w.make(w.jobs, R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"y"},"spec":{"a":2}})");
    auto d = job_definition();
    d.selectable_fields = {"spec.a"};
    BOOST_TEST(w.store.add(d) == w.jobs);
    BOOST_TEST(names_of(w, "spec.a=1") == "x");
    BOOST_TEST(names_of(w, "spec.a!=1") == "y");
}

BOOST_AUTO_TEST_CASE(numbers_keep_every_digit) {
    stored_sample w;
    std::string const spec =
        R"({"list":[0.30000000000000004,1e-7,123456.78901234567,1E300,-0.0,18446744073709551615,-5]})";
    auto const meta = R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"x"},"spec":)";
    auto const made = w.make(w.jobs, meta + spec + "}");
    auto const numbers = stored_sample::parse(spec).at("list").as_array();
    BOOST_TEST(numbers[0].as_double() == 0.30000000000000004);
    BOOST_TEST(numbers[2].as_double() == 123456.78901234567);
    for (int i = 0; i < 3; ++i) {
        auto const patch = R"({"metadata":{"labels":{"n":")" + std::to_string(i) + R"("}}})";
        auto const now = w.store.patch(w.jobs, "default", "x", patch_type::merge, patch, at(1)).value().object;
        BOOST_TEST(at_path_text(now, "metadata.generation") == "1");
        BOOST_TEST((now->parsed().at("spec") == made->parsed().at("spec")));
        BOOST_TEST((now->parsed().at("spec").at("list") == numbers));
    }
}

BOOST_AUTO_TEST_CASE(values_are_equal_in_any_member_order) {
    auto const same = [](std::string_view a, std::string_view b) {
        return same_value(parse_value(a).value(), parse_value(b).value());
    };
    BOOST_TEST(same(R"({"a":1,"b":[{"c":null}]})", R"({"b":[{"c":null}],"a":1})"));
    BOOST_TEST(!same(R"({"a":1,"b":[{"c":null}]})", R"({"a":1,"b":[{"d":null}]})"));
    BOOST_TEST(!same(R"({"a":1})", R"({"a":1,"b":1})"));
    BOOST_TEST(!same(R"({"a":1,"b":1})", R"({"a":1})"));
    BOOST_TEST(!same("[1,2]", "[2,1]"));
    BOOST_TEST(!same("[1,2]", "[1]"));
    BOOST_TEST(!same("[]", "{}"));
    BOOST_TEST(!same("1", R"("1")"));
}

BOOST_FIXTURE_TEST_CASE(the_pieces_of_a_list_form_the_whole_list, listed) {
    auto whole = text();
    auto const expected = whole.rest();
    BOOST_TEST(expected.size() == text().size());
    BOOST_TEST(parse_object(expected).value().at("items").as_array().size() == 3u);
    for (std::size_t const most : {std::size_t{1}, std::size_t{300}, expected.size() - 1, expected.size()}) {
        auto pieces = text();
        std::string joined;
        for (auto piece = pieces.next(most); !piece.empty(); piece = pieces.next(most)) joined += piece;
        BOOST_TEST(joined == expected);
    }
    list_query none;
    none.label_selector = "no=such";
    list_text empty(store.definition(pods), store.list(pods, none).value());
    auto const size = empty.size();
    auto const nothing = empty.rest();
    BOOST_TEST(nothing.size() == size);
    BOOST_TEST(parse_object(nothing).value().at("items").as_array().empty());
    BOOST_TEST(empty.rest().empty());
}

BOOST_FIXTURE_TEST_CASE(a_list_releases_objects_it_has_written, listed) {
    auto pieces = text();
    std::weak_ptr<stored_object const> const first = find(pods, "a"), last = find(pods, "c");
    for (auto const* name : {"a", "c"}) (void)store.remove(pods, "default", name, {}, at(0));
    for (int i = 0; i < 5000; ++i) // the log forgets them
        (void)store.patch(pods, "default", "b", patch_type::merge,
                          R"({"metadata":{"labels":{"n":")" + std::to_string(i) + R"("}}})", at(0));
    BOOST_TEST(!first.expired());
    (void)pieces.next(1);
    (void)pieces.next(1);
    BOOST_TEST(first.expired());
    BOOST_TEST(!last.expired());
}

BOOST_AUTO_TEST_SUITE_END()

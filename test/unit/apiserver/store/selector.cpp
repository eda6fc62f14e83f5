#include "unit/apiserver/sample.hpp"

#include "apiserver/store/selector.hpp"

#include <boost/test/unit_test.hpp>

using namespace sample;

namespace {

struct pods_with_labels : stored_sample {
    pods_with_labels() {
        make(pods, R"({"metadata":{"name":"a","labels":{"app":"x","rank":"3"}},"spec":{"nodeName":"n1"}})");
        make(pods, R"({"metadata":{"name":"b","labels":{"app":"y"}}})");
        make(pods, R"({"metadata":{"name":"c"}})", "other");
    }
    std::string select(std::string_view labels, std::string_view fields = "") const {
        list_query q;
        q.label_selector = labels;
        q.field_selector = fields;
        std::string out;
        auto const page = store.list(pods, q).value();
        for (auto const& o : page.items) out += o->name();
        return out;
    }
    refusal refuse(std::string_view labels, std::string_view fields = "") const {
        return selector::parse(store.definition(pods), "", labels, fields).error();
    }
};

} // namespace

// Expected: apimachinery pkg/labels/selector.go, pkg/fields/selector.go (what a missing label means for != and notin
// too).
BOOST_FIXTURE_TEST_SUITE(apiserver_selector, pods_with_labels)

BOOST_AUTO_TEST_CASE(label_selectors_match_by_value_and_set) {
    BOOST_TEST(select("") == "abc");
    BOOST_TEST(select("app=x") == "a");
    BOOST_TEST(select("app==x") == "a");
    BOOST_TEST(select("app!=x") == "bc");
    BOOST_TEST(select("app") == "ab");
    BOOST_TEST(select("!app") == "c");
    BOOST_TEST(select("app in (x, y)") == "ab");
    BOOST_TEST(select("app notin (x)") == "bc");
    BOOST_TEST(select("rank>2") == "a");
    BOOST_TEST(select("rank<3") == "");
    BOOST_TEST(select(" app in (x,y) , rank ") == "a");
}

BOOST_AUTO_TEST_CASE(broken_label_selectors_are_bad_requests) {
    for (std::string_view const s : {"=x", "app in (x", "app,,b", "app~x", "rank>x", "a=b c", "a,"})
        BOOST_TEST(refuse(s).code == 400u, s);
    BOOST_TEST(refuse("app in x").message == "unable to parse requirement: found 'x' expected: '('");
}

BOOST_AUTO_TEST_CASE(field_selectors_select) {
    BOOST_TEST(select("", "metadata.name=a") == "a");
    BOOST_TEST(select("", "metadata.name!=a") == "bc");
    BOOST_TEST(select("", "metadata.namespace=other") == "c");
    BOOST_TEST(select("", "spec.nodeName=n1") == "a");
    BOOST_TEST(select("", "spec.nodeName=") == "bc");
    BOOST_TEST(select("", "status.phase==Pending,spec.nodeName!=n1") == "bc");
    BOOST_TEST(select("app", "status.phase!=Pending") == "");
}

BOOST_AUTO_TEST_CASE(fields_of_other_kinds_are_not_selectable) {
    BOOST_TEST(refuse("", "spec.foo=1").message == "field label not supported: spec.foo");
    BOOST_TEST(refuse("", "nonsense").code == 400u);
    BOOST_TEST(selector::parse(store.definition(jobs), "", "", "status.phase=x").error().message ==
               "field label not supported: status.phase");
}

BOOST_AUTO_TEST_SUITE_END()

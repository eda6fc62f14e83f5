#include "control/child_index.hpp"

#include <kftrain/objects/core/pod.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(control_child_index)

using namespace kftrain;
using namespace kftrain::control;

namespace {

std::shared_ptr<pod const> owned(std::string name, std::string uid, bool controls = true) {
    auto p = std::make_shared<pod>();
    p->metadata.name = std::move(name);
    p->metadata.namespace_ = "team";
    if (uid.empty()) return p;
    auto& owner = p->metadata.owner_references.emplace_back();
    owner.api_version = "kubeflow.org/v1";
    owner.kind = "PyTorchJob";
    owner.uid = std::move(uid);
    owner.controller = controls;
    return p;
}

/// A pod whose controller, the object of uid `1`, is of this kind.
std::shared_ptr<pod const> owned_by(std::string api_version, std::string kind, std::string name) {
    auto p = std::make_shared<pod>(*owned(std::move(name), "1"));
    p->metadata.owner_references[0].api_version = std::move(api_version);
    p->metadata.owner_references[0].kind = std::move(kind);
    return p;
}

struct indexed_pods {
    void deliver(change_kind kind, std::shared_ptr<pod const> old, std::shared_ptr<pod const> object) {
        kube::any_event e;
        e.kind = kind;
        if (old) e.old = any_object(std::move(old));
        e.object = any_object(std::move(object));
        index.take(e);
    }
    std::string names(std::string_view uid) const {
        std::string text;
        for (auto const& o : index.of(uid)) text += o.metadata().name + " ";
        return text;
    }

    resource_info job{"kubeflow.org", "v1", "PyTorchJob", "pytorchjobs"};
    child_index index{object_type_of<pod>, {&job}};
};

} // namespace

BOOST_AUTO_TEST_CASE(objects_are_found_by_the_uid_of_their_controller) {
    indexed_pods w;
    for (auto const* name : {"b", "a"}) w.deliver(change_kind::added, nullptr, owned(name, "1"));
    w.deliver(change_kind::added, nullptr, owned("c", "2"));
    w.deliver(change_kind::added, nullptr, owned("d", ""));
    w.deliver(change_kind::added, nullptr, owned("e", "1", false));
    BOOST_TEST(w.names("1") == "a b ");
    BOOST_TEST(w.names("2") == "c ");
    BOOST_TEST(w.names("3") == "");
    BOOST_TEST(w.names("") == "");
}

BOOST_AUTO_TEST_CASE(objects_of_other_controllers_are_not_kept) {
    indexed_pods w;
    auto const other_group = owned_by("batch.volcano.sh/v1alpha1", "PyTorchJob", "a");
    auto const other_kind = owned_by("kubeflow.org/v1", "TFJob", "b");
    auto const other_version = owned_by("kubeflow.org/v1beta1", "PyTorchJob", "c");
    auto const core = owned_by("v1", "PyTorchJob", "d");
    for (auto const& p : {other_group, other_kind, other_version, core}) w.deliver(change_kind::added, nullptr, p);
    BOOST_TEST(w.names("1") == "c ");
    BOOST_TEST(other_group.use_count() == 1);
    BOOST_TEST(other_version.use_count() == 2);
}

BOOST_AUTO_TEST_CASE(objects_move_with_their_controller_reference) {
    indexed_pods w;
    auto const first = owned("a", "1");
    auto const second = owned("a", "2");
    auto const orphan = owned("a", "");
    w.deliver(change_kind::added, nullptr, first);
    w.deliver(change_kind::modified, first, second);
    BOOST_TEST(w.names("1") == "");
    BOOST_TEST(w.names("2") == "a ");
    w.deliver(change_kind::modified, second, orphan);
    BOOST_TEST(w.names("2") == "");
    w.deliver(change_kind::modified, orphan, first);
    BOOST_TEST((w.index.of("1").front().share<pod>() == first));
    // The last state of a deleted object may have any fields; the state in the index counts.
    w.deliver(change_kind::deleted, first, second);
    BOOST_TEST(w.names("1") == "");
    BOOST_TEST(w.names("2") == "");
}

BOOST_AUTO_TEST_CASE(owners_can_be_found_by_any_function) {
    child_index by_label([](void const* object) {
        auto const& labels = static_cast<pod const*>(object)->metadata.labels;
        return labels.contains("of") ? labels.at("of") : std::string();
    });
    auto const found_after = [&](change_kind kind, std::string const& before, std::string const& after) {
        auto const labelled = [](std::string const& of) {
            pod p = *owned("a", "u");
            if (!of.empty()) p.metadata.labels["of"] = of;
            return any_object(std::move(p));
        };
        kube::any_event e;
        e.kind = kind;
        if (kind != change_kind::added) e.old = labelled(before);
        e.object = labelled(after);
        by_label.take(e);
        return std::to_string(by_label.of("x").size()) + std::to_string(by_label.of("y").size());
    };
    BOOST_TEST(found_after(change_kind::added, "", "x") == "10");
    BOOST_TEST(found_after(change_kind::modified, "x", "y") == "01");
    BOOST_TEST(found_after(change_kind::modified, "y", "") == "00");
    BOOST_TEST(by_label.of("").empty());
    BOOST_TEST(found_after(change_kind::modified, "", "y") == "01");
    BOOST_TEST(found_after(change_kind::deleted, "y", "y") == "00");
}

BOOST_AUTO_TEST_CASE(references_are_indexed_until_they_are_removed) {
    name_index index;
    index.add("team/b", {"team/queue", "team/b"});
    index.add("team/a", {"team/queue"});
    std::vector<std::string> const both{"team/a", "team/b"}, one{"team/a"};
    BOOST_TEST(index.primaries_naming("team/queue") == both, boost::test_tools::per_element());
    index.remove("team/b", {"team/queue", "team/b", "team/never"});
    BOOST_TEST(index.primaries_naming("team/queue") == one, boost::test_tools::per_element());
    BOOST_TEST(index.primaries_naming("team/b").empty());
}

BOOST_AUTO_TEST_CASE(objects_are_indexed_only_by_labels_that_selectors_need) {
    auto const labelled = [](std::string name, string_map labels) {
        pod p = *owned(std::move(name), "");
        p.metadata.labels = std::move(labels);
        return std::make_shared<pod const>(std::move(p));
    };
    selector_index index;
    auto const take = [&](change_kind kind, std::shared_ptr<pod const> old, std::shared_ptr<pod const> object) {
        kube::any_event e;
        e.kind = kind;
        if (old) e.old = any_object(std::move(old));
        e.object = any_object(std::move(object));
        index.take(e);
    };
    auto const names = [&](string_map const& selector) {
        std::string text;
        for (auto const& o : index.of("team", selector)) text += o.metadata().name + " ";
        return text;
    };
    auto const a = labelled("a", {{"app", "x"}, {"rank", "0"}}), b = labelled("b", {{"app", "x"}, {"rank", "1"}});
    auto const c = labelled("c", {{"app", "y"}});
    for (auto const& p : {b, a}) take(change_kind::added, nullptr, p);
    BOOST_TEST(a.use_count() == 1); // not kept: nothing selects
    auto const known = [&] { return std::vector{any_object(a), any_object(b), any_object(c)}; };
    index.select("team/s", {{"app", "x"}}, known);
    BOOST_TEST(names({{"app", "x"}}) == "a b ");
    take(change_kind::added, nullptr, c); // which the list was ahead with
    take(change_kind::modified, c, labelled("c", {{"app", "x"}}));
    BOOST_TEST(names({{"app", "x"}}) == "a b c ");
    index.select("team/t", {{"app", "x"}, {"rank", "1"}}, known); // the second label has fewer primary objects
    BOOST_TEST(names({{"app", "x"}, {"rank", "1"}}) == "b ");
    std::vector<std::string> const both{"team/s", "team/t"}, last{"team/t"};
    BOOST_TEST(index.primaries_selecting(b->metadata) == both, boost::test_tools::per_element());
    index.forget("team/s");
    BOOST_TEST(index.primaries_selecting(b->metadata) == last, boost::test_tools::per_element());
    BOOST_TEST(names({{"app", "x"}, {"rank", "1"}}) == "b ");
    take(change_kind::deleted, b, b);
    BOOST_TEST(names({{"app", "x"}, {"rank", "1"}}) == "");
    index.forget("team/t");
    BOOST_TEST(a.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

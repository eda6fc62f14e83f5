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
    owner.uid = std::move(uid);
    owner.controller = controls;
    return p;
}

struct world {
    void tell(kube::event_kind kind, std::shared_ptr<pod const> old, std::shared_ptr<pod const> object) {
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

    child_index index{object_type_of<pod>};
};

} // namespace

BOOST_AUTO_TEST_CASE(objects_are_found_by_the_uid_of_their_controller) {
    world w;
    for (auto const* name : {"b", "a"}) w.tell(kube::event_kind::added, nullptr, owned(name, "1"));
    w.tell(kube::event_kind::added, nullptr, owned("c", "2"));
    w.tell(kube::event_kind::added, nullptr, owned("d", ""));
    w.tell(kube::event_kind::added, nullptr, owned("e", "1", false));
    BOOST_TEST(w.names("1") == "a b ");
    BOOST_TEST(w.names("2") == "c ");
    BOOST_TEST(w.names("3") == "");
    BOOST_TEST(w.names("") == "");
}

BOOST_AUTO_TEST_CASE(they_follow_their_controller) {
    world w;
    auto const first = owned("a", "1");
    auto const second = owned("a", "2");
    auto const orphan = owned("a", "");
    w.tell(kube::event_kind::added, nullptr, first);
    w.tell(kube::event_kind::updated, first, second);
    BOOST_TEST(w.names("1") == "");
    BOOST_TEST(w.names("2") == "a ");
    w.tell(kube::event_kind::updated, second, orphan);
    BOOST_TEST(w.names("2") == "");
    w.tell(kube::event_kind::updated, orphan, first);
    BOOST_TEST((w.index.of("1").front().share<pod>() == first));
    // The last state of what is deleted may say anything; what was known of it counts.
    w.tell(kube::event_kind::deleted, first, second);
    BOOST_TEST(w.names("1") == "");
    BOOST_TEST(w.names("2") == "");
}

BOOST_AUTO_TEST_CASE(owners_may_be_told_by_anything) {
    child_index by_label([](void const* object) {
        auto const& labels = static_cast<pod const*>(object)->metadata.labels;
        return labels.contains("of") ? labels.at("of") : std::string();
    });
    auto const tell = [&](kube::event_kind kind, std::string const& before, std::string const& after) {
        auto const labelled = [](std::string const& of) {
            pod p = *owned("a", "u");
            if (!of.empty()) p.metadata.labels["of"] = of;
            return any_object(std::move(p));
        };
        kube::any_event e;
        e.kind = kind;
        if (kind != kube::event_kind::added) e.old = labelled(before);
        e.object = labelled(after);
        by_label.take(e);
        return std::to_string(by_label.of("x").size()) + std::to_string(by_label.of("y").size());
    };
    BOOST_TEST(tell(kube::event_kind::added, "", "x") == "10");
    BOOST_TEST(tell(kube::event_kind::updated, "x", "y") == "01");
    BOOST_TEST(tell(kube::event_kind::updated, "y", "") == "00");
    BOOST_TEST(by_label.of("").empty());
    BOOST_TEST(tell(kube::event_kind::updated, "", "y") == "01");
    BOOST_TEST(tell(kube::event_kind::deleted, "y", "y") == "00");
}

BOOST_AUTO_TEST_CASE(who_names_an_object_is_known_until_it_names_it_no_more) {
    name_index index;
    index.add("team/b", {"team/queue", "team/b"});
    index.add("team/a", {"team/queue"});
    std::vector<std::string> const both{"team/a", "team/b"}, one{"team/a"};
    BOOST_TEST(index.who_names("team/queue") == both, boost::test_tools::per_element());
    index.remove("team/b", {"team/queue", "team/b", "team/never"});
    BOOST_TEST(index.who_names("team/queue") == one, boost::test_tools::per_element());
    BOOST_TEST(index.who_names("team/b").empty());
}

BOOST_AUTO_TEST_SUITE_END()

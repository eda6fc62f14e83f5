#include "control/child_index.hpp"

#include <kftrain/kube/object_type.hpp>
#include <kftrain/model/pod.hpp>

#include <boost/test/unit_test.hpp>

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
        kube::detail::erased_event e;
        e.kind = kind;
        e.old = std::move(old);
        e.object = std::move(object);
        index.take(e);
    }
    std::string names(std::string_view uid) const {
        std::string text;
        for (auto const& o : index.of(uid)) text += std::static_pointer_cast<pod const>(o)->metadata.name + " ";
        return text;
    }

    child_index index{object_type_of<pod>};
};

} // namespace

BOOST_AUTO_TEST_SUITE(control_child_index)

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
    BOOST_TEST((w.index.of("1").front() == first));
    // The last state of what is deleted may say anything; what was known of it counts.
    w.tell(kube::event_kind::deleted, first, second);
    BOOST_TEST(w.names("1") == "");
    BOOST_TEST(w.names("2") == "");
}

BOOST_AUTO_TEST_SUITE_END()

#include "async/control/widget_cluster.hpp"

BOOST_AUTO_TEST_SUITE(async_controller_memory)

using namespace widget_tests;

namespace {

/// `+a` for an object that is new, `-a` for one that is gone, `a:x>y` for one whose entry "k" was x.
std::string text_of(rules::change const& c) {
    auto const value = [](any_object const& o) {
        auto const& data = o.get_if<core::config_map>()->data;
        auto const it = data.find("k");
        return it == data.end() ? std::string() : it->second;
    };
    if (c.before.empty()) return "+" + c.after.metadata().name;
    if (c.after.empty()) return "-" + c.before.metadata().name;
    return c.after.metadata().name + ":" + value(c.before) + ">" + value(c.after);
}

std::string text_of(std::span<rules::change const> changes) {
    std::string text;
    for (auto const& c : changes) text += (text.empty() ? "" : " ") + text_of(c);
    return text;
}

struct count final : rules::memory {
    explicit count(int v) : value(v) {}

    int const value;
};

watched maps() { return watched("maps", object_type_of<core::config_map>, rules::by_labels("of")).with_changes(); }

void belongs(core::config_map& m) {
    m.metadata.labels["of"] = "w";
    m.data["k"] = "0";
}

/// A plan that cannot succeed.
rules::plan failing() { return one(rules::scale(rules::target(batch::job::resource, "corpus", "nowhere"), 1)); }

} // namespace

BOOST_AUTO_TEST_CASE(plans_receive_every_change_once_and_in_order) {
    widget_cluster w;
    std::vector<std::string> passes;
    w.start<widget>({maps()}, [&](rules::look<widget> const& look) {
        passes.push_back(text_of(look.world.changes()));
        return rules::plan();
    });
    w.create<core::config_map>("early", &belongs);
    w.run(50ms);
    w.create<widget>("w");
    w.run(50ms);
    for (auto const& p : passes) BOOST_TEST(p == ""); // older objects are no change
    passes.clear();
    w.create<core::config_map>("a", &belongs);
    w.change<core::config_map>("a", R"({"data":{"k":"1"}})");
    w.change<core::config_map>("a", R"({"data":{"k":"2"}})");
    w.remove<core::config_map>("early");
    w.remove<core::config_map>("a");
    w.run(50ms);
    std::string all;
    for (auto const& p : passes) all += (all.empty() || p.empty() ? "" : " ") + p;
    BOOST_TEST(all == "+a a:0>1 a:1>2 -early -a");
}

BOOST_AUTO_TEST_CASE(changes_of_children_of_a_replaced_object_are_not_reported) {
    widget_cluster w;
    std::string all;
    w.start<widget>({watched("maps", object_type_of<core::config_map>, rules::by_controller()).with_changes()},
                    [&](rules::look<widget> const& look) {
                        all += text_of(look.world.changes());
                        return rules::plan();
                    });
    widget const first = w.create<widget>("w");
    w.run(50ms);
    auto const own = [](widget const& by) {
        return [&by](core::config_map& m) { m.metadata.owner_references.push_back(controlled_by(by)); };
    };
    w.create<core::config_map>("old", own(first));
    w.run(50ms);
    BOOST_TEST(all == "+old");
    all.clear();
    w.change<core::config_map>("old", R"({"metadata":{"finalizers":["example.com/kept"]}})");
    w.run(50ms);
    all.clear();
    w.remove<widget>("w");
    w.create<widget>("w");
    w.run(50ms);
    all.clear();
    w.change<core::config_map>("old", R"({"metadata":{"finalizers":null}})");
    w.run(100ms);
    BOOST_TEST(all == "");
}

BOOST_AUTO_TEST_CASE(a_plan_that_throws_is_retried) {
    widget_cluster w;
    int passes = 0;
    w.start<widget>({maps()}, [&](rules::look<widget> const& look) {
        if (++passes < 3) throw std::out_of_range("no such replica");
        widget next = look.object;
        next.status.seen = "done";
        return next.status.seen == look.object.status.seen ? rules::plan() : one(rules::write_status(std::move(next)));
    });
    w.create<widget>("w");
    w.until_seen("done");
}

BOOST_AUTO_TEST_CASE(a_failed_plan_receives_the_same_changes_again) {
    widget_cluster w;
    std::vector<std::string> passes;
    bool fails = true;
    w.start<widget>({maps()}, [&](rules::look<widget> const& look) {
        passes.push_back(text_of(look.world.changes()));
        return fails ? failing() : rules::plan();
    });
    w.create<widget>("w");
    w.until([&] { return !passes.empty(); });
    w.create<core::config_map>("a", &belongs);
    w.until([&] { return passes.back() == "+a"; });
    w.change<core::config_map>("a", R"({"data":{"k":"1"}})");
    w.until([&] { return passes.back() == "+a a:0>1"; });
    fails = false;
    auto const before = passes.size();
    w.until([&] { return passes.size() > before; });
    BOOST_TEST(passes[before] == "+a a:0>1");
    w.change<widget>("w", R"({"spec":{"room":"x"}})");
    w.run(60ms);
    BOOST_TEST(passes.back() == "");
}

BOOST_AUTO_TEST_CASE(the_memory_of_a_plan_is_kept_only_if_every_step_succeeded) {
    widget_cluster w;
    std::vector<int> passes;
    int failures = 2;
    w.start<widget>({maps()}, [&](rules::look<widget> const& look) {
        auto const* known = dynamic_cast<count const*>(look.remembered.get());
        int const value = known == nullptr ? 0 : known->value;
        passes.push_back(value);
        rules::plan p = failures > 0 ? failing() : rules::plan();
        --failures;
        if (value != 2) p.remember = std::make_shared<count>(value + 1);
        return p;
    });
    w.create<widget>("w");
    w.run(200ms);
    for (auto const* room : {"x", "y", "z"}) {
        w.change<widget>("w", std::string(R"({"spec":{"room":")") + room + R"("}})");
        w.run(60ms);
    }
    std::vector<int> const expected{0, 0, 0, 1, 2, 2}; // the last one says nothing new
    BOOST_TEST(passes == expected, boost::test_tools::per_element());
    // An object of the same name that comes later is another.
    passes.clear();
    w.remove<widget>("w");
    w.run(30ms);
    w.create<widget>("w");
    w.run(60ms);
    BOOST_TEST_REQUIRE(!passes.empty());
    BOOST_TEST(passes.front() == 0);
}

BOOST_AUTO_TEST_CASE(an_operator_with_pending_changes_can_be_destroyed_at_any_step) {
    auto const token = std::make_shared<count>(1);
    for (int turns = 0; turns < 160; turns += 3) {
        {
            widget_cluster w;
            w.start<widget>({maps()}, [token](rules::look<widget> const& look) {
                rules::plan p = one(rules::create([&] {
                    core::config_map m;
                    m.metadata.name = "made" + std::to_string(look.world.changes().size());
                    belongs(m);
                    return m;
                }()));
                p.remember = token;
                return p;
            });
            kube::api<widget> widgets(w.client, "corpus");
            widget x;
            x.metadata.name = "w";
            x.metadata.namespace_ = "corpus";
            widgets.async_create(x, [](error_code, widget const&) {});
            w.io.restart();
            for (int i = 0; i < turns; ++i) w.io.poll_one();
            if (turns % 2 == 0) w.op.reset();
        }
        BOOST_TEST(token.use_count() == 1, "left after " << turns << " turns");
    }
}

BOOST_AUTO_TEST_SUITE_END()

#include "async/control/widget_cluster.hpp"
#include <kftrain/job/observed_types.hpp>

BOOST_AUTO_TEST_SUITE(async_controller_relations)

using namespace widget_tests;

namespace {

pod pod_of(batch::job const& job, std::string name) {
    pod p;
    p.metadata.name = std::move(name);
    p.metadata.namespace_ = "corpus";
    p.metadata.owner_references.push_back(controlled_by(job));
    p.spec.containers.emplace_back().name = "c";
    p.spec.containers.back().image = "i";
    return p;
}

/// Plans a batch Job, and records it and its pods.
rules::plan run_a_job(rules::look<widget> const& look) {
    auto const jobs = look.world.of<batch::job>("job");
    if (jobs.empty()) {
        batch::job job;
        job.metadata.name = look.object.metadata.name + "-launcher";
        job.metadata.owner_references.push_back(controlled_by(look.object));
        job.spec.template_.spec.restart_policy = "Never";
        job.spec.template_.spec.containers.emplace_back().name = "c";
        job.spec.template_.spec.containers.back().image = "i";
        return one(rules::create(std::move(job)));
    }
    widget next = look.object;
    next.status.seen = names_in<batch::job>(look.world, "job") + ":";
    for (auto const& p : look.world.of<pod>("pods")) next.status.seen += " " + p.metadata.name + p.status.phase;
    if (next.status.seen == look.object.status.seen) return {};
    return one(rules::write_status(std::move(next)));
}

} // namespace

// By which relations a change of an object leads to the objects to look at again, and what a look then shows.

BOOST_AUTO_TEST_CASE(pods_of_a_batch_job_belong_to_the_owner_of_the_job) {
    widget_cluster w;
    w.start<widget>({watched("job", object_type_of<batch::job>, rules::by_controller()),
                     watched("pods", object_type_of<pod>, rules::by_controller_of("job"))},
                    &run_a_job);
    w.create<widget>("w");
    w.create<widget>("v");
    w.until_seen("w-launcher:");
    w.until_seen("v-launcher:", "v");
    auto const job = w.get<batch::job>("w-launcher").value();
    w.create(pod_of(job, "w-launcher-x7k2p"));
    w.until_seen("w-launcher: w-launcher-x7k2pPending");
    // A pod whose owner is gone and has come again under its name is of nobody.
    auto stray = pod_of(job, "stray");
    stray.metadata.owner_references[0].uid = "of-an-earlier-one";
    w.create(stray);
    w.remove<pod>("w-launcher-x7k2p");
    w.until_seen("w-launcher:");
    BOOST_TEST(w.seen("v") == "v-launcher:");
}

BOOST_AUTO_TEST_CASE(objects_that_the_rules_skip_are_not_reconciled) {
    widget_cluster w;
    std::map<std::string, int> looks;
    auto const count = [&looks](rules::look<widget> const& look) {
        ++looks[look.object.metadata.name];
        return rules::plan();
    };
    w.start<widget, selective_rules<widget>>(
        {watched("maps", object_type_of<core::config_map>, rules::by_labels("of"))}, count);
    w.create<widget>("w");
    w.create<widget>("v", [](widget& v) { v.metadata.labels["ignored"] = "yes"; });
    w.until([&] { return looks["w"] == 1; });
    for (auto const* name : {"w", "v"}) // a row leads to both
        w.create<core::config_map>(std::string("of-") + name,
                                   [name](core::config_map& m) { m.metadata.labels["of"] = name; });
    w.until([&] { return looks["w"] == 2; });
    w.run(50ms);
    BOOST_TEST(!looks.contains("v"));
    w.change<widget>("v", R"({"metadata":{"labels":{"ignored":null}}})");
    w.until([&] { return looks["v"] == 1; });
}

BOOST_AUTO_TEST_CASE(labels_can_refer_to_a_primary_object_in_another_namespace) {
    widget_cluster w;
    auto const describe = [](rules::look<widget> const& look) {
        return names_in<core::config_map>(look.world, "here") + "|" +
               names_in<core::config_map>(look.world, "anywhere");
    };
    w.start_describing({watched("here", object_type_of<core::config_map>, rules::by_labels("of")),
                        watched("anywhere", object_type_of<core::config_map>, rules::by_labels("of", "in"),
                                rules::reach::all_namespaces)},
                       describe);
    w.create<widget>("w");
    w.until_seen("|");
    w.create<core::config_map>("a", [](core::config_map& m) { m.metadata.labels["of"] = "w"; });
    w.until_seen("a|");
    w.create<core::config_map>(
        "b",
        [](core::config_map& m) {
            m.metadata.labels["of"] = "w";
            m.metadata.labels["in"] = "corpus";
        },
        "other");
    w.until_seen("a|b");
    w.change<core::config_map>("b", R"({"metadata":{"labels":{"in":"elsewhere"}}})", "other");
    w.until_seen("a|");
    w.remove<core::config_map>("a");
    w.until_seen("|");
}

BOOST_AUTO_TEST_CASE(a_namespaced_operator_reads_other_namespaces_only_if_a_row_requests_it) {
    widget_cluster w;
    auto const describe = [](rules::look<widget> const& look) {
        return names_in<core::config_map>(look.world, "here") + "|" +
               names_in<core::config_map>(look.world, "anywhere");
    };
    w.start_describing({watched("here", object_type_of<core::config_map>, rules::by_labels("of", "in")),
                        watched("anywhere", object_type_of<core::config_map>, rules::by_labels("of", "in"),
                                rules::reach::all_namespaces)},
                       describe, "corpus");
    w.create<widget>("w");
    for (auto const* ns : {"corpus", "other"})
        w.create<core::config_map>(
            std::string("of-") + ns,
            [](core::config_map& m) {
                m.metadata.labels["of"] = "w";
                m.metadata.labels["in"] = "corpus";
            },
            ns);
    w.until_seen("of-corpus|of-corpus of-other");
}

BOOST_AUTO_TEST_CASE(objects_named_in_the_spec_are_found_also_at_cluster_scope) {
    widget_cluster w;
    auto const rooms = rules::named_by<widget>([](widget const& of) {
        std::vector<rules::object_name> names;
        if (!of.spec.room.empty()) names.emplace_back(std::string(), of.spec.room);
        return names;
    });
    auto const describe = [](rules::look<widget> const& look) {
        std::string text = names_in<core::config_map>(look.world, "own") + "|";
        for (auto const& n : look.world.of<core::namespace_>("room"))
            text += n.metadata.name + (n.metadata.labels.contains("lit") ? " lit" : "");
        return text;
    };
    w.start_describing({watched("own", object_type_of<core::config_map>, rules::by_name_of_primary()),
                        watched("room", object_type_of<core::namespace_>, rooms, rules::reach::cluster)},
                       describe);
    w.create<widget>("w", [](widget& x) { x.spec.room = "other"; });
    w.until_seen("|other");
    w.change<core::namespace_>("other", R"({"metadata":{"labels":{"lit":"x"}}})", "");
    w.until_seen("|other lit");
    w.create<core::config_map>("w");
    w.until_seen("w|other lit");
    w.change<widget>("w", R"({"spec":{"room":"corpus"}})");
    w.until_seen("w|corpus");
    w.run(50ms); // the look that its own write brings
    int const before = w.passes;
    w.change<core::namespace_>("other", R"({"metadata":{"labels":{"lit":"y"}}})", "");
    w.run(50ms);
    BOOST_TEST(w.passes == before); // it is named no more
    w.change<core::namespace_>("corpus", R"({"metadata":{"labels":{"lit":"y"}}})", "");
    w.until_seen("w|corpus lit");
}

BOOST_AUTO_TEST_CASE(objects_can_map_to_a_primary_object_and_secrets_are_kept_without_values) {
    widget_cluster w;
    auto const target = rules::naming<core::secret>([](core::secret const& s) {
        std::optional<rules::object_name> name;
        if (s.type.starts_with("for/")) name.emplace(std::string(), s.type.substr(4));
        return name;
    });
    auto const describe = [](rules::look<widget> const& look) {
        std::string text;
        for (auto const& s : look.world.of<core::secret>("secrets")) {
            text += s.metadata.name + ":";
            for (auto const& [key, value] : s.data) text += " " + key + "=" + std::to_string(value.data.size());
        }
        return text;
    };
    w.start_describing({watched("secrets", observed_secret_type(), target)}, describe);
    w.create<widget>("w");
    auto const fill = [](core::secret& s) {
        s.type = "for/w";
        s.string_data["key"] = "very secret";
        s.string_data["key.pub"] = "public";
    };
    w.create<core::secret>("s", fill);
    w.until_seen("s: key=0 key.pub=0");
}

BOOST_AUTO_TEST_CASE(a_selector_of_the_primary_object_selects_objects_of_its_namespace) {
    widget_cluster w;
    auto const selector = rules::selected_by<widget>([](widget const& of) {
        string_map labels;
        if (!of.spec.room.empty()) labels = {{"kind", "chair"}, {"room", of.spec.room}};
        return labels;
    });
    auto const describe = [](rules::look<widget> const& look) {
        return look.object.metadata.name + "|" + names_in<core::config_map>(look.world, "chairs");
    };
    w.start_describing({watched("chairs", object_type_of<core::config_map>, selector)}, describe);
    auto const add = [&w](char const* name, char const* room, char const* ns = "corpus") {
        w.create<core::config_map>(
            name,
            [room](core::config_map& m) { m.metadata.labels = {{"kind", "chair"}, {"room", room}, {"colour", "red"}}; },
            ns);
    };
    add("a", "east");
    w.create<widget>("w", [](widget& v) { v.spec.room = "east"; });
    w.create<widget>("v", [](widget& v) { v.spec.room = "east"; });
    w.create<widget>("none");
    w.until_seen("w|a");
    w.until_seen("v|a", "v");
    w.until_seen("none|", "none");
    add("b", "east");
    add("c", "east", "other");
    add("d", "west");
    w.until_seen("w|a b");
    w.until_seen("v|a b", "v");
    w.change<core::config_map>("a", R"({"metadata":{"labels":{"kind":"table"}}})");
    w.until_seen("w|b");
    w.change<widget>("w", R"({"spec":{"room":"west"}})");
    w.until_seen("w|d");
    w.remove<core::config_map>("b");
    w.until_seen("v|", "v");
    w.remove<core::config_map>("d");
    w.until_seen("w|");
    BOOST_TEST(w.seen("none") == "none|");
}

BOOST_AUTO_TEST_CASE(a_cluster_scoped_primary_object_can_own_namespaced_objects) {
    widget_cluster w;
    std::string reported;
    planner<core::namespace_> const plan = [&](rules::look<core::namespace_> const& look) {
        if (look.object.metadata.name != "other") return rules::plan();
        reported = names_in<core::config_map>(look.world, "maps");
        if (!reported.empty()) return rules::plan();
        core::config_map m;
        m.metadata.name = "made";
        m.metadata.namespace_ = look.object.metadata.name;
        m.metadata.labels["room"] = look.object.metadata.name;
        return one(rules::create(std::move(m)));
    };
    w.start<core::namespace_>(
        {watched("maps", object_type_of<core::config_map>, rules::by_labels("room"), rules::reach::all_namespaces)},
        plan);
    for (int i = 0; i < 100 && reported.empty(); ++i) w.run(10ms);
    BOOST_TEST(reported == "made");
}

BOOST_AUTO_TEST_CASE(rows_of_one_type_share_an_informer_and_differ_by_selector) {
    widget_cluster w;
    auto const describe = [](rules::look<widget> const& look) {
        return names_in<core::config_map>(look.world, "red") + "|" + names_in<core::config_map>(look.world, "blue") +
               "|" + names_in<core::config_map>(look.world, "all") + "|" +
               names_in<core::config_map>(look.world, "own");
    };
    auto const& maps = object_type_of<core::config_map>;
    w.start_describing({watched("red", maps, rules::by_labels("of")).with_label_selector("c=red"),
                        watched("blue", maps, rules::by_labels("of")).with_label_selector("c=blue"),
                        watched("all", maps, rules::by_labels("of")),
                        watched("own", maps, rules::by_name_of_primary())},
                       describe);
    w.create<widget>("w");
    for (auto const* colour : {"red", "blue"})
        w.create<core::config_map>(colour, [&](core::config_map& m) {
            m.metadata.labels["of"] = "w";
            m.metadata.labels["c"] = colour;
        });
    w.create<core::config_map>("w");
    w.until_seen("red|blue|blue red|w");
}

// An informer that will never see an object must not be waited for.
BOOST_AUTO_TEST_CASE(the_controller_waits_for_its_writes_in_the_informers_that_select_them) {
    widget_cluster w;
    auto const& maps = object_type_of<core::config_map>;
    w.start<widget>({watched("red", maps, rules::by_labels("of")).with_label_selector("c=red"),
                     watched("blue", maps, rules::by_labels("of")).with_label_selector("c=blue")},
                    [](rules::look<widget> const& look) {
                        if (look.world.of<core::config_map>("red").empty()) {
                            core::config_map m;
                            m.metadata.name = "r";
                            m.metadata.labels = {{"of", "w"}, {"c", "red"}};
                            return one(rules::create(std::move(m)));
                        }
                        widget next = look.object;
                        next.status.seen = names_in<core::config_map>(look.world, "red");
                        return next.status.seen == look.object.status.seen ? rules::plan()
                                                                           : one(rules::write_status(std::move(next)));
                    });
    w.create<widget>("w");
    w.until_seen("r");
}

BOOST_AUTO_TEST_CASE(a_watch_row_that_refers_to_a_missing_row_is_rejected) {
    widget_cluster w;
    auto const& pods = object_type_of<pod>;
    BOOST_CHECK_THROW(w.start_describing({watched("pods", pods, rules::by_controller_of("job"))}, {}),
                      std::invalid_argument);
    BOOST_CHECK_THROW(
        w.start_describing({watched("pods", pods, rules::by_controller()).with_label_selector("a in (")}, {}),
        std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_watch_row_with_a_function_for_another_type_is_rejected) {
    widget_cluster w;
    auto const& pods = object_type_of<pod>;
    auto const of_map = rules::naming<core::config_map>(
        [](core::config_map const& m) { return std::optional(rules::object_name("", m.metadata.name)); });
    BOOST_CHECK_THROW(w.start_describing({watched("pods", pods, of_map)}, {}), std::invalid_argument);
    auto const of_pod = rules::named_by<pod>(
        [](pod const& p) { return std::vector<rules::object_name>{rules::object_name("", p.spec.node_name)}; });
    BOOST_CHECK_THROW(w.start_describing({watched("pods", pods, of_pod)}, {}), std::invalid_argument);
    auto const by_pod = rules::selected_by<pod>([](pod const& p) { return p.metadata.labels; });
    BOOST_CHECK_THROW(w.start_describing({watched("pods", pods, by_pod)}, {}), std::invalid_argument);
    BOOST_CHECK_THROW(w.start_describing({watched("job", object_type_of<batch::job>, rules::by_controller()),
                                          watched("pods", pods, rules::by_controller_of("job")).with_changes()},
                                         {}),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

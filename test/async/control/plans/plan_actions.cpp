#include "async/control/plans/played_plan.hpp"

#include <kftrain/objects/apps/stateful_set.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(async_plan_actions)

using namespace played_plan;

BOOST_AUTO_TEST_CASE(an_object_without_a_namespace_is_created_in_that_of_the_primary_object) {
    played w;
    w.link->expect("POST", "/api/v1/namespaces/team/configmaps").piece(version("7"));
    w.link->expect("POST", "/api/v1/namespaces/other/configmaps").piece(version("9"));
    w.link->expect("POST", "/api/v1/namespaces").piece(version("8", "n"));
    core::namespace_ cluster_wide;
    cluster_wide.metadata.name = "n";
    rules::plan todo;
    auto& actions = todo.steps.emplace_back().actions;
    actions.emplace_back(rules::create(map_named("a")));
    actions.emplace_back(rules::create(map_named("a", "other")));
    actions.emplace_back(rules::create(cluster_wide));
    BOOST_TEST(w.act(todo) == "");
    BOOST_TEST(w.written->versions.at("configmaps.") == "9");
    BOOST_TEST(w.written->versions.at("namespaces.") == "8");
}

BOOST_AUTO_TEST_CASE(create_can_ignore_existing_objects) {
    for (auto const exists : {rules::on_refusal::fail, rules::on_refusal::ignore}) {
        played w;
        w.link->expect("POST", "/api/v1/namespaces/team/configmaps").status(409).piece(refusal(409, "AlreadyExists"));
        rules::create c(map_named("a"));
        c.exists = exists;
        BOOST_TEST(w.act(c).empty() == (exists == rules::on_refusal::ignore));
        BOOST_TEST(!w.outdated);
    }
}

BOOST_AUTO_TEST_CASE(updates_can_require_existing_objects) {
    for (auto const gone : {rules::on_refusal::fail, rules::on_refusal::ignore}) {
        played w;
        w.link->expect("DELETE", "/api/v1/namespaces/team/configmaps/a").status(404).piece(refusal(404, "NotFound"));
        rules::remove r(rules::target(core::config_map::resource, "team", "a"));
        r.gone = gone;
        BOOST_TEST(w.act(r).empty() == (gone == rules::on_refusal::ignore));
    }
}

BOOST_AUTO_TEST_CASE(a_deletion_sends_uid_and_propagation_policy) {
    played w;
    w.link->expect("DELETE", std::string(sets)).piece("{}");
    rules::remove r(rules::target(apps::stateful_set::resource, "team", "s", "u7"));
    r.how = rules::propagation::foreground;
    BOOST_TEST(w.act(r) == "");
    BOOST_TEST(w.body().at("preconditions").at("uid") == "u7");
    BOOST_TEST(w.body().at("propagationPolicy") == "Foreground");
    BOOST_TEST(w.written->deleted.at("statefulsets.apps").at("u7").namespace_ == "team");
}

BOOST_AUTO_TEST_CASE(patches_target_the_object_or_its_status) {
    played w;
    w.link->expect("PATCH", std::string(sets)).piece(version("3", "s"));
    w.link->expect("PATCH", std::string(sets) + "/status").piece(version("4", "s"));
    rules::target const of(apps::stateful_set::resource, "team", "s");
    rules::plan todo;
    auto& actions = todo.steps.emplace_back().actions;
    actions.emplace_back(rules::patch(of, patch_type::strategic, R"({"x":1})"));
    actions.emplace_back(rules::patch(of, patch_type::json, "[]", rules::subresource::status));
    BOOST_TEST(w.act(todo) == "");
    BOOST_TEST(w.request(0).fields.get("Content-Type") == "application/strategic-merge-patch+json");
    BOOST_TEST(w.request(1).fields.get("Content-Type") == "application/json-patch+json");
    BOOST_TEST(w.written->versions.at("statefulsets.apps") == "4");
}

BOOST_AUTO_TEST_CASE(scaling_patches_the_subresource) {
    played w;
    w.link->expect("PATCH", std::string(sets) + "/scale").piece(version("4", "s"));
    BOOST_TEST(w.act(rules::scale(rules::target(apps::stateful_set::resource, "team", "s"), 3)) == "");
    BOOST_TEST(w.request().body == R"({"spec":{"replicas":3}})");
}

BOOST_AUTO_TEST_CASE(the_status_of_another_object_is_replaced) {
    played w;
    w.link->expect("PUT", std::string(sets) + "/status").status(409).piece(refusal(409, "Conflict"));
    apps::stateful_set s;
    s.metadata.name = "s";
    auto const problem = w.act(rules::replace(s, rules::subresource::status));
    BOOST_TEST(problem.starts_with("writing the status of StatefulSet team/s (apps/v1): "), problem);
    BOOST_TEST(w.outdated);
}

BOOST_AUTO_TEST_CASE(apply_sends_the_field_manager) {
    played w;
    w.link->expect("PATCH", "/api/v1/namespaces/team/configmaps/a?fieldManager=trainer&force=true").piece(version("2"));
    BOOST_TEST(w.act(rules::apply(map_named("a"), "trainer")) == "");
    BOOST_TEST(w.request().fields.get("Content-Type") == "application/apply-patch+yaml");
    BOOST_TEST(w.body().at("data").at("a") == "b");
    BOOST_TEST(w.written->versions.at("configmaps.") == "2");
}

BOOST_AUTO_TEST_CASE(a_conflict_with_another_field_manager_is_reported) {
    played w;
    w.link->expect("PATCH", "/api/v1/namespaces/team/configmaps/a?fieldManager=me")
        .status(409)
        .piece(refusal(409, "Conflict"));
    w.link->expect("POST", "/api/v1/namespaces/team/events").piece("{}");
    rules::apply a(map_named("a"), "me");
    a.force = false;
    a.event = rules::event_messages("Applied", "{}", "FailedApply", "not applied: {}");
    BOOST_TEST(w.act(std::move(a)) != "");
    BOOST_TEST(!w.outdated); // nobody will write the object for that
    BOOST_TEST(w.body(1).at("reason").as_string() == "FailedApply");
}

BOOST_AUTO_TEST_CASE(without_server_side_apply_objects_are_patched_replaced_or_created) {
    std::string const one = "/api/v1/namespaces/team/configmaps/a";
    for (bool const stored : {true, false}) {
        played w;
        w.link->expect("PATCH", one + "?fieldManager=trainer&force=true")
            .status(415)
            .piece(refusal(415, "UnsupportedMediaType"));
        if (stored) {
            w.link->expect("GET", one)
                .piece(R"({"metadata":{"name":"a","resourceVersion":"2"},"data":{"a":"old","kept":"k"}})");
            w.link->expect("PUT", one).piece(version("3"));
        } else {
            w.link->expect("GET", one).status(404).piece(refusal(404, "NotFound"));
            w.link->expect("POST", "/api/v1/namespaces/team/configmaps").piece(version("3"));
        }
        BOOST_TEST(w.act(rules::apply(map_named("a"), "trainer")) == "");
        auto const body = w.body(2);
        BOOST_TEST(body.at("data").at("a") == "b");
        BOOST_TEST(body.at("data").as_object().contains("kept") == stored);
        BOOST_TEST(body.at("metadata").as_object().contains("resourceVersion") == stored);
    }
}

BOOST_AUTO_TEST_CASE(the_primary_object_itself_can_be_changed) {
    played w;
    w.link->expect("PUT", std::string(jobs)).piece(version("6", "pt"));
    auto next = primary();
    next.metadata.finalizers.push_back("x/y");
    BOOST_TEST(w.act(rules::change_self(next)) == "");
    BOOST_TEST(w.body().at("metadata").at("finalizers").at(0) == "x/y");
    BOOST_TEST(w.written->job_version == "6");
    BOOST_TEST(w.written->versions.empty());
}

BOOST_AUTO_TEST_CASE(a_status_that_follows_a_change_of_the_object_replaces_the_changed_one) {
    played w;
    w.link->expect("PUT", std::string(jobs)).piece(version("6", "pt"));
    w.link->expect("PUT", std::string(jobs) + "/status").piece(version("7", "pt"));
    auto changed = primary();
    changed.metadata.finalizers.emplace_back("example.com/kept");
    rules::plan todo;
    auto& actions = todo.steps.emplace_back().actions;
    actions.emplace_back(rules::change_self(any_object(changed)));
    actions.emplace_back(rules::write_status(any_object(primary())));
    BOOST_TEST(w.act(std::move(todo)) == "");
    BOOST_TEST(w.body(0).at_pointer("/metadata/resourceVersion").as_string() == "5");
    BOOST_TEST(w.body(1).at_pointer("/metadata/resourceVersion").as_string() == "6");
}

BOOST_AUTO_TEST_CASE(a_status_is_written_as_an_update_or_a_patch_per_controller) {
    auto next = primary();
    next.status.conditions.emplace_back().type = "Running";
    using rules::status_form;
    for (auto const& [form, line] :
         {std::pair(status_form::subresource, "PUT /status"), std::pair(status_form::whole_object, "PUT "),
          std::pair(status_form::merge_patch, "PATCH /status")}) {
        played w;
        std::string const expected = line;
        auto const space = expected.find(' ');
        w.link->expect(expected.substr(0, space), std::string(jobs) + expected.substr(space + 1))
            .piece(version("6", "pt"));
        BOOST_TEST(w.act(rules::write_status(next), form) == "");
        BOOST_TEST(w.body().at("status").at("conditions").at(0).at("type") == "Running");
        BOOST_TEST(w.body().as_object().contains("spec") == (form != status_form::merge_patch));
        BOOST_TEST(w.written->job_version == "6");
    }
    played silent;
    BOOST_TEST(silent.act(rules::write_status(next), status_form::none) == "");
    BOOST_TEST(silent.act(rules::write_status(primary()), status_form::merge_patch) == "");
    BOOST_TEST(silent.link->requests().empty());
}

BOOST_AUTO_TEST_CASE(generated_content_is_created_just_before_the_write) {
    played w;
    w.link->expect("POST", "/api/v1/namespaces/team/secrets").piece(version("7", "ssh"));
    core::secret s;
    s.metadata.name = "ssh";
    rules::create c(s);
    c.made.push_back(
        rules::recipe_for<core::secret>(rules::ssh_key(), [](core::secret& to, rules::key_texts const& k, std::size_t) {
            to.string_data["key"] = k.private_pem;
            to.string_data["key.pub"] = k.public_line;
        }));
    for (std::size_t slot : {std::size_t{0}, std::size_t{1}})
        c.made.push_back(rules::recipe_for<core::secret>(
            rules::random_text(3),
            [](core::secret& to, std::string const& t, std::size_t i) { to.string_data["t" + std::to_string(i)] = t; },
            slot));
    BOOST_TEST(w.act(c) == "");
    auto const expected = R"({"key":"private 1","key.pub":"public 1","t0":"xxx","t1":"xxx"})";
    BOOST_TEST(w.body().at("stringData") == boost::json::parse(expected));
    BOOST_TEST(c.object.get_if<core::secret>()->string_data.empty());
}

BOOST_AUTO_TEST_CASE(keys_are_generated_by_the_key_worker_if_there_is_one) {
    played w;
    w.keys = std::make_shared<control::key_worker>(w.io.get_executor());
    w.link->expect("POST", "/api/v1/namespaces/team/secrets").piece(version("7", "ssh"));
    core::secret s;
    s.metadata.name = "ssh";
    rules::create c(s);
    c.made.push_back(
        rules::recipe_for<core::secret>(rules::ssh_key(), [](core::secret& to, rules::key_texts const& k, std::size_t) {
            to.string_data["key"] = k.private_pem;
        }));
    BOOST_TEST(w.act(c) == "");
    auto const key = std::string(w.body().at("stringData").at("key").as_string());
    BOOST_TEST(key.starts_with("-----BEGIN EC PRIVATE KEY-----"), key);
    BOOST_TEST(w.contents->count == 0);
}

BOOST_AUTO_TEST_CASE(an_object_is_not_sent_if_the_key_worker_is_closed) {
    played w;
    w.keys = std::make_shared<control::key_worker>(w.io.get_executor());
    w.keys->close();
    core::secret s;
    s.metadata.name = "ssh";
    rules::create c(s);
    c.made.push_back(rules::recipe_for<core::secret>(
        rules::ssh_key(), [](core::secret&, rules::key_texts const&, std::size_t) { BOOST_ERROR("no key"); }));
    BOOST_TEST(w.act(c).find("generating the content of Secret team/ssh") != std::string::npos);
}

/// A second creation would have another name.
BOOST_AUTO_TEST_CASE(an_object_with_a_generated_name_is_searched_for_if_the_response_is_lost) {
    auto owned = [](std::string const& uid) {
        core::config_map m = map_named("");
        m.metadata.owner_references.emplace_back().uid = uid;
        return m;
    };
    rules::create c(owned("u1"));
    c.made.push_back(
        rules::recipe_for<core::config_map>(rules::random_text(5), [](core::config_map& m, std::string const& end,
                                                                      std::size_t) { m.metadata.name = "a-" + end; }));
    constexpr std::string_view all = "/api/v1/namespaces/team/configmaps";
    auto const one = std::string(all) + "/a-xxxxx";
    auto const stored = [&](std::string const& uid) {
        auto m = owned(uid);
        m.metadata.name = "a-xxxxx";
        m.metadata.resource_version = "7";
        return to_json(m);
    };
    {
        played w;
        w.link->expect("POST", std::string(all)).refuses(errc::connection_lost);
        w.link->expect("GET", one).piece(stored("u1"));
        BOOST_TEST(w.act(c) == "");
        BOOST_TEST(w.written->versions.at("configmaps.") == "7");
    }
    for (auto const& found : {stored("u2"), std::string()}) { // somebody else's, and none
        played w;
        w.link->expect("POST", std::string(all)).status(504).piece(refusal(504, "Timeout"));
        if (found.empty())
            w.link->expect("GET", one).status(404).piece(refusal(404, "NotFound"));
        else
            w.link->expect("GET", one).piece(found);
        auto const problem = w.act(c);
        BOOST_TEST(problem.find("creating ConfigMap team/a-xxxxx (v1): ") != std::string::npos, problem);
    }
    played refused;
    refused.link->expect("POST", std::string(all)).status(403).piece(refusal(403, "Forbidden"));
    BOOST_TEST(!refused.act(c).empty());
}

BOOST_AUTO_TEST_CASE(events_about_writes_have_the_messages_and_the_object_of_the_plan) {
    played w;
    constexpr rules::event_messages messages("Made", "Made {} well", "NotMade", "Failed: {}");
    w.link->expect("POST", "/api/v1/namespaces/other/events").piece("{}");
    w.link->expect("POST", "/api/v1/namespaces/team/configmaps").piece(version("7", "a-x7k2p"));
    w.link->expect("POST", "/api/v1/namespaces/team/events").piece("{}");
    auto unnamed = map_named("");
    unnamed.metadata.generate_name = "a-";
    rules::plan todo;
    auto& actions = todo.steps.emplace_back().actions;
    rules::emit_event about("Normal", "R", "m");
    about.about = rules::target(apps::stateful_set::resource, "other", "s", "u9");
    actions.emplace_back(about);
    actions.emplace_back(rules::create(unnamed, messages));
    BOOST_TEST(w.act(todo) == "");
    std::set<std::string> lines;
    for (std::size_t i = 0; i < 3; ++i) {
        if (!w.request(i).target.ends_with("/events")) continue;
        auto const e = w.body(i);
        lines.insert(boost::json::value_to<std::string>(e.at("message")) + " " +
                     boost::json::value_to<std::string>(e.at("involvedObject").at("uid")));
    }
    std::set<std::string> const expected{"Made a-x7k2p well u1", "m u9"};
    BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

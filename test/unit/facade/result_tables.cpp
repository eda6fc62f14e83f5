// Results, events and options, reached through their tables alone.
#include "support/filled_value.hpp"

#include <kftrain/facade/described.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(facade_result_tables)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;

namespace {

template <class T> void check_type() {
    T value, from_json, from_yaml;
    filled count;
    fill(value_ref(value), count);
    const_value_ref const written(value);
    BOOST_TEST_CONTEXT(written.type().name()) {
        BOOST_TEST(count.scalars > 0U);
        decode_options strict;
        strict.strict = true;
        auto const read = decode_json(written.to_json(), descriptor_of<T>(), &from_json, strict);
        BOOST_TEST(read.has_value(), (read ? "" : read.error().to_string()));
        BOOST_TEST((const_value_ref(from_json) == written));
        BOOST_TEST(decode_yaml(to_yaml(value), descriptor_of<T>(), &from_yaml, strict).has_value());
        BOOST_TEST((const_value_ref(from_yaml) == written));
    }
}

template <class... Types> void check_types() { (check_type<Types>(), ...); }

rank_state worker() {
    rank_state r;
    r.member.role = "Worker";
    r.member.index = 1;
    r.member.rank = 2;
    r.member.pod_name = "digits-worker-1";
    r.phase = rank_phase::failed;
    r.exit_code = 0;
    return r;
}

job_state state() {
    job_state s;
    s.job = {*find_job_rules("kubeflow.org/v1", "PyTorchJob"), "team", "digits", "u1"};
    s.resource_version = "7";
    s.phase = job_phase::running;
    s.ranks.push_back(worker());
    return s;
}

std::string const state_json =
    R"("apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","namespace":"team","name":"digits","uid":"u1",)"
    R"("resourceVersion":"7","phase":"Running","restarts":0,"ranks":[{"role":"Worker","index":1,"rank":2,)"
    R"("pod":"digits-worker-1","phase":"Failed","restarts":0,"exitCode":0}]})";

} // namespace

BOOST_AUTO_TEST_CASE(every_result_is_set_written_read_and_compared) {
    check_types<issue, member, job_reference, role_state, rank_state, job_state, job_change, log_line, job_event,
                job_event_list, job_cause, explanation, field_change, object_change_plan, update_plan, preflight_check,
                preflight_report, job_progress, timeline_run, timeline_pod, timeline_condition, timeline_scaling,
                timeline_size, job_timeline, convert::change>();
}

BOOST_AUTO_TEST_CASE(all_options_are_set_written_read_and_compared) {
    check_types<kube::call_options, kube::next_options, kube::wait_options, kube::list_options, kube::page_options,
                kube::watch_options, kube::write_options, kube::apply_options, kube::delete_options, kube::log_options,
                kube::informer_options, kube::sync_options, submit_options, job_list_options, job_delete_options,
                job_event_options, explain_options, preflight_options, timeline_options, job_watch_options,
                job_log_options>();
}

BOOST_AUTO_TEST_CASE(inherited_parts_of_a_state_are_members) {
    BOOST_TEST(state().to_json() == "{" + state_json);
    job_change change;
    change.kind = change_kind::modified;
    change.state = state();
    BOOST_TEST(change.to_json() == R"({"change":"modified",)" + state_json);
    BOOST_TEST(job_state().to_json() == R"({"phase":"Created","restarts":0})");
}

BOOST_AUTO_TEST_CASE(an_empty_line_and_an_empty_list_are_written) {
    BOOST_TEST(log_line().to_json() == R"({"index":0,"run":0,"text":""})");
    BOOST_TEST(job_event_list().to_json() == R"({"items":[]})");
    BOOST_TEST(job_page().to_json() == R"({"items":[]})");
    BOOST_TEST(preflight_report().to_json() == R"({"passed":true})");
    BOOST_TEST(update_plan().to_json() == R"({"exists":false,"effect":"none"})");
}

BOOST_AUTO_TEST_CASE(inherited_options_are_described) {
    explain_options o;
    value_ref const options(o);
    BOOST_TEST(options.at("timeout").value().set("0.0004").has_value());
    BOOST_TEST(options.at("quiet").value().set("1m30s").has_value());
    BOOST_TEST(options.at("log_lines").value().set(std::int64_t{3}).has_value());
    BOOST_TEST((o.timeout == 1ms && o.quiet == 90s && o.log_lines == 3U)); // a limit is not rounded to 0
    auto const negative = options.at("logLines").value().set(std::int64_t{-1});
    BOOST_TEST((negative.error().code == errc::out_of_range));
    BOOST_TEST((options.at("detail").error().code == errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(kinds_are_written_by_name) {
    job_list_options o;
    auto const kinds = value_ref(o).at("kinds").value();
    BOOST_TEST(kinds.append().value().set("mpijobs.v1.kubeflow.org").has_value());
    BOOST_TEST(kinds.to_json() == R"(["MPIJob.v1"])");
    BOOST_TEST((kinds.append().value().set("Deployment").error().code == errc::type_mismatch));
}

BOOST_AUTO_TEST_CASE(enumerators_are_written_by_name) {
    auto const effect = described_type::of<field_change>().find_member("effect").value().type;
    BOOST_TEST((effect.enumerators() == std::vector<std::string_view>{"none", "in place", "later", "recreation"}));
    auto const cause = described_type::of<job_cause>().find_member("kind").value().type;
    BOOST_TEST(cause.name() == "cause_kind");
    BOOST_TEST(cause.enumerators().size() == 24U);
    BOOST_TEST(described_type::of<job_cause>().enumerators().empty());
    job_cause c;
    BOOST_TEST((value_ref(c).at("kind").value().set("unhealthy").error().code == errc::type_mismatch));
}

BOOST_AUTO_TEST_SUITE_END()

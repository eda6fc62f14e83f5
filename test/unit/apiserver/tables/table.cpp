#include "unit/apiserver/sample.hpp"

#include "apiserver/tables/table.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_table)

using namespace sample;

namespace {

std::string cells(stored_sample const& w, kind_id kind, object_ptr const& o, int now) {
    table_options options;
    options.now = at(now);
    options.rows = row_object::none;
    auto const table = make_table(w.store.definition(kind), std::span(&o, 1), options);
    return json::serialize(table.at("rows").at(0).at("cells"));
}

std::string pod_row(std::string const& status, int now = 0, std::string const& extra = "") {
    stored_sample w;
    w.make_pod("p", extra);
    json::object patch;
    patch["status"] = json::parse(status);
    auto const pod =
        w.store.patch_status(w.pods, "default", "p", patch_type::merge, json::serialize(patch), at(0)).value().object;
    auto const row = json::parse(cells(w, w.pods, pod, now)).get_array();
    std::string out;
    for (std::size_t i = 1; i < 5; ++i) out += (i == 1 ? "" : " ") + std::string(row[i].get_string());
    return out;
}

} // namespace

// Expected: kubernetes pkg/printers/internalversion/printers.go (printPod), apimachinery pkg/util/duration, v1.31.

BOOST_AUTO_TEST_CASE(ages_read_as_kubectl_prints_them) {
    using std::chrono::seconds;
    constexpr long minute = 60, hour = 3600, day = 24 * hour;
    BOOST_TEST(human_duration(seconds(-2)) == "<invalid>");
    BOOST_TEST(human_duration(seconds(-1)) == "0s");
    BOOST_TEST(human_duration(seconds(0)) == "0s");
    BOOST_TEST(human_duration(seconds(119)) == "119s");
    BOOST_TEST(human_duration(seconds(120)) == "2m");
    BOOST_TEST(human_duration(seconds(121)) == "2m1s");
    BOOST_TEST(human_duration(seconds(10 * minute + 5)) == "10m");
    BOOST_TEST(human_duration(seconds(3 * hour)) == "3h");
    BOOST_TEST(human_duration(seconds(3 * hour + 4 * minute)) == "3h4m");
    BOOST_TEST(human_duration(seconds(8 * hour + 30 * minute)) == "8h");
    BOOST_TEST(human_duration(seconds(2 * day + hour)) == "2d1h");
    BOOST_TEST(human_duration(seconds(8 * day)) == "8d");
    BOOST_TEST(human_duration(seconds(800 * day)) == "2y70d");
    BOOST_TEST(human_duration(seconds(9 * 365 * day)) == "9y");
}

BOOST_AUTO_TEST_CASE(pods_show_ready_status_restarts_and_age) {
    BOOST_TEST(pod_row(R"({"phase":"Pending"})") == "0/1 Pending 0 0s");
    BOOST_TEST(pod_row(R"({"phase":"Running","containerStatuses":[{"name":"c","ready":true,"restartCount":0,
                         "state":{"running":{}}}]})",
                       65) == "1/1 Running 0 65s");
    BOOST_TEST(pod_row(R"({"phase":"Succeeded","containerStatuses":[{"name":"c","ready":false,"restartCount":0,
                         "state":{"terminated":{"exitCode":0,"reason":"Completed"}}}]})") == "0/1 Completed 0 0s");
    BOOST_TEST(pod_row(R"({"phase":"Failed","containerStatuses":[{"name":"c","restartCount":0,
                         "state":{"terminated":{"exitCode":3}}}]})") == "0/1 ExitCode:3 0 0s");
    BOOST_TEST(pod_row(R"({"phase":"Failed","containerStatuses":[{"name":"c","restartCount":0,
                         "state":{"terminated":{"exitCode":137,"signal":9}}}]})") == "0/1 Signal:9 0 0s");
    BOOST_TEST(pod_row(R"({"phase":"Pending","containerStatuses":[{"name":"c","restartCount":0,
                         "state":{"waiting":{"reason":"ContainerCreating"}}}]})") == "0/1 ContainerCreating 0 0s");
    BOOST_TEST(pod_row(R"({"phase":"Running","containerStatuses":[{"name":"c","ready":true,"restartCount":2,
                         "state":{"running":{}},"lastState":{"terminated":{"finishedAt":"2026-03-01T10:00:20Z"}}}]})",
                       30) == "1/1 Running 2 (10s ago) 30s");
    BOOST_TEST(pod_row(R"({"phase":"Failed","reason":"Evicted"})") == "0/1 Evicted 0 0s");
}

BOOST_AUTO_TEST_CASE(init_containers_and_deletion_show_in_status) {
    std::string const init = R"(,"initContainers":[{"name":"i","image":"i"}])";
    BOOST_TEST(pod_row(R"({"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"running":{}}}]})", 0,
                       init) == "0/1 Init:0/1 0 0s");
    std::string const sidecar = R"(,"initContainers":[{"name":"i","image":"i","restartPolicy":"Always"}])";
    BOOST_TEST(pod_row(R"({"phase":"Running","initContainerStatuses":[{"name":"i","started":true,"ready":true,
                         "state":{"running":{}}}],"containerStatuses":[{"name":"c","ready":true,"restartCount":0,
                         "state":{"running":{}}}]})",
                       0, sidecar) == "2/2 Running 0 0s");
    BOOST_TEST(pod_row(R"({"phase":"Pending","initContainerStatuses":[{"name":"i","started":false,
                         "state":{"running":{}}}]})",
                       0, sidecar) == "0/2 Init:0/1 0 0s");
    stored_sample w;
    w.make_pod("p", R"(,"nodeName":"n")");
    auto const pod = w.store.remove(w.pods, "default", "p", {}, at(0)).value().object;
    BOOST_TEST(cells(w, w.pods, pod, 0) == R"(["p","0/1","Terminating","0","0s","<none>","n","<none>","<none>"])");
}

BOOST_AUTO_TEST_CASE(custom_resources_show_their_columns) {
    stored_sample w;
    w.make_job("j");
    BOOST_TEST(cells(w, w.jobs, w.find(w.jobs, "j"), 5) == R"(["j",null,"5s"])");
    auto const job =
        w.store.patch_status(w.jobs, "default", "j", patch_type::merge,
                             R"({"status":{"conditions":[{"type":"Created"},{"type":"Running"}]}})", at(1));
    BOOST_TEST(cells(w, w.jobs, job.value().object, 5) == R"(["j","Running","5s"])");
}

BOOST_AUTO_TEST_CASE(services_and_events_show_their_columns) {
    stored_sample w;
    auto const s = w.make(w.services, R"({"metadata":{"name":"s"},"spec":{"clusterIP":"None","ports":[{"port":23456}],
                                          "selector":{"a":"b"}}})");
    BOOST_TEST(cells(w, w.services, s, 5) == R"(["s","ClusterIP","None","<none>","23456/TCP","5s","a=b"])");
    auto const kind = *w.store.find("", "v1", "events");
    auto const e =
        w.make(kind, R"({"metadata":{"name":"e"},"involvedObject":{"kind":"PyTorchJob","name":"j"},"type":"Normal",
        "reason":"Created","message":"made\n","count":2,"lastTimestamp":"2026-03-01T10:00:01Z"})");
    BOOST_TEST(cells(w, kind, e, 5) == R"(["4s","Normal","Created","pytorchjob/j","","","made","<unknown>",2,"e"])");
}

BOOST_AUTO_TEST_CASE(endpoint_slices_show_three_ports_and_addresses) {
    stored_sample w;
    auto const kind = *w.store.find("discovery.k8s.io", "v1", "endpointslices");
    auto const row = [&](std::string const& name, std::string const& rest) {
        auto const o = w.make(kind, R"({"metadata":{"name":")" + name + R"("},"addressType":"IPv4",)" + rest + "}");
        return cells(w, kind, o, 5);
    };
    BOOST_TEST(row("a", R"("endpoints":[],"ports":[])") == R"(["a","IPv4","<unset>","<unset>","5s"])");
    BOOST_TEST(row("b", R"("endpoints":[{"addresses":["10.0.0.1","10.0.0.2"]},{"addresses":["10.0.0.3"]},)"
                        R"({"addresses":["10.0.0.4"]}],"ports":[{"port":80},{"name":"x"},{}])") ==
               R"(["b","IPv4","80,x,*","10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...","5s"])");
}

BOOST_AUTO_TEST_CASE(autoscalers_show_current_values_and_targets) {
    stored_sample w;
    auto const kind = *w.store.find("autoscaling", "v2", "horizontalpodautoscalers");
    auto const o = w.make(
        kind, R"({"metadata":{"name":"a"},"spec":{"scaleTargetRef":{"kind":"PyTorchJob","name":"j"},"maxReplicas":8,
        "metrics":[
        {"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}},
        {"type":"External","external":{"metric":{"name":"q"},"target":{"type":"AverageValue","averageValue":"10"}}},
        {"type":"Pods","pods":{"metric":{"name":"p"},"target":{"type":"AverageValue","averageValue":"1"}}}]}})");
    BOOST_TEST(cells(w, kind, o, 5) ==
               R"(["a","PyTorchJob/j","cpu: <unknown>/80%, <unknown>/10 (avg) + 1 more...","<unset>",8,0,"5s"])");
    auto const next = w.store.patch_status(
        kind, "default", "a", patch_type::merge,
        R"({"status":{"currentReplicas":2,"currentMetrics":[{"type":"Resource","resource":{"name":"cpu","current":)"
        R"({"averageUtilization":95}}},{"type":"External","external":{"metric":{"name":"q"},"current":)"
        R"({"averageValue":"12"}}}]}})",
        at(1));
    BOOST_TEST(cells(w, kind, next.value().object, 5) ==
               R"(["a","PyTorchJob/j","cpu: 95%/80%, 12/10 (avg) + 1 more...","<unset>",8,2,"5s"])");
}

BOOST_AUTO_TEST_SUITE_END()

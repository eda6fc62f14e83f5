#include <kftrain/job/observed_types.hpp>

#include <kftrain/objects/core.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(job_observed_types)

using namespace kftrain;

namespace {

std::string const text = R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"n","uid":"u",
 "resourceVersion":"7","generateName":"x","labels":{"a":"b"},
 "annotations":{"a":"1","volcano.sh/task-spec":"worker","z":null,"c":"d"},"finalizers":["f"],
 "ownerReferences":[{"apiVersion":"v1","kind":"K","name":"o","uid":"w","controller":true,"blockOwnerDeletion":true}],
 "managedFields":[{"manager":"m"}]},
 "spec":{"nodeName":"node","hostname":"h","subdomain":"s","restartPolicy":"Never",
 "containers":[{"name":"c","image":"i","ports":[{"name":"http","containerPort":80}]}]},
 "status":{"phase":"Failed","podIP":"1.2.3.4","hostIP":"5.6.7.8","conditions":[{"type":"Ready","status":"False"}],
 "containerStatuses":[{"name":"c","image":"i","imageID":"id","restartCount":3,"ready":true,
 "state":{"terminated":{"exitCode":137,"reason":"OOMKilled"}},"lastState":{"terminated":{"exitCode":1}}}]},
 "later":{"deep":[1,{"a":"}"}]}})";

void check(pod const& p) {
    auto wanted = from_json<pod>(text).value();
    wanted.metadata.generate_name.clear();
    wanted.metadata.annotations = {{"volcano.sh/task-spec", "worker"}};
    wanted.metadata.managed_fields.clear();
    wanted.metadata.owner_references[0].block_owner_deletion.reset();
    wanted.spec.restart_policy.clear();
    wanted.spec.containers.clear(); // as it has ended
    wanted.status.host_ip.clear();
    wanted.status.container_statuses[0].image.clear();
    wanted.status.container_statuses[0].image_id.clear();
    wanted.unknown = unknown_fields();
    BOOST_TEST(to_json(p) == to_json(wanted));
}

} // namespace

// The fields that are kept of the objects that operators and the kubelet follow.

BOOST_AUTO_TEST_CASE(an_observed_pod_keeps_only_the_used_fields) {
    auto const& type = observed_pod_type();
    BOOST_TEST((type.model == object_type_of<pod>.model)); // is taken for a pod
    auto const object = type.decode(text);
    BOOST_REQUIRE(object.has_value());
    check(*static_cast<pod const*>(object->get()));
    BOOST_TEST(type.metadata(object->get()).name == "p");
}

BOOST_AUTO_TEST_CASE(observed_pods_in_lists_keep_only_the_used_fields) {
    std::vector<erased_object> items;
    auto const list = observed_pod_type().decode_list(
        R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[)" + text + "," + text +
            "]}",
        items);
    BOOST_REQUIRE(list.has_value());
    BOOST_TEST(list->resource_version == "9");
    BOOST_REQUIRE(items.size() == 2U);
    for (auto const& i : items) check(*static_cast<pod const*>(i.get()));
}

BOOST_AUTO_TEST_CASE(an_observed_pod_keeps_named_ports_while_it_can_be_an_endpoint) {
    auto const kept = [](std::string const& status) {
        auto const object = observed_pod_type().decode(
            R"({"spec":{"initContainers":[{"name":"i","image":"x"},{"name":"j","restartPolicy":"Always",)"
            R"("ports":[{"name":"a","containerPort":1}]}],"containers":[{"name":"c","ports":[{"containerPort":2}]},)"
            R"({"name":"d","image":"x","ports":[{"containerPort":3},{"name":"b","containerPort":4}]}]},"status":)" +
            status + "}");
        return to_json(*static_cast<pod const*>(object.value().get()));
    };
    BOOST_TEST(kept(R"({"phase":"Running","podIP":"1.2.3.4"})") ==
               R"({"apiVersion":"v1","kind":"Pod","spec":{"initContainers":[{)"
               R"("name":"","ports":[{"name":"a","containerPort":1}],"restartPolicy":"Always"}],)"
               R"("containers":[{"name":"","ports":[{"containerPort":3},{"name":"b","containerPort":4}]}]},)"
               R"("status":{"phase":"Running","podIP":"1.2.3.4"}})");
    for (auto const* status : {R"({"phase":"Pending"})", R"({"phase":"Succeeded","podIP":"1.2.3.4"})"})
        BOOST_TEST(kept(status).find("ontainers") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(invalid_observed_pods_are_rejected) {
    BOOST_TEST(!observed_pod_type().decode(R"({"kind":"Service","apiVersion":"v1"})").has_value());
    BOOST_TEST(!observed_pod_type().decode(R"({"metadata":{"name":5}})").has_value());
    BOOST_TEST(!observed_pod_type().decode(R"({"spec":{"containers":[)").has_value());
}

BOOST_AUTO_TEST_CASE(an_observed_service_keeps_its_selector_ports_and_address) {
    auto const object = observed_service_type().decode(
        R"({"metadata":{"name":"s","labels":{"a":"b"}},"spec":{"clusterIP":"None","selector":{"x":"y"},)"
        R"("publishNotReadyAddresses":true,"ports":[{"port":1}]}})");
    BOOST_REQUIRE(object.has_value());
    BOOST_TEST(to_json(*static_cast<service const*>(object->get())) ==
               R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s","labels":{"a":"b"}},)"
               R"("spec":{"ports":[{"port":1}],"selector":{"x":"y"},"clusterIP":"None",)"
               R"("publishNotReadyAddresses":true}})");
}

BOOST_AUTO_TEST_SUITE_END()

#include "unit/apiserver/http/running_server.hpp"

#include <boost/test/unit_test.hpp>

using namespace sample;

// Expected texts: answers of kube-apiserver v1.31.3.
namespace {

struct namespaced : running {
    static inline std::string const pod_text =
        R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})";

    struct answered {
        unsigned status = 0;
        json::object body;
        std::string text(std::string_view path) const {
            auto const* v = at_path(body, path);
            return v == nullptr ? "" : v->is_string() ? std::string(v->get_string()) : json::serialize(*v);
        }
    };
    answered send(std::string method, std::string target, std::string body = "",
                  std::string type = "application/json") {
        auto r = open(request(std::move(method), std::move(target), std::move(body), std::move(type)));
        answered out;
        out.status = r.head.status;
        piece p;
        read(*r.body, p);
        out.body = parse_object(p->text).value();
        return out;
    }
    static std::string in(std::string const& ns, std::string const& plural) {
        return "/api/v1/namespaces/" + ns + "/" + plural;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_namespaces, namespaced)

BOOST_AUTO_TEST_CASE(standard_namespaces_exist_from_the_start) {
    std::string names;
    auto const all = send("GET", "/api/v1/namespaces");
    for (auto const& item : *array_in(all.body, "items"))
        names.append(text_in(metadata_of(item.as_object()), "name")).append(" ");
    BOOST_TEST(names == "default kube-node-lease kube-public kube-system ");
    auto const one = send("GET", "/api/v1/namespaces/kube-system");
    BOOST_TEST(one.text("spec.finalizers") == R"(["kubernetes"])");
    BOOST_TEST(one.text("status.phase") == "Active");
}

BOOST_AUTO_TEST_CASE(nothing_is_created_in_a_namespace_that_does_not_exist) {
    std::string const job = R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"j"}})";
    for (auto const& [target, body] :
         {std::pair(in("none", "pods"), pod_text),
          std::pair(in("none", "pods"), std::string(R"({"metadata":{"name":"p"}})")),
          std::pair(in("none", "events"), std::string(R"({"metadata":{"name":"e"}})")),
          std::pair(std::string("/apis/kubeflow.org/v1/namespaces/none/pytorchjobs"), job)}) {
        auto const r = send("POST", target, body);
        BOOST_TEST(r.status == 404u, target);
        BOOST_TEST(r.text("message") == "namespaces \"none\" not found", target);
        BOOST_TEST(r.text("reason") == "NotFound", target);
        BOOST_TEST(r.text("details") == R"({"name":"none","kind":"namespaces"})", target);
    }
    BOOST_TEST(send("POST", in("none", "pods"), R"({"metadata":{"name":"p","namespace":"default"}})").text("message") ==
               "the namespace of the provided object does not match the namespace sent on the request");
    BOOST_TEST(send("GET", in("none", "pods")).status == 200u);
    BOOST_TEST(send("GET", in("none", "pods/p")).text("message") == "pods \"p\" not found");
    BOOST_TEST(send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"none"}})").status == 201u);
    BOOST_TEST(send("POST", in("none", "pods"), pod_text).status == 201u);
}

BOOST_AUTO_TEST_CASE(standard_namespaces_cannot_be_deleted) {
    for (std::string const name : {"default", "kube-public", "kube-system"}) {
        auto const r = send("DELETE", "/api/v1/namespaces/" + name);
        BOOST_TEST(r.status == 403u, name);
        BOOST_TEST(r.text("message") == "namespaces \"" + name + "\" is forbidden: this namespace may not be deleted");
        BOOST_TEST(r.text("reason") == "Forbidden", name);
    }
    BOOST_TEST(send("DELETE", "/api/v1/namespaces/kube-node-lease").status == 200u);
    turn();
    BOOST_TEST(send("GET", "/api/v1/namespaces/kube-node-lease").status == 404u);
    BOOST_TEST(send("DELETE", "/api/v1/namespaces").status == 405u);
    BOOST_TEST(send("GET", "/api/v1/namespaces/default").text("status.phase") == "Active");
}

BOOST_AUTO_TEST_CASE(deleting_a_namespace_deletes_its_content_first) {
    BOOST_TEST(send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})").status == 201u);
    BOOST_TEST(send("POST", in("team", "pods"), pod_text).status == 201u);
    BOOST_TEST(
        send("POST", in("team", "pods/p/binding"), R"({"metadata":{"name":"p"},"target":{"name":"n"}})").status ==
        201u);
    BOOST_TEST(send("POST", in("team", "configmaps"), R"({"metadata":{"name":"c"}})").status == 201u);
    auto const version = std::to_string(server->store().version());
    auto w = open("GET", "/api/v1/namespaces?watch=1&resourceVersion=" + version);
    auto const marked = send("DELETE", "/api/v1/namespaces/team");
    BOOST_TEST(marked.status == 200u);
    BOOST_TEST(marked.text("status.phase") == "Terminating");
    BOOST_TEST(marked.text("spec.finalizers") == R"(["kubernetes"])");
    turn();
    BOOST_TEST(send("GET", in("team", "configmaps/c")).status == 404u);
    auto const pod = send("GET", in("team", "pods/p")); // its kubelet ends it
    BOOST_TEST(pod.text("metadata.deletionTimestamp") != "");
    auto const late = send("POST", in("team", "pods"), R"({"metadata":{"name":"q"}})");
    BOOST_TEST(late.status == 403u);
    BOOST_TEST(late.text("message") ==
               "pods \"q\" is forbidden: unable to create new content in namespace team because "
               "it is being terminated");
    BOOST_TEST(late.text("details.causes") ==
               R"([{"reason":"NamespaceTerminating","message":"namespace team is being terminated",)"
               R"("field":"metadata.namespace"}])");
    BOOST_TEST(send("DELETE", in("team", "pods/p?gracePeriodSeconds=0")).status == 200u);
    turn();
    BOOST_TEST(send("GET", "/api/v1/namespaces/team").status == 404u);
    piece p;
    read(*w.body, p);
    BOOST_TEST(types(p->text) == "MODIFIED:team MODIFIED:team DELETED:team ");
}

BOOST_AUTO_TEST_CASE(the_finalizer_of_a_namespace_is_set_by_the_server) {
    BOOST_TEST(send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})").status == 201u);
    auto const patched =
        send("PATCH", "/api/v1/namespaces/team", R"({"spec":{"finalizers":[]}})", "application/merge-patch+json");
    BOOST_TEST(patched.text("spec.finalizers") == R"(["kubernetes"])");
    auto const other =
        send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"b"},"spec":{"finalizers":["example.com/x"]}})");
    BOOST_TEST(other.status == 422u); // no controller would remove it
}

BOOST_AUTO_TEST_SUITE_END()

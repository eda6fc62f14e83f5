#ifndef KFTRAIN_TEST_UNIT_APISERVER_DEFINITIONS_SERVED_DEFINITIONS_HPP
#define KFTRAIN_TEST_UNIT_APISERVER_DEFINITIONS_SERVED_DEFINITIONS_HPP

#include "unit/apiserver/requests.hpp"

#include "apiserver/definitions/crd.hpp"

#include <boost/test/unit_test.hpp>

namespace sample {

inline std::string const crds_path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
inline std::string const widgets_path = "/apis/acme.example.com/v1/namespaces/default/widgets";

inline std::string const widget_schema =
    R"({"type":"object","properties":{"spec":{"type":"object","required":["size"],"properties":{
"size":{"type":"integer","minimum":1},"colour":{"type":"string","default":"red","pattern":"^[a-z]+$"}}},
"status":{"type":"object","properties":{"ready":{"type":"integer"}}}}})";

inline std::string version_text(std::string const& name, bool stored, std::string const& schema = widget_schema,
                                std::string const& more = R"(,"subresources":{"status":{}})") {
    return R"({"name":")" + name + R"(","served":true,"storage":)" + (stored ? "true" : "false") +
           R"(,"schema":{"openAPIV3Schema":)" + schema + "}" + more + "}";
}

struct crd_text {
    std::string name = "widgets.acme.example.com";
    std::string group = R"("group":"acme.example.com",)";
    std::string scope = R"("scope":"Namespaced",)";
    std::string names = R"("names":{"kind":"Widget","plural":"widgets","shortNames":["wd"],"categories":["all"]},)";
    std::string versions = version_text("v1", true);
    std::string more;     ///< of the specification
    std::string metadata; ///< more of it

    std::string text() const {
        return R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":")" +
               name + "\"" + metadata + R"(},"spec":{)" + group + scope + names + more + R"("versions":[)" + versions +
               "]}}";
    }
};

/// A server that takes definitions.
struct served_definitions : served {
    served_definitions() { store.add(crd_resource()); }

    reply define(crd_text const& crd = {}) { return send("POST", crds_path, crd.text()); }
    reply redefine(crd_text const& crd) {
        auto changed = crd;
        changed.metadata = R"(,"resourceVersion":")" +
                           member(send("GET", crds_path + "/" + crd.name), "metadata.resourceVersion") + "\"";
        return send("PUT", crds_path + "/" + crd.name, changed.text());
    }
    reply make_widget(std::string const& spec, std::string const& version = "v1", std::string const& name = "w") {
        return send("POST", "/apis/acme.example.com/" + version + "/namespaces/default/widgets",
                    R"({"apiVersion":"acme.example.com/)" + version + R"(","kind":"Widget","metadata":{"name":")" +
                        name + R"("},"spec":)" + spec + "}");
    }
    void settle() {
        while (store.has_garbage()) store.collect_garbage(at(1));
    }
    static std::vector<std::string> warnings(reply const& r) {
        std::vector<std::string> out;
        for (auto const& [name, value] : r.fields)
            if (name == "Warning") out.emplace_back(value);
        return out;
    }
};

} // namespace sample

#endif

// Expected texts: kubernetes v1.31, `plugin/pkg/auth/authorizer/rbac`, apiserver
// `pkg/endpoints/handlers/responsewriters/errors.go`.
#include "unit/apiserver/requests.hpp"

#include "apiserver/access/policy_rules.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace sample;

std::string const access_group = "/apis/rbac.authorization.k8s.io/v1/";
std::string const authorization_group = "/apis/authorization.k8s.io/v1/";

struct guarded : served {
    guarded() { add_default_roles(store, at(0)); }

    reply as(user_info const& user, kube::http_request const& r, int when = 0) {
        auto out = requests.handle(r, at(when), &user);
        if (out.list) out.body = out.list->rest();
        return out;
    }
    reply as(user_info const& user, std::string method, std::string target, std::string body = "",
             std::string type = "application/json") {
        return as(user, request(std::move(method), std::move(target), std::move(body), std::move(type)));
    }
    std::string message(user_info const& user, std::string method, std::string target, std::string body = "") {
        auto const r = as(user, std::move(method), std::move(target), std::move(body));
        return r.status == 403 ? member(r, "message") : std::to_string(r.status);
    }
    unsigned status(user_info const& user, std::string method, std::string target, std::string body = "") {
        return as(user, std::move(method), std::move(target), std::move(body)).status;
    }
    void add(std::string const& plural, std::string const& text) {
        auto const r = send("POST", access_group + plural, text);
        BOOST_TEST_REQUIRE(r.status == 201U, r.body);
    }
    void add_role(std::string const& name, std::string const& rules) {
        add("namespaces/default/roles", R"({"metadata":{"name":")" + name + R"("},"rules":[)" + rules + "]}");
    }
    void bind(std::string const& role, std::string const& subject, std::string const& kind = "Role",
              std::string const& path = "namespaces/default/rolebindings") {
        add(path, R"({"metadata":{"generateName":"b"},"subjects":[)" + subject +
                      R"(],"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":")" + kind + R"(","name":")" +
                      role + R"("}})");
    }

    user_info jane{"jane", {"team-a", "system:authenticated"}};
    user_info account = user_info::service_account("default", "trainer");
};

std::string const user_jane = R"({"kind":"User","name":"jane"})";
std::string const group_a = R"({"kind":"Group","name":"team-a"})";
std::string const the_account = R"({"kind":"ServiceAccount","name":"trainer"})";
std::string const reads_pods = R"({"apiGroups":[""],"resources":["pods"],"verbs":["get","list","watch"]})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_authorizer, guarded)

BOOST_AUTO_TEST_CASE(without_a_role_everything_but_discovery_is_forbidden) {
    BOOST_TEST(
        message(jane, "GET", pods_path) ==
        R"(pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default")");
    BOOST_TEST(
        message(jane, "GET", pods_path + "/p") ==
        R"(pods "p" is forbidden: User "jane" cannot get resource "pods" in API group "" in the namespace "default")");
    BOOST_TEST(message(jane, "GET", pods_path + "?fieldSelector=metadata.name%3Dp&watch=1") ==
               R"(pods "p" is forbidden: User "jane" cannot watch resource "pods" in API group "" in the namespace )"
               R"("default")");
    BOOST_TEST(message(jane, "GET", "/api/v1/nodes") ==
               R"(nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope)");
    BOOST_TEST(
        message(jane, "DELETE", jobs_path) ==
        R"(pytorchjobs.kubeflow.org is forbidden: User "jane" cannot deletecollection resource "pytorchjobs" in )"
        R"(API group "kubeflow.org" in the namespace "default")");
    BOOST_TEST(
        message(account, "PATCH", jobs_path + "/j/status") ==
        R"(pytorchjobs.kubeflow.org "j" is forbidden: User "system:serviceaccount:default:trainer" cannot patch )"
        R"(resource "pytorchjobs/status" in API group "kubeflow.org" in the namespace "default")");
    BOOST_TEST(message(jane, "GET", "/api/v1/namespaces/x") ==
               R"(namespaces "x" is forbidden: User "jane" cannot get resource "namespaces" in API group "" in the )"
               R"(namespace "x")");
    BOOST_TEST(message(jane, "GET", "/metrics") == R"(forbidden: User "jane" cannot get path "/metrics")");
    auto const refused = as(jane, "POST", jobs_path, "{}");
    BOOST_TEST(refused.status == 403U);
    BOOST_TEST(member(refused, "reason") == "Forbidden");
    BOOST_TEST(member(refused, "details") == R"({"group":"kubeflow.org","kind":"pytorchjobs"})");
    for (auto const* path : {"/api", "/apis/kubeflow.org/v1", "/version", "/openapi/v2", "/healthz"})
        BOOST_TEST(status(jane, "GET", path) == 200U, path);
    BOOST_TEST(status(user_info("nobody"), "GET", "/api") == 403U); // not even authenticated
    BOOST_TEST(status(user_info::cluster_admin(), "GET", "/api/v1/nodes") == 200U);
}

BOOST_AUTO_TEST_CASE(a_binding_gives_the_permissions_of_its_role_in_its_namespace) {
    add_role("reader", reads_pods);
    BOOST_TEST(status(jane, "GET", pods_path) == 403U);
    bind("reader", user_jane);
    BOOST_TEST(status(jane, "GET", pods_path) == 200U);
    BOOST_TEST(status(jane, "GET", "/api/v1/namespaces/other/pods") == 403U);
    BOOST_TEST(status(jane, "GET", "/api/v1/pods") == 403U);
    BOOST_TEST(status(jane, "DELETE", pods_path) == 403U);
    BOOST_TEST(status(account, "GET", pods_path) == 403U);
    bind("reader", the_account); // of the namespace of the binding
    BOOST_TEST(status(account, "GET", pods_path) == 200U);
    BOOST_TEST(status(user_info::service_account("other", "trainer"), "GET", pods_path) == 403U);
    // A change of the role counts at once.
    BOOST_TEST(send("DELETE", access_group + "namespaces/default/roles/reader").status == 200U);
    BOOST_TEST(message(jane, "GET", pods_path) ==
               R"(pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace )"
               R"("default": RBAC: role.rbac.authorization.k8s.io "reader" not found)");
    add_role("reader", R"({"apiGroups":[""],"resources":["pods"],"verbs":["list"]})");
    BOOST_TEST(status(jane, "GET", pods_path) == 200U);
    BOOST_TEST(status(jane, "GET", pods_path + "/p") == 403U);
}

BOOST_AUTO_TEST_CASE(names_subresources_and_wildcards_limit_a_rule) {
    add_role("narrow", R"({"apiGroups":["kubeflow.org"],"resources":["*/status"],"verbs":["patch"]},)"
                       R"({"apiGroups":[""],"resources":["configmaps"],"resourceNames":["c"],"verbs":["get","list"]},)"
                       R"({"apiGroups":["*"],"resources":["services"],"verbs":["*"]})");
    bind("narrow", group_a);
    BOOST_TEST(status(jane, "PATCH", jobs_path + "/j") == 403U);
    BOOST_TEST(status(jane, "PATCH", jobs_path + "/j/status") == 415U);
    BOOST_TEST(status(jane, "PATCH", pods_path + "/p/status") == 403U);
    auto const maps = std::string("/api/v1/namespaces/default/configmaps");
    BOOST_TEST(status(jane, "GET", maps + "/c") == 404U);
    BOOST_TEST(status(jane, "GET", maps + "/d") == 403U);
    BOOST_TEST(status(jane, "GET", maps) == 403U);
    BOOST_TEST(status(jane, "GET", maps + "?fieldSelector=metadata.name=c") == 200U);
    BOOST_TEST(status(jane, "DELETE", "/api/v1/namespaces/default/services/s") == 404U);
}

BOOST_AUTO_TEST_CASE(cluster_roles_are_bound_in_a_namespace_or_in_all) {
    bind("view", user_jane, "ClusterRole");
    BOOST_TEST(status(jane, "GET", pods_path) == 200U);
    BOOST_TEST(status(jane, "GET", "/api/v1/pods") == 403U);
    BOOST_TEST(status(jane, "GET", "/api/v1/namespaces/default/secrets") == 403U);
    BOOST_TEST(status(jane, "GET", jobs_path) == 403U);
    add("clusterroles",
        R"({"metadata":{"name":"jobs","labels":{"rbac.authorization.k8s.io/aggregate-to-view":"true"}},)"
        R"("rules":[{"apiGroups":["kubeflow.org"],"resources":["*"],"verbs":["list"]}]})");
    BOOST_TEST(status(jane, "GET", jobs_path) == 200U); // by aggregation
    bind("edit", group_a, "ClusterRole", "clusterrolebindings");
    BOOST_TEST(status(jane, "GET", "/api/v1/secrets") == 200U);
    BOOST_TEST(status(jane, "GET", jobs_path) == 200U); // edit contains view
    BOOST_TEST(status(jane, "GET", access_group + "roles") == 403U);
    bind("cluster-admin", the_account, "ClusterRole", "clusterrolebindings");
    BOOST_TEST(status(account, "GET", "/api/v1/nodes") == 403U); // without its namespace there is no such account
    bind("cluster-admin", R"({"kind":"ServiceAccount","name":"trainer","namespace":"default"})", "ClusterRole",
         "clusterrolebindings");
    BOOST_TEST(status(account, "GET", "/api/v1/nodes") == 200U);
    BOOST_TEST(status(account, "GET", "/metrics") == 404U);
}

BOOST_AUTO_TEST_CASE(an_apply_that_creates_needs_the_verb_create) {
    add_role("patcher", R"({"apiGroups":[""],"resources":["configmaps"],"verbs":["patch"]})");
    bind("patcher", user_jane);
    auto const path = std::string("/api/v1/namespaces/default/configmaps/c");
    auto const body = std::string(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}})");
    auto const apply = [&](user_info const& user) {
        return as(user, "PATCH", path + "?fieldManager=m", body, "application/apply-patch+yaml");
    };
    auto const refused = apply(jane);
    BOOST_TEST(member(refused, "message") ==
               R"(configmaps "c" is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the )"
               R"(namespace "default")");
    BOOST_TEST(apply(user_info::cluster_admin()).status == 201U);
    BOOST_TEST(apply(jane).status == 200U);
}

BOOST_AUTO_TEST_CASE(a_websocket_to_a_pod_needs_get_or_create) {
    make_pod("p");
    auto const path = pods_path + "/p/exec?command=true&stdout=1";
    BOOST_TEST(status(jane, "GET", path) == 403U);
    add_role("runner", R"({"apiGroups":[""],"resources":["pods/exec"],"verbs":["create"]})");
    bind("runner", user_jane);
    BOOST_TEST(status(jane, "GET", path) == 400U); // not on a node
    BOOST_TEST(status(jane, "GET", pods_path + "/p/log") == 403U);
}

BOOST_AUTO_TEST_CASE(impersonation_needs_a_permission) {
    auto const as_other = [&](user_info const& user, std::string other, std::string group = "") {
        auto r = request("GET", pods_path);
        r.fields.add("Impersonate-User", std::move(other));
        if (!group.empty()) r.fields.add("impersonate-group", std::move(group));
        return as(user, r);
    };
    bind("view", user_jane, "ClusterRole");
    BOOST_TEST(member(as_other(jane, "bob"), "message") ==
               R"(users "bob" is forbidden: User "jane" cannot impersonate resource "users" in API group "" at the )"
               R"(cluster scope)");
    auto const admin = user_info::cluster_admin();
    BOOST_TEST(as_other(admin, "bob").status == 403U);
    BOOST_TEST(as_other(admin, "jane").status == 200U);
    BOOST_TEST(as_other(admin, "bob", "system:masters").status == 200U);
    bind("edit", user_jane, "ClusterRole"); // which permits to impersonate the accounts of its namespace
    bind("view", R"({"kind":"Group","name":"system:serviceaccounts:default"})", "ClusterRole");
    BOOST_TEST(as_other(jane, "system:serviceaccount:default:trainer").status == 200U);
    BOOST_TEST(as_other(jane, "system:serviceaccount:default:trainer", "system:masters").status == 403U);
    BOOST_TEST(as_other(jane, "system:serviceaccount:other:trainer").status == 403U);
}

// Expected: apiserver pkg/endpoints/filters/impersonation.go, v0.31.
BOOST_AUTO_TEST_CASE(impersonation_of_a_uid_and_of_extra_values_needs_permissions) {
    using strings = std::vector<std::pair<std::string, std::string>>;
    auto const who_is = [&](user_info const& user, strings const& fields) {
        auto r = request("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
        for (auto const& [name, value] : fields) r.fields.add(name, value);
        return as(user, r);
    };
    strings const bob{{"Impersonate-User", "bob"},
                      {"Impersonate-Uid", "u-7"},
                      {"Impersonate-Extra-Acme.com%2fProject", "a"},
                      {"impersonate-extra-acme.com%2Fproject", "b"},
                      {"Impersonate-Extra-100%", "c"}};
    auto const admin = user_info::cluster_admin();
    auto const shown = who_is(admin, bob);
    BOOST_TEST(shown.status == 201U);
    BOOST_TEST(member(shown, "status.userInfo") == R"({"username":"bob","uid":"u-7","groups":["system:authenticated"],)"
                                                   R"("extra":{"100%":["c"],"acme.com/project":["a","b"]}})");
    for (auto const& [field, value] : strings{{"Impersonate-User", "a\xff"},
                                              {"Impersonate-Group", "\xc3"},
                                              {"Impersonate-Uid", "\xff"},
                                              {"Impersonate-Extra-a", "\xff"}}) {
        auto const refused = who_is(admin, {bob[0], {field, value}});
        BOOST_TEST(refused.status == 400U, field);
        BOOST_TEST(member(refused, "message") == field + ": expected UTF-8, got other bytes");
    }
    bind("impersonator", user_jane, "ClusterRole", "clusterrolebindings");
    auto const permit = [&](std::string const& group, std::string const& resources) {
        auto const role = R"({"metadata":{"name":"impersonator"},"rules":[{"apiGroups":["","authentication.k8s.io"],)"
                          R"("verbs":["impersonate"],"resources":[)" +
                          resources + "]}]}";
        auto const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles" + group;
        return as(admin, group.empty() ? "POST" : "PUT", path, role).status;
    };
    BOOST_TEST(permit("", R"("users")") == 201U);
    BOOST_TEST(
        member(who_is(jane, {bob[0], bob[1]}), "message") ==
        R"(uids.authentication.k8s.io "u-7" is forbidden: User "jane" cannot impersonate resource "uids" in API )"
        R"(group "authentication.k8s.io" at the cluster scope)");
    BOOST_TEST(member(who_is(jane, {bob[0], bob[2]}), "message") ==
               R"(userextras.authentication.k8s.io "a" is forbidden: User "jane" cannot impersonate resource )"
               R"("userextras/acme.com/project" in API group "authentication.k8s.io" at the cluster scope)");
    BOOST_TEST(permit("/impersonator", R"("users","uids","userextras/acme.com/project")") == 200U);
    BOOST_TEST(who_is(jane, {bob[0], bob[1], bob[2], bob[3]}).status == 201U);
    BOOST_TEST(who_is(jane, bob).status == 403U); // another key
    BOOST_TEST(member(who_is(admin, {bob[0], {"Impersonate-Extra-%ff", "a"}}), "status.userInfo.extra") ==
               R"({"%ff":["a"]})");
    BOOST_TEST(who_is(admin, {bob[1]}).status == 500U);
    BOOST_TEST(who_is(admin, {bob[2]}).status == 500U);
    bind("view", R"({"kind":"Group","name":"system:unauthenticated"})", "ClusterRole");
    auto list = request("GET", pods_path);
    list.fields.add("Impersonate-User", "system:anonymous");
    BOOST_TEST(as(admin, list).status == 200U);
}

BOOST_AUTO_TEST_CASE(reviews_report_permissions) {
    add_role("reader", reads_pods);
    bind("reader", user_jane);
    auto const review = [&](user_info const& user, std::string const& plural, std::string const& spec) {
        return as(user, "POST", authorization_group + plural, R"({"spec":)" + spec + "}");
    };
    auto const list_pods =
        std::string(R"("resourceAttributes":{"namespace":"default","verb":"list","resource":"pods"})");
    auto const own = review(jane, "selfsubjectaccessreviews", "{" + list_pods + "}");
    BOOST_TEST(own.status == 201U);
    BOOST_TEST(member(own, "status.allowed") == "true");
    auto const reason = member(own, "status.reason");
    BOOST_TEST(reason.starts_with("RBAC: allowed by RoleBinding \"b"), reason);
    BOOST_TEST(reason.ends_with("/default\" of Role \"reader\" to User \"jane\""), reason);
    auto const other = review(account, "selfsubjectaccessreviews", "{" + list_pods + "}");
    BOOST_TEST(member(other, "status") == R"({"allowed":false})");
    auto const path =
        review(jane, "selfsubjectaccessreviews", R"({"nonResourceAttributes":{"path":"/apis/x","verb":"get"}})");
    BOOST_TEST(member(path, "status.allowed") == "true");

    BOOST_TEST(review(jane, "subjectaccessreviews", R"({"user":"bob",)" + list_pods + "}").status == 403U);
    auto const admin = user_info::cluster_admin();
    BOOST_TEST(member(review(admin, "subjectaccessreviews", R"({"user":"jane",)" + list_pods + "}"),
                      "status.allowed") == "true");
    BOOST_TEST(member(review(admin, "subjectaccessreviews", R"({"user":"bob",)" + list_pods + "}"), "status.allowed") ==
               "false");
    BOOST_TEST(review(admin, "subjectaccessreviews", "{" + list_pods + "}").status == 422U);

    auto const rules = review(account, "selfsubjectrulesreviews", R"({"namespace":"default"})");
    BOOST_TEST(rules.status == 201U);
    BOOST_TEST(member(rules, "status.resourceRules").find("selfsubjectaccessreviews") != std::string::npos);
    BOOST_TEST(member(rules, "status.resourceRules").find(R"("pods")") == std::string::npos);
    auto const of_jane = review(jane, "selfsubjectrulesreviews", R"({"namespace":"default"})");
    BOOST_TEST(member(of_jane, "status.resourceRules")
                   .find(R"({"verbs":["get","list","watch"],"apiGroups":[""],"resources":["pods"]})") !=
               std::string::npos);
    BOOST_TEST(review(jane, "selfsubjectrulesreviews", "{}").status == 400U);
    auto const who = as(jane, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
    BOOST_TEST(member(who, "status.userInfo") == R"({"username":"jane","groups":["team-a","system:authenticated"]})");
}

// Expected: kubernetes `pkg/registry/rbac/validation/rule.go`, `pkg/apis/rbac/v1/evaluation_helpers.go`, v1.31.
BOOST_AUTO_TEST_CASE(a_role_with_more_permissions_than_its_author_is_rejected) {
    bind("admin", user_jane, "ClusterRole");
    auto const roles = access_group + "namespaces/default/roles";
    auto const role = [](std::string const& name, std::string const& rules) {
        return R"({"metadata":{"name":")" + name + R"("},"rules":[)" + rules + "]}";
    };
    auto const head = std::string(R"(roles.rbac.authorization.k8s.io "r" is forbidden: user "jane" )") +
                      R"((groups=["team-a" "system:authenticated"]) is attempting to grant RBAC permissions not )" +
                      "currently held:\n";
    auto const too_much =
        role("r", R"({"apiGroups":["kubeflow.org"],"resources":["pytorchjobs"],"verbs":["get","list"]},)"
                  R"({"apiGroups":[""],"resources":["nodes"],"resourceNames":["n"],"verbs":["get"]},)" +
                      reads_pods);
    BOOST_TEST(message(jane, "POST", roles, too_much) ==
               head + "{APIGroups:[\"\"], Resources:[\"nodes\"], ResourceNames:[\"n\"], Verbs:[\"get\"]}\n" +
                   "{APIGroups:[\"kubeflow.org\"], Resources:[\"pytorchjobs\"], Verbs:[\"get\" \"list\"]}");
    BOOST_TEST(status(jane, "GET", roles + "/r") == 404U);
    BOOST_TEST(status(jane, "POST", roles, role("r", reads_pods)) == 201U);
    auto const patch = std::string(R"({"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]})");
    auto const widened = as(jane, "PATCH", roles + "/r", patch, "application/merge-patch+json");
    BOOST_TEST(member(widened, "message") == head + R"({APIGroups:["*"], Resources:["*"], Verbs:["*"]})");

    auto const bindings = access_group + "namespaces/default/rolebindings";
    auto const binding = [](std::string const& kind, std::string const& name) {
        return R"({"metadata":{"generateName":"x"},"subjects":[{"kind":"User","name":"bob"}],)"
               R"("roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":")" +
               kind + R"(","name":")" + name + R"("}})";
    };
    BOOST_TEST(status(jane, "POST", bindings, binding("Role", "r")) == 201U);
    BOOST_TEST(status(jane, "POST", bindings, binding("ClusterRole", "view")) == 201U);
    BOOST_TEST(status(jane, "POST", bindings, binding("ClusterRole", "cluster-admin")) == 403U);
    BOOST_TEST(status(jane, "POST", bindings, binding("Role", "absent")) == 404U);
    add_role("granter", R"({"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles","clusterroles"],)"
                        R"("verbs":["escalate","bind"]})");
    bind("granter", user_jane);
    BOOST_TEST(status(jane, "POST", roles, role("s", R"({"apiGroups":["*"],"resources":["*"],"verbs":["*"]})")) ==
               201U);
    BOOST_TEST(status(jane, "POST", bindings, binding("ClusterRole", "cluster-admin")) == 201U);
}

BOOST_AUTO_TEST_SUITE_END()

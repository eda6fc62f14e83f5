#include "local/kubelet/containers/container_security.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_container_security)

using namespace kftrain;

namespace {

struct secured {
    secured() {
        p.metadata.name = "a";
        p.metadata.namespace_ = "n";
        p.metadata.uid = "u";
        c.name = "c";
    }
    core::security_context& own() { return c.security_context ? *c.security_context : c.security_context.emplace(); }
    core::pod_security_context& shared() {
        return p.spec.security_context ? *p.spec.security_context : p.spec.security_context.emplace();
    }
    std::string user(std::string_view of_image = {}) const {
        local::image_config image;
        image.user = of_image;
        return local::rights_of(p, c, &image).user.value_or("none");
    }
    std::vector<std::string> unkept(local::image_source const* source, bool is_root, bool has_namespaces = true) const {
        local::sandbox_abilities sandbox;
        sandbox.is_root = is_root;
        sandbox.has_namespaces = has_namespaces;
        std::vector<std::string> paths;
        if (p.spec.security_context)
            for (auto const& i : local::unkept_parts(*p.spec.security_context, sandbox)) paths.push_back(i.path);
        for (auto const& i : local::unkept_parts(p, c, source, sandbox)) paths.push_back(i.path);
        return paths;
    }

    pod p;
    core::container c;
};

using paths = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_CASE(the_user_comes_from_the_container_the_pod_or_the_image) {
    secured s;
    BOOST_TEST(s.user() == "none");
    BOOST_TEST(s.user("worker:staff") == "worker:staff");
    s.shared().run_as_group = 3;
    BOOST_TEST(s.user() == "0:3");
    BOOST_TEST(s.user("worker:staff") == "worker:3");
    s.shared().run_as_user = 1;
    BOOST_TEST(s.user("worker") == "1:3");
    s.own().run_as_user = 2;
    BOOST_TEST(s.user("worker") == "2:3");
    s.shared().run_as_group.reset();
    BOOST_TEST(s.user("worker") == "2");
    s.shared().supplemental_groups = {7, 8};
    s.shared().fs_group = 9;
    BOOST_TEST(local::rights_of(s.p, s.c, nullptr).groups == (std::vector<std::int64_t>{7, 8, 9}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(dropped_capabilities_are_those_that_are_not_added) {
    secured s;
    BOOST_TEST(local::rights_of(s.p, s.c, nullptr).dropped_capabilities.empty());
    s.own().capabilities.emplace().drop = {"ALL"};
    s.own().capabilities->add = {"CAP_KILL", "CHECKPOINT_RESTORE"};
    auto const dropped = local::rights_of(s.p, s.c, nullptr).dropped_capabilities;
    BOOST_TEST(dropped.size() == 39U);
    BOOST_TEST(std::ranges::count(dropped, 5) == 0); // CAP_KILL
    s.own().capabilities->drop = {"NET_RAW", "KILL"};
    BOOST_TEST(local::rights_of(s.p, s.c, nullptr).dropped_capabilities == std::vector<std::int64_t>{13});
    BOOST_TEST(!local::rights_of(s.p, s.c, nullptr).no_new_privileges);
    s.own().allow_privilege_escalation = false;
    BOOST_TEST(local::rights_of(s.p, s.c, nullptr).no_new_privileges);
}

// Messages of kubernetes v1.31.
BOOST_AUTO_TEST_CASE(run_as_non_root_refuses_root_and_users_whose_number_is_unknown) {
    secured s;
    BOOST_TEST(local::fault_of_root(s.p, s.c, "").empty());
    s.shared().run_as_non_root = true;
    auto const place = std::string(" (pod: \"a_n(u)\", container: c)");
    BOOST_TEST(local::fault_of_root(s.p, s.c, "") == "container has runAsNonRoot and image will run as root" + place);
    BOOST_TEST(local::fault_of_root(s.p, s.c, "00:5").starts_with("container has runAsNonRoot and image will run"));
    BOOST_TEST(local::fault_of_root(s.p, s.c, "worker:1") ==
               "container has runAsNonRoot and image has non-numeric user (worker), cannot verify user is non-root" +
                   place);
    BOOST_TEST(local::fault_of_root(s.p, s.c, "12:0").empty());
    s.own().run_as_user = 0;
    BOOST_TEST(local::fault_of_root(s.p, s.c, "12") == "container's runAsUser breaks non-root policy" + place);
    s.own().run_as_user = 1;
    BOOST_TEST(local::fault_of_root(s.p, s.c, "").empty());
    s.own().run_as_non_root = false;
    s.own().run_as_user = 0;
    BOOST_TEST(local::fault_of_root(s.p, s.c, "").empty());
}

BOOST_AUTO_TEST_CASE(unsupported_security_settings_are_named) {
    secured s;
    local::image_source host;
    local::image_source layout;
    layout.form = local::image_form::oci;
    s.own().privileged = true;
    s.own().read_only_root_filesystem = true;
    s.own().capabilities.emplace().add = {"SYS_ADMIN", "FLY"};
    s.own().seccomp_profile.emplace().type = "RuntimeDefault";
    s.own().proc_mount = "Default";
    BOOST_TEST(s.unkept(&host, true) ==
                   (paths{"securityContext.readOnlyRootFilesystem", "securityContext.capabilities.add"}),
               boost::test_tools::per_element());
    BOOST_TEST(s.unkept(&layout, false) == (paths{"securityContext.privileged", "securityContext.capabilities.add"}),
               boost::test_tools::per_element());
    secured t;
    t.shared().run_as_non_root = true;
    BOOST_TEST(t.unkept(&host, true) == paths{"securityContext.runAsNonRoot"});
    BOOST_TEST(t.unkept(nullptr, true) == paths{"securityContext.runAsNonRoot"});
    BOOST_TEST(t.unkept(&layout, true).empty());
    t.shared().run_as_user = 1;
    t.shared().fs_group = 2;
    BOOST_TEST(t.unkept(&host, false).empty());
    BOOST_TEST(t.unkept(&host, false, false) == paths{"spec.securityContext.runAsUser"});
    BOOST_TEST(t.unkept(&host, true, false).empty());
    t.shared().supplemental_groups = {3};
    t.shared().sysctls.emplace_back().name = "net.core.somaxconn";
    t.shared().supplemental_groups_policy = "Strict";
    t.shared().seccomp_profile.emplace().type = "Localhost";
    t.shared().app_armor_profile.emplace().type = "Localhost";
    t.shared().se_linux_options.emplace().level = "s0";
    t.shared().windows_options.emplace().run_as_user_name = "x";
    BOOST_TEST(t.unkept(&host, false) ==
                   (paths{"spec.securityContext.seLinuxOptions", "spec.securityContext.windowsOptions",
                          "spec.securityContext.seccompProfile", "spec.securityContext.appArmorProfile",
                          "spec.securityContext.sysctls", "spec.securityContext.supplementalGroupsPolicy",
                          "spec.securityContext.supplementalGroups"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

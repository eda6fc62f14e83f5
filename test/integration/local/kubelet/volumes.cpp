#include "integration/local/kubelet/kubelet_cluster.hpp"

BOOST_AUTO_TEST_SUITE(integration_local_volumes)

using namespace kubelet_tests;

// Config maps, secrets and empty directories in pods. Expected: kubelet v1.31.

namespace {

core::key_to_path item(std::string key, std::string path, std::optional<std::int32_t> mode = {}) {
    core::key_to_path i;
    i.key = std::move(key);
    i.path = std::move(path);
    i.mode = mode;
    return i;
}

/// Mounts a volume in the first container.
core::volume& mount(pod& p, std::string const& name, std::string const& at, std::string const& sub_path = "") {
    auto& m = p.spec.containers[0].volume_mounts.emplace_back();
    m.name = name;
    m.mount_path = at;
    m.sub_path = sub_path;
    for (auto& v : p.spec.volumes)
        if (v.name == name) return v;
    auto& v = p.spec.volumes.emplace_back();
    v.name = name;
    return v;
}

/// A path of the machine as a volume in the first container.
void mount_host_path(pod& p, std::string const& name, std::string const& at, std::filesystem::path const& path,
                     std::string const& type = "") {
    auto& volume = mount(p, name, at).host_path.emplace();
    volume.path = path.string();
    if (!type.empty()) volume.type = type;
}

/// A pod as the launcher of an MPIJob.
pod launcher(std::string const& script) {
    auto p = shell_pod("launcher", script);
    auto& map = mount(p, "mpi-job-config", "/etc/mpi").config_map.emplace();
    map.name = "mpi-config";
    map.items = {item("hostfile", "hostfile", 0444), item("discover_hosts.sh", "discover_hosts.sh", 0555)};
    return p;
}

template <class K> void change(kubelet_cluster& w, std::string const& name, std::string const& patch) {
    w.ask<K>(
        [&](auto h) { w.objects<K>().async_patch(name, kube::patch_body(patch_type::merge, patch), std::move(h)); });
}

template <class K> void remove(kubelet_cluster& w, std::string const& name) { w.remove<K>(name); }

} // namespace

BOOST_AUTO_TEST_CASE(object_volumes_are_read_only_files_with_their_modes) {
    kubelet_cluster w;
    shared_folder const out;
    w.start();
    w.create(config("mpi-config", {{"hostfile", "a slots=1\n"}, {"discover_hosts.sh", "#!/bin/sh\necho a\n"}}));
    core::secret key;
    key.metadata.name = "mpi-ssh";
    key.data = {{"ssh-privatekey", bytes("private")}, {"ssh-publickey", bytes("public")}};
    w.create(key);
    auto const to = out.path.string();
    auto p = launcher("cat /etc/mpi/hostfile /root/.ssh/id_rsa /root/.ssh/authorized_keys >" + to + "/read; " +
                      "/etc/mpi/discover_hosts.sh >" + to + "/hosts; stat -L -c %a /etc/mpi/* /root/.ssh/* >" + to +
                      "/modes; ls -A /root/.ssh >" + to +
                      "/names; echo x >/etc/mpi/new && exit 1; "
                      "echo x >/root/.ssh/id_rsa && exit 2; test -e /etc/passwd");
    auto& secret = mount(p, "ssh-auth", "/root/.ssh").secret.emplace();
    secret.secret_name = "mpi-ssh";
    secret.default_mode = 0600;
    secret.items = {item("ssh-privatekey", "id_rsa"), item("ssh-publickey", "authorized_keys")};
    w.create(p);
    BOOST_REQUIRE(w.ended("launcher"));
    BOOST_TEST(w.exit_code("launcher") == 0);
    BOOST_TEST(out.text("read") == "a slots=1\nprivatepublic");
    BOOST_TEST(out.text("hosts") == "a\n");
    BOOST_TEST(out.text("modes") == "555\n444\n600\n600\n");
    BOOST_TEST(out.text("names").starts_with("..data\n"), out.text("names"));
}

BOOST_AUTO_TEST_CASE(other_users_cannot_read_volumes) {
    kubelet_cluster w;
    std::filesystem::create_directory(w.directory); // as one that was made before the run, with the rights of the umask
    w.start();
    w.create(config("mpi-config", {{"hostfile", "a\n"}, {"discover_hosts.sh", ""}}));
    w.create(launcher("exec sleep 600"));
    BOOST_REQUIRE(w.until([&] { return w.phase("launcher") == "Running"; }));
    auto const volumes = w.directory / "pods" / w.get("launcher").metadata.uid / "volumes";
    BOOST_TEST((std::filesystem::status(volumes).permissions() == std::filesystem::perms::owner_all));
}

BOOST_AUTO_TEST_CASE(a_config_map_is_updated_in_the_running_pod) {
    kubelet_cluster w;
    shared_folder const out;
    w.start();
    w.create(config("mpi-config", {{"hostfile", "a\n"}, {"discover_hosts.sh", "#!/bin/sh\necho a\n"}}));
    auto const to = out.path.string();
    w.create(launcher("touch " + to + "/begun; until grep -q b /etc/mpi/hostfile; do sleep 0.05; done; " +
                      "/etc/mpi/discover_hosts.sh >" + to + "/hosts"));
    BOOST_REQUIRE(w.until([&] { return std::filesystem::exists(out.path / "begun"); }));
    change<core::config_map>(w, "mpi-config",
                             R"({"data":{"hostfile":"a\nb\n","discover_hosts.sh":"#!/bin/sh\necho a\necho b\n"}})");
    BOOST_REQUIRE(w.ended("launcher"));
    BOOST_TEST(out.text("hosts") == "a\nb\n");
}

BOOST_AUTO_TEST_CASE(a_pod_keeps_the_files_of_a_deleted_object) {
    kubelet_cluster w;
    shared_folder const out;
    w.start();
    w.create(config("mpi-config", {{"hostfile", "a\n"}, {"discover_hosts.sh", "#!/bin/sh\n"}}));
    auto const to = out.path.string();
    w.create(launcher("touch " + to + "/begun; until test -e " + to +
                      "/go; do sleep 0.05; done; cat /etc/mpi/hostfile >" + to + "/read"));
    BOOST_REQUIRE(w.until([&] { return std::filesystem::exists(out.path / "begun"); }));
    remove<core::config_map>(w, "mpi-config");
    BOOST_REQUIRE(w.until([&] { return !w.events("FailedMount").empty(); }));
    std::ofstream(out.path / "go") << "";
    BOOST_REQUIRE(w.ended("launcher"));
    BOOST_TEST(out.text("read") == "a\n");
}

BOOST_AUTO_TEST_CASE(a_pod_waits_for_the_objects_of_its_volumes) {
    kubelet_cluster w;
    w.start();
    w.create(launcher("cat /etc/mpi/hostfile"));
    BOOST_REQUIRE(w.until([&] { return !w.events("FailedMount").empty(); }));
    auto const e = w.events("FailedMount").at(0);
    BOOST_TEST(e.type == "Warning");
    BOOST_TEST(e.message ==
               "MountVolume.SetUp failed for volume \"mpi-job-config\" : configmap \"mpi-config\" not found");
    BOOST_TEST(w.phase("launcher") == "Pending");
    BOOST_TEST(w.waiting("launcher").reason == "ContainerCreating");
    BOOST_TEST(w.waiting("launcher").message == e.message);
    w.create(config("mpi-config", {{"hostfile", "a\n"}}));
    BOOST_REQUIRE(w.until([&] {
        for (auto const& one : w.events("FailedMount"))
            if (one.message.ends_with(" : configmap references non-existent config key: discover_hosts.sh"))
                return true;
        return false;
    }));
    change<core::config_map>(w, "mpi-config", R"({"data":{"discover_hosts.sh":""}})");
    BOOST_REQUIRE(w.ended("launcher"));
    BOOST_TEST(w.exit_code("launcher") == 0);
}

BOOST_AUTO_TEST_CASE(a_pod_that_waits_for_its_volumes_can_be_deleted) {
    kubelet_cluster w;
    w.start();
    w.create(launcher("true"));
    BOOST_REQUIRE(w.until([&] { return !w.events("FailedMount").empty(); }));
    remove<pod>(w, "launcher");
    BOOST_TEST(w.until([&] { return w.get("launcher").metadata.name.empty(); }));
}

BOOST_AUTO_TEST_CASE(a_kubelet_can_be_destroyed_while_pods_wait_for_or_update_volumes) {
    for (bool const there : {false, true}) {
        kubelet_cluster w;
        w.start();
        if (there) w.create(config("mpi-config", {{"hostfile", "a\n"}, {"discover_hosts.sh", ""}}));
        w.create(launcher("exec sleep 98773"));
        BOOST_REQUIRE(
            w.until([&] { return there ? w.phase("launcher") == "Running" : !w.events("FailedMount").empty(); }));
        w.node.reset();
        BOOST_TEST(local_tests::processes_with(std::string("sleep\0", 6) + "98773").empty());
        BOOST_TEST(!std::filesystem::exists(w.directory));
        w.create(config("other", {}));
        if (there) change<core::config_map>(w, "mpi-config", R"({"data":{"hostfile":"b\n"}})");
        w.io.restart();
        w.io.run_for(100ms);
        BOOST_TEST(!std::filesystem::exists(w.directory));
    }
}

BOOST_AUTO_TEST_CASE(an_empty_directory_is_shared_by_the_containers_of_a_pod) {
    kubelet_cluster w;
    shared_folder const out;
    w.start();
    auto const to = out.path.string();
    auto p = shell_pod("a", "cat /shared/part/x /part/x >" + to + "/read; ls /only | wc -l >>" + to + "/read");
    mount(p, "shared", "/shared").empty_dir.emplace();
    mount(p, "shared", "/part", "part");
    mount(p, "only", "/only").empty_dir.emplace();
    auto& init = p.spec.init_containers.emplace_back(p.spec.containers[0]);
    init.name = "init";
    init.command = {"sh", "-c", "echo hello >/part/x"};
    w.create(p);
    BOOST_REQUIRE(w.ended("a"));
    BOOST_TEST(out.text("read") == "hello\nhello\n0\n");
    BOOST_TEST(w.until([] { return !std::filesystem::exists("/shared"); })); // another process removes it
}

// Expected: kubelet v1.31, pkg/volume/util/subpath: a subPath is created in its volume only.
BOOST_AUTO_TEST_CASE(a_sub_path_creates_nothing_outside_its_volume) {
    kubelet_cluster w;
    shared_folder const outside;
    w.start();
    for (std::string const path : {"d/new", "dangling", "../new"}) {
        auto const name = "pod-" + std::to_string(path.size());
        auto p = shell_pod(name, "true");
        mount(p, "shared", "/shared").empty_dir.emplace();
        auto& init = p.spec.init_containers.emplace_back(p.spec.containers[0]);
        init.name = "init";
        auto const to = outside.path.string();
        init.command = {"sh", "-c", "ln -s " + to + " /shared/d; ln -s " + to + "/new /shared/dangling"};
        mount(p, "shared", "/part");
        auto& part = p.spec.containers[0].volume_mounts.back();
        if (path.starts_with("..")) { // a server sees only the expression
            auto& variable = p.spec.containers[0].env.emplace_back();
            variable.name = "PART";
            variable.value = path;
            part.sub_path_expr = "$(PART)";
        } else {
            part.sub_path = path;
        }
        w.create(p);
        BOOST_REQUIRE(w.until([&] { return w.waiting(name).message.find("subPath") != std::string::npos; }));
        BOOST_TEST(w.waiting(name).message == (path == "dangling"
                                                   ? "subPath \"dangling\" of volume \"shared\": a link "
                                                     "on the way leads to no existing place"
                                                   : "subPath \"" + path + "\" leads out of volume \"shared\""));
    }
    BOOST_TEST(std::filesystem::is_empty(outside.path));
}

// Expected: kubelet v1.31, pkg/kubelet/eviction/eviction_manager.go, emptyDirLimitEviction
BOOST_AUTO_TEST_CASE(a_pod_that_exceeds_the_limit_of_an_empty_directory_is_evicted) {
    kubelet_cluster w;
    w.start();
    auto p = shell_pod("a", "head -c 3000000 /dev/zero > /full/data; exec sleep 98777");
    mount(p, "full", "/full").empty_dir.emplace().size_limit = quantity("2048Ki");
    mount(p, "roomy", "/roomy").empty_dir.emplace().size_limit = quantity("1Gi");
    w.create(p);
    auto q = shell_pod("b", "head -c 1000000 /dev/zero > /full/data; exec sleep 600");
    mount(q, "full", "/full").empty_dir.emplace().size_limit = quantity("2048Ki");
    w.create(q);
    BOOST_REQUIRE(w.ended("a"));
    auto const status = w.get("a").status;
    BOOST_TEST(status.phase == "Failed");
    BOOST_TEST(status.reason == "Evicted");
    BOOST_TEST(status.message == "Usage of EmptyDir volume \"full\" exceeds the limit \"2Mi\". ");
    BOOST_REQUIRE(w.until([&] { return !w.events("Evicted").empty(); }));
    BOOST_TEST(w.events("Evicted").at(0).message == status.message);
    BOOST_TEST(local_tests::processes_with(std::string("sleep\0", 6) + "98777").empty());
    BOOST_TEST(w.phase("b") == "Running");
}

BOOST_AUTO_TEST_CASE(a_host_path_that_becomes_a_link_is_not_mounted_again) {
    kubelet_cluster w;
    shared_folder const allowed, outside;
    w.options.host_paths.push_back(allowed.path.string());
    w.start();
    auto p = shell_pod("a", "test -e /all/old && touch /part/x && exit 0; mv /all/part /all/old && ln -s " +
                                outside.path.string() + " /all/part; exit 1");
    p.spec.restart_policy = "OnFailure";
    mount_host_path(p, "all", "/all", allowed.path);
    mount_host_path(p, "part", "/part", allowed.path / "part", "DirectoryOrCreate");
    w.create(p);
    BOOST_REQUIRE(w.until([&] {
        return w.waiting("a").message.find("leads out of the directories that pods may mount") != std::string::npos ||
               w.phase("a") == "Succeeded";
    }));
    BOOST_TEST(w.phase("a") != "Succeeded");
    BOOST_TEST(std::filesystem::is_empty(outside.path));
}

// Expected: kubelet v1.31, pkg/volume/projected/projected.go and pkg/volume/util/util.go.
BOOST_AUTO_TEST_CASE(a_projected_token_belongs_to_the_account_of_the_pod) {
    kubelet_cluster w;
    shared_folder const out;
    w.start();
    auto const script =
        "exec python3 -c 'import base64, json, os\n"
        "part = open(\"/tokens/vault\").read().split(\".\")[1]\n"
        "c = json.loads(base64.urlsafe_b64decode(part + \"==\"))\n"
        "print(c[\"aud\"], c[\"exp\"] - c[\"iat\"], c[\"sub\"], c[\"kubernetes.io\"][\"pod\"][\"name\"],\n"
        "      oct(os.stat(\"/tokens/vault\").st_mode & 0o777), file=open(\"" +
        out.path.string() + "\" + \"/\" + os.uname()[1], \"w\"))'";
    for (bool const grouped : {false, true}) {
        auto p = shell_pod(grouped ? "grouped" : "plain", script);
        if (!grouped) p.spec.service_account_name = "trainer";
        if (grouped) p.spec.security_context.emplace().fs_group = 0;
        auto& source = mount(p, "tokens", "/tokens").projected.emplace().sources.emplace_back();
        auto& token = source.service_account_token.emplace();
        token.path = "vault";
        token.audience = "vault";
        token.expiration_seconds = 700;
        w.create(p);
        BOOST_REQUIRE(w.ended(p.metadata.name));
        BOOST_TEST(w.exit_code(p.metadata.name) == 0);
    }
    BOOST_TEST(out.text("plain") == "['vault'] 700 system:serviceaccount:default:trainer plain 0o644\n");
    // In a user namespace the group cannot be given, and is not needed.
    BOOST_TEST(out.text("grouped") == "['vault'] 700 system:serviceaccount:default:default grouped " +
                                          std::string(::geteuid() == 0 ? "0o640\n" : "0o600\n"));
}

BOOST_AUTO_TEST_CASE(a_projected_token_is_replaced_before_it_expires) {
    kubelet_cluster w;
    shared_folder const out;
    int requests = 0;
    w.link->judge = [&](kube::http_request const& r) {
        std::optional<test::fault> f;
        if (!r.target.ends_with("/serviceaccounts/trainer/token")) return f;
        f = ++requests < 3 ? test::fault() : test::fault::answer(500, "InternalError", "no keys");
        if (requests >= 3) return f;
        f->status = 201;
        f->text = R"({"spec":{"expirationSeconds":1},"status":{"token":"token )" + std::to_string(requests) + "\"}}";
        return f;
    };
    w.start();
    auto p = shell_pod("a", "until grep 2 /tokens/t; do sleep 0.05; done >" + (out.path / "read").string() +
                                "; exec sleep 600");
    p.spec.service_account_name = "trainer";
    mount(p, "tokens", "/tokens").projected.emplace().sources.emplace_back().service_account_token.emplace().path = "t";
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return out.text("read") == "token 2\n"; }));
    BOOST_REQUIRE(w.until([&] { return !w.events("FailedMount").empty(); }));
    BOOST_TEST(w.events("FailedMount").at(0).message ==
               "MountVolume.SetUp failed for volume \"tokens\" : failed to fetch token: no keys");
    BOOST_TEST(requests == 3);
}

BOOST_AUTO_TEST_SUITE_END()

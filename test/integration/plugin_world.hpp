#ifndef KFTRAIN_TEST_INTEGRATION_PLUGIN_WORLD_HPP
#define KFTRAIN_TEST_INTEGRATION_PLUGIN_WORLD_HPP

#include "integration/wired_client.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace kftrain::test {

/// A directory that goes with the test.
struct scratch_directory {
    scratch_directory() {
        std::string name = (std::filesystem::temp_directory_path() / "kftrain-plugin-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    scratch_directory(scratch_directory const&) = delete;
    scratch_directory& operator=(scratch_directory const&) = delete;
    ~scratch_directory() { std::filesystem::remove_all(path); }

    std::string file(std::string const& name) const { return (path / name).string(); }
    bool has(std::string const& name) const { return std::filesystem::exists(path / name); }
    void write(std::string const& name, std::string const& text) const {
        // At once, as credentials are replaced.
        std::ofstream(path / (name + ".new")) << text;
        std::filesystem::rename(path / (name + ".new"), path / name);
    }
    std::string read(std::string const& name) const {
        std::ifstream in(path / name);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

    std::filesystem::path path;
};

/// The scripted plugin of a configuration, and what it is to print.
struct plugin_world {
    kube::config config(std::string const& what) const {
        auto c = trusting(ca);
        auto& plugin = c.exec.emplace();
        plugin.command = std::string(KFTRAIN_SOURCE_DIR) + "/test/data/plugins/scripted";
        plugin.args = {what, directory.path.string()};
        plugin.api_version = "client.authentication.k8s.io/v1";
        return c;
    }
    void answer(std::string const& status) const {
        directory.write("answer",
                        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)" +
                            status + "}");
    }
    std::ptrdiff_t runs() const {
        auto const text = directory.read("runs");
        return std::count(text.begin(), text.end(), '\n');
    }
    identity server() const { return ca.issue("s", "IP:127.0.0.1"); }

    certificate_authority ca;
    scratch_directory directory;
};

/// The credentials in a request.
inline std::string authorization_in(std::string const& request) {
    std::string const name = "\r\nAuthorization: ";
    auto const at = request.find(name);
    if (at == request.npos) return "none";
    return request.substr(at + name.size(), request.find('\r', at + 2) - at - name.size());
}

/// The outcome of one call, in words.
inline std::string rank_env(wired& w) {
    diagnostics why;
    answer_probe<std::string> p;
    kube::client(w.link).async_call(wired::request("GET", "/x"),
                                    kube::call_options().with_retry(false).with_detail(why), p.handler());
    w.run();
    w.last = p.ec();
    return p.ec() ? why.message : p.value();
}

} // namespace kftrain::test

#endif

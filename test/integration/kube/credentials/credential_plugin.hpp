#ifndef KFTRAIN_TEST_INTEGRATION_KUBE_CREDENTIALS_CREDENTIAL_PLUGIN_HPP
#define KFTRAIN_TEST_INTEGRATION_KUBE_CREDENTIALS_CREDENTIAL_PLUGIN_HPP

#include "integration/kube/transport/wired_client.hpp"
#include "support/temporary_directory.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace kftrain::test {

/// A directory whose files are replaced at once, as credentials are.
struct scratch_directory : temporary_directory {
    void write(std::string const& name, std::string const& text) const {
        temporary_directory::write(name + ".new", text);
        std::filesystem::rename(path / (name + ".new"), path / name);
    }
};

/// The scripted plugin of a configuration, and its output.
struct credential_plugin {
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

/// The response of one call, or the message of its error.
inline std::string outcome_of_call(wired& w) {
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

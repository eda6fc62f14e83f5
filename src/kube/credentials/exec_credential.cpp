#include "kube/credentials/exec_credential.hpp"

#include "base/make_failure.hpp"
#include "kube/credentials/kubeconfig.hpp"
#include "kube/http/redaction.hpp"
#include "model/scalars/base64.hpp"

#include <kftrain/kube/default_config.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/model/scalars.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

namespace kftrain::kube::detail {

struct exec_status {
    exec_status() = default;

    std::string expiration_timestamp;
    std::string token;
    std::string client_certificate_data;
    std::string client_key_data;
};
BOOST_DESCRIBE_STRUCT(exec_status, (), (expiration_timestamp, token, client_certificate_data, client_key_data))

struct exec_answer {
    exec_answer() = default;

    std::string api_version;
    std::string kind;
    std::optional<exec_status> status;
};
BOOST_DESCRIBE_STRUCT(exec_answer, (), (api_version, kind, status))

namespace {

namespace json = boost::json;

failure no_credential(std::string message) { return make_failure(reason::unauthorized, std::move(message)); }

/// The input of a plugin, which it may repeat in its error messages.
secrets given_to(exec_plugin const& plugin) {
    secrets given;
    for (auto const& [name, value] : plugin.env) given.add(value);
    for (auto const& argument : plugin.args) {
        if (!argument.starts_with('-')) given.add(argument);
        if (auto const equals = argument.find('='); equals != std::string::npos) given.add(argument.substr(equals + 1));
    }
    return given;
}

json::object cluster_info(config const& c) {
    json::object cluster;
    cluster["server"] = c.server;
    if (!c.tls_server_name.empty()) cluster["tls-server-name"] = c.tls_server_name;
    if (c.insecure_skip_tls_verify) cluster["insecure-skip-tls-verify"] = true;
    if (!c.ca_pem.empty()) cluster["certificate-authority-data"] = base64_encode(c.ca_pem);
    if (!c.proxy_url.empty()) cluster["proxy-url"] = c.proxy_url;
    if (c.disable_compression) cluster["disable-compression"] = true;
    boost::system::error_code ec;
    cluster["config"] = c.exec->cluster_config.empty() ? json::value() : json::parse(c.exec->cluster_config, ec);
    return cluster;
}

} // namespace

std::string exec_info(config const& c) {
    json::object spec;
    if (c.exec->provide_cluster_info) spec["cluster"] = cluster_info(c);
    spec["interactive"] = false;
    json::object info;
    info["kind"] = "ExecCredential";
    info["apiVersion"] = c.exec->api_version;
    info["spec"] = std::move(spec);
    return json::serialize(info);
}

std::vector<std::string> exec_variables(config const& c) {
    auto all = process_environment();
    for (auto const& [name, value] : c.exec->env) all[name] = value;
    all["KUBERNETES_EXEC_INFO"] = exec_info(c);
    std::vector<std::string> variables;
    for (auto const& [name, value] : all) variables.push_back(name + "=" + value);
    return variables;
}

result<obtained_credential> read_exec_credential(std::string_view text, std::string_view api_version) {
    if (without_blanks(text).empty()) return no_credential("printed nothing, expected an ExecCredential");
    auto answer = from_yaml<exec_answer>(text);
    if (!answer) return no_credential("did not print an ExecCredential: " + without_values(answer.error()).to_string());
    if (answer->kind != "ExecCredential") return no_credential("printed an object that is not an ExecCredential");
    if (answer->api_version != api_version)
        return no_credential("printed an ExecCredential of " + in_quotes(plain(answer->api_version.substr(0, 80))) +
                             ", expected " + in_quotes(api_version));
    if (!answer->status) return no_credential("printed an ExecCredential without a status");
    auto& status = *answer->status;
    if (status.client_certificate_data.empty() != status.client_key_data.empty())
        return no_credential("printed an ExecCredential with " +
                             std::string(status.client_key_data.empty()
                                             ? "clientCertificateData but no clientKeyData"
                                             : "clientKeyData but no clientCertificateData"));
    if (status.token.empty() && status.client_key_data.empty())
        return no_credential("printed an ExecCredential with neither a token nor a certificate");
    if (!refuse_unsendable("", status.token))
        return no_credential(
            "printed an ExecCredential whose token contains a control character, perhaps a line break");
    obtained_credential o;
    if (!status.expiration_timestamp.empty()) {
        micro_time at;
        if (!parse_scalar(status.expiration_timestamp, at))
            return no_credential("printed an ExecCredential whose expirationTimestamp is not an RFC 3339 time");
        constexpr micro_time::duration epoch{0},
            latest = std::chrono::seconds(9'000'000'000); // what the clock can hold
        o.expires = obtained_credential::clock::time_point(std::clamp(at.time_since_epoch(), epoch, latest));
    }
    o.token = std::move(status.token);
    o.certificate_pem = std::move(status.client_certificate_data);
    o.key_pem = std::move(status.client_key_data);
    return o;
}

result<obtained_credential> judge_exec(exec_plugin const& plugin, exec_outcome const& outcome,
                                       https_options const& options) {
    using end = exec_outcome::end;
    auto const fail = [&](std::string what) {
        auto message = "exec plugin " + in_quotes(plugin.command) + " " + std::move(what);
        if (auto const printed = plain(given_to(plugin).hide(outcome.error_tail)); !printed.empty())
            message += "; it printed: " + printed;
        return no_credential(std::move(message));
    };
    switch (outcome.how) {
    case end::not_started:
        if (outcome.value != ENOENT) return fail("cannot be run: " + std::generic_category().message(outcome.value));
        return fail(plugin.install_hint.empty() ? "was not found" : "was not found: " + plain(plugin.install_hint));
    case end::timed_out:
        return fail("was killed because it did not end within " + std::to_string(options.plugin_timeout.count()) +
                    " ms");
    case end::flooded:
        return fail("was killed because it printed more than " + std::to_string(options.plugin_output_limit) +
                    " bytes");
    case end::killed_by_signal: return fail("was killed by signal " + std::to_string(outcome.value));
    case end::exited:
        if (outcome.value != 0) return fail("ended with exit code " + std::to_string(outcome.value));
        break;
    case end::unknown: break; // what it printed shows whether it went well
    }
    auto credential = read_exec_credential(outcome.output, plugin.api_version);
    if (!credential) return fail(credential.error().detail.message);
    return credential;
}

} // namespace kftrain::kube::detail

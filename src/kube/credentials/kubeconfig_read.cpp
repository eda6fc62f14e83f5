#include "kube/credentials/kubeconfig.hpp"
#include "model/scalars/base64.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

namespace kftrain::kube::detail {
namespace {

namespace fs = std::filesystem;

template <class Entry> result<void> refuse_repeated(std::vector<Entry> const& list, std::string const& field) {
    std::set<std::string_view> names;
    for (auto const& e : list)
        if (!names.insert(e.name).second) return config_fault(field, in_quotes(e.name) + " is defined twice");
    return {};
}

template <class Entry> void add_missing(std::vector<Entry>& into, std::vector<Entry> later) {
    for (auto& e : later)
        if (std::none_of(into.begin(), into.end(), [&](Entry const& known) { return known.name == e.name; }))
            into.push_back(std::move(e));
}

void resolve_file(std::string& file, fs::path const& directory) {
    if (!file.empty()) file = (directory / file).string();
}

result<void> refuse_file(std::string const& path, std::string const& file) {
    if (file.empty()) return {};
    return config_fault(path,
                        "names a file, expected what is in it: only kubeconfigs that hold all themselves are taken");
}

} // namespace

failure without_values(failure f) {
    auto& text = f.detail.message;
    text.resize(std::min(text.find(", got "), text.size()));
    auto const begin = text.find('"'), end = text.rfind('"');
    if (begin != std::string::npos) text.replace(begin, end - begin + 1, "[hidden]");
    constexpr std::string_view nowhere = " at [hidden]"; // line and column say it
    if (text.ends_with(nowhere)) text.resize(text.size() - nowhere.size());
    return f;
}

result<std::string> pem_of(std::string const& path, std::string const& field, std::string const& data,
                           std::string const& file) {
    if (!data.empty()) {
        auto bytes = base64_decode(data);
        if (!bytes || bytes->empty()) return config_fault(path + "." + field + "-data", "expected base64");
        return std::move(*bytes);
    }
    if (file.empty()) return std::string();
    if (file.find("-----BEGIN") != std::string::npos)
        return config_fault(path + "." + field, "expected the name of a file, got PEM text");
    if (auto ok = refuse_controls(path + "." + field, file); !ok) return ok.error();
    auto text = content_of(file);
    if (!text || text->empty())
        return config_fault(path + "." + field, "cannot read " + in_quotes(file) + ", or it is empty");
    return std::move(*text);
}

result<kubeconfig> read_kubeconfig(std::string_view text) {
    if (without_blanks(text).empty()) return kubeconfig();
    auto file = from_yaml<kubeconfig>(text);
    if (!file) return without_values(file.error());
    if (auto ok = refuse_repeated(file->clusters, "clusters"); !ok) return ok.error();
    if (auto ok = refuse_repeated(file->users, "users"); !ok) return ok.error();
    if (auto ok = refuse_repeated(file->contexts, "contexts"); !ok) return ok.error();
    return file;
}

void resolve_files(kubeconfig& file, fs::path const& given) {
    std::error_code ec;
    auto const now = given.empty() ? fs::current_path(ec) : fs::absolute(given, ec);
    auto const& directory = ec ? given : now;
    for (auto& entry : file.clusters) resolve_file(entry.cluster.certificate_authority, directory);
    for (auto& [name, user] : file.users) {
        resolve_file(user.client_certificate, directory);
        resolve_file(user.client_key, directory);
        resolve_file(user.token_file, directory);
        if (user.exec && user.exec->command.find('/') != std::string::npos)
            resolve_file(user.exec->command, directory); // a bare name is looked for in PATH
        if (user.auth_provider)
            if (auto const ca = user.auth_provider->config.find("idp-certificate-authority");
                ca != user.auth_provider->config.end())
                resolve_file(ca->second, directory);
    }
}

result<void> refuse_files(kubeconfig_cluster const& cluster, std::string const& path) {
    return refuse_file(path + ".certificate-authority", cluster.certificate_authority);
}

result<void> refuse_files(kubeconfig_user const& user, std::string const& path) {
    std::string authority;
    if (user.auth_provider)
        if (auto const ca = user.auth_provider->config.find("idp-certificate-authority");
            ca != user.auth_provider->config.end())
            authority = ca->second;
    for (auto const& [field, file] :
         {std::pair<char const*, std::string const&>{".client-certificate", user.client_certificate},
          {".client-key", user.client_key},
          {".tokenFile", user.token_file},
          {".auth-provider.config.idp-certificate-authority", authority}})
        if (auto ok = refuse_file(path + field, file); !ok) return ok;
    return {};
}

void merge(kubeconfig& into, kubeconfig later) {
    add_missing(into.clusters, std::move(later.clusters));
    add_missing(into.users, std::move(later.users));
    add_missing(into.contexts, std::move(later.contexts));
    if (into.current_context.empty()) into.current_context = std::move(later.current_context);
}

result<kubeconfig> read_kubeconfigs(std::vector<std::string> const& files, std::string const& directory) {
    kubeconfig merged;
    failure faults;
    std::string names;
    bool exists = false;
    std::set<std::string_view> seen;
    for (auto const& name : files) {
        if (name.empty() || !seen.insert(name).second) continue;
        names.append(names.empty() ? "" : ", ").append(in_quotes(name));
        std::error_code ec;
        if (!fs::exists(name, ec) && !ec) continue;
        exists = true;
        auto const text = content_of(name, longest_kubeconfig);
        result<kubeconfig> file = config_fault("", "cannot be read as a regular file of at most 16 MiB");
        if (text) file = read_kubeconfig(*text);
        if (file) {
            resolve_files(*file, directory.empty() ? fs::path(name).parent_path() : fs::path(directory));
            merge(merged, std::move(*file));
            continue;
        }
        auto told = "kubeconfig " + in_quotes(name) + ": " + file.error().to_string();
        if (!faults.code) faults.code = file.error().code;
        faults.detail.message.append(faults.detail.message.empty() ? "" : "; ").append(told);
    }
    if (faults.code) return faults;
    if (!exists) return config_fault("", names.empty() ? "no kubeconfig is named" : "none of these exists: " + names);
    return merged;
}

bool is_blank(kubeconfig const& file) {
    return file.clusters.empty() && file.users.empty() && file.contexts.empty() && file.current_context.empty();
}

} // namespace kftrain::kube::detail

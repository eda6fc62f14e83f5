#include "base/utf8.hpp"
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
    // As text, without a look at the disk: behind a link to a folder, ".." is the folder that the link stands in.
    if (!file.empty() && !fs::path(file).is_absolute()) file = (directory / file).lexically_normal().string();
}

/** The first document of a text of YAML, behind the lines in front of it; what follows is not read.
    @par Upstream client-go v0.31.3 `tools/clientcmd/client_config.go`, which decodes one document */
std::string_view first_document(std::string_view text) {
    auto const documents = split_yaml(text);
    if (documents.size() < 2) return text;
    auto const& first = documents.front().text;
    return text.substr(0, static_cast<std::size_t>(first.data() - text.data()) + first.size());
}

/// Whether a text of YAML holds nothing but blanks, comments and perhaps a null.
bool is_null(std::string_view text) {
    auto const value = from_yaml<raw_json>(text);
    return value && (value->text.empty() || value->text == "null");
}

/// A file without apiVersion and kind counts as a kubeconfig.
result<void> check_type(kubeconfig const& file) {
    auto const shown = [](std::string const& s) { return in_quotes(plain(s.substr(0, 80))); };
    if (!file.kind.empty() && file.kind != "Config")
        return config_fault("kind", "expected Config, got " + shown(file.kind));
    if (!file.api_version.empty() && file.api_version != "v1")
        return config_fault("apiVersion", "expected v1, got " + shown(file.api_version));
    return {};
}

result<void> refuse_file(std::string const& path, std::string const& file) {
    if (file.empty()) return {};
    return config_fault(path, "names a file, expected its content: this kubeconfig must not refer to files");
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
    if (!text)
        return config_fault(path + "." + field, "cannot read " + in_quotes(file) + ": " + text.error().detail.message);
    if (text->empty()) return config_fault(path + "." + field, in_quotes(file) + " is empty");
    return std::move(*text);
}

result<kubeconfig> read_kubeconfig(std::string_view text) {
    auto const utf8 = kftrain::detail::decode_utf16(std::string(text));
    auto const document = first_document(utf8);
    auto file = from_yaml<kubeconfig>(document);
    if (!file && is_null(document)) return kubeconfig();
    if (!file) return without_values(file.error());
    if (auto ok = check_type(*file); !ok) return ok.error();
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

failure unread(std::string const& file, failure const& why) {
    return config_fault("", "cannot read the kubeconfig " + in_quotes(file) + ": " + why.detail.message);
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
        auto file = text ? read_kubeconfig(*text) : result<kubeconfig>(unread(name, text.error()));
        if (file) {
            resolve_files(*file, directory.empty() ? fs::path(name).parent_path() : fs::path(directory));
            merge(merged, std::move(*file));
            continue;
        }
        auto const fault = text ? naming({name}, file.error()) : file.error();
        if (!faults.code) faults.code = fault.code;
        faults.detail.message.append(faults.detail.message.empty() ? "" : "; ").append(fault.to_string());
    }
    if (faults.code) return faults;
    if (!exists)
        return config_fault("", names.empty() ? "expected the name of a kubeconfig, got none"
                                              : "none of these files exists: " + names);
    return merged;
}

bool is_blank(kubeconfig const& file) {
    return file.clusters.empty() && file.users.empty() && file.contexts.empty() && file.current_context.empty();
}

} // namespace kftrain::kube::detail

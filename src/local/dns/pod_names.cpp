#include "local/dns/pod_names.hpp"

#include "model/rules/name_syntax.hpp"

#include <set>

namespace kftrain::local {
namespace {

using faults = std::vector<std::string>;

constexpr std::size_t longest_host_name = 63;
constexpr std::size_t longest_uid = 128;

faults uid_faults(std::string_view uid) {
    auto found = path_segment_faults(uid, false);
    if (uid.empty()) found.emplace_back("must not be empty");
    if (uid.size() > longest_uid)
        found.push_back("must be no more than " + std::to_string(longest_uid) + " characters");
    return found;
}

/// An environment is a list of NAME=value, each ended by a NUL byte.
faults variable_faults(std::string_view name) {
    faults found;
    if (name.empty()) found.emplace_back("must not be empty");
    for (char const c : name)
        if (c < ' ' || c > '~' || c == '=') {
            found.emplace_back("a valid environment variable name must consist only of printable ASCII characters "
                               "other than '='");
            break;
        }
    return found;
}

/// Control characters would break the lines of logs and events.
std::string printable(std::string_view text) {
    std::string out = "\"";
    for (char const c : text) {
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
            out += c == '\n' ? "\\n" : "\\?";
        else
            out += c;
    }
    return out + '"';
}

class collector {
public:
    explicit collector(issues& into) : into_(into) {}

    void operator()(std::string path, std::string_view value, faults const& wrong) {
        for (auto const& text : wrong) add(path, "Invalid value: " + printable(value) + ": " + text);
    }
    void add(std::string path, std::string const& text) {
        issue i;
        i.rule = "local.name";
        i.message = path + ": " + text;
        i.path = std::move(path);
        into_.push_back(std::move(i));
    }

private:
    issues& into_;
};

void check_containers(std::vector<core::container> const& list, std::string const& path, std::set<std::string>& names,
                      collector& found) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const at = path + "[" + std::to_string(i) + "]";
        auto const& c = list[i];
        found(at + ".name", c.name, dns_label_faults(c.name));
        if (!names.insert(c.name).second) found.add(at + ".name", "Duplicate value: " + printable(c.name));
        for (std::size_t k = 0; k < c.env.size(); ++k)
            found(at + ".env[" + std::to_string(k) + "].name", c.env[k].name, variable_faults(c.env[k].name));
    }
}

} // namespace

issues name_faults(pod const& p) {
    issues list;
    collector found(list);
    found("metadata.namespace", p.metadata.namespace_, dns_label_faults(p.metadata.namespace_));
    found("metadata.name", p.metadata.name, dns_subdomain_faults(p.metadata.name));
    found("metadata.uid", p.metadata.uid, uid_faults(p.metadata.uid));
    if (!p.spec.hostname.empty()) found("spec.hostname", p.spec.hostname, dns_label_faults(p.spec.hostname));
    if (!p.spec.subdomain.empty()) found("spec.subdomain", p.spec.subdomain, dns_label_faults(p.spec.subdomain));
    for (std::size_t i = 0; i < p.spec.volumes.size(); ++i)
        found("spec.volumes[" + std::to_string(i) + "].name", p.spec.volumes[i].name,
              dns_label_faults(p.spec.volumes[i].name));
    std::set<std::string> names;
    check_containers(p.spec.init_containers, "spec.initContainers", names, found);
    check_containers(p.spec.containers, "spec.containers", names, found);
    return list;
}

bool fit_for_paths(object_meta const& meta) {
    return dns_label_faults(meta.namespace_).empty() && dns_subdomain_faults(meta.name).empty() &&
           uid_faults(meta.uid).empty();
}

std::string host_name_of(pod const& p) {
    auto name = p.spec.hostname.empty() ? p.metadata.name : p.spec.hostname;
    if (name.size() <= longest_host_name) return name;
    name.resize(longest_host_name);
    name.resize(name.find_last_not_of("-.") + 1);
    return name;
}

} // namespace kftrain::local

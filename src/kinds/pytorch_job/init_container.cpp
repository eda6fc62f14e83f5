#include "kinds/pytorch_job/kind.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

/** Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/initcontainer.go`, which expands its template with
    Go's `html/template`: hence the escapes. */

template struct kftrain::model::table<std::vector<kftrain::core::container>>;

namespace kftrain::kubeflow_v1 {

namespace {

/// As `html/template` escapes text outside of tags.
std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) switch (c) {
        case '"': out += "&#34;"; break;
        case '&': out += "&amp;"; break;
        case '\'': out += "&#39;"; break;
        case '+': out += "&#43;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        default: out += c;
        }
    return out;
}

std::string_view trimmed(std::string_view s) noexcept {
    constexpr std::string_view space = " \t\r\n";
    auto const first = s.find_first_not_of(space);
    if (first == std::string_view::npos) return {};
    return s.substr(first, s.find_last_not_of(space) - first + 1);
}

failure fault(std::string message) {
    failure f;
    f.code = errc::syntax;
    f.detail.message = "init container template: " + std::move(message);
    return f;
}

/// The template with its placeholders `{{.MasterAddr}}`, `{{.InitContainerImage}}` and `{{.MaxTries}}` filled in.
result<std::string> fill_in(std::string_view text, pytorch_operator_options const& options, std::string_view master) {
    std::string out;
    while (true) {
        auto const open = text.find("{{");
        out += text.substr(0, open);
        if (open == std::string_view::npos) return out;
        auto const close = text.find("}}", open);
        if (close == std::string_view::npos) return fault("expected }} after {{, found the end of the text");
        auto inside = text.substr(open + 2, close - open - 2);
        // `{{- ` and ` -}}` take away the white space around them.
        if (inside.starts_with("- ")) {
            inside.remove_prefix(1);
            out.erase(out.find_last_not_of(" \t\r\n") + 1);
        }
        bool const trims_after = inside.ends_with(" -");
        if (trims_after) inside.remove_suffix(1);
        auto const name = trimmed(inside);
        if (name == ".MasterAddr")
            out += escaped(master);
        else if (name == ".InitContainerImage")
            out += escaped(options.init_container_image);
        else if (name == ".MaxTries")
            out += std::to_string(options.init_container_max_tries);
        else if (!name.starts_with("/*"))
            return fault("expected .MasterAddr, .InitContainerImage or .MaxTries between {{ and }}, found \"" +
                         std::string(name) + "\"");
        text.remove_prefix(close + 2);
        if (trims_after) text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    }
}

core::container built_in(pytorch_operator_options const& options, std::string_view master) {
    core::container wait;
    wait.name = "init-pytorch";
    wait.image = escaped(options.init_container_image);
    wait.image_pull_policy = "IfNotPresent";
    wait.command = {"sh", "-c",
                    "err=1;for i in $(seq " + std::to_string(options.init_container_max_tries) + "); do if nslookup " +
                        escaped(master) +
                        "; then err=0 && break; fi;echo waiting for master; sleep 2; done; exit $err"};
    wait.resources.limits.emplace("cpu", "100m");
    wait.resources.limits.emplace("memory", "20Mi");
    wait.resources.requests.emplace("cpu", "50m");
    wait.resources.requests.emplace("memory", "10Mi");
    return wait;
}

} // namespace

result<std::vector<core::container>> read_init_container_template(pytorch_operator_options const& options,
                                                                  std::string_view master) {
    auto const text = fill_in(options.init_container_template, options, master);
    if (!text) return text.error();
    auto containers = from_yaml<std::vector<core::container>>(*text);
    if (!containers) {
        failure f = containers.error();
        f.detail.message = "init container template: " + f.detail.message;
        return f;
    }
    return containers;
}

std::vector<core::container> pytorch::init_containers(pytorch_operator_options const& options,
                                                      std::string_view name_of_master) {
    if (!options.init_container_template.empty())
        if (auto read = read_init_container_template(options, name_of_master)) return std::move(*read);
    return {built_in(options, name_of_master)};
}

} // namespace kftrain::kubeflow_v1

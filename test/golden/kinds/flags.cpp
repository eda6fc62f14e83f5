#include "golden/kinds/flags.hpp"

#include "golden/compare.hpp"

#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/tf_job.hpp>

#include <algorithm>
#include <stdexcept>

namespace golden {
namespace {

constexpr std::string_view controller_config = "--controller-config-file=<file>";

/// All as `--name=value`; flags with one dash have their value in the next word.
std::vector<std::string> flags_of(json::object const& about) {
    std::vector<std::string> all;
    auto const& words = list_of(about, "flags");
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string const word(words[i].as_string());
        if (word.starts_with("--")) {
            all.push_back(word);
            if (word == controller_config) ++i;
            continue;
        }
        if (i + 1 == words.size()) throw std::runtime_error("flag " + word + ": has no value");
        all.push_back("-" + word + "=" + std::string(words[++i].as_string()));
    }
    return all;
}

/// Reads the options that operators take from their environment.
void read_environment(json::object const& variables, kftrain::operator_options& reported) {
    kftrain::tf_operator_options tensorflow;
    for (auto const& [name, value] : variables) {
        if (name != "CUSTOM_CLUSTER_DOMAIN")
            throw std::runtime_error("variable " + std::string(name) + ": kftrain does not know this flag");
        tensorflow.cluster_domain = value.as_string();
    }
    reported.set(tensorflow);
}

} // namespace

kftrain::operator_options read_flags(json::object const& about) {
    kftrain::operator_options reported;
    for (auto const& flag : flags_of(about)) {
        if (flag == controller_config) {
            // The text of the file stands behind the flag.
            auto const config = list_of(about, "flags").back().as_string();
            reported.set(kftrain::kubeflow_v1alpha1::read_controller_config(std::string_view(config)).value());
        } else if (auto const read = kftrain::read_operator_flag(reported, flag); !read) {
            throw std::runtime_error(read.error().to_string());
        }
    }
    read_environment(child_of(about, "env"), reported);
    return reported;
}

kftrain::operator_options read_flags(json::object const& about, std::span<kftrain::operator_flag const> known) {
    kftrain::operator_options reported;
    for (auto const& flag : flags_of(about)) {
        auto const assigned = flag.find('=');
        auto const name = flag.substr(2, assigned - 2);
        auto const found = std::ranges::find(known, name, &kftrain::operator_flag::name);
        if (found == known.end()) throw std::runtime_error("flag -" + name + ": has no effect on the rules");
        if (auto const read = found->read(reported, flag.substr(assigned + 1)); !read)
            throw std::runtime_error(read.error().to_string());
    }
    return reported;
}

} // namespace golden

#include "convert/mpi/chainer_pod.hpp"

#include "convert/mpi/mpi_parts.hpp"

#include <algorithm>
#include <array>

namespace kftrain::convert {
namespace {

std::string item_path(std::string const& list, std::size_t i) { return list + "[" + std::to_string(i) + "]"; }

} // namespace

std::size_t main_container(core::pod_spec const& pod) {
    auto const found = std::ranges::find(pod.containers, chainer_container, &core::container::name);
    return found == pod.containers.end() ? 0U : static_cast<std::size_t>(found - pod.containers.begin());
}

std::string chainer_pod::main_path() const { return item_path(path_ + ".containers", main_container(given_)); }

void chainer_pod::convert(core::pod_spec& pod, std::string const& job_name, bool is_distributed) {
    if (!pod.service_account_name.empty()) {
        changes_.changed(path_ + ".serviceAccountName", json_text(pod.service_account_name), "",
                         "The operator replaced the service account by its own.");
        pod.service_account_name.clear();
    }
    std::string const from = path_ + ".containers", to = result_path_ + ".containers";
    if (given_.containers.size() == 1 && given_.containers.front().name.empty())
        changes_.changed(from + "[0].name", absent, to + "[0].name", "The default is chainer.");
    if (!is_distributed) return;
    auto const main = main_container(pod);
    for (std::size_t i = 0; i < pod.containers.size(); ++i) {
        std::size_t place = i < main ? i + 1 : i;
        if (i == main) place = 0;
        convert_container(pod.containers[i], item_path(from, i), item_path(to, place), job_name);
    }
    if (main == 0) return;
    auto const at = pod.containers.begin() + static_cast<std::ptrdiff_t>(main);
    changes_.changed(item_path(from, main), to_json(given_.containers[main]), to + "[0]",
                     "Processes start in the first container.");
    std::rotate(pod.containers.begin(), at, at + 1);
}

/// Removes variables that never had an effect, and reports words that name removed objects.
void chainer_pod::convert_container(core::container& c, std::string const& path, std::string const& result,
                                    std::string const& job_name) {
    static constexpr std::array<std::string_view, 5> own{
        "KUBECTL_DIR", "OMPI_MCA_plm_rsh_agent", "OMPI_MCA_orte_keep_fqdn_hostnames", "OMPI_MCA_orte_default_hostfile",
        "OMPI_MCA_btl_tcp_if_exclude"};
    auto const is_own = [](core::env_var const& v) { return std::ranges::find(own, v.name) != own.end(); };
    for (std::size_t i = 0; i < c.env.size(); ++i)
        if (is_own(c.env[i]))
            changes_.changed(item_path(path + ".env", i), to_json(c.env[i]), "",
                             "The operator's variable with the same name replaced this one.");
    std::erase_if(c.env, is_own);
    report_removed_names(c.command, path + ".command", result + ".command", job_name);
    report_removed_names(c.args, path + ".args", result + ".args", job_name);
}

void chainer_pod::report_removed_names(std::vector<std::string> const& arguments, std::string const& path,
                                       std::string const& result, std::string const& job_name) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].find("/kubeflow/chainer-operator/") != std::string::npos ||
            arguments[i].find(job_name + "-workerset-") != std::string::npos)
            changes_.approximated(item_path(path, i), json_text(arguments[i]), item_path(result, i),
                                  "The text names a file or a pod that an MPIJob does not have.");
}

void chainer_pod::exclude_interfaces(core::pod_spec& pod) {
    if (pod.containers.empty()) return; // refused
    auto& env = pod.containers.front().env;
    env.emplace_back("OMPI_MCA_btl_tcp_if_exclude", "lo,docker0");
    changes_.changed(main_path() + ".env[OMPI_MCA_btl_tcp_if_exclude]", absent,
                     item_path(result_path_ + ".containers[0].env", env.size() - 1),
                     "The operator set this variable to exclude these interfaces from MPI.");
}

void chainer_pod::start_sshd(core::pod_spec& pod) {
    if (pod.containers.empty()) return; // refused
    mpi::start_sshd(pod.containers.front(), main_path(), result_path_ + ".containers[0]", changes_);
}

} // namespace kftrain::convert

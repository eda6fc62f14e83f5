#ifndef KFTRAIN_SRC_KUBE_CREDENTIALS_EXEC_CREDENTIAL_HPP
#define KFTRAIN_SRC_KUBE_CREDENTIALS_EXEC_CREDENTIAL_HPP

/** @file
    The input and output of plugins that print credentials.
    @par Upstream client-go `pkg/apis/clientauthentication`, `plugin/pkg/client/auth/exec/exec.go` */

#include "kube/credentials/exec_run.hpp"
#include "kube/credentials/renewed_source.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/config.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube::detail {

/// The value of KUBERNETES_EXEC_INFO for the plugin of `c`.
std::string exec_info(config const& c);
/// The variables of this process, those of the plugin in their place, and exec_info().
std::vector<std::string> exec_variables(config const& c);
/** Parses the output of a plugin, JSON or YAML.
    @par Errors `reason::unauthorized`, with a sentence without values. */
result<obtained_credential> read_exec_credential(std::string_view text, std::string_view api_version);
/// The result of a run: credentials, or a sentence that names the command.
result<obtained_credential> judge_exec(exec_plugin const& plugin, exec_outcome const& outcome,
                                       https_options const& options);

/** @par Errors `errc::invalid_argument`, `errc::not_supported` for a plugin that may or can not be run. */
result<std::unique_ptr<credential_source>> make_exec_source(asio::any_io_executor const& executor, config const& c,
                                                            https_options const& options);

} // namespace kftrain::kube::detail

#endif

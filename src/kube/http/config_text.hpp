#ifndef KFTRAIN_SRC_KUBE_HTTP_CONFIG_TEXT_HPP
#define KFTRAIN_SRC_KUBE_HTTP_CONFIG_TEXT_HPP

#include "base/in_quotes.hpp"

#include <kftrain/base/diagnostics.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace kftrain::kube::detail {

/// How large the files of a configuration may be: what is larger is none.
inline constexpr std::size_t longest_kubeconfig = std::size_t(16) * 1024 * 1024;
inline constexpr std::size_t longest_credential = std::size_t(1024) * 1024;

failure config_fault(std::string path, std::string message, errc code = errc::invalid_argument);
std::string without_blanks(std::string_view s);
/// One line that no terminal takes for commands: without control characters of either set, and UTF-8 throughout.
std::string plain(std::string_view text);

/** The content of a regular file of at most `limit` bytes. Never blocks except on the file system: pipes and devices
    are refused.
    @par Errors `errc::invalid_argument`; the message is the reason without the name of the file, `Permission denied` */
result<std::string> content_of(std::filesystem::path const& file, std::size_t limit = longest_credential);

/// Errors: `errc::invalid_argument` at `path` for a text that the system would see the end of where it is not.
result<void> refuse_nul(std::string const& path, std::string_view text);
/// The same for all control characters: of what is one name, one path or one address.
result<void> refuse_controls(std::string const& path, std::string_view text);
/// The same for control characters that no field of HTTP may hold: a tab is allowed.
result<void> refuse_unsendable(std::string const& path, std::string_view text);
/// Whether the text is a host name or an address, decoded and without brackets. Other characters of a URL would break
/// the text that it is inserted into.
bool is_host(std::string_view text);
/// Whether digits name a port: parsers of URLs let larger numbers begin again at 0.
bool is_port(std::string_view digits);

} // namespace kftrain::kube::detail

#endif

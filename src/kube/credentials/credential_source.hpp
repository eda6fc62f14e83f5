#ifndef KFTRAIN_SRC_KUBE_CREDENTIALS_CREDENTIAL_SOURCE_HPP
#define KFTRAIN_SRC_KUBE_CREDENTIALS_CREDENTIAL_SOURCE_HPP

#include "kube/http/redaction.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace kftrain::kube::detail {

namespace asio = boost::asio;

/// The credentials of a request.
struct credential {
    credential() = default;

    std::string authorization;   ///< value of the field; empty for none
    std::string certificate_pem; ///< empty: that of the configuration
    std::string key_pem;
    std::uint64_t number = 0; ///< another one has another number
};

/// The source of a transport's credentials. Use it on the executor of the transport only.
class credential_source {
public:
    credential_source() = default;
    credential_source(credential_source const&) = delete;
    credential_source& operator=(credential_source const&) = delete;
    virtual ~credential_source() = default;

    /// Whether current() may be shown. If not, it is renewed first: see await().
    virtual bool is_fresh() { return true; }
    /** Returns a timer that ends when the credentials change: use current() then, however old, unless why() has a code.
        Starts an attempt unless one is running. Call only if is_fresh() may be false. */
    virtual std::shared_ptr<asio::steady_timer> await() { return nullptr; }
    /// Why there are no credentials, of the last attempt to get some.
    virtual failure why() const { return {}; }
    virtual credential const& current() = 0;
    /// Whether refused() may ever be true.
    virtual bool may_change() const noexcept = 0;
    /// The server refused the credentials of this number. True if there may be others: check is_fresh() again.
    virtual bool refused(std::uint64_t number) = 0;
    /// A server answered those of this number with something else.
    virtual void accepted(std::uint64_t) {}
    /// Whether something goes on beside the requests, on the executor: then this must be destroyed there.
    virtual bool works_beside() const noexcept { return false; }
    /// All that must not be shown: also what came before, which an answer that is under way may repeat.
    virtual void add_to(secrets& all) const = 0;
};

/** The source for a configuration.
    @par Errors `errc::invalid_argument` for fields that contradict each other and for a file without a token. */
result<std::unique_ptr<credential_source>> make_credential_source(asio::any_io_executor const& executor,
                                                                  config const& c, https_options const& options);

} // namespace kftrain::kube::detail

#endif

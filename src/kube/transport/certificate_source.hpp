#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_CERTIFICATE_SOURCE_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_CERTIFICATE_SOURCE_HPP

#include "kube/async/timer.hpp"
#include "kube/credentials/credential_source.hpp"
#include "kube/http/redaction.hpp"
#include "kube/transport/connection_pool.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/config.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace kftrain::kube::detail {

/** The certificates of one transport, from files and plugins. If they change, new connections use the new ones;
    existing connections continue. Unusable content, such as a half-written file, changes nothing.
    @par Upstream client-go `transport/cert_rotation.go`, `ca_rotation.go` */
class certificate_source {
public:
    certificate_source(time_source const& time, config const& c, std::string host, std::chrono::milliseconds interval)
        : time_(time), config_(c), host_(std::move(host)), interval_(interval), looked_at_(time.now()) {}

    /// For the pool of the transport.
    result<std::unique_ptr<stream_factory>> make() const { return make_tls_factory(config_, host_); }

    /// Returns whether some of them may change.
    bool is_watching() const noexcept {
        return !config_.ca_file.empty() || !config_.client_certificate_file.empty() || !config_.client_key_file.empty();
    }
    /// Reads the files if it is time, or `now`. True if new connections of `pool` will use other certificates.
    bool look(connection_pool& pool, bool now);
    /// A handshake failed: perhaps there are others.
    void look_soon() noexcept { looked_at_.reset(); }
    /** Makes new connections of `pool` use what came with the credentials.
        @par Errors `reason::unauthorized` if it cannot be used. */
    result<void> take(connection_pool& pool, credential const& shown);
    void add_to(secrets& all) const {
        all.add(config_.client_key_pem);
        all.add(previous_key_);
    }
    /// Others have another number.
    std::uint64_t number() const noexcept { return number_; }

private:
    void replace(config next, connection_pool& pool, std::unique_ptr<stream_factory> factory);

    time_source const& time_;
    config config_;
    std::string previous_key_;
    std::uint64_t number_ = 0;
    std::string host_;
    std::chrono::milliseconds interval_;
    std::optional<std::chrono::steady_clock::time_point> looked_at_;
};

} // namespace kftrain::kube::detail

#endif

#ifndef KFTRAIN_KUBE_CALL_OPTIONS_HPP
#define KFTRAIN_KUBE_CALL_OPTIONS_HPP

#include <kftrain/base/diagnostics.hpp>

#include <chrono>

namespace kftrain::kube {

/// Options of one call.
struct call_options {
    call_options() = default;

    std::chrono::milliseconds timeout{65'000}; ///< for the whole call, retries included; 0: no limit
    diagnostics* detail = nullptr;             ///< filled before completion; must live until then
    bool retry = true;                         ///< retry as client::async_call() documents
    /// Bypasses the rate limit client_options::requests_per_second: for requests that others depend on, such as the
    /// renewal of a lease.
    bool urgent = false;

    call_options& with_timeout(std::chrono::milliseconds t) { return timeout = t, *this; }
    call_options& with_detail(diagnostics& d) { return detail = &d, *this; }
    call_options& with_retry(bool on) { return retry = on, *this; }
    call_options& with_urgent(bool on = true) { return urgent = on, *this; }
};

namespace detail {

/// The base of options that extend @ref call_options: its setters return `Options`, so that they can be chained.
template <class Options> struct call_options_of : call_options {
    call_options_of() = default;

    Options& with_timeout(std::chrono::milliseconds t) { return timeout = t, whole(); }
    Options& with_detail(diagnostics& d) { return detail = &d, whole(); }
    Options& with_retry(bool on) { return retry = on, whole(); }
    Options& with_urgent(bool on = true) { return urgent = on, whole(); }

    /// Returns the options common to all calls.
    call_options const& common() const noexcept { return *this; }

private:
    Options& whole() { return static_cast<Options&>(*this); }
};

} // namespace detail

} // namespace kftrain::kube

#endif

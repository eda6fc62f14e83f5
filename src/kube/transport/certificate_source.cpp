#include "kube/transport/certificate_source.hpp"

#include "kube/http/config_text.hpp"

#include <utility>

namespace kftrain::kube::detail {
namespace {

/// False if the file cannot be read; `changed` is set if it holds something else.
bool read_again(std::string const& file, std::string& pem, bool& changed) {
    if (file.empty()) return true;
    auto text = content_of(file);
    if (!text || text->empty()) return false;
    changed = changed || *text != pem;
    pem = std::move(*text);
    return true;
}

} // namespace

void certificate_source::replace(config next, connection_pool& pool, std::unique_ptr<stream_factory> factory) {
    if (next.client_key_pem != config_.client_key_pem) previous_key_ = config_.client_key_pem;
    config_ = std::move(next);
    ++number_;
    pool.renew(std::move(factory));
}

bool certificate_source::look(connection_pool& pool, bool now) {
    if (!is_watching()) return false;
    auto const time = time_.now();
    if (!now && looked_at_ && time - *looked_at_ < interval_) return false;
    looked_at_ = time;
    config next = config_;
    bool changed = false;
    bool const whole = read_again(next.ca_file, next.ca_pem, changed) &&
                       read_again(next.client_certificate_file, next.client_certificate_pem, changed) &&
                       read_again(next.client_key_file, next.client_key_pem, changed);
    if (!whole || !changed) return false;
    auto factory = make_tls_factory(next, host_);
    if (!factory) return false;
    replace(std::move(next), pool, std::move(*factory));
    return true;
}

result<void> certificate_source::take(connection_pool& pool, credential const& shown) {
    if (shown.certificate_pem.empty() ||
        (shown.certificate_pem == config_.client_certificate_pem && shown.key_pem == config_.client_key_pem))
        return {};
    config next = config_;
    next.client_certificate_pem = shown.certificate_pem;
    next.client_key_pem = shown.key_pem;
    auto factory = make_tls_factory(next, host_);
    if (!factory) {
        diagnostics d;
        d.message = "the certificate of the credentials cannot be used: " + factory.error().detail.message;
        return failure(reason::unauthorized, std::move(d));
    }
    replace(std::move(next), pool, std::move(*factory));
    return {};
}

} // namespace kftrain::kube::detail

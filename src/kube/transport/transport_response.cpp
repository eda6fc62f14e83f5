#include "kube/transport/transport_response.hpp"

namespace kftrain::kube::detail {

void response_parser::on_field_impl(field, string_view name, string_view value, error_code&) {
    if (complete_) return; // a trailer: ignored
    head_.fields.add(std::string(name.data(), name.size()), std::string(value.data(), value.size()));
}

std::size_t response_parser::on_body_impl(string_view part, error_code&) {
    piece_.append(part.data(), part.size());
    return part.size();
}

std::size_t response_parser::on_chunk_body_impl(std::uint64_t, string_view part, error_code& ec) {
    return on_body_impl(part, ec);
}

} // namespace kftrain::kube::detail

#include <kftrain/model/position.hpp>

#include "model/codec/document_reader.hpp"

namespace kftrain {

struct position_finder::parsed {
    explicit parsed(yaml_document const& document) : reader(document) {}

    detail::document_reader reader;
};

position_finder::position_finder(std::string_view document, std::size_t first_line)
    : text_(document), first_line_(first_line) {}
position_finder::position_finder(position_finder&&) noexcept = default;
position_finder& position_finder::operator=(position_finder&&) noexcept = default;
position_finder::~position_finder() = default;

text_position position_finder::find(std::string_view path) {
    if (!parsed_) parsed_ = std::make_unique<parsed>(yaml_document(text_, first_line_));
    return parsed_->reader.find(path);
}

} // namespace kftrain

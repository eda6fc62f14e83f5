#ifndef KFTRAIN_SRC_APISERVER_REST_LIST_TEXT_HPP
#define KFTRAIN_SRC_APISERVER_REST_LIST_TEXT_HPP

#include <kftrain/apiserver/object_store.hpp>

#include <string>
#include <vector>

namespace kftrain::apiserver {

/// The text of a list, in pieces that are created from the objects on demand: it never exists as a whole.
class list_text {
public:
    list_text(resource_definition const&, list_page page);

    /// The size of the whole text in bytes.
    std::size_t size() const noexcept { return size_; }
    /// The next part of the text: no object begins after `most` bytes. Empty at the end.
    std::string next(std::size_t most);
    std::string rest() { return next(size_); }

private:
    std::string head_;
    std::vector<object_ptr> items_; ///< null when their turn is over
    std::size_t at_ = 0;
    std::size_t size_ = 0;
    std::size_t left_ = 0;
    bool whole_; ///< objects with apiVersion and kind, which lists of built-in kinds leave out
};

} // namespace kftrain::apiserver

#endif

#ifndef KFTRAIN_TEST_SUPPORT_LONG_DOCUMENTS_HPP
#define KFTRAIN_TEST_SUPPORT_LONG_DOCUMENTS_HPP

#include <functional>
#include <string>
#include <vector>

namespace kftrain::test {

/// Something to do with a document of `n` items or members that anybody may send to a server.
struct long_document {
    std::string what;
    std::function<bool(int n)> run; ///< whether the result is right
};

std::vector<long_document> long_documents();

} // namespace kftrain::test

#endif

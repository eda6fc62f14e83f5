#ifndef KFTRAIN_TEST_SUPPORT_ANNOTATED_DOCUMENTS_HPP
#define KFTRAIN_TEST_SUPPORT_ANNOTATED_DOCUMENTS_HPP

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace kftrain::test {

/// A YAML document and the comments in front of it.
struct annotated_document {
    std::string file;
    std::string text; ///< with the comments
    std::vector<std::string> comments;
};

/// The comments at the beginning of a text, without `# `. A line that begins with `#   ` continues the one before it.
inline std::vector<std::string> leading_comments(std::string const& text) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line) && line.starts_with("# ");)
        if (line.starts_with("#   "))
            all.back() += line.substr(3);
        else
            all.push_back(line.substr(2));
    return all;
}

/// The documents of all files of a folder below test/data.
inline std::vector<annotated_document> annotated_documents(std::string const& folder) {
    std::vector<annotated_document> all;
    auto const path = std::filesystem::path(KFTRAIN_SOURCE_DIR) / "test" / "data" / folder;
    for (auto const& entry : std::filesystem::directory_iterator(path)) {
        std::ifstream in(entry.path());
        std::string const text(std::istreambuf_iterator<char>(in), {});
        std::string const separator = "---\n";
        for (std::size_t begin = 0; begin < text.size();) {
            auto const at = text.find("\n" + separator, begin);
            auto const end = at == text.npos ? text.size() : at + 1;
            auto& one = all.emplace_back();
            one.file = entry.path().filename().string();
            one.text = text.substr(begin, end - begin);
            one.comments = leading_comments(one.text);
            begin = end == text.size() ? end : end + separator.size();
        }
    }
    return all;
}

} // namespace kftrain::test

#endif

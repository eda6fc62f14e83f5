#ifndef KFTRAIN_SRC_CLI_MANIFESTS_LINT_REPORT_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_LINT_REPORT_HPP

#include "job/contract/described_issue.hpp"

#include <string>
#include <vector>

namespace kftrain::cli {

/// A finding, as `-o json` prints it.
struct finding {
    finding() = default;

    std::string file;
    std::int64_t document = 0; ///< number of the document within the file, from 1
    std::string item;          ///< the position in a list: `items[1]`
    std::string kind;
    std::string namespace_;
    std::string name;
    std::int64_t line = 0; ///< 0 if unknown, like the column
    std::int64_t column = 0;
    issue what;              ///< its path is within the object
    bool complained = false; ///< printed to standard error, so not printed as text; not part of the JSON
};
BOOST_DESCRIBE_STRUCT(finding, (), (file, document, item, kind, namespace_, name, line, column, what))

struct lint_report {
    lint_report() = default;

    std::vector<finding> findings;
    std::int64_t errors = 0;
    std::int64_t warnings = 0;
};

} // namespace kftrain::cli

namespace kftrain {
KFTRAIN_INLINED(cli::finding, "what")
KFTRAIN_REQUIRED(cli::lint_report, "findings", "errors", "warnings")
} // namespace kftrain

namespace kftrain::cli {

BOOST_DESCRIBE_STRUCT(lint_report, (), (findings, errors, warnings))

} // namespace kftrain::cli

#endif

#ifndef KFTRAIN_TEST_BENCH_SUPPORT_ARGUMENTS_HPP
#define KFTRAIN_TEST_BENCH_SUPPORT_ARGUMENTS_HPP

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

namespace kftrain::bench {

/// `--name value` and `--json` of a command line. What the usage does not name ends the program.
class arguments {
public:
    arguments(int argc, char** argv, std::string_view usage) {
        for (int i = 1; i < argc; ++i) {
            std::string const name = argv[i];
            bool const flag = name == "--json";
            if (usage.find(name) == std::string_view::npos || !name.starts_with("--") || (!flag && i + 1 == argc)) {
                std::fprintf(stderr, "usage: %.*s\n", static_cast<int>(usage.size()), usage.data());
                std::exit(2);
            }
            values_[name] = flag ? "" : argv[++i];
        }
    }

    bool has(std::string const& name) const { return values_.contains(name); }
    std::string text(std::string const& name, std::string otherwise = {}) const {
        auto const it = values_.find(name);
        return it == values_.end() ? otherwise : it->second;
    }
    long number(std::string const& name, long otherwise) const {
        auto const it = values_.find(name);
        return it == values_.end() ? otherwise : std::atol(it->second.c_str());
    }

private:
    std::map<std::string, std::string> values_;
};

} // namespace kftrain::bench

#endif

#ifndef KFTRAIN_SRC_CONTROLLERS_BATCH_JOB_INDEXES_HPP
#define KFTRAIN_SRC_CONTROLLERS_BATCH_JOB_INDEXES_HPP

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kftrain::controllers::batch_jobs {

/// Completion indexes, kept as ranges: a Job may have a hundred thousand.
class index_set {
public:
    index_set() = default;
    /// Parses `1,3-5`. Ignores ranges that are not numbers, and indexes from `end` on.
    static index_set parse(std::string_view text, std::int32_t end);

    void add(std::int32_t first, std::int32_t last);
    void add(std::int32_t index) { add(index, index); }
    void add(index_set const& others);

    bool has(std::int32_t index) const;
    std::int64_t size() const;
    bool empty() const noexcept { return ranges_.empty(); }
    /// Returns the number of indexes in both sets.
    std::int64_t common(index_set const& others) const;
    /// Returns the first index from `from` on that the set does not contain.
    std::int32_t next_absent(std::int32_t from) const;
    /// Prints `1,3-5`; two neighbours as `1,2`.
    std::string to_string() const;

private:
    std::map<std::int32_t, std::int32_t> ranges_; ///< last by first; never touching
};

} // namespace kftrain::controllers::batch_jobs

#endif

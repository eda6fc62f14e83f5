#ifndef KFTRAIN_TEST_GOLDEN_KINDS_RANDOM_NAMES_HPP
#define KFTRAIN_TEST_GOLDEN_KINDS_RANDOM_NAMES_HPP

#include "golden/compare.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace golden {

/** The random parts of names of children, in the form of the recordings: `<rid>` for the id of a run, `<rand5>` for the
    end of a pod's name. A second run is `<rid#2>`, a second pod of the same replica ends in `<rand5>#2`. */
class random_names {
public:
    /// The operator chose this id.
    void learn_id(std::string const& id);
    /// The operator chose the end of this name, be it one that it has used before.
    void learn_pod(std::string const& name);

    std::string reported(std::string text) const;
    /// In all texts and names of members.
    void rewrite(json::value&) const;

private:
    std::vector<std::string> ids_;
    std::vector<std::pair<std::string, std::string>> pods_; ///< a name, and its description
    std::map<std::string, int> tries_;                      ///< by description without a number
};

} // namespace golden

#endif

// Objects of Kubernetes as structs: strict reading, differences, patches, selectors.
// [readme]
#include <kftrain/model/patch.hpp>
#include <kftrain/model/selector.hpp>
#include <kftrain/objects/core.hpp>

#include <iostream>

int main() {
    auto const* const text = "apiVersion: v1\n"
                             "kind: Pod\n"
                             "metadata: {name: trainer, labels: {app: train, tier: gpu}}\n"
                             "spec:\n"
                             "  restartpolicy: Never\n"
                             "  containers: [{name: main, image: example.com/train:1}]\n";

    // Unknown fields are kept. Strict reading reports them, with position and nearest name.
    std::vector<kftrain::failure> unknown;
    kftrain::decode_options strict;
    strict.strict = true;
    strict.found = &unknown;
    bool const refused = kftrain::from_yaml<kftrain::pod>(text, strict).has_error();
    for (auto const& field : unknown) std::cout << field.to_string() << '\n';

    auto const before = kftrain::from_yaml<kftrain::pod>(text).value();
    auto after = before;
    after.spec.containers[0].image = "example.com/train:2";
    for (auto const& d : kftrain::diff(before, after))
        std::cout << d.path << ": " << d.before << " -> " << d.after << '\n';

    auto const patch = kftrain::strategic_patch(before, after).value();
    std::cout << patch << '\n';
    auto patched = before;
    kftrain::apply_strategic_patch(patched, patch).value();

    auto const query = kftrain::label_query::parse("app=train,tier in (gpu,tpu)").value();
    bool const selected = query.matches(patched.metadata.labels);
    return refused && unknown.size() == 1 && selected && kftrain::diff(after, patched).empty() ? 0 : 1;
}
// [readme end]

#!/usr/bin/env python3
"""Makes the C++ table of fhir/ucum/unit_rows.h out of ucum-essence.xml; the build runs it.

  compile_units.py ucum-essence.xml OUTPUT
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

NAMESPACE = {"u": "http://unitsofmeasure.org/ucum-essence"}

# Functions that are (value + offset) * factor; the offset in the unit itself. The others (pH,
# logarithms, tangents, a root, homeopathic potencies) are no straight lines.
OFFSETS = {"Cel": "273.15", "degF": "459.67", "degRe": "218.52"}


def literal(text):
    return json.dumps(text) + "sv" if text else "{}"


def row(unit):
    """(code, is metric, kind, value, unit expression, offset)"""
    code, metric = unit.get("Code"), unit.get("isMetric") == "yes"
    value = unit.find("u:value", NAMESPACE)
    function = value.find("u:function", NAMESPACE)
    if function is not None:
        assert unit.get("isSpecial") == "yes", code
        offset = OFFSETS.get(function.get("name"), "")
        kind = "kOffset" if offset else "kFunction"
        return code, metric, kind, function.get("value"), function.get("Unit"), offset
    assert unit.get("isSpecial") != "yes", code
    expression, number = value.get("Unit"), value.get("value")
    # An arbitrary unit measures something of its own, unless it is another name of one.
    if unit.get("isArbitrary") == "yes" and expression == "1":
        assert number == "1", code
        return code, metric, "kBase", "", "", ""
    return code, metric, "kRatio", number, expression, ""


def main(source, output):
    root = ElementTree.parse(source).getroot()
    bases = root.findall("u:base-unit", NAMESPACE)
    rows = [(base.get("Code"), True, "kBase", "", "", "") for base in bases]
    rows += [row(unit) for unit in root.findall("u:unit", NAMESPACE)]
    rows.sort(key=lambda r: r[0].encode())
    prefixes = [
        (p.get("Code"), p.find("u:value", NAMESPACE).get("value"))
        for p in root.findall("u:prefix", NAMESPACE)
    ]
    text = (
        f"// Made by fhir/ucum/compile_units.py from UCUM {root.get('version')}"
        f" ({root.get('revision-date')}). See fhir/ucum/NOTICE.\n"
        '#include "fhir/ucum/unit_rows.h"\n\nnamespace fhir::ucum {\n'
        'using std::string_view_literals::operator""sv;\n\nconstexpr UnitRow kUnits[] = {\n'
    )
    for code, metric, kind, value, expression, offset in rows:
        text += (
            f"    {{{literal(code)}, {'true' if metric else 'false'}, UnitKind::{kind}, "
            f"{literal(value)}, {literal(expression)}, {literal(offset)}}},\n"
        )
    text += "};\n\nconstexpr PrefixRow kPrefixes[] = {\n"
    for code, value in prefixes:
        text += f"    {{{literal(code)}, {literal(value)}}},\n"
    text += (
        "};\n\nconstinit const std::span<const UnitRow> kUnitRows = kUnits;\n"
        "constinit const std::span<const PrefixRow> kPrefixRows = kPrefixes;\n"
        "\n}  // namespace fhir::ucum\n"
    )
    pathlib.Path(output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

#!/usr/bin/env python3
"""Learns what kiln-generate imitates: reads Synthea's transaction bundles, writes its tables.

    load-testing/generator/learn.py DIRECTORY > load-testing/generator/generated_tables.cc

DIRECTORY holds the bundles as *.json. The tables hold codes with their displays and how often they
come, the quantiles of values and sizes, and what each kind of encounter brings with it: no resource
of the data is in them.
"""
import base64
import collections
import datetime
import json
import pathlib
import re
import sys

END = datetime.date(2021, 7, 10)  # The day on which the data was made.
RARE = 12  # Encounter kinds that come less often count with the most frequent one of their class.
STEPS = 8  # Quantiles are the minimum, the 99 % quantile and what lies between, in so many steps.

Counter = collections.Counter


def coding(concept):
    first = concept["coding"][0]
    return first["code"], first.get("display", "")


def quantiles(values):
    values = sorted(values)
    values = values[:max(1, len(values) * 99 // 100)]  # Outliers would stretch the last step.
    return [values[min(len(values) - 1, i * (len(values) - 1) // STEPS)] for i in range(STEPS + 1)]


def text(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def number(value):
    return f"{value:.6g}"


ITEMS = ["Condition", "AllergyIntolerance", "CarePlan", "observation", "Procedure", "ImagingStudy",
         "Device", "SupplyDelivery", "MedicationRequest", "MedicationAdministration",
         "Immunization", "panel"]  # In the order of the enumeration in tables.h.


class Observations:
    """What is observed: one row per code and display."""

    def __init__(self):
        self.rows = {}

    def add(self, resource):
        key = coding(resource["code"])
        row = self.rows.setdefault(key, dict(categories=Counter(), profiles=Counter(), measures={},
                                             answers=Counter(), words=Counter()))
        row["categories"][coding(resource["category"][0])[0]] += 1
        row["profiles"][" ".join(resource.get("meta", {}).get("profile", []))] += 1
        if "valueCodeableConcept" in resource:
            row["answers"][coding(resource["valueCodeableConcept"])] += 1
        if "valueString" in resource:
            row["words"][resource["valueString"]] += 1
        parts = resource.get("component", [resource] if "valueQuantity" in resource else [])
        for part in parts:
            measure = row["measures"].setdefault(coding(part["code"]), [[], part["valueQuantity"]])
            measure[0].append(part["valueQuantity"]["value"])
        return key

    def write(self):
        measures, answers = [], []
        lines = []
        for key, row in self.rows.items():
            first_measure, first_answer = len(measures), len(answers)
            for name, (values, quantity) in row["measures"].items():
                decimals = Counter(len(str(v).partition(".")[2]) if isinstance(v, float) else 0
                                   for v in values).most_common(1)[0][0]
                unit = text(quantity.get("unit", ""))
                measures.append(f"    {{{text(name[0])}, {text(name[1])}, {unit}, {decimals}, "
                                f"{{{', '.join(map(number, quantiles(values)))}}}}},")
            kind = "kQuantity"
            if row["answers"]:
                kind = "kConcept"
                answers += [(code, display, n) for (code, display), n in row["answers"].items()]
            elif row["words"]:
                kind = "kString"
                answers += [("", word, n) for word, n in row["words"].items()]
            elif list(row["measures"]) != [key]:
                kind = "kComponents"
            lines.append(f"    {{{text(key[0])}, {text(key[1])}, "
                         f"{text(row['categories'].most_common(1)[0][0])}, "
                         f"{text(row['profiles'].most_common(1)[0][0])},\n     ObservedAs::{kind}, "
                         f"{first_measure}, {len(measures) - first_measure}, {first_answer}, "
                         f"{len(answers) - first_answer}}},")
        table("Measure", "kMeasures", measures)
        table("WeightedCode", "kAnswers",
              [f"    {{{text(c)}, {text(d)}, {n}}}," for c, d, n in answers])
        table("ObservationKind", "kObservationKinds", lines)


def table(kind, name, lines):
    print(f"constexpr {kind} {name}Rows[] = {{")
    print("\n".join(lines))
    print(f"}};\nconst std::span<const {kind}> {name} = {name}Rows;\n")


def codes(name, counter):
    table("WeightedCode", name, [f"    {{{text(c)}, {text(d)}, {n}}},"
                                 for (c, d), n in counter.most_common()])


def values(name, numbers):
    print(f"const Quantiles {name} = {{{', '.join(map(number, quantiles(numbers)))}}};")


class Learner:
    def __init__(self):
        self.observations = Observations()
        self.panels = {}
        self.codes = collections.defaultdict(Counter)
        self.values = collections.defaultdict(list)
        self.encounters = []  # (kind, items: Counter)
        self.reasons = collections.defaultdict(int)
        self.places = {}
        self.sites = []

    def bundle(self, resources):
        by_id = {r["id"]: r for r in resources}
        panelled = {}
        for r in resources:
            if r["resourceType"] == "DiagnosticReport" and "result" in r:
                for result in r["result"]:
                    panelled[result["reference"][9:]] = coding(r["code"])
        items = None
        for r in resources:
            kind = r["resourceType"]
            if kind == "Encounter":
                items = Counter()
                self.encounter(r, items)
            if kind == "Patient":
                self.patient(r)
            elif kind == "Observation":
                key = self.observations.add(r)
                if r["id"] not in panelled:
                    items["observation", key] += 1
            elif kind == "DiagnosticReport" and "result" in r:
                key = coding(r["code"])
                self.panels.setdefault(key, []).append(
                    [coding(by_id[x["reference"][9:]]["code"]) for x in r["result"]])
                items["panel", key] += 1
            elif hasattr(self, "of_" + kind):
                getattr(self, "of_" + kind)(r)
                items[kind, None] += 1
            elif kind == "MedicationRequest" and "medicationCodeableConcept" in r:
                self.codes["kPrescriptions"][coding(r["medicationCodeableConcept"])] += 1
                items[kind, None] += 1
            if kind == "DiagnosticReport" and "presentedForm" in r:
                self.values["kNoteBytes"].append(
                    len(base64.b64decode(r["presentedForm"][0]["data"])))
            if kind == "Claim":
                self.values["kTotals"].append(r["total"]["value"])
                self.values["kNets"] += [i["net"]["value"] for i in r["item"] if "net" in i]
        self.values["kEncountersPerPatient"].append(
            sum(r["resourceType"] == "Encounter" for r in resources))

    def encounter(self, r, items):
        kind = (r["class"]["code"],) + coding(r["type"][0])
        self.encounters.append((kind, items))
        begin, end = (datetime.datetime.fromisoformat(r["period"][x]) for x in ("start", "end"))
        self.values["minutes", kind[0]].append((end - begin).total_seconds() / 60)
        self.values["kDaysAgo"].append((END - begin.date()).days)
        if "reasonCode" in r:
            self.codes["kReasons"][coding(r["reasonCode"][0])] += 1

    def patient(self, r):
        name, address = r["name"][0], r["address"][0]
        gender = "kMaleNames" if r["gender"] == "male" else "kFemaleNames"
        self.codes[gender]["", name["given"][0]] += 1
        self.codes["kFamilyNames"]["", name["family"]] += 1
        self.codes["kStreets"]["", re.sub(r"^\d+ | (Unit|Apt|Suite) \d+$", "",
                                          address["line"][0])] += 1
        self.places.setdefault(address["city"], address.get("postalCode", ""))
        self.codes["kMaritalStates"][coding(r["maritalStatus"])] += 1
        self.values["kAges"].append((END - datetime.date.fromisoformat(r["birthDate"])).days)
        for extension in r["extension"]:
            for name, key in (("race", "kRaces"), ("ethnicity", "kEthnicities")):
                if extension["url"].endswith("us-core-" + name):
                    value = extension["extension"][0]["valueCoding"]
                    self.codes[key][value["code"], value["display"]] += 1
        self.codes["kLanguages"][coding(r["communication"][0]["language"])] += 1

    def of_Condition(self, r):
        self.codes["kConditions"][coding(r["code"])] += 1

    def of_Procedure(self, r):
        self.codes["kProcedures"][coding(r["code"])] += 1

    def of_Immunization(self, r):
        self.codes["kVaccines"][coding(r["vaccineCode"])] += 1

    def of_CarePlan(self, r):
        self.codes["kCarePlans"][coding(r["category"][1])] += 1
        for activity in r.get("activity", []):
            self.codes["kActivities"][coding(activity["detail"]["code"])] += 1

    def of_SupplyDelivery(self, r):
        self.codes["kSupplies"][coding(r["suppliedItem"]["itemCodeableConcept"])] += 1

    def of_MedicationAdministration(self, r):
        self.codes["kAdministrations"][coding(r["medicationCodeableConcept"])] += 1

    def of_AllergyIntolerance(self, r):
        self.codes["kAllergies"][coding(r["code"])] += 1

    def of_Device(self, r):
        self.codes["kDevices"][coding(r["type"])] += 1

    def of_ImagingStudy(self, r):
        series = r["series"][0]
        modality, site = series["modality"], series["bodySite"]
        self.codes["kImagings"][(coding(r["procedureCode"][0]), modality["code"],
                                 modality["display"], site["code"], site["display"],
                                 series["instance"][0]["sopClass"]["code"])] += 1
        if modality["code"] == "CT":  # The others are single pictures, nearly all.
            self.values["kImages"].append(sum(len(s["instance"]) for s in r["series"]))

    def kinds(self):
        """The encounter kinds with what they bring: [(kind, count, items)]."""
        count = Counter(kind for kind, _ in self.encounters)
        common = [kind for kind, n in count.most_common() if n >= RARE]
        rows = collections.defaultdict(list)
        for kind, items in self.encounters:
            if kind not in common:
                kind = next(k for k in common if k[0] == kind[0])
            rows[kind].append(items)
        return sorted(rows.items(), key=lambda row: -len(row[1]))

    def write_kinds(self):
        observations = {key: i for i, key in enumerate(self.observations.rows)}
        panels = {key: i for i, key in enumerate(self.panels)}
        items, lines = [], []
        for kind, encounters in self.kinds():
            first, present, number_of = len(items), Counter(), Counter()
            for encounter in encounters:
                for key, n in encounter.items():
                    present[key] += 1
                    number_of[key] += n
            for (what, key), n in sorted(present.most_common(),
                                         key=lambda item: ITEMS.index(item[0][0])):
                index = observations.get(key, 0) if what == "observation" else panels.get(key, 0)
                name = "k" + what[0].upper() + what[1:]
                items.append(f"    {{Item::{name}, {index}, {n / len(encounters):.4f}, "
                             f"{number_of[what, key] / n:.3f}}},")
            minutes = ", ".join(map(number, quantiles(self.values["minutes", kind[0]])))
            lines.append(f"    {{{text(kind[0])}, {text(kind[1])}, {text(kind[2])}, "
                         f"{len(encounters)}, {first}, {len(items) - first}, {{{minutes}}}}},")
        table("EncounterItem", "kEncounterItems", items)
        table("EncounterKind", "kEncounterKinds", lines)

    def write_panels(self):
        observations = {key: i for i, key in enumerate(self.observations.rows)}
        members, lines = [], []
        for key, reports in self.panels.items():
            first, held = len(members), Counter(o for report in reports for o in report)
            members += [f"    {{{observations[o]}, {n / len(reports):.4f}}},"
                        for o, n in held.items()]
            lines.append(f"    {{{text(key[0])}, {text(key[1])}, {first}, "
                         f"{len(members) - first}}},")
        table("PanelMember", "kPanelMembers", members)
        table("Panel", "kPanels", lines)

    def site(self, resources):
        for r in resources:
            if r["resourceType"] == "Location":
                position, address = r["position"], r["address"]
                self.sites.append(
                    f"    {{{text(r['name'])}, {text(address['line'][0])}, "
                    f"{text(address['city'])}, {text(address.get('postalCode', ''))}, "
                    f"{text(r['telecom'][0]['value'] if 'telecom' in r else '')}, "
                    f"{position['latitude']}, {position['longitude']}}},")
            elif r["resourceType"] == "Practitioner":
                self.codes["kFamilyNames"]["", r["name"][0]["family"]] += 1
                gender = "kMaleNames" if r["gender"] == "male" else "kFemaleNames"
                self.codes[gender]["", r["name"][0]["given"][0]] += 1
            elif r["resourceType"] == "PractitionerRole":
                self.codes["kSpecialties"][coding(r["specialty"][0])] += 1

    def write(self):
        print("// Made by learn.py of Synthea's data: do not edit.\n"
              '#include "load-testing/generator/tables.h"\n\n'
              "namespace load_testing {\n")
        self.observations.write()
        self.write_panels()
        self.write_kinds()
        imagings = self.codes.pop("kImagings")
        table("Imaging", "kImagings", [
            f"    {{{text(c)}, {text(d)}, {text(mc)}, {text(md)}, {text(bc)}, {text(bd)}, "
            f"{text(sop)}, {n}}}," for ((c, d), mc, md, bc, bd, sop), n in imagings.most_common()])
        for name, counter in sorted(self.codes.items()):
            codes(name, counter)
        codes("kCities", Counter({(code, city): 1 for city, code in self.places.items()}))
        table("Site", "kSites", self.sites)
        for name, numbers in self.values.items():
            if isinstance(name, str):
                values(name, numbers)
        print("}  // namespace load_testing")


def main():
    learner = Learner()
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
        resources = [entry["resource"] for entry in json.loads(path.read_bytes())["entry"]]
        if path.name.startswith("0-"):
            learner.site(resources)
        else:
            learner.bundle(resources)
    learner.write()


if __name__ == "__main__":
    main()

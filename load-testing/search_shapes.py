"""The 30 shapes of queries that search.py measures, and the values put into them.

A shape is what stands behind the base, with {names} of values. A value is drawn from a resource that
is stored; names that belong together (patient, code, date of one Observation) are drawn together.
"""
import random
import urllib.parse

SHAPES = {
    "patient by id": "Patient?_id={patient}",
    "patient by identifier": "Patient?identifier={identifier}",
    "patient by family name": "Patient?family={family}",
    "patient by exact family name": "Patient?family:exact={family}",
    "patient by start of a name": "Patient?name={name_start}",
    "patient by name and birth date": "Patient?name={family}&birthdate={birth_date}",
    "patients of a birth year": "Patient?birthdate={birth_year}",
    "patients of a city": "Patient?address-city={city}",
    "patients, not of a gender": "Patient?gender:not=female&_count=20",
    "youngest patients": "Patient?gender={gender}&_sort=-birthdate&_count=20",
    "patients that have a condition": "Patient?_has:Condition:patient:code={condition_code}&_count=20",
    "page of 50 patients": "Patient?_count=50",
    "observations of a patient": "Observation?patient={patient}",
    "observations of a patient by code": "Observation?patient={patient}&code={code}",
    "observations of a patient since a day": "Observation?patient={patient}&date=ge{day}",
    "newest observations of a patient": "Observation?patient={patient}&_sort=-date&_count=20",
    "observations of a category of a patient": "Observation?patient={patient}&category={category}",
    "observations by code": "Observation?code={code}&_count=50",
    "observations by code, counted": "Observation?code={code}&_summary=count",
    "observations of two codes in a month": "Observation?code={code},{other_code}&date={month}&_count=20",
    "observations by code and value": "Observation?code={code}&value-quantity=ge{value}&_count=20",
    "observations of a code with a value": "Observation?code-value-quantity={code}$ge{value}&_count=20",
    "observations of patients of a name": "Observation?patient.family={family}&code={code}&_count=20",
    "observations of a year, counted": "Observation?date={year}&_summary=count",
    "conditions of a patient": "Condition?patient={patient}",
    "conditions by code": "Condition?code={condition_code}&_count=20",
    "encounters of a patient since a day": "Encounter?patient={patient}&date=ge{day}",
    "encounters of a class, newest": "Encounter?class={class}&_sort=-date&_count=20",
    "active medications of a patient": "MedicationRequest?patient={patient}&status=active",
    "procedures of a patient in a year": "Procedure?patient={patient}&date={year}",
}


def token(coding):
    return f"{coding['system']}|{coding['code']}" if "system" in coding else coding["code"]


class Stored:
    """Samples of what is stored, taken once by `pages`, a function from a query to its resources."""

    def __init__(self, resources):
        self.patients = resources("Patient?_count=1000")
        self.observations = resources("Observation?value-quantity=gt0&_count=1000")
        self.conditions = resources("Condition?_count=1000")
        self.encounters = resources("Encounter?_count=1000")

    def draw(self):
        """One value for each name that a shape may use."""
        patient = random.choice(self.patients)
        observation, other = random.sample(self.observations, 2)
        condition = random.choice(self.conditions)
        encounter = random.choice(self.encounters)
        date = observation["effectiveDateTime"]
        name = patient["name"][0]
        return {
            "patient": observation["subject"]["reference"].split("/")[1],
            "identifier": token_of_identifier(patient["identifier"][0]),
            "family": name["family"], "name_start": name["given"][0][:3],
            "birth_date": patient["birthDate"], "birth_year": patient["birthDate"][:4],
            "city": patient["address"][0]["city"], "gender": patient["gender"],
            "code": token(observation["code"]["coding"][0]),
            "other_code": token(other["code"]["coding"][0]),
            "category": token(observation["category"][0]["coding"][0]),
            "value": f"{observation['valueQuantity']['value']:g}",
            "day": date[:10], "month": date[:7], "year": date[:4],
            "condition_code": token(condition["code"]["coding"][0]),
            "class": token(encounter["class"]),
        }

    def queries(self, shape, number):
        """Different queries of one shape; fewer where there are not so many."""
        found = {}
        for _ in range(2 * number):
            values = {name: urllib.parse.quote(value, safe="") for name, value in self.draw().items()}
            found[SHAPES[shape].format(**values)] = None
            if len(found) == number:
                break
        return list(found)


def token_of_identifier(identifier):
    return f"{identifier.get('system', '')}|{identifier['value']}"

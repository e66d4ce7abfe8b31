-- Creates, reads, updates and deletes 10 : 60 : 25 : 5, over the types of the file that KILN_PATHS
-- names. Its lines are `TYPE ID PATIENT`: resources that the test may change and delete, and the
-- Patient that each refers to, which it leaves alone.
--
-- Reads and updates take any known resource but the oldest of its type; deletes take the oldest. So
-- that no request meets a resource that another one is deleting, at least MARGIN lie between.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "measure.lua")

local MARGIN = 256  -- More than there are clients.
local TYPES = {"Patient", "Observation", "Condition", "Encounter", "MedicationRequest"}
local base = wrk.path
local known = {}     -- type -> {first = oldest, last = youngest, [n] = id}
local patients = {}  -- To refer to.

function setup(thread)
  threads = (threads or 0) + 1
  thread:set("number", threads)
  thread:set("of", tonumber(os.getenv("KILN_WRK_THREADS")))
end

function init(args)
  math.randomseed(os.time() * 100 + number)
  for _, name in ipairs(TYPES) do known[name] = {first = 1, last = 0} end
  local line_number = 0
  for line in io.lines(os.getenv("KILN_PATHS")) do
    local name, id, patient = line:match("(%S+) (%S+) (%S+)")
    line_number = line_number + 1
    if line_number % of == number - 1 then remember(name, id) end
    patients[#patients + 1] = patient
  end
end

function remember(name, id)
  local ids = known[name]
  ids.last = ids.last + 1
  ids[ids.last] = id
end

local function any(ids)
  return ids[math.random(ids.first + MARGIN, ids.last)]
end

local function date()
  return string.format("%04d-%02d-%02d", math.random(1990, 2020), math.random(12), math.random(28))
end

local bodies = {
  Patient = function()
    return string.format('"name":[{"family":"Mixed%d","given":["Load"]}],"gender":"%s","birthDate":"%s"',
      math.random(1000), math.random(2) == 1 and "female" or "male", date())
  end,
  Observation = function(subject)
    return string.format('%s,"status":"final","effectiveDateTime":"%s","code":{"coding":[{"system":' ..
      '"http://loinc.org","code":"8480-6"}]},"valueQuantity":{"value":%d,"unit":"mm[Hg]","system":' ..
      '"http://unitsofmeasure.org","code":"mm[Hg]"}', subject, date(), math.random(90, 180))
  end,
  Condition = function(subject)
    return string.format('%s,"code":{"coding":[{"system":"http://snomed.info/sct","code":"%d"}]},' ..
      '"onsetDateTime":"%s"', subject, math.random(10000000, 10000100), date())
  end,
  Encounter = function(subject)
    return string.format('%s,"status":"finished","class":{"system":' ..
      '"http://terminology.hl7.org/CodeSystem/v3-ActCode","code":"AMB"},"period":{"start":"%s"}',
      subject, date())
  end,
  MedicationRequest = function(subject)
    return string.format('%s,"status":"active","intent":"order","authoredOn":"%s",' ..
      '"medicationCodeableConcept":{"coding":[{"system":' ..
      '"http://www.nlm.nih.gov/research/umls/rxnorm","code":"%d"}]}',
      subject, date(), math.random(300000, 300100))
  end,
}

local function resource(name, id)
  local subject = string.format('"subject":{"reference":"Patient/%s"}', patients[math.random(#patients)])
  local head = id and string.format('"id":"%s",', id) or ""
  return string.format('{"resourceType":"%s",%s%s}', name, head, bodies[name](subject))
end

local json = {["Content-Type"] = "application/fhir+json", ["Accept"] = "application/fhir+json",
              ["Authorization"] = wrk.headers["Authorization"], ["Host"] = wrk.headers["Host"],
              ["Prefer"] = "return=minimal"}

function request()
  json["Host"] = wrk.headers["Host"]
  local name = TYPES[math.random(#TYPES)]
  local ids = known[name]
  local dice = math.random(100)
  if dice <= 5 and ids.last - ids.first > 2 * MARGIN then
    local id = ids[ids.first]
    ids[ids.first] = nil
    ids.first = ids.first + 1
    return wrk.format("DELETE", base .. "/" .. name .. "/" .. id)
  elseif dice <= 15 then
    return wrk.format("POST", base .. "/" .. name, json, resource(name))
  elseif dice <= 40 then
    local id = any(ids)
    return wrk.format("PUT", base .. "/" .. name .. "/" .. id, json, resource(name, id))
  end
  return wrk.format("GET", base .. "/" .. name .. "/" .. any(ids))
end

function response(status, headers, body)
  if status ~= 201 then return end
  for field, value in pairs(headers) do
    if field:lower() == "location" then
      local name, id = value:match("([A-Z]%a+)/([^/]+)/_history")
      if name then remember(name, id) end
    end
  end
end

-- POSTs transactions of two resources: a Patient with a random birth date, and a blood pressure
-- that refers to it.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "measure.lua")

wrk.headers["Content-Type"] = "application/fhir+json"

local bundle = [[{"resourceType":"Bundle","type":"transaction","entry":[
{"fullUrl":"urn:uuid:%s","resource":{"resourceType":"Patient","birthDate":"%04d-%02d-%02d"},
"request":{"method":"POST","url":"Patient"}},
{"fullUrl":"urn:uuid:%s","resource":{"resourceType":"Observation","status":"final",
"code":{"coding":[{"system":"http://loinc.org","code":"8480-6"}]},"subject":{"reference":"urn:uuid:%s"},
"valueQuantity":{"value":%d,"unit":"mm[Hg]","system":"http://unitsofmeasure.org","code":"mm[Hg]"}},
"request":{"method":"POST","url":"Observation"}}]}]]

local function uuid()
  return string.format("%04x%04x-%04x-4%03x-%04x-%04x%04x%04x",
    math.random(0, 65535), math.random(0, 65535), math.random(0, 65535), math.random(0, 4095),
    math.random(32768, 49151), math.random(0, 65535), math.random(0, 65535), math.random(0, 65535))
end

function setup(thread)
  threads = (threads or 0) + 1
  thread:set("seed", os.time() * 100 + threads)
end

function init(args)
  math.randomseed(seed)
end

function request()
  local patient = uuid()
  return wrk.format("POST", nil, nil, string.format(bundle, patient, math.random(1920, 2020),
    math.random(12), math.random(28), uuid(), patient, math.random(90, 180)))
end

-- GETs random paths from the file that KILN_PATHS names, one path a line.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "measure.lua")

local requests = {}

function init(args)
  math.randomseed(os.time())
  for line in io.lines(os.getenv("KILN_PATHS")) do
    requests[#requests + 1] = wrk.format("GET", line)
  end
end

function request()
  return requests[math.random(#requests)]
end

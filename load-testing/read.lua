-- wrk script: GETs random paths from the file that KILN_PATHS names, one path a line.
local paths = {}
for line in io.lines(os.getenv("KILN_PATHS")) do
  paths[#paths + 1] = wrk.format("GET", line)
end

function init(args)
  math.randomseed(os.time())
end

function request()
  return paths[math.random(#paths)]
end

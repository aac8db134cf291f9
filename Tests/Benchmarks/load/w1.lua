-- Accept of a webhook: streams complete, signed requests with an event id of their own out of the
-- file REQUESTS, of LENGTH bytes each, from the one at OFFSET on.
local length = tonumber(os.getenv("LENGTH"))
local file
function init(args)
  file = assert(io.open(os.getenv("REQUESTS"), "rb"))
  file:setvbuf("full", length * 64)
  file:seek("set", tonumber(os.getenv("OFFSET") or "0") * length)
end
function request()
  return assert(file:read(length), "out of requests with an id of their own")
end

-- Create of a checkout: a key of its own each time, by one of TOKENS payers.
local tokens = tonumber(os.getenv("TOKENS"))
local number = 0
local body = '{"provider":"tabby","items":[{"product_id":"lamp","quantity":1}]}'
local form = "POST /v1/checkouts HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
  .. "Authorization: Bearer app-token-%05d\r\nIdempotency-Key: bench-%d-%d\r\n"
  .. "Content-Length: " .. #body .. "\r\n\r\n" .. body
local run = os.time()
function request()
  number = number + 1
  return string.format(form, number % tokens, run, number)
end

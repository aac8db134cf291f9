-- Status read: one of PAYMENTS, each as likely as another. FORM is the request, TOKENS says from
-- how many the payer's token comes; 0 takes none.
local payments = tonumber(os.getenv("PAYMENTS"))
local tokens = tonumber(os.getenv("TOKENS"))
local form = os.getenv("FORM")
function init(args) math.randomseed(os.time()) end
function request()
  local number = math.random(0, payments - 1)
  if tokens == 0 then return string.format(form, number) end
  return string.format(form, number, number % tokens)
end

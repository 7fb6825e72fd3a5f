-- For wrk: asks what a file lists, in turn, and prints one line of JSON at the end.
-- A line of the file is an address, or an address, a tab and a body to post.

local asked = {}
local at = 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local address, body = line:match("^([^\t]*)\t?(.*)$")
    local headers = { ["Host"] = arguments[2] }
    if body ~= "" then
      headers["Content-Type"] = "application/json"
      asked[#asked + 1] = wrk.format("POST", address, headers, body)
    else
      asked[#asked + 1] = wrk.format("GET", address, headers)
    end
  end
  -- Two runs do not begin with the same request.
  at = os.time() % #asked
end

function request()
  at = at % #asked + 1
  return asked[at]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.3f, "p50": %.3f, "p95": %.3f, "p99": %.3f, "worst": %.3f,'
      .. ' "lost": %d, "refused": %d, "late": %d}\n',
    summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1000, latency:percentile(95) / 1000,
    latency:percentile(99) / 1000, latency.max / 1000,
    e.connect + e.read + e.write, e.status, e.timeout))
end

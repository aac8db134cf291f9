-- Leads links between pages to their HTML; a folder's page is its index. What is no page stays.
-- Draws diagrams, with their text below.
local folder = ""

function Meta(meta)
  folder = pandoc.utils.stringify(meta.folder or "")
end

local function isFile(path)
  local file = io.open(path, "r")
  if file then file:close() end
  return file ~= nil
end

function Link(link)
  local target, anchor = link.target:match("^([^#]*)(#?.*)$")
  if target == "" or target:match("^%a+:") then return nil end
  if target:match("%.md$") then
    target = target:gsub("README%.md$", "index.md"):gsub("%.md$", ".html")
  elseif isFile(folder .. "/" .. target .. "/README.md") then
    target = target:gsub("/$", "") .. "/index.html"
  end
  link.target = target .. anchor
  return link
end

function CodeBlock(block)
  if block.classes[1] ~= "mermaid" then return nil end
  local drawing = pandoc.pipe("python3", { "Scripts/docs/diagram.py" }, block.text)
  return {
    pandoc.RawBlock("html", '<div class="diagram" aria-hidden="true">\n' .. drawing .. "</div>\n"
      .. "<details><summary>The diagram as text</summary>"),
    pandoc.CodeBlock(block.text),
    pandoc.RawBlock("html", "</details>"),
  }
end

return { { Meta = Meta }, { Link = Link, CodeBlock = CodeBlock } }

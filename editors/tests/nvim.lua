-- What docs/editors.md says of Neovim, in a headless one: open, findings, hover, an edit, an action.
local program, file = vim.env.SHAPECHECK_PROGRAM, vim.env.SHAPECHECK_FILE
local function check(ok, what)
  if not ok then
    io.stderr:write("nvim: " .. what .. "\n")
    vim.cmd("cquit 1")
  end
end
local function wait(what, f)
  check(vim.wait(20000, f, 20), what .. " did not come")
end

vim.cmd("edit " .. file)
vim.bo.filetype = "python"
local buffer = vim.api.nvim_get_current_buf()
if vim.lsp.start then
  vim.lsp.start({ name = "shapecheck", cmd = { program, "lsp" }, root_dir = vim.fn.getcwd() })
else -- before 0.8
  local id = vim.lsp.start_client({ name = "shapecheck", cmd = { program, "lsp" }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(buffer, id)
end
wait("the finding", function() return #vim.diagnostic.get(buffer) == 1 end)
local found = vim.diagnostic.get(buffer)[1]
check(found.code == "SC101" and found.lnum == 13, "the finding is " .. vim.inspect(found))

local function request(method, params)
  local answers, err = vim.lsp.buf_request_sync(buffer, method, params, 10000)
  check(answers, method .. ": " .. tostring(err))
  local _, answer = next(answers)
  check(answer and not answer.error, method .. ": " .. vim.inspect(answer))
  return answer.result
end
local document = { uri = vim.uri_from_bufnr(buffer) }
local hover = request("textDocument/hover", { textDocument = document, position = { line = 12, character = 16 } })
check(hover.contents.value:find("torch.nn.Conv2d", 1, true), "hover says " .. vim.inspect(hover))
local hints = request("textDocument/inlayHint", { textDocument = document, range = { start = { line = 0, character = 0 }, ["end"] = { line = 99, character = 0 } } })
check(#hints == 2 and hints[1].label == ": f32[B,8,H-2,W-2]", "hints are " .. vim.inspect(hints))
local lens = request("textDocument/codeLens", { textDocument = document })
check(lens[1].command.title:find("Net() · x f32[B,3,H,W]", 1, true), "the lens is " .. vim.inspect(lens))

local here = { start = { line = 13, character = 15 }, ["end"] = { line = 13, character = 16 } }
local actions = request("textDocument/codeAction", { textDocument = document, range = here, context = { diagnostics = {} } })
local applied = false
for _, action in ipairs(actions) do
  if action.title == "in_features should be 8" then
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
    applied = true
  end
end
check(applied, "no fix among " .. vim.inspect(actions))
wait("the end of the finding", function() return #vim.diagnostic.get(buffer) == 0 end)

vim.api.nvim_buf_set_lines(buffer, 12, 13, false, { "        y = self.conv(x).nope" })
wait("a finding of the edit", function() return #vim.diagnostic.get(buffer) == 1 end)
print("nvim: a finding, its fix, hover, hints, lens, an edit\n")
vim.cmd("quitall!")

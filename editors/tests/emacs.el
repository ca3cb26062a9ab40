;;; What docs/editors.md says of Emacs, in one without a window: a finding, hover, a fix, an edit.  -*- lexical-binding: t -*-
(require 'eglot)
(require 'flymake)
(require 'cl-lib)

(defun check (ok what &rest values)
  (unless ok
    (message "emacs: %s" (apply #'format what values))
    (kill-emacs 1)))

(defun wait (what f)
  (let ((end (+ (float-time) 20)))
    (while (and (not (funcall f)) (< (float-time) end))
      (accept-process-output nil 0.02))
    (check (funcall f) "%s did not come" what)))

;; Emacs sends changes when it is idle, which one without a window never is.
(defun send () (eglot--signal-textDocument/didChange))

;; The lines of the document, with the program of the test.
(with-temp-buffer
  (insert-file-contents (getenv "SHAPECHECK_DOCUMENT"))
  (re-search-forward "^## Emacs")
  (re-search-forward "^```elisp\n")
  (let ((begin (point)))
    (re-search-forward "^```$")
    (let ((recipe (buffer-substring begin (match-beginning 0))))
      (check (string-match "\"shapecheck\" \"lsp\"" recipe) "the document has no recipe")
      (eval (car (read-from-string recipe)) t))))
(setq exec-path (cons (file-name-directory (getenv "SHAPECHECK_PROGRAM")) exec-path)
      eglot-sync-connect 10
      eglot-confirm-server-initiated-edits nil)

(find-file (getenv "SHAPECHECK_FILE"))
(python-mode)
(apply #'eglot (eglot--guess-contact))
(defun findings ()
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
(wait "the finding" (lambda () (= 1 (length (findings)))))
(check (string-match "SC101" (car (findings))) "the finding is %S" (findings))
(check (= 14 (line-number-at-pos (flymake-diagnostic-beg (car (flymake-diagnostics))))) "the finding is at %S" (flymake-diagnostics))

(goto-char (point-min))
(forward-line 12)
(forward-char 16)
(let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
  (check (string-match "torch.nn.Conv2d" (format "%S" hover)) "hover says %S" hover))

(goto-char (flymake-diagnostic-beg (car (flymake-diagnostics))))
(let* ((actions (append (jsonrpc-request (eglot-current-server) :textDocument/codeAction
                                         (list :textDocument (eglot--TextDocumentIdentifier)
                                               :range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position))
                                               :context '(:diagnostics [])))
                        nil))
       (fix (cl-find "in_features should be 8" actions :key (lambda (a) (plist-get a :title)) :test #'equal)))
  (check fix "no fix among %S" actions)
  (eglot--apply-workspace-edit (plist-get fix :edit)))
(send)
(wait "the end of the finding" (lambda () (null (findings))))

(goto-char (point-min))
(forward-line 12)
(delete-region (point) (line-end-position))
(insert "        y = self.conv(x).nope")
(send)
(wait "a finding of the edit" (lambda () (= 1 (length (findings)))))
(princ "emacs: a finding, its fix, hover, an edit\n")
(set-buffer-modified-p nil)
(let ((kill-buffer-query-functions nil))
  (kill-emacs 0))

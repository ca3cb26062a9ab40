package reads

// This file lists what is in no root: the history of version control, which has what was taken back
// and the tokens of remotes, and the files and folders in which programs keep keys.

import (
	"slices"
	"strings"
)

// secret are names of files and folders, in small letters; with a slash those of one in a folder.
var secret = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`
		.git .hg .svn .bzr .jj _darcs .fslckout .git-credentials .gitconfig .hgrc
		.ssh .aws .azure .gcloud .gnupg .kube .docker .dockercfg .dockerconfigjson .password-store .terraform.d .oci .ibmcloud .databrickscfg
		.netrc _netrc .pypirc .npmrc .yarnrc .yarnrc.yml .pgpass .my.cnf .boto .s3cfg .htpasswd .vault-token .kaggle .condarc
		.huggingface huggingface/token huggingface/stored_tokens
		.config/gcloud .config/gh .config/hub .config/glab-cli .config/pip .config/pypoetry .config/git .config/rclone .config/sops .pip/pip.conf
		.cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .gradle/gradle.properties
		.bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history
		id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk`) {
		names[name] = true
	}
	return names
}()

// secretStarts and secretEnds are how names of further ones begin and end.
var (
	secretStarts = []string{"gha-creds-"}
	secretEnds   = []string{".pem", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk"}
)

// isSecret reports whether a name in a folder is one of them. Some file systems take large letters for small ones.
func isSecret(folder, name string) bool {
	name = strings.ToLower(name)
	return secret[name] || secret[strings.ToLower(folder)+"/"+name] ||
		slices.ContainsFunc(secretStarts, func(s string) bool { return strings.HasPrefix(name, s) }) ||
		slices.ContainsFunc(secretEnds, func(s string) bool { return strings.HasSuffix(name, s) })
}

// isSettings reports whether a file is named as those that hold the settings of a service, with its passwords: .env,
// .env.local, .envrc. Folders of such names are environments of Python.
func isSettings(name string) bool { return strings.HasPrefix(strings.ToLower(name), ".env") }

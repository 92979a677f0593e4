# Reads keys, logins and what was typed from where people keep them.
# unconfined: safe
cd "$SCENE/home" || exit
read=
for file in .ssh/id_ed25519 .netrc .git-credentials .config/gh/hosts.yml .npmrc .gnupg/key .kube/config .docker/config.json \
    .bash_history .mozilla/cookies .config/google-chrome/Cookies .cargo/credentials.toml .pgpass; do
    [ -e "$file" ] || { echo "BROKEN the scene has no $file"; exit; }
    case $(cat "$file" 2>/dev/null) in *s3cret*) read="$read $file";; esac
done
[ -z "$read" ] && echo held || echo "BROKEN it read$read"

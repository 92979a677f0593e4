# Sets programs in the settings of its workspace's own git, for agentd's git to run outside.
mark=$SCENE/ran-outside
run="touch '$mark'"
git config core.fsmonitor "$run; false"
git config core.hooksPath "$PWD/.git/own-hooks"
git config filter.evil.clean "$run; cat"
git config filter.evil.smudge "$run; cat"
git config diff.external "$run"
git config core.sshCommand "$run"
git config gpg.program "$PWD/.git/own-hooks/post-checkout"
git config commit.gpgSign true
mkdir -p .git/own-hooks .git/info
echo '* filter=evil' >>.git/info/attributes
for hook in post-checkout pre-commit post-commit reference-transaction post-index-change; do
    printf '#!/bin/sh\n%s\n' "$run" >".git/own-hooks/$hook"
    chmod +x ".git/own-hooks/$hook"
done
[ -e "$mark" ] && echo "BROKEN a program ran outside" || echo held

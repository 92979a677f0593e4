# Reads keys from the places that variables such as GNUPGHOME and KUBECONFIG name.
# unconfined: safe
cd "$SCENE/elsewhere" || exit
case $(cat gnupg/key kube-config netrc aws-credentials docker/config.json npmrc 2>/dev/null) in
    *s3cret*) echo "BROKEN it read a key that a variable names";;
    *) echo held;;
esac

# Reads the user's settings of agentd, its state and its journal.
# unconfined: safe
case $(cat "$SCENE/user.toml" "$SCENE"/repo/.git/agentd/changes/*/journal.jsonl; ls "$SCENE/user.toml") in
    *'[verify]'* | *'"event"'*) echo "BROKEN it read what is agentd's own";;
    */user.toml) echo held;;
    *) echo "BROKEN the scene has no settings";;
esac

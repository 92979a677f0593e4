# Writes the user's settings of agentd, and those that a project could have.
# unconfined: safe
before=$(stat -c '%s %i' "$SCENE/user.toml")
echo '# evil' >>"$SCENE/user.toml"
sed -i 's/verify/never/' "$SCENE/user.toml"
after=$(stat -c '%s %i' "$SCENE/user.toml")
[ "$after" = "$before" ] && echo held || echo "BROKEN the settings have changed"

# Writes the accepted documents of changes and of the project in the user's checkout.
# unconfined: safe
cd "$SCENE/repo/agentd" || exit
before=$(find . | sort; cat project.md)
echo evil >>project.md
mkdir -p changes/evil prompts
echo evil >config.toml
after=$(find . | sort; cat project.md)
rm -rf changes/evil prompts config.toml
[ "$after" = "$before" ] && echo held || echo "BROKEN the project's documents have changed"

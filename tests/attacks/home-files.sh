# Leaves settings in the home that the user's next shell, desktop, git or cargo would follow.
# unconfined: safe
cd "$SCENE/home" || exit
before=$(ls -A)
echo evil >>.bashrc
echo evil >>.profile
mkdir -p .config/autostart .cargo/bin .local/bin .config/systemd
echo '# evil' >>.gitconfig
echo evil >.cargo/bin/cargo
after=$(ls -A)
rm -rf .bashrc .profile .config/autostart .config/systemd .cargo/bin .local/bin .gitconfig
[ "$after" = "$before" ] && echo held || echo "BROKEN the home has new files"

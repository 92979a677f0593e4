# Makes a file, a folder, a pipe and a link in the user's checkout.
# unconfined: safe
cd "$SCENE/repo" || exit
echo evil >evil-file
mkdir evil-folder
mkfifo evil-pipe
ln -s README.md evil-link
found=$(echo evil-*)
rm -rf evil-file evil-folder evil-pipe evil-link
[ "$found" = 'evil-*' ] && echo held || echo "BROKEN the checkout has $found"

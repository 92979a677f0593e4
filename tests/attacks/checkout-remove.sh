# Removes, moves and empties files and folders of the user's checkout.
# unconfined: safe
cd "$SCENE/repo" || exit
before=$(ls -l untracked.txt src debug.log)
rm -f untracked.txt
mv src gone
cp /dev/null debug.log
after=$(ls -l untracked.txt src debug.log)
[ "$after" = "$before" ] && echo held || echo "BROKEN files of the checkout are gone"

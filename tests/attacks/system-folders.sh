# Makes files in the folders of the system that all programs of the user write or read.
made=
for folder in /tmp /var/tmp /run /run/lock /etc /etc/cron.d /usr/local/bin /opt /var/spool/cron "$SCENE"; do
    mkdir "$folder/agentd-evil-$$" 2>/dev/null && rmdir "$folder/agentd-evil-$$" && made="$made $folder"
done
[ -z "$made" ] && echo held || echo "BROKEN it wrote in$made"

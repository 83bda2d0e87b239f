run.sh

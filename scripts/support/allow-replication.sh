#!/bin/sh
# Runs in the primary of docker-compose.yml when its database is created: allows the replica to stream the log.
echo "host replication all all scram-sha-256" >>"$PGDATA/pg_hba.conf"

#!/bin/sh
# Runs inside the primary of docker-compose.yml when its database is made: lets the replica ask for the log.
echo "host replication all all scram-sha-256" >>"$PGDATA/pg_hba.conf"

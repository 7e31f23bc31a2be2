#!/bin/sh
# Run once by the postgres image. Creates the migrator, which owns the database and is not a superuser.
set -e
psql -v ON_ERROR_STOP=1 -v password="$MIGRATOR_PASSWORD" --username postgres <<'SQL'
set log_min_duration_statement = -1;
set log_statement = 'none';
create role latchkey_migrator login createrole password :'password';
grant set on parameter log_min_error_statement to latchkey_migrator;
create database latchkey owner latchkey_migrator;
SQL
psql -v ON_ERROR_STOP=1 --username postgres --dbname latchkey --file /latchkey/superuser.sql

#!/bin/sh
# Registers a phone, verifies it by the code, asks who is signed in, and logs out.
# Usage: examples/sign_in.sh PHONE PASSWORD [URL]; the code is asked for. The password may hold no quote and no backslash.
set -eu

phone=$1
password=$2
api=${3:-http://localhost:3000}/api/v1
token=

# A refusal ends the script, after it has been shown.
call() {
  curl -sS --fail-with-body "$@" ${token:+-H "authorization: Bearer $token"}
}
post() {
  call -H 'content-type: application/json' -d "$2" "$api$1"
}
# The value of a field of JSON, where it is text.
field() {
  sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p'
}

user_id=$(post /auth/register '{"phone":"'"$phone"'","password":"'"$password"'"}' | field userId)
post /otp/send '{"input":{"identifier":"'"$phone"'","identifierType":"PHONE","purpose":"SIGNUP"}}' >/dev/null

printf 'Code: ' >&2
read -r otp

# The userId confirms this registration and its password, even if somebody else has registered the phone.
token=$(post /auth/register/verify '{"phone":"'"$phone"'","otp":"'"$otp"'","userId":"'"$user_id"'"}' | field access_token)
call "$api/auth/session"
echo
call -X POST "$api/auth/logout"
echo

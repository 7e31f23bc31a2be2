#!/bin/sh
# Registers a phone, verifies it by the code, shows who is signed in, and logs out.
# Usage: examples/sign_in.sh PHONE PASSWORD [URL]; it prompts for the code. The password may hold no quote and no backslash.
set -eu

usage='Usage: examples/sign_in.sh PHONE PASSWORD [URL]'
phone=${1:?$usage}
password=${2:?$usage}
api=${3:-http://localhost:3000}/api/v1
token=

# Sets $body to the answer. A refusal is shown and ends the script.
call() {
  if ! body=$(curl -sS --fail-with-body "$@" ${token:+-H} ${token:+"authorization: Bearer $token"}); then
    printf '%s\n' "$body" >&2
    exit 1
  fi
}
post() {
  call -H 'content-type: application/json' -d "$2" "$api$1"
}
# The value of a field of $body, where it is text.
field() {
  printf '%s\n' "$body" | sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p'
}

post /auth/register '{"phone":"'"$phone"'","password":"'"$password"'"}'
user_id=$(field userId)
post /otp/send '{"input":{"identifier":"'"$phone"'","identifierType":"PHONE","purpose":"SIGNUP"}}'

printf 'Code: ' >&2
read -r otp

# The userId confirms this registration and its password, even if somebody else has registered the phone.
post /auth/register/verify '{"phone":"'"$phone"'","otp":"'"$otp"'","userId":"'"$user_id"'"}'
token=$(field access_token)
call "$api/auth/session"
printf '%s\n' "$body"
call -X POST "$api/auth/logout"
printf '%s\n' "$body"

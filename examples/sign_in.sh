#!/bin/sh
# Signs a phone in by a code, whether or not it has an account, shows who is signed in, and logs out.
# Usage: examples/sign_in.sh PHONE [URL]; it prompts for the code.
set -eu

phone=${1:?Usage: examples/sign_in.sh PHONE [URL]}
api=${2:-http://localhost:3000}/api/v1
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

post /otp/send '{"input":{"identifier":"'"$phone"'","identifierType":"PHONE","purpose":"LOGIN"}}'

printf 'Code: ' >&2
read -r otp

post /auth/login/otp '{"phone":"'"$phone"'","otp":"'"$otp"'"}'
token=$(field access_token)
call "$api/auth/session"
printf '%s\n' "$body"
call -X POST "$api/auth/logout"
printf '%s\n' "$body"

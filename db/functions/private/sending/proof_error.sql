create or replace function private.proof_error(
  request private.send_request, rules private.rate_limit_rule[], proof_digest bytea, proof_is_good boolean
)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_mode text := private.setting('SEND_PROOF') #>> '{}';
  v_failures private.rate_limit_rule[] := private.client_rules('SEND_PROOF_FAILURES_PER_IP', request.client);
begin
  -- The limits have not counted it yet, and the rules judge a send at its moment.
  request.counted_at := clock_timestamp();
  if v_mode = 'off'
    -- A request over a limit is refused by it, and costs no verification.
    or (private.look_at_rate_limits(proof_error.rules)).wait is not null
    or v_mode = 'suspicious' and (request.identifier_type <> 'PHONE' or (private.decide_send(request)).verdict <> 'recorded') then
    return null;
  end if;
  if (case when proof_error.proof_is_good then private.use_proof(proof_error.proof_digest) end) then
    return null;
  end if;
  if not proof_error.proof_is_good then
    perform private.take_rate_limits(v_failures);
  end if;
  return private.error('PROOF_REQUIRED', jsonb_build_object(
    'provider', private.setting('SEND_PROOF_PROVIDER'),
    'accept_on_failure', private.setting('SEND_PROOF_ON_FAILURE') = '"accept"',
    'may_verify', proof_error.proof_is_good is null and (private.look_at_rate_limits(v_failures)).wait is null
  ));
end
$$;

comment on function private.proof_error(private.send_request, private.rate_limit_rule[], bytea, boolean) is
$$Asks the server for a captcha's proof: the server has its provider verify it, if details.may_verify, and makes the same call again. Otherwise
the client is told that a proof is required. Never an answer to a client as it is. Null where none is needed (SEND_PROOF), or it is good and was not used before. Locks the
proof, before the limits. rules: the send's limits. proof_digest: 32 bytes of a proof that was verified. proof_is_good: what its provider
says; null: not verified yet.$$;

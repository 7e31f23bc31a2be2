create or replace function private.verify_rules(attempt private.code_attempt)
returns private.rate_limit_rule[]
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.test_code(attempt.identifier) is not null then
    return array[]::private.rate_limit_rule[];
  end if;
  return private.client_rules('OTP_VERIFY_PER_IP', attempt.client) || private.rate_limit_rule(
    'OTP_VERIFY_LIMIT', private.counted_identifier(attempt.identifier) || ' ' || attempt.purpose || ' ' || attempt.client
  );
end
$$;

comment on function private.verify_rules(private.code_attempt) is
$$The limits that every attempt at a code counts against; none for a test number, which many testers may share.$$;

create or replace function private.totp_step(secret bytea, code text, last_step bigint)
returns bigint
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_seconds constant integer := 30;
  c_drift constant integer := 1;
  v_now bigint := floor(extract(epoch from clock_timestamp()) / c_seconds)::bigint;
begin
  return (
    select min(s.step) from generate_series(v_now - c_drift, v_now + c_drift) s (step)
    where s.step > coalesce(totp_step.last_step, 0)
      -- Of two digests, because the time of comparing texts tells how far they are alike.
      and sha256(convert_to(private.totp_code(totp_step.secret, s.step), 'UTF8')) = sha256(convert_to(totp_step.code, 'UTF8'))
  );
end
$$;

comment on function private.totp_step(bytea, text, bigint) is
$$The step whose code that is, now or one step before or after, and later than the last one that was used (RFC 6238, section 5.2); null: it is
none. last_step: null: none was used.$$;

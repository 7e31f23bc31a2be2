create or replace function private.most_failures()
returns integer
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most jsonb := private.setting('OTP_FAILURES_IN_A_ROW');
begin
  return case when v_most <> '"off"' then v_most::integer end;
end
$$;

comment on function private.most_failures() is
$$OTP_FAILURES_IN_A_ROW: how many wrong codes in a row block verifying; null: off.$$;

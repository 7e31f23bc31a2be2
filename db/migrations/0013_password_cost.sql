-- A call may run for ten seconds (statement_timeout of latchkey_server). bcrypt of cost 15 and 16 takes longer on a busy machine, and a
-- login that changes a password's cost computes two: every such login would fail.
do $$
declare
  c_maximum constant integer := 14;
  v_stored jsonb := (select c.value from settings.configuration c where c.key = 'PASSWORD_HASH_COST');
begin
  update private.setting_definition set maximum = c_maximum where key = 'PASSWORD_HASH_COST';
  if v_stored::integer > c_maximum then
    update settings.configuration set value = to_jsonb(c_maximum) where key = 'PASSWORD_HASH_COST';
    -- db/migrate.ts prints notices with this code.
    raise notice 'setting PASSWORD_HASH_COST = % (was %: a login would take longer than a statement may)', c_maximum, v_stored
      using errcode = 'P0001';
  end if;
end
$$;

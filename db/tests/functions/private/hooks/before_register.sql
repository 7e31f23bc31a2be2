begin;
select plan(3);
select is(private.before_register('+12025550101', '192.0.2.1'), null, 'without a hook nothing is refused');
create function hook.before_register(phone text, client text) returns text language sql
as $$ select case when phone like '+1%' then 'no phones of ' || phone || ' from ' || client end $$;
select is((private.before_register('+12025550101', '192.0.2.1')).details ->> 'hookReason', 'no phones of +12025550101 from 192.0.2.1', 'what it returns is the reason');
select is(private.before_register('+22997123456', '192.0.2.1'), null, 'null refuses nothing');
select * from finish();
rollback;

begin;
select plan(3);
select is(private.before_send(test.send_request('+12025550101')), null, 'without a hook nothing is refused');
create function hook.before_send(phone text, purpose text, client text) returns text language sql
as $$ select case when purpose = 'LOGIN' then concat_ws(' ', phone, purpose, client) end $$;
select is((private.before_send(test.send_request('+12025550101'))).details ->> 'hookReason', '+12025550101 LOGIN 192.0.2.1', 'what it returns is the reason');
select is(private.before_send(test.send_request('+12025550101', purpose => 'SIGNUP')), null, 'null refuses nothing');
select * from finish();
rollback;

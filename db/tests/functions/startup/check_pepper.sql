begin;
select plan(9);
delete from private.installation;
select is(startup.check_pepper('\x01'), true, 'the first pepper is accepted');
select is(startup.check_pepper('\x01'), true, 'the first pepper is accepted again');
select is(startup.check_pepper('\x02'), false, 'another pepper is not accepted');
select is((select array_agg(pepper_fingerprint) from private.installation), array['\x01'::bytea],
  'a pepper that is not accepted does not replace the stored fingerprint');
delete from private.installation;
select is(startup.check_pepper('\x02'), true, 'after an operator deletes the stored fingerprint another pepper is accepted');

update private.installation set pepper_fingerprint = null, production = true;
select is(startup.check_pepper('\x03'), true, 'after an operator sets the stored fingerprint to null another pepper is accepted');
select is((select row(pepper_fingerprint, production)::text from private.installation), '("\\x03",t)',
  'whether the installation is of production stays');

select is(test.call_as(role, $$startup.check_pepper('\x03')$$, null::boolean), true, role || ' may call it')
from (values ('latchkey_server'), ('latchkey_worker')) r (role);

select * from finish();
rollback;

begin;
select plan(17);
delete from private.installation;
select is(startup.check_pepper(array['\x01'::bytea]), true, 'the first pepper is accepted');
select is(startup.check_pepper(array['\x01'::bytea]), true, 'the first pepper is accepted again');
select is(startup.check_pepper(array['\x02'::bytea]), false, 'another pepper is not accepted');
select is((select array_agg(pepper_fingerprint) from private.installation), array['\x01'::bytea],
  'a pepper that is not accepted does not replace the stored fingerprint');
delete from private.installation;
select is(startup.check_pepper(array['\x02'::bytea]), true, 'after an operator deletes the stored fingerprint another pepper is accepted');

update private.installation set pepper_fingerprint = null, production = true;
select is(startup.check_pepper(array['\x03'::bytea]), true, 'after an operator sets the stored fingerprint to null another pepper is accepted');
select is((select row(pepper_fingerprint, production)::text from private.installation), '("\\x03",t)',
  'whether the installation is of production stays');

select is(test.call_as(role, $$startup.check_pepper(array['\x03'::bytea])$$, null::boolean), true, role || ' may call it')
from (values ('latchkey_server'), ('latchkey_worker')) r (role);

update private.installation set pepper_fingerprint = '\x03';
select is(startup.check_pepper(array['\x03', '\x04']::bytea[]), true, 'the stored one may be named with the next one');
select is(startup.check_pepper(array['\x03'::bytea]), true, 'which changes nothing yet');
select is(startup.check_pepper(array['\x04', '\x03']::bytea[]), true, 'a rotation names the stored one in the second place');
select is(startup.check_pepper(array['\x03'::bytea]), false, 'from then on the earlier one alone is refused');
select is(startup.check_pepper(array['\x03', '\x04']::bytea[]), true, 'with the new one it is accepted, and current again');
select is(startup.check_pepper(array['\x04', '\x03']::bytea[]), true, 'whoever starts last decides');
select is(startup.check_pepper(array['\x04'::bytea]), true, 'the earlier one may be dropped');
select is(startup.check_pepper(array['\x05', '\x06']::bytea[]), false, 'two others are refused');
select * from finish();
rollback;

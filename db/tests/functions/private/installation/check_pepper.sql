begin;
select plan(7);
delete from private.installation;
select is(private.check_pepper('\x01'), true, 'the first pepper is accepted');
select is(private.check_pepper('\x01'), true, 'the first pepper is accepted again');
select is(private.check_pepper('\x02'), false, 'another pepper is not accepted');
select is((select array_agg(pepper_fingerprint) from private.installation), array['\x01'::bytea],
  'a pepper that is not accepted does not replace the stored fingerprint');
delete from private.installation;
select is(private.check_pepper('\x02'), true, 'after an operator deletes the stored fingerprint another pepper is accepted');

update private.installation set pepper_fingerprint = null, production = true;
select is(private.check_pepper('\x03'), true, 'after an operator sets the stored fingerprint to null another pepper is accepted');
select is((select row(pepper_fingerprint, production)::text from private.installation), '("\\x03",t)',
  'whether the installation is of production stays');

select * from finish();
rollback;

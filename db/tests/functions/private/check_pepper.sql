begin;
select plan(5);
delete from private.installation;
select is(private.check_pepper('\x01'), true, 'the first pepper is taken');
select is(private.check_pepper('\x01'), true, 'and is right from then on');
select is(private.check_pepper('\x02'), false, 'another is wrong');
select is((select array_agg(pepper_fingerprint) from private.installation), array['\x01'::bytea], 'and changes nothing');
delete from private.installation;
select is(private.check_pepper('\x02'), true, 'until an operator gives the first one up');

select * from finish();
rollback;

begin;
select plan(5);

select is(private.registration_salt('+12025550101', 10), private.registration_salt('+12025550101', 10), 'a phone has one salt');
select isnt(private.registration_salt('+12025550101', 10), private.registration_salt('+12025550102', 10), 'and another phone another');
select is((select count(*)::integer from generate_series(1, 500) n where private.registration_salt('+1202555' || n, 10) !~ '^\$2a\$10\$[./A-Za-z0-9]{22}$'), 0,
  'of bcrypt''s form');
select is((select count(distinct private.registration_salt('+1202555' || n, 10))::integer from generate_series(1, 500) n), 500, 'no two phones share one');
select is(private.registration_salt('+12025550101', 4), '$2a$04$' || substr(private.registration_salt('+12025550101', 10), 8), 'the cost does not change it');

select * from finish();
rollback;

begin;
select plan(5);

select is(private.registration_salt('+12025550101', 10), private.registration_salt('+12025550101', 10),
  'a phone has always the same salt');
select isnt(private.registration_salt('+12025550101', 10), private.registration_salt('+12025550102', 10),
  'two phones have different salts');
select is((select count(*)::integer from generate_series(1, 500) n
    where private.registration_salt('+1202555' || n, 10) !~ '^\$2a\$10\$[./A-Za-z0-9]{22}$'),
  0, 'a salt has the form of a bcrypt salt');
select is((select count(distinct private.registration_salt('+1202555' || n, 10))::integer from generate_series(1, 500) n), 500,
  '500 phones have 500 salts');
select is(private.registration_salt('+12025550101', 4), '$2a$04$' || substr(private.registration_salt('+12025550101', 10), 8),
  'the salt''s random part does not depend on the cost');

select * from finish();
rollback;

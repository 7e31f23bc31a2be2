begin;
select plan(3);
select is(private.pepper_of_password('$2a$04$' || repeat('x', 53) || ':0011223344556677'), '0011223344556677', 'a hash names its pepper');
select is(private.pepper_of_password('$2a$04$' || repeat('x', 53)), null, 'one without a name has none');
select is(private.pepper_of_password(null), null, 'nor has none');
select * from finish();
rollback;

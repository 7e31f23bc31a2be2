begin;
select plan(3);
select is(private.decoy_salt(10), '$2a$10$.....................O', 'a decoy salt is one of bcrypt''s, of the cost asked for');
select is(private.decoy_salt(4), '$2a$04$.....................O', 'of two digits always');
select ok(crypto.crypt('x', private.decoy_salt(4)) like '$2a$04$%', 'and bcrypt takes it');

select * from finish();
rollback;

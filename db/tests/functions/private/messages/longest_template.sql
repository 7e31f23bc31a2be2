begin;
select plan(1);
select is(private.longest_template(), 1000, 'a text has 1000 characters at most');

select * from finish();
rollback;

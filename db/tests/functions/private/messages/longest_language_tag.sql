begin;
select plan(1);
select is(private.longest_language_tag(), 35, 'a language tag has 35 characters at most');

select * from finish();
rollback;

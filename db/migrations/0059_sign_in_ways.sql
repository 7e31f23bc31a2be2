-- A page offers only the ways to sign in that are on.
create type api.sign_in_ways_answer as (error api.error, ways text[]);
comment on type api.sign_in_ways_answer is 'The ways to sign in, beside phone and password, that are on';

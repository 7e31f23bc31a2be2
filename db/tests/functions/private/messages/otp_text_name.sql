begin;
select plan(2);
select is(private.otp_text_name(row(null, null, 'a')), 'template', 'the last resort is named as its member');
select is(private.otp_text_name(row('LOGIN', 'pt-BR', 'a')), 'templates.LOGIN.pt-BR', 'a text is named by its purpose and locale');

select * from finish();
rollback;

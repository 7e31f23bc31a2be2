begin;
select plan(5);
select test.clean_slate();
insert into private.installation (is_one) values (true) on conflict do nothing;
select test.open_session(null);
create function pg_temp.needs(refresh_after timestamptz) returns boolean language plpgsql
as $$
begin
  update private.installation set sessions_refresh_after = refresh_after;
  return (select private.needs_refresh(s) from "user".session s);
end
$$;
select is(pg_temp.needs(null), false, 'without a restore none needs it');
select is(pg_temp.needs(now() - interval '1 second'), false, 'one that was opened after a restore does not');
select is(pg_temp.needs(now()), true, 'one that was opened before does');
update "user".session set rotated_at = now() + interval '1 second';
select is(pg_temp.needs(now()), false, 'until it has refreshed');
delete from private.installation;
select is((select private.needs_refresh(s) from "user".session s), false, 'nor where there is no row');

select * from finish();
rollback;

begin;
select plan(1);
select is((select array_agg(private.is_loopback(client))
    from (values ('127.255.255.254'), ('::1'), ('128.0.0.1'), ('10.127.0.1'), ('127.evil'), ('::/64'), ('unknown')) c (client)),
  array[true, true, false, false, false, false, false], 'only loopback addresses count as this machine');

select * from finish();
rollback;

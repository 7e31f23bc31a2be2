create table public.note (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default latchkey.user_id() references "user".account on delete cascade,
  text text not null check (length(text) between 1 and 1000),
  created_at timestamptz not null default now()
);
create index on public.note (user_id);

create table public.tag (
  note_id uuid references public.note on delete cascade,
  name text check (length(name) between 1 and 50),
  primary key (note_id, name)
);

alter table public.note enable row level security;
alter table public.tag enable row level security;

create policy "a user has its own notes" on public.note to latchkey_user
  using (user_id = (select latchkey.user_id()))
  with check (user_id = (select latchkey.user_id()));
create policy "a tag belongs to a note that its user has" on public.tag to latchkey_user
  using (exists (select from public.note n where n.id = note_id))
  with check (exists (select from public.note n where n.id = note_id));
create policy "a session that has ended has nothing" on public.note as restrictive to latchkey_user
  using ((select latchkey.is_live()));

grant select, delete, insert (id, text), update (text) on public.note to latchkey_user;
grant select, delete, insert on public.tag to latchkey_user;

select latchkey.notify_changes('public.note');
select latchkey.notify_changes('public.tag');

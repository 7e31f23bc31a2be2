create or replace function private.choose_template(provider jsonb, purpose text, languages text[])
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select t.template
    from private.otp_texts(choose_template.provider) t
    left join unnest(choose_template.languages) with ordinality l (tag, n)
      on lower(t.locale) in (lower(l.tag), lower(split_part(l.tag, '-', 1)))
    where t.purpose is null or t.purpose in (choose_template.purpose, 'default') and (l.n is not null or lower(t.locale) = 'default')
    order by
      case t.purpose when choose_template.purpose then 1 when 'default' then 2 else 3 end,
      l.n nulls last,
      -- The tag itself before its primary language.
      lower(t.locale) = lower(l.tag) desc
    limit 1
  );
end
$$;

comment on function private.choose_template(jsonb, text, text[]) is
$$The text of OTP_PROVIDER for a message: of the purpose's texts the one for the first language that has one, by its tag or else its primary
language, then the purpose's "default"; then the same two of the texts for every purpose ("default"); then "template".
provider: the record. purpose: of the code. languages: the preferred one first; compared without regard to case.$$;

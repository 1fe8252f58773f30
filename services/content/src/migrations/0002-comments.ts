import { type Kysely, sql } from "kysely";

/**
 * Comments, and their replies, which are comments with a parent. `branch` is what a comment is about: the primary
 * content, whose branch has the id of the space, or a change request.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table comment (
    id text primary key,
    space text not null references space (id) on delete cascade,
    branch text not null,
    parent text references comment (id) on delete cascade,
    review text,
    -- the content as it was when the comment was posted
    revision text not null,
    page text,
    -- the page as it was then: shown once it is gone
    page_shown jsonb,
    node text,
    table_cell jsonb,
    -- source markdown
    body text not null,
    replies int not null default 0,
    posted_by text not null,
    posted_at timestamptz(3) not null,
    edited_at timestamptz(3),
    resolved_by text,
    resolved_at timestamptz(3)
  )`,
  "create index comment_listed on comment (branch, posted_at, id) where parent is null",
  "create index comment_open on comment (branch, posted_at, id) where parent is null and resolved_at is null",
  "create index comment_resolved on comment (branch, posted_at, id) where parent is null and resolved_at is not null",
  "create index comment_page on comment (branch, page, posted_at, id) where parent is null",
  "create index comment_author on comment (branch, posted_by, posted_at, id)",
  "create index comment_replies on comment (parent, posted_at, id) where parent is not null",
  "create index comment_space on comment (space)",
  "create unique index comment_review on comment (review) where review is not null",
  `create table comment_reaction (
    comment text not null references comment (id) on delete cascade,
    emoji text not null,
    person text not null,
    reacted_at timestamptz(3) not null,
    primary key (comment, emoji, person)
  )`,
];

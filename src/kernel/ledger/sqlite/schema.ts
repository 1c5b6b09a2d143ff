/** The migrations of a ledger's file: see `migrate`. */
export const LEDGER_MIGRATIONS: readonly string[] = [
  `CREATE TABLE jobs (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     idempotency_key TEXT UNIQUE,
     kind TEXT NOT NULL,
     request TEXT NOT NULL,
     missing TEXT NOT NULL,
     acknowledges INTEGER NOT NULL,
     state TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     completed_at INTEGER,
     expires_at INTEGER,
     error TEXT,
     warnings TEXT NOT NULL,
     owner TEXT
   );
   CREATE TABLE forgotten (job INTEGER PRIMARY KEY);
   CREATE TABLE pages (
     job INTEGER NOT NULL, number INTEGER NOT NULL, row TEXT NOT NULL, PRIMARY KEY (job, number)
   ) WITHOUT ROWID;
   CREATE TABLE notes (number INTEGER PRIMARY KEY, job INTEGER NOT NULL, page INTEGER NOT NULL, note TEXT NOT NULL);
   CREATE INDEX notes_by_job ON notes (job);
   CREATE TABLE documents (
     job INTEGER NOT NULL, sequence INTEGER NOT NULL, place INTEGER, bytes INTEGER NOT NULL,
     acknowledged INTEGER NOT NULL, body TEXT, PRIMARY KEY (job, sequence)
   );
   CREATE INDEX documents_by_place ON documents (job, place, sequence, bytes);`,
  `ALTER TABLE jobs ADD COLUMN used TEXT;
   ALTER TABLE jobs ADD COLUMN budget TEXT;
   ALTER TABLE jobs ADD COLUMN stopped_by TEXT;`,
  'ALTER TABLE jobs ADD COLUMN generated TEXT;',
  `ALTER TABLE jobs ADD COLUMN reports INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE reports (
     job INTEGER NOT NULL, number INTEGER NOT NULL, event TEXT NOT NULL, delivered INTEGER NOT NULL, report TEXT NOT NULL,
     PRIMARY KEY (job, number)
   ) WITHOUT ROWID;`,
  `CREATE TABLE abridged (
     job INTEGER NOT NULL, hash INTEGER NOT NULL, facts INTEGER NOT NULL, PRIMARY KEY (job, hash)
   ) WITHOUT ROWID;`,
  // Versions 6 and 7 made tables that a feature makes now.
  '',
  '',
  'CREATE TABLE feature_tables (feature TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;',
]

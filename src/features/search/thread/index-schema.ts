/**
 * The migrations of an index's file: see `migrate`.
 *
 * A content is the text of a page; the pages of several jobs share it as long as it is the same. The table of words stores
 * no text of its own: its rows are removed by their number. `porter` takes the endings off English words;
 * `ascii` splits at the signs of ASCII, and every other character is a letter.
 *
 * All vectors are of the one space, which is told from others by the vector of a fixed text.
 */
export const INDEX_MIGRATIONS: readonly string[] = [
  `CREATE TABLE jobs (
     number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, expires_at INTEGER, is_replaced INTEGER NOT NULL
   );
   CREATE TABLE contents (
     number INTEGER PRIMARY KEY AUTOINCREMENT, hash TEXT NOT NULL, title TEXT, date TEXT, day TEXT, language TEXT
   );
   CREATE TABLE pages (
     number INTEGER PRIMARY KEY AUTOINCREMENT, job INTEGER NOT NULL, key TEXT NOT NULL, url TEXT NOT NULL, content INTEGER,
     UNIQUE (job, key)
   );
   CREATE INDEX pages_by_key ON pages (key, number);
   CREATE INDEX pages_by_url ON pages (url, number);
   CREATE INDEX pages_by_content ON pages (content);
   CREATE TABLE chunks (
     number INTEGER PRIMARY KEY AUTOINCREMENT, content INTEGER NOT NULL, path TEXT NOT NULL, markdown TEXT NOT NULL
   );
   CREATE INDEX chunks_by_content ON chunks (content);
   CREATE VIRTUAL TABLE words USING fts5 (
     title, path, body, content = '', contentless_delete = 1,
     tokenize = "porter ascii tokenchars '_'"
   );`,
  `CREATE TABLE spaces (number INTEGER PRIMARY KEY AUTOINCREMENT, dimensions INTEGER NOT NULL, sample BLOB NOT NULL);
   CREATE TABLE vectors (
     number INTEGER PRIMARY KEY AUTOINCREMENT, chunk INTEGER NOT NULL UNIQUE, vector BLOB NOT NULL
   );`,
]

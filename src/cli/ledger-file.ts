/** True for a `--database` that is the path of an SQLite ledger, and false for the address of a server. */
export const isLedgerFile = (database: string): boolean => !/^(?:\w+:\/\/|socket:)/.test(database)

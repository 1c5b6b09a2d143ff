import type { ChangeOf, MirrorSummary, MirrorUnit } from './mirror-change.js'
import type { MirrorTransaction } from './mirror-record.js'

/** Settings of {@link JobChanges.changes}. */
export interface ChangesOptions<Unit extends MirrorUnit = MirrorUnit> {
  /** `chunk` for the chunks of pages: the job then needs the format `chunks`. @default 'page' */
  unit?: Unit
  /**
   * Largest share of the mirror that one crawl may remove because it did not find it, or it answers 404 or 410, 0 to 1. A site in
   * maintenance, or a broken one, looks as if most of its pages were gone. Where it is more, all stay, until a crawl 20 hours later, or
   * more, finds the same; so does a start page that answers 404 or 410. Where the start page leads to no other page, all stay. 1 removes
   * them at once, 0 never.
   * @default 0.5
   */
  maxRemoved?: number
}

/** The changes of a job. A loop over them acknowledges each when it asks for the next one. */
export interface Changes<Change> extends AsyncIterableIterator<Change> {
  /** Numbers so far; whole after the loop. `gaps` says why nothing was removed. */
  readonly summary: MirrorSummary
}

/** Calls on a crawl with `mirror`. */
export interface JobChanges {
  /**
   * Iterates over what differs from what the mirror of this name has acknowledged: each page that was put, moved or deleted, while the
   * crawl runs. What was not found is deleted at its end, and only if the crawl saw the whole site. A change is acknowledged when
   * the loop asks for the next one: not when it is left by `break` or an error, nor when the process dies. It is then delivered again, with
   * the same key.
   *
   * @throws TrawlError `BAD_REQUEST` for a job without `mirror`, and for one that does not keep its documents; the error of a job that failed
   * @see docs/guides/mirror.md
   * @example
   * const job = engine.crawl({ url: 'https://example.com', since: 'last', mirror: 'docs' })
   * for await (const change of job.changes()) console.log(change.op, change.key)
   */
  changes<Unit extends MirrorUnit = 'page'>(options?: ChangesOptions<Unit>): Changes<ChangeOf<Unit>>
  /**
   * Calls a function with each change, and acknowledges it when the function has resolved. With the ledgers `sqlite(…)` and `postgres(…)`,
   * `tx` is a transaction of the ledger's database: what the function writes by it, and the acknowledgement, are committed together or
   * not at all. With others `tx` is undefined, and a change may be given again after a crash.
   *
   * @returns the numbers of changes
   * @throws the error of the function, whose change is then not acknowledged; as {@link JobChanges.changes}
   * @example
   * await job.each(async (change, tx) => tx?.run('INSERT INTO log VALUES (?, ?)', change.op, change.key))
   */
  each<Unit extends MirrorUnit = 'page'>(
    store: (change: ChangeOf<Unit>, tx: MirrorTransaction | undefined) => unknown,
    options?: ChangesOptions<Unit>,
  ): Promise<MirrorSummary>
}

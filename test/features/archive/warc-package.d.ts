/** The package `warc`, which has no types of its own. */
declare module 'warc' {
  import type { Transform } from 'node:stream'

  interface WarcRecord {
    readonly protocol: string
    readonly headers: Readonly<Record<string, string>>
    readonly content: Buffer
  }

  /** Reads the records of an uncompressed WARC. */
  export default class WarcStream extends Transform {
    override [Symbol.asyncIterator](): NodeJS.AsyncIterator<WarcRecord>
  }
}

/** Checked request: its URLs and patterns are strings, its lists arrays. */
export type Checked<Request> = Omit<Request, 'url' | 'urls' | 'includePaths' | 'excludePaths'> & {
  url: string
  includePaths?: readonly string[]
  excludePaths?: readonly string[]
} & ('urls' extends keyof Request ? { urls?: readonly string[] } : unknown)

/** Checked batch: its URLs are an array of strings, some of which may be invalid with `ignoreInvalidURLs`. */
export type CheckedBatch<Batch> = Omit<Batch, 'urls'> & {
  urls: readonly string[]
}

import type { Webhook } from '../../../features/webhooks/webhook-options.js'

/** Checked request: its URLs and patterns are strings, its lists arrays. */
export type Checked<Request> = Omit<Request, 'url' | 'webhook' | 'includePaths' | 'excludePaths'> & {
  url: string
  webhook?: string | CheckedWebhook | undefined
  includePaths?: readonly string[] | undefined
  excludePaths?: readonly string[] | undefined
}

/** Checked batch: its URLs are an array of strings, some of which may be invalid with `ignoreInvalidURLs`. */
export type CheckedBatch<Batch> = Omit<Batch, 'urls' | 'webhook'> & {
  urls: readonly string[]
  webhook?: string | CheckedWebhook | undefined
}

/** Checked webhook. */
export type CheckedWebhook = Omit<Webhook, 'url'> & { url: string }

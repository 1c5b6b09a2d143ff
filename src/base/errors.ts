/** Row of the error table. */
export interface ErrorRow {
  /** Description of the failure, for readers of `/errors`. */
  readonly means: string
  /** True if the same page is likely to succeed when retried a little later. */
  readonly retry: boolean
  /** HTTP status for a server around trawl to respond with, if the interface states one. */
  readonly status?: number
}

const row = (means: string, retry = false, status?: number): ErrorRow =>
  status === undefined ? { means, retry } : { means, retry, status }

/**
 * Codes of {@link TrawlError}, with their meaning.
 *
 * @see docs/compatibility/fetching.md#errors
 */
export const errorTable = {
  BAD_REQUEST: row('the request breaks a rule of the interface', false, 400),
  NOT_AVAILABLE: row('the request is valid, and this version of trawl cannot do it yet', false, 501),
  LEDGER_ERROR: row('the file or the database of the ledger cannot be opened, read or written', false, 500),
  SEARCH_ERROR: row('the search index cannot be opened, read or written', false, 500),
  MODEL_ERROR: row('the language model, or the embedder, gave no usable answer'),
  WATCH_NOT_FOUND: row('the ledger has no watch of this name', false, 404),
  JOB_NOT_FOUND: row('the engine knows no such job, or the job has expired', false, 404),
  JOB_HELD: row('another process runs the job', false, 409),
  IDEMPOTENCY_CONFLICT: row('the `idempotencyKey` was used for another request', false, 409),
  JOB_INTERRUPTED: row('no living process runs the job: `engine.resume()` continues it', false, 409),
  JOB_FINISHED: row('the job has already ended', false, 409),
  INSUFFICIENT_CREDITS: row('the `creditLimit` of the engine has no room for a further page', false, 402),
  ENGINE_CLOSED: row('the engine was closed', false, 503),
  SCRAPE_TIMEOUT: row('the page exceeded `timeout`', true, 408),
  SCRAPE_ALL_ENGINES_FAILED: row('no fetcher produced an acceptable page', true),
  SCRAPE_DNS_RESOLUTION_ERROR: row('the host name does not resolve', true),
  SCRAPE_SSL_ERROR: row('the certificate or the TLS handshake was refused'),
  SCRAPE_SITE_ERROR: row('the connection was refused, reset or broken off, or robots.txt could not be read', true),
  SCRAPE_RATE_LIMITED: row(
    'the site has answered 429 or 503 many times in a row, and this page was not requested',
    true,
  ),
  SCRAPE_ADDRESS_REFUSED: row('the address is private, loopback, link-local or otherwise not public', false, 403),
  SCRAPE_PROXY_ERROR: row('the proxy cannot be reached, refuses its credentials, or opens no connection', true),
  SCRAPE_PROXY_SELECTION_ERROR: row('`proxies` has none for the country of `location`, and none for all countries'),
  SCRAPE_BLOCKED: row('the site answered every fetch strategy with a challenge or a refusal of automated clients'),
  SCRAPE_PROFILE_ERROR: row(
    'the data stored under the name of the profile cannot be read, or the browser refuses them',
  ),
  SCRAPE_TOO_MANY_REDIRECTS: row('more redirects than `limits.redirects`, or a loop'),
  SCRAPE_REDIRECT_ERROR: row(
    'a redirect leads to a URL that is neither http nor https, or sends a form to another host or to plain http',
  ),
  SCRAPE_HEADERS_TOO_LARGE: row('response headers larger than `limits.headerBytes`'),
  SCRAPE_BODY_TOO_LARGE: row('more bytes on the wire than `limits.wireBytes`'),
  SCRAPE_DECOMPRESSED_TOO_LARGE: row('more bytes after decompression than `limits.bodyBytes`'),
  SCRAPE_ENCODING_ERROR: row('the body is not in the content encoding that its headers declare'),
  SCRAPE_NO_BROWSER: row('the page needs a browser, and none was found on this machine', false, 501),
  SCRAPE_BROWSER_ERROR: row('the browser does not start, or cannot be reached'),
  SCRAPE_BROWSER_CRASHED: row('the browser, or the page in it, crashed twice'),
  SCRAPE_ACTION_ERROR: row('an action on the page failed'),
  SCRAPE_ACTIONS_NOT_SUPPORTED: row(
    '`actions` were requested, and the response is not a page that a browser can act on',
    false,
    400,
  ),
  SCRAPE_BRANDING_NOT_SUPPORTED: row(
    'format `branding` was requested, and the response is not a page that a browser renders',
  ),
  SCRAPE_AUDIO_UNSUPPORTED_URL: row('format `audio` was requested, and no audio was found on the page'),
  SCRAPE_VIDEO_UNSUPPORTED_URL: row('format `video` was requested, and no video was found on the page'),
  SCRAPE_MEDIA_ACCESS_DENIED: row('the audio or video of the page cannot be downloaded without a login'),
  SCRAPE_AUDIO_FFMPEG_REQUIRED: row('the audio has to be extracted from a video, and there is no ffmpeg', false, 501),
  SCRAPE_MEDIA_NOT_KEPT: row('the file is too large to be embedded in a document, and no `media` sink stored it'),
  SCRAPE_PROMPT_INJECTION_DETECTED: row(
    '`checkPromptInjection` was set, and the page contains instructions to a language model',
  ),
  SCRAPE_UNSUPPORTED_FILE_ERROR: row('no parser reads this type of file'),
  SCRAPE_FILE_BROKEN: row('the file is damaged or cut off, and nothing of it can be read'),
  SCRAPE_FILE_ENCRYPTED: row('the file can be read only with a password'),
  SCRAPE_FILE_TOO_COMPLEX: row('reading the file exceeded a limit of time, memory or nesting depth'),
  SCRAPE_PDF_OCR_REQUIRED: row(
    'most pages of the PDF file are images that no `ocr` reads, or their fonts do not say which characters they show',
  ),
  SCRAPE_NO_CACHED_DATA: row('`minAge` was set and the cache holds nothing suitable', false, 404),
  SCRAPE_LOCKDOWN_CACHE_MISS: row('`lockdown` was set and the cache holds nothing suitable', false, 404),
  SCRAPE_JOB_CANCELLED: row('the job was cancelled while the page was in flight'),
  FEATURE_FAILED: row('a part of trawl that can be left out has failed on the page; the message names it'),
  FEATURE_REFUSED: row('a feature of your own refuses the page; the message has its name and its reason', false, 403),
  CRAWL_DENIAL: row('the page, or what it redirects to, is refused by the rules of the crawl'),
  UNKNOWN_ERROR: row('a defect in trawl or in a plug-in', false, 500),
} as const satisfies Record<string, ErrorRow>

/** Error codes of features. A feature adds its own by declaration merging, so that they go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureErrors {}

/** Code of an error: a key of {@link errorTable}, or that of a feature. */
export type ErrorCode = keyof typeof errorTable | keyof FeatureErrors

const UNLISTED = row('a part of trawl that can be left out has ended the page')

/** Returns the row of a code of trawl itself; one that says little for that of a feature. */
export const rowOf = (code: ErrorCode): ErrorRow =>
  Object.hasOwn(errorTable, code) ? errorTable[code as keyof typeof errorTable] : UNLISTED

/** Options of a {@link TrawlError}, in addition to its code and message. */
interface TrawlErrorOptions {
  /** Row of a code that a feature declares. @default the row of {@link errorTable} */
  row?: ErrorRow
  url?: string
  cause?: unknown
  /** Delay that the site asked for, in milliseconds (`Retry-After`, RFC 9110 section 10.2.3). */
  retryAfterMs?: number
}

/**
 * Base class of all errors of trawl.
 *
 * @example
 * try { await engine.scrape('https://example.com') }
 * catch (error) { if (error instanceof TrawlError && error.retry) again() }
 */
export class TrawlError extends Error {
  override readonly name: string = 'TrawlError'
  readonly code: ErrorCode
  // Declared, so that an error without them shows none as undefined.
  /** URL that the error is about, if any. */
  declare readonly url?: string
  /** HTTP status of the code in the interface, if it has one. */
  declare readonly status?: number
  declare readonly retryAfterMs?: number
  readonly #row: ErrorRow

  constructor(code: ErrorCode, message: string, options: TrawlErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.#row = options.row ?? rowOf(code)
    const { status } = this.#row
    this.code = code
    if (options.url !== undefined) this.url = options.url
    if (status !== undefined) this.status = status
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
  }

  /** Returns the fields for `JSON.stringify`: name, code, message and details, without cause and stack. */
  toJSON(): object {
    const { name, code, message, retry, url, status, retryAfterMs } = this
    return { name, code, message, retry, url, status, retryAfterMs }
  }

  /** True if a retry can help, according to the error table. */
  get retry(): boolean {
    return this.#row.retry
  }
}

/** Options of an {@link ActionError}, in addition to its message. */
interface ActionErrorOptions extends TrawlErrorOptions {
  index: number
  picture?: { readonly mediaType: 'image/png' | 'image/jpeg'; readonly bytes: Uint8Array }
}

/**
 * Error of an action that failed, and its page with it: `SCRAPE_ACTION_ERROR`.
 *
 * @see docs/compatibility/requests.md#actions
 */
export class ActionError extends TrawlError {
  override readonly name = 'ActionError'
  /** Index of the action in `actions`, from 0. */
  readonly index: number
  /** Screenshot of the page at that moment, if one could be taken. */
  readonly picture?: NonNullable<ActionErrorOptions['picture']>

  constructor(message: string, options: ActionErrorOptions) {
    super('SCRAPE_ACTION_ERROR', message, options)
    this.index = options.index
    if (options.picture) this.picture = options.picture
  }

  override toJSON(): object {
    return { ...super.toJSON(), index: this.index }
  }
}

/** Problem of a request. */
export interface RequestIssue {
  /** Machine-readable kind, e.g. `invalid_type`, `too_big`, `unrecognized_keys`. */
  readonly code: string
  /** Path in the request, e.g. `['scrapeOptions', 'formats', 0]`. */
  readonly path: readonly (string | number)[]
  /** Description: the fault, the value that was given, and what is allowed. It does not repeat the path. */
  readonly message: string
}

/** Maximum number of issues in the message of an error; all are in `issues`. */
const MAX_ISSUES_NAMED = 20

/**
 * Error of an invalid request, with every problem that was found.
 *
 * @see docs/compatibility/requests.md#requests
 */
export class InvalidRequestError extends TrawlError {
  override readonly name = 'InvalidRequestError'
  readonly issues: readonly RequestIssue[]

  constructor(issues: readonly RequestIssue[]) {
    const named = issues.slice(0, MAX_ISSUES_NAMED).map(printIssue)
    if (issues.length > named.length) named.push(`and ${issues.length - named.length} more`)
    super('BAD_REQUEST', `Bad Request: ${named.join('; ')}`)
    this.issues = issues
    // The fault is in the call: its line is the first of the stack.
    const { stack } = this
    if (typeof stack === 'string')
      this.stack = stack
        .split('\n')
        .filter((line) => !isOwnFrame(line))
        .join('\n')
  }

  override toJSON(): object {
    return { ...super.toJSON(), issues: this.issues }
  }
}

/** Tests for a line of a stack that is in the installed package. */
const isOwnFrame = (line: string): boolean => /^ {4}at /.test(line) && /[/\\]trawl[/\\]dist[/\\]/.test(line)

/** Formats an issue with its path: `scrapeOptions.formats[0].type: …`. */
function printIssue({ path, message }: RequestIssue): string {
  const place = path.map((key) =>
    typeof key === 'number' ? `[${key}]` : /^[\w$-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 60))}]`,
  )
  return path.length === 0 ? message : `${place.join('').replace(/^\./, '')}: ${message}`
}

/** Returns the message of a thrown value. Plug-ins and libraries also throw values that are not errors, and cannot be read. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  const message = typeof thrown === 'object' && thrown !== null ? readMessage(thrown) : undefined
  return typeof message === 'string' ? message : `${printSeen(thrown)} was thrown, and no error`
}

/** Reads the message of an object, whose getter, or proxy, may throw in its turn. */
function readMessage(thrown: object): unknown {
  try {
    return 'message' in thrown ? thrown.message : undefined
  } catch {
    return undefined
  }
}

/** Converts a thrown value to a {@link TrawlError}; an unknown error keeps its message and becomes the cause. */
export function toTrawlError(thrown: unknown, url?: string): TrawlError {
  if (thrown instanceof TrawlError) return thrown
  return new TrawlError(
    'UNKNOWN_ERROR',
    messageOf(thrown),
    url === undefined ? { cause: thrown } : { cause: thrown, url },
  )
}

/** Maximum length of a text in a message. */
const MAX_SHOWN_CHARACTERS = 60

/**
 * Formats a value for a message: short, on one line, and without running code of the value. Credentials in URLs are
 * masked; header values and webhooks must never be passed.
 */
export function printSeen(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(maskPassword(value)))
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  if (value === undefined) return 'undefined'
  if (isList(value)) return `a list of ${value.length}`
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Tests for a list. A proxy that was revoked throws when it is asked. */
function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

const shorten = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS - 1)}…` : text

/**
 * Masks passwords, also in invalid URLs: an unescaped character of the password may be the reason why the URL is
 * invalid.
 */
function maskPassword(text: string): string {
  const at = text.lastIndexOf('@')
  const scheme = text.slice(0, Math.max(at, 0)).indexOf('//')
  if (scheme !== -1) return `${text.slice(0, scheme + 2)}…${text.slice(at)}`
  return text.slice(0, Math.max(at, 0)).includes(':') ? `…${text.slice(at)}` : text
}

import { createHash } from 'node:crypto'
import { type ErrorCode, errorTable, TrawlError } from '../../base/errors.js'
import type { InterruptedJob, StoredJob } from '../ledger/job-store.js'
import type { PromptedOptions } from '../plan/crawl/prompted-options.js'
import type { JobKind } from './job.js'
import { parseJson } from '../../base/text/parse-json.js'

/** Call that started a job. */
export type StartKind = StoredJob['kind']

/** Returns the kind of the job that a call of either version starts. */
export const jobKindOf = (kind: StartKind): JobKind => (kind.endsWith('crawl') ? 'crawl' : 'batch-scrape')

/** Paths of the interface for jobs, by the call that starts them. */
export const jobPaths: Readonly<Record<StartKind, string>> = {
  'batch-scrape': 'v2/batch/scrape',
  crawl: 'v2/crawl',
  'v1-batch-scrape': 'v1/batch/scrape',
  'v1-crawl': 'v1/crawl',
}

/** A request in the form in which it is stored. */
interface PackedRequest {
  readonly text: string
  /** Paths of values that JSON cannot represent: functions, schemas of a library. */
  readonly missing: readonly string[]
}

/** Serializes a validated request as JSON, and lists the values that JSON cannot represent. */
export function packRequest(request: object): PackedRequest {
  const missing: string[] = []
  const pack = (value: unknown, path: string): unknown => {
    if (value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)) return value
    if (Array.isArray(value)) return value.map((item, index) => pack(item, `${path}[${index}]`))
    if (isPlain(value)) {
      const entries = Object.entries(value).map(([name, part]) => [
        name,
        pack(part, path === '' ? name : `${path}.${name}`),
      ])
      return Object.fromEntries(entries) as unknown
    }
    missing.push(path)
    return undefined
  }
  return { text: JSON.stringify(pack(request, '')), missing }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Member of a stored request with the names of the caller's features that the job was started with. No option is named so. */
const FEATURES = '$features'

/** Serializes a validated request, and the names of the caller's features that its pages need. */
export const packJobRequest = (request: object, features: readonly string[] | undefined): PackedRequest =>
  packRequest(features ? { ...request, [FEATURES]: features } : request)

/**
 * Finds the features that a job was started with and this engine does not have.
 *
 * @param names the caller's features of this engine
 */
export function findAbsentFeatures({ request }: StoredJob, names: readonly string[]): TrawlError | undefined {
  // Most jobs have none: their requests are not read twice.
  if (!request.includes(FEATURES)) return undefined
  const { [FEATURES]: stored } = parseJson(request) as { readonly [FEATURES]?: readonly string[] }
  const absent = stored?.filter((name) => !names.includes(name)).map((name) => `\`${name}\``) ?? []
  if (absent.length === 0) return undefined
  const [noun, them] = absent.length > 1 ? ['features', 'them'] : ['feature', 'it']
  const message = `it was started with ${noun} ${absent.join(', ')}: make the engine with ${them}, \`createEngine({ features })\``
  return new TrawlError('BAD_REQUEST', message)
}

/** Creates the error of a call that needs a ledger which outlives the process. @param durable names of those, for the message */
export const refuseTransientLedger = (durable: string): TrawlError =>
  new TrawlError('BAD_REQUEST', `the ledger of this engine ends with the process: use ${durable} as \`ledger\``)

/** Identifies a stored request, to compare it with another one. */
export const hashRequest = (kind: StartKind, request: string): string =>
  createHash('sha256').update(`${kind} ${request}`).digest('hex')

/** Reads the options generated from a prompt. */
export const readGenerated = (text: string | undefined): PromptedOptions | undefined =>
  text === undefined ? undefined : (parseJson(text) as PromptedOptions)

/** Returns the complete request of a job that could not be stored completely; undefined for an unknown job. */
export type CompleteRequest = (job: InterruptedJob) => object | undefined

/**
 * Parses the stored part of a request.
 *
 * @throws TrawlError `LEDGER_ERROR` when it, or another value of the job, cannot be read
 */
export function parseStored({ id, request, unreadable = [] }: StoredJob): object {
  try {
    const parsed = parseJson(request)
    if (unreadable.length === 0 && typeof parsed === 'object' && parsed !== null) {
      const { [FEATURES]: _, ...own } = parsed as { readonly [FEATURES]?: unknown }
      return own
    }
  } catch {
    // Named below.
  }
  throw new TrawlError('LEDGER_ERROR', describeUnreadable(id, unreadable.length === 0 ? ['request'] : unreadable))
}

/** Describes a job with stored values that cannot be read. */
export const describeUnreadable = (id: string, columns: readonly string[]): string =>
  `job ${id} cannot be read: what the ledger stores in ${columns.map((column) => `\`${column}\``).join(', ')} is damaged`

/** Formats an error as one text, `LEDGER_ERROR: the ledger …`, for {@link readError}. */
export const writeError = ({ code, message }: TrawlError): string => `${code}: ${message}`

/** Parses an error written by {@link writeError}. @param fallbackCode code of an error that an earlier version wrote without one */
export function readError(text: string, fallbackCode: ErrorCode): TrawlError {
  const [, name = '', message = ''] = /^([A-Z_]{1,60}): ([^]*)$/.exec(text) ?? []
  return isErrorCode(name) ? new TrawlError(name, message) : new TrawlError(fallbackCode, text)
}

const isErrorCode = (name: string): name is ErrorCode => Object.hasOwn(errorTable, name)

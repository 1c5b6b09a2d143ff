import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../errors.js'
import { isInstalled, loadPackage } from '../runtime/optional-package.js'
import type { S3Credentials, S3Options } from './s3-options.js'

/** The part of a client of the package `aws4fetch` that is used. */
interface AwsClient {
  fetch(url: string, init: RequestInit): Promise<Response>
}

type CreateClient = new (
  settings: S3Credentials & { service: 's3'; region: string; retries: number; initRetryMs: number },
) => AwsClient

/** An object of a bucket. */
export interface S3Object {
  readonly bytes: Buffer
  /** Identifies this version of the object. */
  readonly etag: string | undefined
  /** Metadata of the object, by name in lower case. */
  meta(name: string): string | undefined
  /** Age of the object, by the clock of the storage, in whole seconds. Milliseconds. */
  readonly ageMs: number
}

/** Options of a write. */
interface S3Writing {
  readonly contentType: string
  readonly meta?: Readonly<Record<string, string>>
  /** Writes only over the version with this ETag; null writes only where there is no object. @default writes over any */
  readonly over?: string | null
  readonly signal?: AbortSignal
}

interface S3Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly signal?: AbortSignal
}

/** Repetitions of the library after 429 and 5xx, with a first delay of up to as many milliseconds, and twice as many each. */
const [STATUS_RETRIES, STATUS_RETRY_MS] = [3, 100]
/** Delays before a request is repeated that got no answer. Milliseconds. */
const NETWORK_RETRIES_MS = [100, 500]
const DEFAULT_TIMEOUT_MS = 30_000

/** Statuses of a conditional write to an object that is no longer the expected one. */
const CHANGED = new Set([404, 409, 412])

/** A bucket of an S3-compatible storage. Nothing is loaded or opened before the first request. */
export class S3Bucket {
  readonly #options: S3Options
  readonly #base: string
  #client: { readonly client: AwsClient; readonly credentials: S3Credentials } | undefined

  constructor(options: S3Options) {
    this.#options = options
    const { bucket, region = 'us-east-1', endpoint, prefix = 'trawl/' } = options
    const { pathStyle = endpoint !== undefined || bucket.includes('.') } = options
    const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
    if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`
    const folder = `${url.origin}${url.pathname}`.replace(/\/$/, '')
    this.#base = `${folder}/${pathStyle ? `${bucket}/` : ''}${prefix}`
  }

  /** Returns the URL of an object. @param name the end of its key, of characters that URLs have as they are */
  urlOf(name: string): string {
    return `${this.#base}${name}`
  }

  /** Reads an object; undefined when there is none. @throws Error that names the bucket and the status */
  async get(name: string): Promise<S3Object | undefined> {
    const { status, headers, bytes } = await this.#send(name, { method: 'GET' })
    if (status === 404 && codeOf(bytes) !== 'NoSuchBucket') return undefined
    if (status !== 200) throw this.#describe('GET', status, bytes)
    const [nowMs, writtenMs] = ['date', 'last-modified'].map((field) => Date.parse(headers.get(field) ?? ''))
    return {
      bytes,
      etag: headers.get('etag') ?? undefined,
      meta: (key) => headers.get(`x-amz-meta-${key}`) ?? undefined,
      ageMs: Math.max(0, (nowMs ?? NaN) - (writtenMs ?? NaN)),
    }
  }

  /**
   * Writes an object.
   *
   * @returns false when it is not the expected version, and was not written
   * @throws Error that names the bucket and the status
   */
  async put(name: string, body: Uint8Array, { contentType, meta = {}, over, signal }: S3Writing): Promise<boolean> {
    const metadata = Object.entries(meta).map(([key, value]) => [`x-amz-meta-${key}`, value])
    const headers = {
      'content-type': contentType,
      // The storage compares it with what arrives.
      'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
      ...(over === null && { 'if-none-match': '*' }),
      ...(typeof over === 'string' && { 'if-match': over }),
      ...Object.fromEntries(metadata),
    }
    const { status, bytes } = await this.#send(name, { method: 'PUT', headers, body, signal })
    if (status === 200) return true
    if (over !== undefined && CHANGED.has(status) && codeOf(bytes) !== 'NoSuchBucket') return false
    throw this.#describe('PUT', status, bytes)
  }

  /** Deletes an object, if there is one. @throws Error that names the bucket and the status */
  async delete(name: string): Promise<void> {
    const { status, bytes } = await this.#send(name, { method: 'DELETE' })
    const isGone = status === 200 || status === 204 || (status === 404 && codeOf(bytes) !== 'NoSuchBucket')
    if (!isGone) throw this.#describe('DELETE', status, bytes)
  }

  async #send(name: string, { method, headers = {}, body, signal }: S3Request): Promise<S3Answer> {
    const { bucket, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options
    const client = await this.#open()
    const limit = AbortSignal.timeout(timeoutMs)
    const init = {
      method,
      headers: { ...headers },
      redirect: 'manual' as const,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      body,
    }
    for (let attempt = 0; ; attempt += 1) {
      try {
        const response = await client.fetch(this.urlOf(name), init)
        const bytes = Buffer.from(await response.arrayBuffer())
        return { status: response.status, headers: response.headers, bytes }
      } catch (error) {
        signal?.throwIfAborted()
        if (limit.aborted) {
          const message = `the S3 bucket ${bucket} has not answered to ${method} for ${timeoutMs} ms`
          throw new Error(message, { cause: error })
        }
        const delayMs = NETWORK_RETRIES_MS[attempt]
        if (delayMs === undefined)
          throw new Error(`the S3 bucket ${bucket} cannot be reached: ${reasonOf(error)}`, { cause: error })
        await sleep(delayMs)
      }
    }
  }

  async #open(): Promise<AwsClient> {
    const { credentials: given, region = 'us-east-1' } = this.#options
    const { accessKeyId, secretAccessKey, sessionToken } = typeof given === 'function' ? await given() : given
    const known = this.#client?.credentials
    const isSame =
      known?.accessKeyId === accessKeyId &&
      known.secretAccessKey === secretAccessKey &&
      known.sessionToken === sessionToken
    if (this.#client && isSame) return this.#client.client
    if (!isInstalled('aws4fetch')) throw new Error('S3 needs the package `aws4fetch`: npm install aws4fetch')
    const { AwsClient: Client } = loadPackage('aws4fetch') as { AwsClient: CreateClient }
    const credentials = { accessKeyId, secretAccessKey, sessionToken }
    const retries = { retries: STATUS_RETRIES, initRetryMs: STATUS_RETRY_MS }
    const client = new Client({ ...credentials, ...retries, service: 's3', region })
    this.#client = { client, credentials }
    return client
  }

  /** Describes an answer by its status and its code: its message may quote the request. */
  #describe(method: string, status: number, bytes: Buffer): Error {
    const code = codeOf(bytes)
    const advice = status >= 300 && status < 400 ? ': `region` or `endpoint` is not that of the bucket' : ''
    const what = `${status}${code === undefined ? '' : ` ${code}`}`
    return new Error(`the S3 bucket ${this.#options.bucket} has answered to ${method} with ${what}${advice}`)
  }
}

/** The code of an error of S3, such as `NoSuchKey`. */
const codeOf = (bytes: Buffer): string | undefined =>
  /<Code>(\w{1,64})<\/Code>/.exec(bytes.subarray(0, 4096).toString())?.[1]

/** The reason of `fetch failed`, which is its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined
  // Node has no message where each address of a name failed.
  return messageOf(cause) || (typeof code === 'string' ? code : 'no connection')
}

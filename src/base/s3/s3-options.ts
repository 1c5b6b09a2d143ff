import { anyBoolean, anyString, type Rule, timerMs, webUrl } from '../runtime/check-options.js'

/** Credentials of an S3-compatible storage. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Token of temporary credentials. */
  readonly sessionToken?: string
}

/** A bucket of an S3-compatible storage. */
export interface S3Options {
  /** Name of the bucket, which must exist. */
  bucket: string
  /** Credentials, or a function that returns them for each request, such as a provider of the AWS SDK. */
  credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>)
  /** Region of the bucket: `auto` for some storages. @default 'us-east-1' */
  region?: string
  /** URL of the storage, such as `https://minio.example.com:9000`. @default that of AWS for the region */
  endpoint?: string | URL
  /**
   * Name the bucket in the path of URLs, and not in their host.
   * @default true with `endpoint`, and for a bucket with a dot in its name
   */
  pathStyle?: boolean
  /** Beginning of all keys: letters, digits, `.`, `_`, `-` and `/`. @default 'trawl/' */
  prefix?: string
  /** Maximum time for one call, with its repetitions. Milliseconds. @default 30000 */
  timeoutMs?: number
}

const areCredentials = (value: unknown): boolean => {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null) return false
  const { accessKeyId, secretAccessKey }: { accessKeyId?: unknown; secretAccessKey?: unknown } = value
  return [accessKeyId, secretAccessKey].every((text) => typeof text === 'string' && text !== '')
}

/** Rules of {@link S3Options}. */
export const s3Rules: Readonly<Record<keyof S3Options, Rule>> = {
  bucket: {
    allowed: 'the name of a bucket',
    accepts: (value) => typeof value === 'string' && /^\w[\w.-]{1,254}$/.test(value) && !value.includes('..'),
  },
  credentials: {
    allowed: '`{ accessKeyId, secretAccessKey, sessionToken? }`, or a function that returns them',
    accepts: areCredentials,
  },
  region: {
    allowed: "the name of a region, such as 'eu-central-1'",
    accepts: (value) => typeof value === 'string' && /^[\w-]+$/.test(value),
  },
  endpoint: webUrl,
  pathStyle: anyBoolean,
  prefix: {
    allowed: "the beginning of keys, such as 'crawler/pages/'",
    // Dots alone would leave the folder: URLs are normalised.
    accepts: (value) => anyString.accepts(value) && /^(?:(?!\.{1,2}\/)[\w.-]+\/)*(?!\.)[\w.-]*$/.test(String(value)),
  },
  timeoutMs: timerMs,
}

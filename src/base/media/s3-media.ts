import { checkOptions, webUrl } from '../runtime/check-options.js'
import { S3Bucket } from '../s3/s3-bucket.js'
import { type S3Options, s3Rules } from '../s3/s3-options.js'
import type { MediaSink } from './media.js'
import { underUrl } from './store-media.js'

/** Options of `s3Media`. */
export interface S3MediaOptions extends S3Options {
  /**
   * URL under which the files are served, such as that of a CDN. The key of a file without `prefix` is appended, after a slash.
   * @default the URL of the object, for a bucket that readers may read
   */
  baseUrl?: string | URL
}

/**
 * Stores media files as objects of a bucket, with their media type, so that browsers can open them. Needs the package
 * `aws4fetch`.
 *
 * @throws TypeError for invalid options
 * @example createEngine({ media: s3Media({ bucket: 'files', credentials, baseUrl: 'https://files.example.com/trawl/' }) })
 */
export function s3Media(options: S3MediaOptions): MediaSink {
  checkOptions('s3Media', options, { ...s3Rules, baseUrl: webUrl }, ['bucket', 'credentials'])
  const { baseUrl, ...rest } = options
  const bucket = new S3Bucket(rest)
  return async ({ name, mediaType, bytes }, signal) => {
    await bucket.put(name, bytes, { contentType: mediaType, signal })
    return baseUrl === undefined ? bucket.urlOf(name) : underUrl(baseUrl, name)
  }
}

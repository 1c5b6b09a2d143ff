import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** An object of the server. */
export interface FakeObject {
  readonly body: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  writtenMs: number
}

/** A request as the server received it. */
export interface FakeRequest {
  readonly method: string
  readonly path: string
}

/**
 * A server with the part of the S3 API that the stores use, for one bucket: GET, PUT with conditions, DELETE, metadata. It checks
 * the signature of each request.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export interface S3Server {
  readonly endpoint: string
  readonly objects: Map<string, FakeObject>
  readonly requests: FakeRequest[]
  /** Answers of the next requests in place of the true ones: a status with a code, or `hang`, or `reset`. */
  readonly faults: (readonly [status: number, code: string] | 'hang' | 'reset')[]
  /** The clock of the server differs from that of the machine by so much. Milliseconds. */
  skewMs: number
  close(): Promise<void>
}

export const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'the+secret/key', sessionToken: 'the/token=' }
export const REGION = 'eu-north-1'
export const BUCKET = 'bucket-1'

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Computes the signature of a request from its parts, by the specification. */
function sign(request: IncomingMessage, path: string): string {
  const { authorization = '' } = request.headers
  const [, date = '', signed = ''] = /\/(\d{8})\/[^,]*, SignedHeaders=([^,]*)/.exec(authorization) ?? []
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const hash = String(request.headers['x-amz-content-sha256'])
  const canonical = [request.method, path, '', headers.join(''), signed, hash].join('\n')
  const scope = `${date}/${REGION}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [date, REGION, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${credentials.secretAccessKey}`)
  return createHmac('sha256', key).update(text).digest('hex')
}

/** The code of the fault of a request; undefined for one that is signed correctly. */
function refuse(
  request: IncomingMessage,
  path: string,
  body: Buffer,
  sessionToken: string | undefined,
): readonly [number, string] | undefined {
  const { authorization = '' } = request.headers
  if (!authorization.includes(`Credential=${credentials.accessKeyId}/`)) return [403, 'InvalidAccessKeyId']
  if (request.headers['x-amz-security-token'] !== sessionToken) return [403, 'InvalidToken']
  if (!authorization.endsWith(`Signature=${sign(request, path)}`)) return [403, 'SignatureDoesNotMatch']
  const hash = request.headers['x-amz-content-sha256']
  return hash === 'UNSIGNED-PAYLOAD' || hash === sha256(body) ? undefined : [400, 'XAmzContentSHA256Mismatch']
}

/** Starts a server. @param sessionToken token that requests must have; undefined for a key without one. @default that of {@link credentials} */
export async function startS3({
  sessionToken,
}: { readonly sessionToken?: string | undefined } = credentials): Promise<S3Server> {
  const objects = new Map<string, FakeObject>()
  const requests: FakeRequest[] = []
  const faults: S3Server['faults'] = []
  const state = { skewMs: 0 }
  const say = (response: ServerResponse, [status, code]: readonly [number, string]): void => {
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${credentials.secretAccessKey}</Message></Error>`,
    )
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const { method = '', url: path = '' } = request
    requests.push({ method, path })
    const fault = faults.shift()
    if (fault === 'hang') return
    if (fault === 'reset') return void request.socket.destroy()
    const refusal = fault ?? refuse(request, path, body, sessionToken)
    if (refusal) return say(response, refusal)
    if (!path.startsWith(`/${BUCKET}/`)) return say(response, [404, 'NoSuchBucket'])
    const stored = objects.get(path)
    const nowMs = Date.now() + state.skewMs
    response.setHeader('date', new Date(nowMs).toUTCString())
    if (method === 'GET') {
      if (!stored) return say(response, [404, 'NoSuchKey'])
      response.writeHead(200, {
        ...stored.headers,
        etag: stored.etag,
        'last-modified': new Date(stored.writtenMs).toUTCString(),
      })
      response.end(stored.body)
    } else if (method === 'PUT') {
      const { 'if-match': match, 'if-none-match': none } = request.headers
      if (match !== undefined && !stored) return say(response, [404, 'NoSuchKey'])
      if ((match !== undefined && match !== stored?.etag) || (none === '*' && stored))
        return say(response, [412, 'PreconditionFailed'])
      const kept = Object.entries(request.headers).filter(([name]) => /^(?:content-type|x-amz-meta-.*)$/.test(name))
      const headers = Object.fromEntries(kept) as Record<string, string>
      const etag = `"${createHash('md5').update(body).digest('hex')}"`
      objects.set(path, { body, etag, headers, writtenMs: nowMs })
      response.writeHead(200, { etag }).end()
    } else {
      objects.delete(path)
      response.writeHead(204).end()
    }
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    faults,
    get skewMs() {
      return state.skewMs
    },
    set skewMs(ms) {
      state.skewMs = ms
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { storeCache } from '../../../src/kernel/cache/store-cache.js'
import { storeProfiles } from '../../../src/features/browser/profiles/store-profiles.js'
import { s3Store, type S3StoreOptions } from '../../../src/base/store/stores/s3.js'
import type { Store } from '../../../src/base/store/store.js'
import { cacheContract } from '../../contracts/cache.contract.js'
import { profileStoreContract } from '../../features/browser/profile-store.contract.js'
import { noise, storeContract } from '../../contracts/store.contract.js'
import { storeUpdateContract } from '../../contracts/store-update.contract.js'
import { findFreePort } from '../../site/find-free-port.js'
import { BUCKET, credentials, REGION, type S3Server, startS3 } from './s3-server.js'

describe('a store in an S3-compatible storage', () => {
  let server: S3Server
  let count = 0
  beforeAll(async () => {
    server = await startS3()
  })
  afterAll(() => server.close())
  afterEach(() => {
    server.skewMs = 0
    server.faults.length = 0
  })

  const open = (options: Partial<S3StoreOptions> = {}): Store =>
    s3Store({
      bucket: BUCKET,
      credentials,
      region: REGION,
      endpoint: server.endpoint,
      prefix: `test-${(count += 1)}/`,
      ...options,
    })
  const failureOf = async (call: Promise<unknown>): Promise<string> => {
    const error: unknown = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(inspect(error, { depth: 10 })).not.toMatch(/the\+secret|the\/token|AKIDEXAMPLE|Signature=/)
    return error instanceof Error ? error.message : 'no failure'
  }

  storeContract({ make: () => open(), isBounded: false })
  cacheContract(() => storeCache(open()), { isBounded: false })
  profileStoreContract(async () => storeProfiles(open()))
  storeUpdateContract(async () => {
    const prefix = `shared-${(count += 1)}/`
    return [open({ prefix }), open({ prefix })]
  })

  it('writes objects under hashes of their keys, below its prefix', async () => {
    await open({ prefix: 'crawler/pages_1.' }).set('../../other?bucket=1#x', { facts: 1 })
    const [path = ''] = [...server.objects.keys()].filter((one) => one.includes('crawler'))
    expect(path).toMatch(/^\/bucket-1\/crawler\/pages_1\.[0-9a-f]{64}$/)
    expect(server.objects.get(path)?.headers).toEqual({ 'content-type': 'application/octet-stream' })
  })

  it('returns no expired entry, by the clock of the storage alone', async () => {
    const prefix = 'expiry/'
    const store = open({ prefix, ttlMs: 60_000 })
    server.skewMs = 3_600_000
    await store.set('a', { facts: 1 })
    expect((await store.get('a'))?.facts).toBe(1)
    for (const [path, object] of server.objects) if (path.includes(prefix)) object.writtenMs -= 61_000
    expect(await store.get('a')).toBeUndefined()
    await store.update?.('a', (entry) => ({ facts: entry ? 'changed' : 'new' }))
    expect((await store.get('a'))?.facts).toBe('new')
    await open({ prefix, ttlMs: 0 }).set('a', { facts: 2 })
    expect(await store.get('a')).toBeUndefined()
  })

  it('counts damaged and foreign objects as missing', async () => {
    const prefix = 'damage/'
    const store = open({ prefix })
    await store.set('a', { facts: 1, bodies: { page: noise(3000, 1) } })
    const [[path, object] = ['', undefined]] = [...server.objects].filter(([one]) => one.includes(prefix))
    const body = object?.body ?? Buffer.alloc(0)
    for (const damaged of [
      Buffer.from('<html>'),
      body.subarray(0, 900),
      Buffer.concat([body, body]),
      Buffer.alloc(0),
    ]) {
      if (object) server.objects.set(path, { ...object, body: damaged })
      expect(await store.get('a')).toBeUndefined()
    }
  })

  it('asks for credentials with each request, and takes new ones', async () => {
    const given = [{ ...credentials, secretAccessKey: 'the+secret/old' }, credentials]
    const store = open({ credentials: async () => given.shift() ?? credentials })
    expect(await failureOf(store.set('a', { facts: 1 }))).toContain('403 SignatureDoesNotMatch')
    await store.set('a', { facts: 1 })
    expect((await store.get('a'))?.facts).toBe(1)
  })

  it('repeats a request after 429, 5xx and a lost connection', async () => {
    const store = open()
    server.faults.push([503, 'SlowDown'], [429, 'TooManyRequests'], 'reset')
    await store.set('a', { facts: 1, bodies: { page: noise(5000, 1) } })
    server.faults.push('reset', [500, 'InternalError'])
    expect((await store.get('a'))?.facts).toBe(1)
    server.faults.push('reset')
    await store.delete('a')
    expect(await store.get('a')).toBeUndefined()
  })

  it('says in its errors what is wrong, without secrets', async () => {
    const get = (options: Partial<S3StoreOptions>): Promise<string> => failureOf(open(options).get('a'))
    const wrong = { ...credentials, secretAccessKey: 'the+secret/wrong' }
    expect(await get({ credentials: wrong })).toBe(
      'the S3 bucket bucket-1 has answered to GET with 403 SignatureDoesNotMatch',
    )
    expect(await get({ bucket: 'other' })).toBe('the S3 bucket other has answered to GET with 404 NoSuchBucket')
    server.faults.push([301, 'PermanentRedirect'])
    expect(await failureOf(open().set('a', { facts: 1 }))).toBe(
      'the S3 bucket bucket-1 has answered to PUT with 301 PermanentRedirect: `region` or `endpoint` is not that of the bucket',
    )
    server.faults.push([403, 'AccessDenied'])
    expect(await failureOf(open().delete('a'))).toBe(
      'the S3 bucket bucket-1 has answered to DELETE with 403 AccessDenied',
    )
    const closed = `http://127.0.0.1:${await findFreePort()}`
    expect(await get({ endpoint: closed })).toMatch(/^the S3 bucket bucket-1 cannot be reached: .*ECONNREFUSED/)
    server.faults.push('hang')
    expect(await get({ timeoutMs: 200 })).toBe('the S3 bucket bucket-1 has not answered to GET for 200 ms')
  })

  it('refuses an option that is not allowed', () => {
    const make = s3Store as (options: unknown) => unknown
    expect(() => make({})).toThrow('`s3Store({ bucket })`: undefined is not the name of a bucket')
    expect(() => make({ bucket: 'a/b', credentials })).toThrow('"a/b" is not the name of a bucket')
    expect(() => make({ bucket: BUCKET, credentials: { accessKeyId: 'the+secret' } })).toThrow(
      '`s3Store({ credentials })`: an object is not `{ accessKeyId',
    )
    for (const prefix of ['/a', '../', 'a/../b', 'a//b', 'ü/', 'a/..', '.'])
      expect(() => make({ bucket: BUCKET, credentials, prefix })).toThrow('`s3Store({ prefix })`')
    expect(() => make({ bucket: BUCKET, credentials, endpoint: 'https://me:the+secret@x.test' })).toThrow(
      '`s3Store({ endpoint })`: "https://…@x.test" is not a URL',
    )
  })
})

describe('the URL of an object', () => {
  it.each([
    [{}, 'https://bucket-1.s3.us-east-1.amazonaws.com/trawl/a.png'],
    [{ region: 'eu-west-1', pathStyle: true }, 'https://s3.eu-west-1.amazonaws.com/bucket-1/trawl/a.png'],
    [{ bucket: 'my.files' }, 'https://s3.us-east-1.amazonaws.com/my.files/trawl/a.png'],
    [{ endpoint: 'https://minio.test:9000/s3/', prefix: '' }, 'https://minio.test:9000/s3/bucket-1/a.png'],
    [{ endpoint: new URL('https://oss.test'), pathStyle: false }, 'https://bucket-1.oss.test/trawl/a.png'],
  ])('of %o is %s', async (options, url) => {
    const { S3Bucket } = await import('../../../src/base/s3/s3-bucket.js')
    expect(new S3Bucket({ bucket: BUCKET, credentials, ...options }).urlOf('a.png')).toBe(url)
  })
})

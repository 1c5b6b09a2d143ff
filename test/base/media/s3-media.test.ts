import { expect, it, onTestFinished } from 'vitest'
import { s3Media } from '../../../src/base/media/s3-media.js'
import { BUCKET, credentials, REGION, startS3 } from '../store/s3-server.js'
import { noise } from '../../contracts/store.contract.js'

it('media in an S3-compatible storage have their types and URLs', async () => {
  const server = await startS3()
  onTestFinished(() => server.close())
  const media = s3Media({ bucket: BUCKET, credentials, region: REGION, endpoint: server.endpoint, prefix: 'm/' })
  const file = {
    kind: 'pdf',
    mediaType: 'application/pdf',
    bytes: noise(100, 1),
    name: 'a.pdf',
    pageUrl: 'http://x',
  } as const
  const { signal } = new AbortController()
  expect(await media(file, signal)).toBe(`${server.endpoint}/${BUCKET}/m/a.pdf`)
  const { headers, body } = server.objects.get(`/${BUCKET}/m/a.pdf`) ?? {}
  expect(headers).toEqual({ 'content-type': 'application/pdf' })
  expect(new Uint8Array(body ?? [])).toEqual(noise(100, 1))
  const baseUrl = 'https://files.test/trawl/'
  const behindCdn = s3Media({ bucket: BUCKET, credentials, region: REGION, endpoint: server.endpoint, baseUrl })
  expect(await behindCdn(file, signal)).toBe('https://files.test/trawl/a.pdf')
  server.faults.push('hang')
  await expect(media(file, AbortSignal.abort(new Error('the time is up')))).rejects.toThrow('the time is up')
})

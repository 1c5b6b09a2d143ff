import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeText, sampleText } from './charset.js'
import { startSite } from './site.js'

describe('the test site', () => {
  it('serves its own pages before its routes, and 404 for the rest', async () => {
    await using site = await startSite({
      pages: {
        '/a': '<h1>A</h1>',
        '/b': ({ response, visits }) => void response.end(`visit ${visits}`),
        '/json': 'mine',
      },
    })
    const read = async (path: string) => (await fetch(site.url(path))).text()
    expect([await read('/a'), await read('/a?x=1'), await read('/b'), await read('/b'), await read('/json')]).toEqual([
      '<h1>A</h1>',
      '<h1>A</h1>',
      'visit 1',
      'visit 2',
      'mine',
    ])
    expect((await fetch(site.url('/nowhere'))).status).toBe(404)
    expect(site.requests.map(({ path }) => path)).toEqual(['/a', '/a?x=1', '/b', '/b', '/json', '/nowhere'])
  })

  it('serves a folder: types, index files, a redirect to the slash, nothing above it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'site-'))
    try {
      await mkdir(join(root, 'public', 'sub'), { recursive: true })
      await writeFile(join(root, 'secret.html'), 'secret')
      await writeFile(join(root, 'public', 'sub', 'index.html'), 'the index')
      await writeFile(join(root, 'public', 'a.css'), 'a{}')
      await using site = await startSite()
      site.mount('/docs/', join(root, 'public'))
      const moved = await fetch(site.url('/docs/sub?x=1'), { redirect: 'manual' })
      expect([moved.status, moved.headers.get('location')]).toEqual([301, '/docs/sub/?x=1'])
      expect(await (await fetch(site.url('/docs/sub/'))).text()).toBe('the index')
      expect((await fetch(site.url('/docs/a.css'))).headers.get('content-type')).toContain('text/css')
      for (const path of ['/docs/', '/docs/none.html', '/docs/..%2fsecret.html', '/docs/sub/index.html/']) {
        expect([path, (await fetch(site.url(path))).status]).toEqual([path, 404])
      }
    } finally {
      await rm(root, { recursive: true })
    }
  })

  it.each(['retry-after', 'flaky'])('fails as often as it is told: %s', async (route) => {
    await using site = await startSite()
    const statuses = [1, 2, 3, 4].map(() => fetch(site.url(`/${route}?times=2&status=503`)))
    expect((await Promise.all(statuses)).filter(({ ok }) => ok)).toHaveLength(2)
  })

  it.each([
    'utf-8',
    'windows-1252',
    'windows-1251',
    'shift_jis',
    'euc-jp',
    'gbk',
    'big5',
    'euc-kr',
    'utf-16le',
    'utf-16be',
  ])('writes text that decodes in %s', (label) => {
    const text = sampleText(label)
    expect(new TextDecoder(label).decode(encodeText(text, label))).toBe(text)
  })

  it('cuts what is under way when it closes', async () => {
    const site = await startSite()
    const hanging = expect(fetch(site.url('/hang'))).rejects.toThrow('fetch failed')
    await expect.poll(() => site.requests.length).toBe(1)
    await site.close()
    await hanging
    expect(site.connections.open).toBe(0)
    await site.close()
  })
})

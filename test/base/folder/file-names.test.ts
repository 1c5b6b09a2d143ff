import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileNames } from '../../../src/base/folder/file-names.js'

const nameOf = (url: string): string => new FileNames().nameFor(url)

describe('FileNames', () => {
  it.each([
    ['https://example.com/', 'example.com/index.md'],
    ['https://example.com/docs/', 'example.com/docs/index.md'],
    ['https://example.com/docs/install.html', 'example.com/docs/install.md'],
    ['https://example.com/README.md', 'example.com/README.md'],
    ['https://example.com:8080/a//b', 'example.com_8080/a/b.md'],
    ['https://example.com/list?page=2&sort=asc', 'example.com/list_page=2_sort=asc.md'],
    ['https://example.com/wiki/Z%C3%BCrich', 'example.com/wiki/Zürich.md'],
    ['https://example.com/%E6%97%A5%E6%9C%AC/', 'example.com/日本/index.md'],
    ['http://[::1]:80/x', '[_1]/x.md'],
    ['https://example.com/%E0%A4%A', 'example.com/_E0_A4_A.md'],
  ])('names the file of %s %s', (url, name) => {
    expect(nameOf(url)).toBe(name)
  })

  it.each([
    ['https://example.com/a/../../../etc/passwd', 'example.com/etc/passwd.md'],
    ['https://example.com/%2e%2e/%2e%2e/x', 'example.com/x.md'],
    ['https://example.com/..%2f..%2fx', 'example.com/___.._x.md'],
    ['https://example.com/%252e%252e/x', 'example.com/_2e_2e/x.md'],
    ['https://example.com/a%5C..%5Cb', 'example.com/a_.._b.md'],
    ['https://example.com/.../.git/.env', 'example.com/___/_git/_env.md'],
    ['https://example.com/a%00b%0Ac', 'example.com/a_b_c.md'],
    ['https://example.com/trailing./dots...', 'example.com/trailing_/dots___.md'],
    ['https://example.com/CON/aux.html', 'example.com/_CON/_aux.md'],
    ['https://example.com/com1.tar/nul.txt', 'example.com/_com1.tar/_nul.txt.md'],
    ['https://example.com/%E2%80%AEgnp.exe', 'example.com/_gnp.exe.md'],
    ['http://index.ndjson/x', 'index.ndjson_/x.md'],
    ['https://example.com/x.md/y', 'example.com/x.md_/y.md'],
  ])('gives %s a safe file name', (url, name) => {
    expect(nameOf(url)).toBe(name)
  })

  it('gives one URL always the same file, and a colliding URL another', () => {
    const names = new FileNames()
    const pages = ['/install', '/install.html', '/INSTALL', '/install?', '/inst%61ll', '/install.php', '/a_b', '/a?b']
    const first = pages.map((path) => names.nameFor(`https://example.com${path}`))
    expect(first[0]).toBe('example.com/install.md')
    expect(first[1]).toMatch(/^example\.com\/install-[0-9a-f]{8}\.md$/)
    expect(new Set(first.map((name) => name.toLowerCase()))).toHaveProperty('size', pages.length)
    expect(pages.map((path) => names.nameFor(`https://example.com${path}`))).toEqual(first)
  })

  it('shortens the names of long and deep URLs', () => {
    const names = new FileNames()
    const long = [
      'x'.repeat(5000),
      'ü'.repeat(1000),
      'a/'.repeat(500),
      `${'long-folder/'.repeat(100)}page?${'q'.repeat(3000)}`,
    ]
    const pages = long.flatMap((path) => [`https://example.com/${path}`, `https://example.com/${path}y`])
    const found = pages.map((url) => names.nameFor(url))
    expect(new Set(found).size).toBe(pages.length)
    for (const name of found) {
      expect(Buffer.byteLength(name)).toBeLessThan(250)
      for (const part of name.split('/')) expect(Buffer.byteLength(part)).toBeLessThan(120)
    }
  })

  it.each(['in its folder', 'where a file has the place of its folder'])(
    'always has a further name for a page, %s, and keeps it',
    (place) => {
      const isBarred = place !== 'in its folder'
      const page = 'https://example.com/docs/install'
      const taken = new Set<string>()
      const isForeign = (file: string) => taken.has(file) || (isBarred && file.startsWith('example.com/docs/'))
      for (let run = 0; run < 12; run += 1) {
        const names = new FileNames(isForeign)
        const name = names.nameFor(page)
        expect(names.nameFor(page)).toBe(name)
        expect(taken).not.toContain(name)
        expect(name.startsWith('example.com/docs/')).toBe(!isBarred)
        taken.add(name)
        const later = new FileNames()
        expect(later.reserve(page, name)).toBe(true)
        expect(later.reserve('https://example.com/docs/other', name)).toBe(false)
        expect(later.reserve(page, 'example.com/docs/install-2.md')).toBe(false)
      }
    },
  )

  const path = fc.array(
    fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '%2e%2e',
        '%2f',
        '%5c',
        '%00',
        'con',
        'NUL.txt',
        'a',
        'A',
        'é',
        'e\u0301',
        'a.md',
        'a.html',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { maxLength: 6 },
  )
  const url = fc
    .tuple(path, fc.option(fc.string({ maxLength: 8 })))
    .map(([parts, query]) => `https://example.com/${parts.join('/')}${query === null ? '' : `?${query}`}`)
    .filter((text) => URL.canParse(text))
    .map((text) => new URL(text).href)

  it('returns paths inside the folder that every file system accepts', () => {
    fc.assert(
      fc.property(url, (page) => {
        const parts = nameOf(page).split('/')
        expect(parts.length).toBeGreaterThan(1)
        for (const part of parts) {
          expect(part).toMatch(/^[^.](.*[^.])?$/u)
          expect(part).not.toMatch(/[<>:"/\\|?*\p{C}\p{Z}]/u)
          expect(part).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('never returns the file or folder of another page, also on file systems that ignore case and Unicode form', () => {
    fc.assert(
      fc.property(fc.uniqueArray(url, { maxLength: 40 }), (pages) => {
        const names = new FileNames()
        const files = pages.map((page) => names.nameFor(page).normalize('NFC').toLowerCase())
        expect(new Set(files).size).toBe(pages.length)
        const folders = files.flatMap((file) =>
          file.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/')),
        )
        expect(files.filter((file) => folders.includes(file))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

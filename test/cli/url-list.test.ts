import { describe, expect, it } from 'vitest'
import { parseUrlList } from '../../src/cli/url-list.js'
import { UsageError } from '../../src/cli/usage-error.js'

describe('parseUrlList', () => {
  it('reads one URL per line, trimmed, without comments and empty lines', () => {
    const list = parseUrlList(
      '\uFEFF# pages\nhttps://a.com/#part\r\n\r\n  https://b.com \n\t# more\nhttps://c.com',
      'list.txt',
    )
    expect(list.urls).toEqual(['https://a.com/#part', 'https://b.com', 'https://c.com'])
    expect([0, 1, 2].map((index) => list.nameOf(index))).toEqual(['list.txt:2', 'list.txt:4', 'list.txt:6'])
    expect(list.nameOf()).toBe('list.txt')
  })

  it('takes what follows white space and # for a comment, and no part of the URL', () => {
    const list = parseUrlList(
      'https://a.com/b # first\nhttps://a.com/c\t#second # and more\nhttps://a.com/d#part #x',
      'l',
    )
    expect(list.urls).toEqual(['https://a.com/b', 'https://a.com/c', 'https://a.com/d#part'])
  })

  it('reads a JSON array, whose members the engine validates', () => {
    const list = parseUrlList(' ["https://a.com", 3]\n', 'list.json')
    expect(list.urls).toEqual(['https://a.com', 3])
    expect(list.nameOf(1)).toBe('list.json [1]')
  })

  it('reports a truncated array', () => {
    expect(() => parseUrlList('["https://a.com"', 'list.json')).toThrow(UsageError)
    expect(() => parseUrlList('["https://a.com"', 'list.json')).toThrow(
      'list.json begins with [ and is not a valid JSON array',
    )
  })

  it('accepts an empty list, which the engine refuses', () => {
    expect(parseUrlList('\n# nothing\n', 'list.txt').urls).toEqual([])
  })
})

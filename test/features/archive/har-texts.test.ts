import { expect, test } from 'vitest'
import { createJudge } from '../../../src/features/archive/archive-filters.js'
import { readArchive } from '../../../src/features/archive/read/read-archive.js'
import { splitEntries } from '../../../src/features/archive/read/har-entries.js'
import { describeEntries, inPieces } from './describe-entries.js'

const LONG = 70_000

/** Writes an entry of a HAR. @param more text in the place of that of the body, in JSON */
const entry = (url: string, more: string, encoding?: string): string =>
  `{"request":{"method":"GET","url":${JSON.stringify(url)}},"response":{"status":200,"headers":[],"content":{"mimeType":"text/html",${
    encoding === undefined ? '' : `"encoding":"${encoding}",`
  }"text":${more}}}}`

const har = (entries: readonly string[]): Buffer => Buffer.from(`{"log":{"pages":[],"entries":[${entries.join(',')}]}}`)

const last = entry('http://a.test/last', '"last"')
const LAST = 'http://a.test/last 200 last'

/** Bodies by their kind: the text of JSON, and what it is. */
const texts: Readonly<Record<string, readonly [string, string, string?]>> = {
  plain: [JSON.stringify('x'.repeat(LONG)), 'x'.repeat(LONG)],
  escapes: [JSON.stringify('"\\\n}{][\\"'.repeat(LONG / 5)), '"\\\n}{][\\"'.repeat(LONG / 5)],
  backslashes: [JSON.stringify('\\'.repeat(LONG)), '\\'.repeat(LONG)],
  'escaped characters': [`"${'\\u00e9\\ud83d\\ude00a'.repeat(LONG / 10)}"`, 'é😀a'.repeat(LONG / 10)],
  'characters of several bytes': [JSON.stringify('é😀世'.repeat(LONG / 3)), 'é😀世'.repeat(LONG / 3)],
  'half a character at the end': [`"${'x'.repeat(LONG)}\\ud83d"`, `${'x'.repeat(LONG)}\ufffd`],
  base64: [JSON.stringify(Buffer.from('é one'.repeat(LONG)).toString('base64')), 'é one'.repeat(LONG), 'base64'],
  'base64 in lines': [
    JSON.stringify(Buffer.from('two '.repeat(LONG)).toString('base64').replace(/.{76}/g, '$&\r\n')),
    'two '.repeat(LONG),
    'base64',
  ],
}

test.each(Object.entries(texts))(
  'a long body is read piece by piece, wherever it is cut: %s',
  async (_, [json, text, encoding]) => {
    const bytes = har([entry('http://a.test/', json, encoding), last])
    for (const size of [262_144, 4099])
      expect(await describeEntries(inPieces(bytes, size))).toEqual([`http://a.test/ 200 ${text}`, LAST])
  },
)

test('an entry with a part of its page says so', async () => {
  const answer = (range: string): string =>
    entry('http://a.test/', '"hello"').replace(
      '"status":200,"headers":[]',
      `"status":206,"headers":[{"name":"Content-Range","value":"${range}"}]`,
    )
  expect(await describeEntries(inPieces(har([answer('bytes 0-4/90'), answer('bytes 0-4/5')]), 4099))).toEqual([
    'http://a.test/ 206 hello ! it is a part of the page (bytes 0-4/90)',
    'http://a.test/ 206 hello',
  ])
})

test('an entry with parts of its page has them joined, and their type', async () => {
  const parts = (...given: readonly (readonly [range: string, text: string])[]): string =>
    given
      .map(([range, text]) => `--x\r\nContent-Type: text/plain\r\nContent-Range: bytes ${range}\r\n\r\n${text}\r\n`)
      .join('')
  const answer = (body: string): string =>
    entry('http://a.test/', JSON.stringify(body)).replace(
      '"status":200,"headers":[]',
      '"status":206,"headers":[{"name":"Content-Type","value":"multipart/byteranges; boundary=x"}]',
    )
  const bytes = har([
    answer(`${parts(['0-4/10', 'hello'], ['5-9/10', 'world'])}--x--`),
    answer(parts(['5-9/10', 'world'])),
    answer('nothing'),
  ])
  expect(await describeEntries(inPieces(bytes, 4099))).toEqual([
    'http://a.test/ 206 helloworld',
    'http://a.test/ 206 world ! it is a part of the page',
    'http://a.test/ 206 nothing ! it is in parts that cannot be read',
  ])
})

const some = 'y'.repeat(LONG)
const broken: Readonly<Record<string, readonly [string, string]>> = {
  'a body that is too large': [
    entry('http://a.test/', `"${'x'.repeat(1_000_001)}"`),
    'broken: The body is larger than',
  ],
  'a body that is too large by far': [
    entry('http://a.test/', `"${'x'.repeat(2_000_000)}"`),
    'broken: The body is larger than',
  ],
  'a body that is no text': [
    entry('http://a.test/', `"${some}\u0001"`),
    'broken: The body of the entry is no text of JSON',
  ],
  'many small things': [
    entry('http://a.test/', `[${'{},'.repeat(400_000)}0]`),
    'broken: The entry is larger than what is read',
  ],
  'many long texts': [entry('http://a.test/', `[${`"${some}",`.repeat(25)}0]`), 'http://a.test/ 200 '],
  'a long name': [entry('http://a.test/', `{"${some}":1}`), 'broken: The entry is no JSON'],
  'a long URL': [entry(`http://a.test/${some}`, '"x"'), 'broken: The URL of the entry is larger than what is read'],
  'a long URL with its data': [entry(`data:text/html,${some}`, '"x"'), 'skipped: NOT_HTTP'],
  'a number of a long text that there is not': [entry('http://a.test/', '[7]'), 'http://a.test/ 200 '],
  'a long text between entries': [`"${some}{"`, LAST],
}

test.each(Object.entries(broken))(
  'an entry that is not read is an outcome, and others are read: %s',
  async (_, [json, says]) => {
    const seen = await describeEntries(inPieces(har([json, last]), 4099))
    expect(seen[0]?.slice(0, says.length)).toBe(says)
    expect(seen.at(-1)).toBe(LAST)
  },
)

test('a long header is kept', async () => {
  const value = `a=${some}\nb=2`
  const response = {
    status: 200,
    headers: [{ name: 'Set-Cookie', value }],
    content: { mimeType: 'text/html', text: 'x' },
  }
  const one = JSON.stringify({ request: { url: 'http://a.test/' }, response })
  const options = { judge: createJudge(), wireBytes: 1e6, bodyBytes: 1e6, scheme: 'https' } as const
  for await (const read of readArchive([har([one])], { ...options, signal: new AbortController().signal }))
    expect('lines' in read && read.lines?.['set-cookie']).toEqual([`a=${some}`, 'b=2'])
})

test('what programs add to an entry, however much, is left out of it', async () => {
  const frame = { functionName: 'x', url: 'https://a.test/bundle.js', lineNumber: 1, columnNumber: 2, scriptId: '12' }
  const stack = { type: 'script', stack: { callFrames: Array.from({ length: 15_000 }, () => frame) } }
  const messages = Array.from({ length: 20_000 }, () => ({ type: 'receive', time: 1.5, data: '{"a":[1]}' }))
  const response = { status: 200, headers: [], content: { mimeType: 'text/html', text: 'x' } }
  const entries = [
    { _initiator: stack, request: { url: 'http://a.test/' }, response },
    { _webSocketMessages: messages, request: { url: 'wss://a.test/' }, response: { status: 101, headers: [] } },
    { request: { url: 'http://a.test/' }, response: { status: 0, _added: stack, _error: 'net::ERR_FAILED' } },
  ].map((one) => JSON.stringify(one))
  for (const size of [262_144, 4099])
    expect(await describeEntries(inPieces(har([...entries, last]), size))).toEqual([
      'http://a.test/ 200 x',
      'skipped: NOT_HTTP',
      'broken: net::ERR_FAILED',
      LAST,
    ])
  const one =
    String.raw`{"_a" : [ "]", {"\"_b":[{}]}],"b":["_c",[1],"_d",{"e":1}],"_f":"[","\u005fg":[2],` +
    String.raw`"":{"_":{"x":"}\\"}},"h":"_i","j":[{"_k":[],"l":{"m":"_"}}],"_n" :-1,"_o":{"_p":{}}}`
  for (const size of [1, 2, 3, 1000])
    for await (const { json } of splitEntries(inPieces(har([one, one]), size), 1000))
      expect(JSON.parse(json ?? '')).toEqual({
        ...JSON.parse(one),
        _a: [],
        '': { _: {} },
        _o: {},
      })
})

test('long texts besides the body take none of its size', async () => {
  const response = { status: 200, headers: [], content: { mimeType: 'text/html', text: 'x'.repeat(900_000) } }
  const long = 'y'.repeat(1_400_000)
  const request = { url: 'http://a.test/', headers: [{ name: 'X', value: long }] }
  for (const space of [undefined, 2])
    for (const size of [262_144, 4099])
      expect(
        await describeEntries(
          inPieces(
            har([JSON.stringify({ _text: long, comment: 'text', request, response }, undefined, space), last]),
            size,
          ),
        ),
      ).toEqual([`http://a.test/ 200 ${response.content.text}`, LAST])
})

test('a header whose value is a number is one', async () => {
  const response = (name: string, value: unknown, content: object) => ({
    request: { url: 'http://a.test/' },
    response: { status: 200, headers: [{ name, value }], content },
  })
  const entries = [
    response('Content-Length', 512, { size: 0 }),
    response('Content-Length', '512', { size: 0 }),
    response('Content-Length', 0, { size: 0 }),
  ].map((one) => JSON.stringify(one))
  const without = 'broken: The file was saved without the bodies of responses'
  expect(await describeEntries(inPieces(har(entries), 4099))).toEqual([without, without, 'http://a.test/ 200 '])
})

import { gzipSync } from 'node:zlib'

/** Parts of a record; what is not given is as a good writer has it. */
export interface RecordParts {
  readonly version?: string
  /** Fields of the head that replace or add to those of a response; undefined leaves one out. */
  readonly fields?: Readonly<Record<string, string | undefined>>
  readonly block?: string | Buffer
  /** What ends the record. @default two line ends */
  readonly end?: string
  /** Line end of the head. */
  readonly eol?: string
}

let ids = 0

/** Makes a record of a WARC. */
export function warcRecord({
  version = 'WARC/1.0',
  fields = {},
  block = '',
  end = '\r\n\r\n',
  eol = '\r\n',
}: RecordParts): Buffer {
  const bytes = Buffer.from(block)
  const all: Record<string, string | undefined> = {
    'WARC-Type': 'response',
    'WARC-Record-ID': `<urn:uuid:00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}>`,
    'WARC-Date': '2024-05-06T07:08:09Z',
    'WARC-Target-URI': 'http://a.test/',
    'Content-Type': 'application/http; msgtype=response',
    'Content-Length': String(bytes.length),
    ...fields,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  return Buffer.concat([Buffer.from([version, ...lines, '', ''].join(eol)), bytes, Buffer.from(end)])
}

/** Makes the block of a response. */
export const httpBlock = (
  body: string | Buffer,
  head: readonly string[] = ['HTTP/1.1 200 OK', 'Content-Type: text/html'],
  eol = '\r\n',
): Buffer => Buffer.concat([Buffer.from([...head, '', ''].join(eol)), Buffer.from(body)])

/** Makes the record of a page. */
export const pageRecord = (url: string, body: string | Buffer, more: RecordParts = {}): Buffer =>
  warcRecord({ block: httpBlock(body), ...more, fields: { 'WARC-Target-URI': url, ...more.fields } })

/** Compresses each record by itself. */
export const eachGzipped = (...records: readonly Buffer[]): Buffer => Buffer.concat(records.map((one) => gzipSync(one)))

/** Makes the record that a WARC begins with. */
export const infoRecord = (): Buffer =>
  warcRecord({
    fields: { 'WARC-Type': 'warcinfo', 'WARC-Target-URI': undefined, 'Content-Type': 'application/warc-fields' },
    block: 'software: test\r\nformat: WARC File Format 1.0\r\n',
  })

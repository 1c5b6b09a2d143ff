import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { limitMaps } from '../../../src/content/pdf/library/limit-maps.js'

const mapOf = (ranges: string): Buffer =>
  Buffer.from(`/CIDInit /ProcSet findresource begin\nbegincmap\n1 beginbfrange\n${ranges}\nendbfrange\nendcmap\n`)

/** A file with one stream after another. */
const fileOf = (...streams: readonly (readonly [description: string, data: Uint8Array])[]): Buffer =>
  Buffer.concat(
    streams.flatMap(([description, data], index) => [
      Buffer.from(`${index + 1} 0 obj\n<< /Length ${data.length} ${description}>>\nstream\n`),
      data,
      Buffer.from('\nendstream\nendobj\n'),
    ]),
  )

const PACKED = '/Filter /FlateDecode '
const isWhole = (file: Buffer): boolean => limitMaps(file) === file

it('character maps of bounded size are kept', () => {
  const some = mapOf('<0000> <FFFF> <0041>\n<00> <7f> [<0041> <0042>]')
  expect(isWhole(fileOf([PACKED, deflateSync(some)], ['', some]))).toBe(true)
  const pairs = Buffer.from(`begincmap 2 beginbfchar ${'<00000041> <FFFFFF41>\n'.repeat(100)} endbfchar`)
  expect(isWhole(fileOf([PACKED, deflateSync(pairs)]))).toBe(true)
})

it.each([
  ['one range', '<00000000> <00FFFFFF> <0041>'],
  ['many ranges', '<0000> <FFFF> <0041>\n'.repeat(20)],
  ['ranges of lists', '<00000000> <00FFFFFF> [<0041>]'],
])('character maps with more code points than Unicode has are removed: %s', (_, ranges) => {
  const map = deflateSync(mapOf(ranges))
  const file = fileOf([PACKED, map], [PACKED, deflateSync(Buffer.from('BT (x) Tj ET'))])
  const limited = Buffer.from(limitMaps(file)).toString('latin1')
  expect(limited).toHaveLength(file.length)
  // Nothing is changed but how the map is said to be packed.
  expect(limited).toBe(file.toString('latin1').replace('/FlateDecode', '/XlateDecode'))
  expect(file.toString('latin1')).not.toContain('/XlateDecode')
})

it('oversized character maps without compression are removed', () => {
  const file = fileOf(['', mapOf('<00000000> <00FFFFFF> <0041>')], ['', Buffer.from('BT (x) Tj ET')])
  const limited = Buffer.from(limitMaps(file)).toString('latin1')
  expect(limited).not.toContain('beginbfrange')
  expect(limited).toContain('BT (x) Tj ET')
})

it('broken character maps are removed, in which the library would read arbitrary data', () => {
  const packed = deflateSync(mapOf(Array.from({ length: 200 }, (_, at) => `<${at}> <${at * 7919}> <0041>`).join('\n')))
  packed.fill(0xff, packed.length >> 1)
  expect(isWhole(fileOf([PACKED, packed]))).toBe(false)
  expect(isWhole(fileOf([PACKED, deflateSync(mapOf('<00> <01> <0041>')).subarray(0, 40)]))).toBe(true)
})

it('streams that are not character maps are not read', () => {
  const page = Buffer.from('BT <00000000> <00FFFFFF> <0041> Tj ET')
  expect(
    isWhole(fileOf([PACKED, deflateSync(page)], ['', page], ['/Filter /DCTDecode ', mapOf('<0> <ffffff> <0>')])),
  ).toBe(true)
  expect(isWhole(Buffer.from('stream\nstream\r\nendstream stream'))).toBe(true)
})

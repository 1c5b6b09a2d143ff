import { expect, it } from 'vitest'
import { createEngine, replay, wacz, warc } from '../../../src/index.js'

it.each([
  ['warc', warc, '`warc(path)`'],
  ['wacz', wacz, '`wacz(path)`'],
  ['replay', replay, '`replay(archive)`'],
])('%s refuses what is no path at the call, and names it', (_, make, call) => {
  for (const given of [5, null, '', {}, () => 0])
    expect(() => (make as (path: unknown) => unknown)(given)).toThrow(
      new RegExp(`^${call.replaceAll(/[()]/g, '\\$&')}: .+ is not the path of`),
    )
})

it.each([
  ['x.wacz', warc, '`warc(path)`: "x.wacz" is not the path of a WARC: for this file, call `wacz(path)`'],
  ['x.WARC.gz', wacz, '`wacz(path)`: "x.WARC.gz" is not the path of a WACZ: for this file, call `warc(path)`'],
])('what would give %s the bytes of another format is refused, and the other function named', (path, make, message) => {
  expect(() => make(path)).toThrow(message)
  const type = make === warc ? 'warc' : 'wacz'
  expect(() => createEngine({ archive: { type, path } })).toThrow(/archive\.path.*ends with `\.warc\.gz`.*`\.wacz`/)
})

it.each(['x.arc', 'x.ARC.gz'])('the name of an ARC, which no reader would take a WARC for, is refused: %s', (path) => {
  for (const make of [warc, wacz]) expect(() => make(path)).toThrow(/^`\w+\(path\)`: "x\.arc.*an ARC is read only/i)
  for (const archive of [path, { type: 'warc', path } as const])
    expect(() => createEngine({ archive })).toThrow(/: archive(?:\.path)?: .*an ARC is read only$/)
})

it.each([
  [{ missng: 'skip' }, '`replay`: unknown option "missng": allowed are missing, timing, date, record'],
  [{ missing: 'network' }, '`replay({ missing })`: "network" is not one of fail, fetch, skip'],
  [{ timing: true }, '`replay({ timing })`: true is not one of none, recorded'],
  [{ date: new Date('soon') }, 'is not a date'],
  [{ date: 2026 }, 'is not a date'],
  [{ record: true }, '`replay({ record })`: true is not one of missing'],
  [{ record: 'missing', missing: 'fail' }, "missing: must be 'fetch', or left out, with `record: 'missing'`"],
  [{ record: 'missing', missing: 'skip' }, "missing: must be 'fetch', or left out, with `record: 'missing'`"],
])('replay refuses the options %j at the call', (options, message) => {
  expect(() => replay('a.warc.gz', options as object)).toThrow(message)
})

import { listBoxes, type Mp4Box } from './mp4-boxes.js'

/**
 * An MP4 file with its index before its data. Many have it behind, and who reads a pipe cannot look ahead. One that has it in front,
 * or that is no such file, is given back as it is.
 *
 * @see ISO/IEC 14496-12 section 8.7.5
 */
export function putIndexFirst(given: Uint8Array): Uint8Array {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const boxes = listBoxes(bytes)
  const index = boxes.find(({ type }) => type === 'moov')
  const data = boxes.find(({ type }) => type === 'mdat')
  if (!index || !data || index.start < data.start) return given
  const moved = Buffer.from(bytes.subarray(index.start, index.end))
  const size = moved.length
  // What lay between the old place of the index and the new one is pushed back by it; what lay behind stays.
  const shift = (offset: number): number => (offset >= data.start && offset < index.start ? offset + size : offset)
  for (const table of findTables(moved)) shiftTable(moved, table, shift)
  return Buffer.concat([
    bytes.subarray(0, data.start),
    moved,
    bytes.subarray(data.start, index.start),
    bytes.subarray(index.end),
  ])
}

/** The way to the tables that say where each piece of a track's data stands. */
const WAY = ['moov', 'trak', 'mdia', 'minf', 'stbl']

function findTables(bytes: Buffer): Mp4Box[] {
  let boxes = listBoxes(bytes)
  for (const name of WAY) {
    boxes = boxes.filter(({ type }) => type === name).flatMap(({ body, end }) => listBoxes(bytes, body, end))
  }
  return boxes.filter(({ type }) => type === 'stco' || type === 'co64')
}

function shiftTable(bytes: Buffer, { type, body, end }: Mp4Box, shift: (offset: number) => number): void {
  const width = type === 'stco' ? 4 : 8
  // After a word of flags and the number of entries.
  for (let at = body + 8; at + width <= end; at += width) {
    if (width === 4) bytes.writeUInt32BE(shift(bytes.readUInt32BE(at)) % 2 ** 32, at)
    else bytes.writeBigUInt64BE(BigInt(shift(Number(bytes.readBigUInt64BE(at)))), at)
  }
}

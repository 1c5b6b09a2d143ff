import { listBoxes, type Mp4Box } from './mp4-boxes.js'

/**
 * Moves the index of an MP4 file before its data. In many files it comes last, and a program that reads a pipe cannot
 * seek. Other files are returned unchanged.
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
  // Data between the new and the old position of the index moves back by the size of the index; data after it stays.
  const shift = (offset: number): number => (offset >= data.start && offset < index.start ? offset + size : offset)
  for (const table of findTables(moved)) shiftTable(moved, table, shift)
  return Buffer.concat([
    bytes.subarray(0, data.start),
    moved,
    bytes.subarray(data.start, index.start),
    bytes.subarray(index.end),
  ])
}

/** Path to the tables with the offsets of a track's data. */
const TABLE_PATH = ['moov', 'trak', 'mdia', 'minf', 'stbl']

function findTables(bytes: Buffer): Mp4Box[] {
  let boxes = listBoxes(bytes)
  for (const name of TABLE_PATH) {
    boxes = boxes.filter(({ type }) => type === name).flatMap(({ body, end }) => listBoxes(bytes, body, end))
  }
  return boxes.filter(({ type }) => type === 'stco' || type === 'co64')
}

function shiftTable(bytes: Buffer, { type, body, end }: Mp4Box, shift: (offset: number) => number): void {
  const width = type === 'stco' ? 4 : 8
  // The entries follow the flags and the number of entries, four bytes each.
  for (let at = body + 8; at + width <= end; at += width) {
    if (width === 4) bytes.writeUInt32BE(shift(bytes.readUInt32BE(at)) % 2 ** 32, at)
    else bytes.writeBigUInt64BE(BigInt(shift(Number(bytes.readBigUInt64BE(at)))), at)
  }
}

/** A box of an MP4 file: where it starts, where what is in it starts, and where it ends. */
export interface Mp4Box {
  readonly type: string
  readonly start: number
  readonly body: number
  readonly end: number
}

/** More boxes beside each other than any file needs: one that is in pieces has two for each second. */
const MAX_BOXES = 50_000

/** The boxes in a stretch of an MP4 file, as far as they are whole; the last one may be cut off. @see ISO/IEC 14496-12 section 4.2 */
export function listBoxes(bytes: Buffer, from = 0, to = bytes.length): Mp4Box[] {
  const boxes: Mp4Box[] = []
  for (let start = from; start + 8 <= to && boxes.length < MAX_BOXES;) {
    const short = bytes.readUInt32BE(start)
    const isLong = short === 1 && start + 16 <= to
    const size = isLong ? Number(bytes.readBigUInt64BE(start + 8)) : short === 0 ? to - start : short
    const body = start + (isLong ? 16 : 8)
    if (size < body - start) break
    const end = Math.min(start + size, to)
    boxes.push({ type: bytes.toString('latin1', start + 4, start + 8), start, body, end })
    start = end
  }
  return boxes
}
